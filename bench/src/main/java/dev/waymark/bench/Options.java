package dev.waymark.bench;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked for.
 *
 * @param concurrency clients, each with one request at a time; 0 is what the benchmark thinks right
 * @param time how long is measured, after the warm-up
 * @param times how often something is broken or filled in; 0 is what the benchmark thinks right
 * @param keys whether each instance has a business key, as those of users do
 * @param payload kilobytes of the document that each instance starts with; 0 for none
 * @param url a PostgreSQL that runs already; absent, and one is started for the run
 */
record Options(
    Kind store,
    int concurrency,
    Duration time,
    Duration warmup,
    int runs,
    int times,
    boolean keys,
    int payload,
    @Nullable String url,
    String user,
    String password) {

  /** Which database. */
  enum Kind {
    POSTGRES,
    SQLITE;

    @Override
    public String toString() {
      return this == POSTGRES ? "postgres" : "sqlite";
    }
  }

  static final String HELP =
      """
        --store postgres|sqlite   which database (postgres)
        --concurrency N           clients, each with one request at a time (200; w2, w4: 8; flow: 100)
        --seconds N               how long is measured, for the engine and for the limit each (10)
        --warmup N                seconds before that (15); in the first ten the compiler takes a core
        --runs N                  repeat, and end with the median of every figure (1)
        --times N                 kills, cuts, seconds, bodies, openings, or thousands of instances,
                                  timers or waiters
        --keys yes|no             whether instances have business keys (no): body, long, latency, w1 to w4
        --payload KB              size of the document that each instance starts with (0): the same
        --url URL                 the JDBC address of an empty PostgreSQL database, whose rows stay;
                                  without it a server is started, and deleted at the end
        --user NAME, --password WORD
                                  for that address (postgres, postgres)
      """;

  private static final Set<String> NAMES =
      Set.of(
          "--store",
          "--concurrency",
          "--seconds",
          "--warmup",
          "--runs",
          "--times",
          "--keys",
          "--payload",
          "--url",
          "--user",
          "--password");

  private static final int MOST_CLIENTS = 5_000;
  private static final int MOST_SECONDS = 24 * 60 * 60;
  private static final int MOST_RUNS = 100;
  private static final int MOST_TIMES = 100_000;

  /** A little less than what the engine takes as one set of variables. */
  private static final int MOST_KILOBYTES = 1_900;

  Options {
    if (url != null && store == Kind.SQLITE) {
      throw new IllegalArgumentException("Expected --url with --store postgres only");
    }
  }

  /** How often, or what the benchmark thinks right. */
  int timesOr(int otherwise) {
    return times == 0 ? otherwise : times;
  }

  /** As many clients as were asked for, or what the benchmark thinks right. */
  int clientsOr(int otherwise) {
    return concurrency == 0 ? otherwise : concurrency;
  }

  /** For people: what instances have beside what they need, as {@code ", with business keys"}. */
  String variation() {
    return (keys ? ", with business keys" : "")
        + (payload == 0 ? "" : ", with documents of " + payload + " KB");
  }

  /** Reads options as {@code --name value}. */
  static Options parse(List<String> args) {
    return of(read(args));
  }

  /** The same, with defaults of the caller's for options that are not given. */
  static Options parse(List<String> args, List<String> defaults) {
    Map<String, String> all = read(defaults);
    all.putAll(read(args));
    return of(all);
  }

  private static Map<String, String> read(List<String> args) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String name = rest.next();
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("Expected an option, but got '%s'".formatted(name));
      }
      if (!rest.hasNext()) {
        throw new IllegalArgumentException("Expected a value after " + name);
      }
      if (given.put(name, rest.next()) != null) {
        throw new IllegalArgumentException("Expected %s once, but got it twice".formatted(name));
      }
    }
    return given;
  }

  private static Options of(Map<String, String> given) {
    return new Options(
        kind(given.getOrDefault("--store", "postgres")),
        given.containsKey("--concurrency") ? number(given, "--concurrency", 1, 1, MOST_CLIENTS) : 0,
        seconds(given, "--seconds", 10, 1),
        seconds(given, "--warmup", 15, 0),
        number(given, "--runs", 1, 1, MOST_RUNS),
        given.containsKey("--times") ? number(given, "--times", 1, 1, MOST_TIMES) : 0,
        yes(given.getOrDefault("--keys", "no")),
        number(given, "--payload", 0, 0, MOST_KILOBYTES),
        given.get("--url"),
        given.getOrDefault("--user", "postgres"),
        given.getOrDefault("--password", "postgres"));
  }

  private static Kind kind(String value) {
    for (Kind kind : Kind.values()) {
      if (kind.toString().equals(value)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "Expected --store postgres or --store sqlite, but got '%s'".formatted(value));
  }

  private static boolean yes(String value) {
    return switch (value) {
      case "yes" -> true;
      case "no" -> false;
      default ->
          throw new IllegalArgumentException(
              "Expected --keys yes or --keys no, but got '%s'".formatted(value));
    };
  }

  private static Duration seconds(
      Map<String, String> given, String name, int otherwise, int least) {
    return Duration.ofSeconds(number(given, name, otherwise, least, MOST_SECONDS));
  }

  private static int number(
      Map<String, String> given, String name, int otherwise, int least, int most) {
    String text = given.getOrDefault(name, String.valueOf(otherwise));
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw new IllegalArgumentException(
        "Expected %s from %,d to %,d, but got '%s'".formatted(name, least, most, text));
  }
}
