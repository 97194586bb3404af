package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.text.Complaint;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.time.Calendar;
import dev.waymark.core.time.Due;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the calendars of a definition, and checks that those which are named are there. */
final class CalendarReader {

  private final FaultList faults;
  private final Set<String> names;
  private final Map<String, Calendar> calendars = new LinkedHashMap<>();

  CalendarReader(TextNode.@Nullable Struct struct, FaultList faults) {
    this.faults = faults;
    this.names = struct == null ? Set.of() : struct.fields().keySet();
    if (struct == null) {
      return;
    }
    if (struct.fields().size() > Limits.CALENDARS) {
      faults.add(
          struct.place(),
          "at most %d calendars".formatted(Limits.CALENDARS),
          Integer.toString(struct.fields().size()));
      return;
    }
    struct.fields().forEach(this::read);
  }

  Map<String, Calendar> calendars() {
    return calendars;
  }

  /**
   * Reports a calendar that is named and does not exist; a name that an expression gives is checked
   * later, in the run.
   */
  void checkUse(TextNode due) {
    if (due instanceof TextNode.Struct struct
        && struct.fields().get(Due.CALENDAR) instanceof TextNode.Scalar name
        && name.value() instanceof String text
        && !ReactionReader.isExpression(text)
        && !names.contains(text)) {
      if (names.isEmpty()) {
        faults.add(name.place(), "a calendar of the definition, which has none", name.shown());
      } else {
        faults.addUnknown(name.place(), "one of", names, text);
      }
    }
  }

  private void read(String name, TextNode node) {
    if (!(node instanceof TextNode.Struct struct)) {
      faults.add(node.place(), "an object with 'zone' and 'hours'", node.shown());
      return;
    }
    int before = faults.size();
    Fields fields = new Fields(struct, Format.CALENDAR.fields(), faults);
    ZoneId zone = zone(fields);
    TextNode.Struct week = fields.requireStruct("hours", "the working hours by weekday");
    Map<DayOfWeek, List<Calendar.Span>> hours = hours(week);
    Set<LocalDate> holidays = holidays(fields.get("holidays"));
    if (faults.size() > before || zone == null || week == null) {
      return;
    }
    try {
      calendars.put(name, new Calendar(zone, hours, holidays));
    } catch (IllegalArgumentException e) {
      Complaint refusal = Complaint.of(e);
      faults.add(week.place(), refusal.expected(), refusal.got());
    }
  }

  private static @Nullable ZoneId zone(Fields fields) {
    String text = fields.requireText("zone", "a time zone such as Europe/Berlin");
    TextNode node = fields.get("zone");
    if (text == null || node == null) {
      return null;
    }
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      fields.wrong(node, "a time zone such as Europe/Berlin");
      return null;
    }
  }

  private Map<DayOfWeek, List<Calendar.Span>> hours(TextNode.@Nullable Struct week) {
    Map<DayOfWeek, List<Calendar.Span>> hours = new EnumMap<>(DayOfWeek.class);
    if (week == null) {
      return hours;
    }
    Fields days = new Fields(week, Format.HOURS.fields(), faults);
    for (DayOfWeek day : DayOfWeek.values()) {
      TextNode node = days.get(day.name().toLowerCase(Locale.ROOT));
      if (node instanceof TextNode.Sequence items) {
        List<Calendar.Span> spans = new ArrayList<>();
        items.items().forEach(item -> span(item, spans));
        hours.put(day, spans);
      } else if (node != null) {
        faults.add(node.place(), "a list of hours such as [09:00-17:30]", node.shown());
      }
    }
    return hours;
  }

  private void span(TextNode node, List<Calendar.Span> spans) {
    try {
      spans.add(Calendar.Span.parse(String.valueOf(node.value())));
    } catch (IllegalArgumentException e) {
      Complaint refusal = Complaint.of(e);
      faults.add(node.place(), refusal.expected(), refusal.got());
    }
  }

  private Set<LocalDate> holidays(@Nullable TextNode node) {
    Set<LocalDate> holidays = new HashSet<>();
    if (node instanceof TextNode.Sequence items) {
      for (TextNode item : items.items()) {
        try {
          holidays.add(LocalDate.parse(String.valueOf(item.value())));
        } catch (DateTimeException e) {
          faults.add(item.place(), "a date such as 2026-12-25", item.shown());
        }
      }
    } else if (node != null) {
      faults.add(node.place(), "a list of dates", node.shown());
    }
    return holidays;
  }
}
