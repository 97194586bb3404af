package dev.waymark.core.step.decide;

import static java.util.stream.Collectors.joining;

import dev.waymark.core.step.Play;
import java.time.LocalDate;
import java.util.Collections;
import java.util.stream.IntStream;

/** Definitions with a given number of one thing; the parser refuses those that are too large. */
final class SizedDefinitions {

  static void parse(String header, String more) {
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\n%s\nstart: a\nactivities:\n  a: { type: work%s }\n"
                .formatted(header, more));
  }

  static void longDefinition(int chars) {
    String text = "waymark: 1\nkey: play\nstart: a\nactivities:\n  a: { type: work }\n#";
    var unused = Play.parse(text + " ".repeat(chars - text.length()));
  }

  static void chain(int activities) {
    String chain =
        IntStream.range(0, activities - 1)
            .mapToObj(i -> "  a%d: { type: work, next: a%d }\n".formatted(i, i + 1))
            .collect(joining());
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\nstart: a0\nactivities:\n%s  a%d: { type: work }\n"
                .formatted(chain, activities - 1));
  }

  static void transitions(int count) {
    String next =
        IntStream.range(1, count)
            .mapToObj(i -> "{ when: \"Variables.n == %d\", to: b }, ".formatted(i))
            .collect(joining("", "[", "{ to: b }]"));
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\nstart: a\nactivities:\n  a: { type: work, next: %s }\n"
                    .formatted(next)
                + "  b: { type: work }\n");
  }

  static void expressions(int count) {
    String with =
        IntStream.range(0, count)
            .mapToObj(i -> "v%d: \"${ 1 }\"".formatted(i))
            .collect(joining(", ", ", with: { ", " }"));
    parse("", with);
  }

  private static String times(int count, String item) {
    return String.join(", ", Collections.nCopies(count, item));
  }

  private static void activities(String header, String activities) {
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\n%sstart: a\nactivities:\n%s".formatted(header, activities));
  }

  static void branches(int count) {
    activities(
        "",
        """
          a: { type: fork, with: { branches: [b, c] } }
          b: { type: work, next: j }
          c: { type: work, next: j }
          j: { type: join, with: { wait: %d } }
        """
            .formatted(count));
  }

  static void items(int count) {
    activities(
        "",
        """
          a:
            type: for-each
            with: { items: [%s] }
            start: b
            activities: { b: { type: work } }
        """
            .formatted("1,".repeat(count - 1) + "1"));
  }

  static void parallel(int count) {
    activities(
        "",
        """
          a:
            type: for-each
            with: { items: [1], parallel: %d }
            start: b
            activities: { b: { type: work } }
        """
            .formatted(count));
  }

  static void race(int count) {
    String waits =
        IntStream.range(0, count)
            .mapToObj(i -> "w%d: { key: k }".formatted(i))
            .collect(joining(", "));
    activities("", "  a: { type: race, with: { waits: { %s } } }\n".formatted(waits));
  }

  static void approval(String with, int count) {
    activities("", "  a: { type: approval, with: { %s } }\n".formatted(with.formatted(count)));
  }

  static void approval(String with, int count, String item) {
    activities(
        "",
        "  a: { type: approval, with: { %s } }\n".formatted(with.formatted(times(count, item))));
  }

  static void task(int count) {
    String names = IntStream.range(0, count).mapToObj(i -> "u" + i).collect(joining(", "));
    activities("", "  a: { type: user-task, with: { candidates: [%s] } }\n".formatted(names));
  }

  static void reactions(int count) {
    String list =
        IntStream.range(0, count)
            .mapToObj(i -> "{ name: m%d, to: b }".formatted(i))
            .collect(joining(", "));
    activities(
        "", "  a: { type: wait, on: { message: [%s] } }\n  b: { type: work }\n".formatted(list));
  }

  static void messageStarts(int count) {
    String names = IntStream.range(0, count).mapToObj(i -> "m" + i).collect(joining(", "));
    activities("startOn: [%s]\n".formatted(names), "  a: { type: work }\n");
  }

  static void occurrences(int count) {
    activities(
        "",
        "  a: { type: timer, with: { cron: '0 9 * * *', occurrences: %d } }\n".formatted(count));
  }

  static void calendars(int count) {
    String all =
        IntStream.range(0, count)
            .mapToObj(i -> "c%d: { zone: UTC, hours: { monday: [09:00-17:00] } }".formatted(i))
            .collect(joining(", "));
    activities("calendars: { %s }\n".formatted(all), "  a: { type: work }\n");
  }

  static void holidays(int count) {
    String days =
        IntStream.range(0, count)
            .mapToObj(i -> LocalDate.EPOCH.plusDays(i).toString())
            .collect(joining(", "));
    activities(
        "calendars: { c: { zone: UTC, hours: { monday: [09:00-17:00] }, holidays: [%s] } }\n"
            .formatted(days),
        "  a: { type: work }\n");
  }

  static void spans(int count) {
    String hours =
        IntStream.range(0, count)
            .mapToObj(i -> "%02d:00-%02d:30".formatted(i, i))
            .collect(joining(", "));
    activities(
        "calendars: { c: { zone: UTC, hours: { monday: [%s] } } }\n".formatted(hours),
        "  a: { type: work }\n");
  }

  private SizedDefinitions() {}
}
