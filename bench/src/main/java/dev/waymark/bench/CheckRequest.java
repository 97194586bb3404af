package dev.waymark.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What a check was asked for.
 *
 * @param ratios the file of kept ratios
 * @param write whether the ratios of now are kept, instead of being judged
 * @param options for every benchmark of the set, before those of the set
 */
record CheckRequest(Path ratios, boolean write, List<String> options) {

  static final String HELP =
      """
        check takes those of --seconds, --warmup, --times and --runs that are to apply to all, and
        --write                   keeps the ratios of now; nothing fails
        --ratios FILE             where ratios are kept (ratios.properties beside bench/run)
      """;

  /** Where bench/run stands; it says so itself, since it may be called from anywhere. */
  private static final String HOME = "WAYMARK_BENCH";

  /**
   * Those that would make the set another one: other rows, or rows of one in the way of the next.
   */
  private static final List<String> FIXED =
      List.of("--store", "--url", "--user", "--password", "--concurrency", "--keys", "--payload");

  CheckRequest {
    options = List.copyOf(options);
    for (String fixed : FIXED) {
      if (options.contains(fixed)) {
        throw new IllegalArgumentException(
            "Expected a check without %s, since its set is fixed".formatted(fixed));
      }
    }
  }

  static CheckRequest parse(List<String> args) {
    Path ratios = Path.of(System.getenv().getOrDefault(HOME, "bench")).resolve("ratios.properties");
    boolean write = false;
    List<String> options = new ArrayList<>();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String name = rest.next();
      switch (name) {
        case "--write" -> write = true;
        case "--ratios" -> {
          if (!rest.hasNext()) {
            throw new IllegalArgumentException("Expected a value after " + name);
          }
          ratios = Path.of(rest.next());
        }
        default -> options.add(name);
      }
    }
    return new CheckRequest(ratios, write, options);
  }
}
