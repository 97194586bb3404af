package dev.waymark.engine.internal.time;

import dev.waymark.core.Json;
import dev.waymark.core.time.Cron;
import dev.waymark.core.time.Missed;
import dev.waymark.core.time.Recurrence;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns schedules into rows and back; what people wrote passes the codec. */
public final class ScheduleRows {

  /** A row, understood. */
  record KnownSchedule(ScheduleRow row, Schedule schedule, ScheduleState state) {}

  private final DocumentCodec codec;

  public ScheduleRows(DocumentCodec codec) {
    this.codec = codec;
  }

  KnownSchedule read(ScheduleRow row) {
    return new KnownSchedule(
        row,
        schedule(row.name(), Json.readObject(codec.decode(row.spec()))),
        ScheduleState.of(
            row.name(), row.paused(), row.next(), Json.readObject(codec.decode(row.state()))));
  }

  /** The first row of a schedule that is not there yet. */
  ScheduleRow first(String tenant, Schedule schedule, ScheduleState state, String by, Instant at) {
    return new ScheduleRow(
        tenant,
        schedule.name(),
        1,
        schedule.start().definition(),
        encoded(document(schedule)),
        state.paused(),
        state.next(),
        state.due(at),
        encoded(state.toDocument()),
        by,
        at,
        by,
        at);
  }

  /** The same row in a new state; time alone changes nothing about who changed it last. */
  ScheduleRow moved(KnownSchedule known, ScheduleState state, Instant at) {
    return row(
        known.row(), known.schedule(), state, known.row().changedBy(), known.row().changed(), at);
  }

  ScheduleRow changed(
      ScheduleRow before, Schedule schedule, ScheduleState state, String by, Instant at) {
    return row(before, schedule, state, by, at, at);
  }

  private ScheduleRow row(
      ScheduleRow before,
      Schedule schedule,
      ScheduleState state,
      String changedBy,
      Instant changed,
      Instant at) {
    return new ScheduleRow(
        before.tenant(),
        before.name(),
        before.revision(),
        schedule.start().definition(),
        encoded(document(schedule)),
        state.paused(),
        state.next(),
        state.due(at),
        encoded(state.toDocument()),
        before.createdBy(),
        before.created(),
        changedBy,
        changed);
  }

  /** The row as it is once its change is accepted. */
  KnownSchedule accepted(ScheduleRow written) {
    return read(
        new ScheduleRow(
            written.tenant(),
            written.name(),
            written.revision() + 1,
            written.definition(),
            written.spec(),
            written.paused(),
            written.next(),
            written.due(),
            written.state(),
            written.createdBy(),
            written.created(),
            written.changedBy(),
            written.changed()));
  }

  static ScheduleInfo info(KnownSchedule known) {
    ScheduleState state = known.state();
    ScheduleRow row = known.row();
    return new ScheduleInfo(
        known.schedule(),
        state.paused(),
        state.next(),
        state.last(),
        state.running(),
        state.buffered() == null ? null : state.buffered().occurrence(),
        state.pending().size(),
        state.started(),
        state.skipped(),
        state.error(),
        row.createdBy(),
        row.created(),
        row.changedBy(),
        row.changed());
  }

  private String encoded(Map<String, @Nullable Object> document) {
    return codec.encode(Json.write(document));
  }

  private static Map<String, @Nullable Object> document(Schedule schedule) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    switch (schedule.recurrence()) {
      case Recurrence.OnCron(Cron cron, ZoneId zone) -> {
        document.put("cron", cron.text());
        document.put("zone", zone.getId());
      }
      case Recurrence.Every(Duration interval, Instant from) -> {
        document.put("every", interval.toString());
        document.put("from", from.toString());
      }
    }
    StartRequest start = schedule.start();
    document.put("definition", start.definition());
    document.put("version", start.version() == null ? null : (long) start.version());
    document.put("input", start.input());
    document.put("businessKey", start.businessKey());
    document.put("correlationId", start.correlationId());
    document.put("labels", start.labels());
    document.put("overlap", schedule.overlap().name());
    document.put("missed", schedule.missed().word());
    return document;
  }

  private static Schedule schedule(String name, Map<String, @Nullable Object> document) {
    Recurrence recurrence =
        document.get("cron") instanceof String cron
            ? new Recurrence.OnCron(
                Cron.parse(cron), ZoneId.of(String.valueOf(document.get("zone"))))
            : new Recurrence.Every(
                Duration.parse(String.valueOf(document.get("every"))),
                Instant.parse(String.valueOf(document.get("from"))));
    Map<String, String> labels = new LinkedHashMap<>();
    Json.object(document.get("labels"))
        .forEach((key, value) -> labels.put(key, String.valueOf(value)));
    StartRequest start =
        new StartRequest(
            String.valueOf(document.get("definition")),
            document.get("version") instanceof Number version ? version.intValue() : null,
            Json.object(document.get("input")),
            text(document.get("businessKey")),
            text(document.get("correlationId")),
            labels);
    return new Schedule(
        name,
        recurrence,
        start,
        Overlap.valueOf(String.valueOf(document.get("overlap"))),
        Missed.of(String.valueOf(document.get("missed"))));
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : String.valueOf(value);
  }
}
