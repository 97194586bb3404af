package dev.waymark.bench;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked for.
 *
 * @param concurrency clients in the closed loop, each with one instance at a time
 * @param time how long is measured, after the warm-up
 * @param times how often something is broken or filled in; 0 is what the benchmark thinks right
 * @param url a PostgreSQL that runs already; absent, and one is started for the run
 */
record Options(
    Kind store,
    int concurrency,
    Duration time,
    Duration warmup,
    int runs,
    int times,
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
        --concurrency N           clients in the closed loop (200)
        --seconds N               how long is measured, for the engine and for the limit each (10)
        --warmup N                seconds before that (5)
        --runs N                  repeat, and end with the median of every figure (1)
        --times N                 kills, cuts, seconds, bodies or thousands of waiting instances
        --url URL                 the JDBC address of an empty PostgreSQL database, whose rows stay;
                                  without it a server is started, and deleted at the end
        --user NAME, --password WORD
                                  for that address (postgres, postgres)
      """;

  private static final Options DEFAULTS =
      new Options(
          Kind.POSTGRES,
          200,
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          1,
          0,
          null,
          "postgres",
          "postgres");

  private static final int MOST_CLIENTS = 5_000;
  private static final int MOST_SECONDS = 24 * 60 * 60;
  private static final int MOST_RUNS = 100;
  private static final int MOST_TIMES = 100_000;

  Options {
    if (url != null && store == Kind.SQLITE) {
      throw new IllegalArgumentException("Expected --url with --store postgres only");
    }
  }

  /** How often, or what the benchmark thinks right. */
  int timesOr(int otherwise) {
    return times == 0 ? otherwise : times;
  }

  /** Reads options as {@code --name value}. */
  static Options parse(List<String> args) {
    Options options = DEFAULTS;
    Set<String> seen = new HashSet<>();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String name = rest.next();
      if (!seen.add(name)) {
        throw new IllegalArgumentException("Expected %s once, but got it twice".formatted(name));
      }
      options = options.with(name, rest.hasNext() ? rest.next() : null);
    }
    return options;
  }

  private Options with(String name, @Nullable String value) {
    return switch (name) {
      case "--store" ->
          new Options(
              kind(given(name, value)),
              concurrency,
              time,
              warmup,
              runs,
              times,
              url,
              user,
              password);
      case "--concurrency" ->
          new Options(
              store,
              number(name, value, 1, MOST_CLIENTS),
              time,
              warmup,
              runs,
              times,
              url,
              user,
              password);
      case "--seconds" ->
          new Options(
              store,
              concurrency,
              seconds(name, value, 1),
              warmup,
              runs,
              times,
              url,
              user,
              password);
      case "--warmup" ->
          new Options(
              store, concurrency, time, seconds(name, value, 0), runs, times, url, user, password);
      case "--runs" ->
          new Options(
              store,
              concurrency,
              time,
              warmup,
              number(name, value, 1, MOST_RUNS),
              times,
              url,
              user,
              password);
      case "--times" ->
          new Options(
              store,
              concurrency,
              time,
              warmup,
              runs,
              number(name, value, 1, MOST_TIMES),
              url,
              user,
              password);
      case "--url" ->
          new Options(
              store, concurrency, time, warmup, runs, times, given(name, value), user, password);
      case "--user" ->
          new Options(
              store, concurrency, time, warmup, runs, times, url, given(name, value), password);
      case "--password" ->
          new Options(store, concurrency, time, warmup, runs, times, url, user, given(name, value));
      default ->
          throw new IllegalArgumentException("Expected an option, but got '%s'".formatted(name));
    };
  }

  private static String given(String name, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException("Expected a value after " + name);
    }
    return value;
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

  private static Duration seconds(String name, @Nullable String value, int least) {
    return Duration.ofSeconds(number(name, value, least, MOST_SECONDS));
  }

  private static int number(String name, @Nullable String value, int least, int most) {
    String text = given(name, value);
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
