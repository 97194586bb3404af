package dev.waymark.core.time;

import com.cronutils.model.time.ExecutionTime;
import dev.waymark.core.Limits;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression whose days of month depend on the month: {@code 31W}, {@code LW}, {@code L-3}.
 *
 * <p>The library throws where a month has no such day, and leaves a Sunday at the end of a month
 * where it is. So each month is asked by itself, with its days written out as plain numbers, and a
 * day that it does not have is left out.
 *
 * @param parts the fields of the expression
 * @param day which of the parts is the day of month; the day of week is two behind it
 */
record MonthByMonth(List<String> parts, int day, Function<List<String>, ExecutionTime> parser) {

  private static final Pattern SPECIAL = Pattern.compile("(\\d{1,2})W|LW|L-(\\d{1,2})");

  /** True if the expression needs to be asked month by month. */
  static boolean isNeededFor(String daysOfMonth) {
    return List.of(daysOfMonth.split(",")).stream().anyMatch(d -> SPECIAL.matcher(d).matches());
  }

  /** The first time after {@code from}; absent if {@link Limits#CRON_MONTHS} months have none. */
  @Nullable ZonedDateTime next(ZonedDateTime from) {
    YearMonth month = YearMonth.from(from);
    ZonedDateTime after = from;
    for (int i = 0; i < Limits.CRON_MONTHS; i++) {
      List<String> concrete = in(month);
      ZonedDateTime found =
          concrete == null ? null : parser.apply(concrete).nextExecution(after).orElse(null);
      if (found != null && YearMonth.from(found).equals(month)) {
        return found;
      }
      month = month.plusMonths(1);
      after = month.atDay(1).atStartOfDay(from.getZone()).minusSeconds(1);
    }
    return null;
  }

  /** The expression as it reads in one month; absent if nothing of it is left. */
  private @Nullable List<String> in(YearMonth month) {
    List<String> days =
        List.of(parts.get(day).split(",")).stream()
            .map(term -> plain(term, month))
            .filter(term -> !term.isEmpty())
            .toList();
    if (days.isEmpty() && parts.get(day + 2).equals("*")) {
      return null;
    }
    List<String> concrete = new ArrayList<>(parts);
    concrete.set(day, days.isEmpty() ? "*" : String.join(",", days));
    return concrete;
  }

  private static String plain(String term, YearMonth month) {
    Matcher special = SPECIAL.matcher(term);
    if (!special.matches()) {
      return term;
    }
    int length = month.lengthOfMonth();
    if (special.group(2) != null) {
      int number = length - Integer.parseInt(special.group(2));
      return number < 1 ? "" : String.valueOf(number);
    }
    int number = special.group(1) == null ? length : Integer.parseInt(special.group(1));
    return number > length ? "" : String.valueOf(weekdayNear(month.atDay(number)).getDayOfMonth());
  }

  /** Friday for a Saturday, Monday for a Sunday; but never in another month. */
  private static LocalDate weekdayNear(LocalDate date) {
    LocalDate near =
        switch (date.getDayOfWeek()) {
          case SATURDAY -> date.minusDays(1);
          case SUNDAY -> date.plusDays(1);
          default -> date;
        };
    if (near.getMonth() == date.getMonth()) {
      return near;
    }
    return date.getDayOfWeek() == DayOfWeek.SATURDAY ? date.plusDays(2) : date.minusDays(2);
  }
}
