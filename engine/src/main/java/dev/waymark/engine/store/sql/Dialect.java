package dev.waymark.engine.store.sql;

import static java.util.Objects.requireNonNull;

import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The spelling, on one database, of the moments that a text for both leaves open. Nothing else
 * differs in such a text; a statement that is shaped for one database belongs to its store.
 *
 * @param now the present, written {@code {now}} in the text
 * @param never a moment after all others, written {@code {never}}
 * @param moment how a parameter is written that is a moment and may be null: {@code {moment:due}}
 *     gives it {@code :due}
 */
public record Dialect(String now, String never, UnaryOperator<String> moment) {

  private static final Pattern TOKEN = Pattern.compile("\\{(now|never|moment)(:[a-z_]+)?}");

  public Dialect {
    requireNonNull(now, "now");
    requireNonNull(never, "never");
    requireNonNull(moment, "moment");
  }

  /** The text as this database runs it. */
  public String write(String text) {
    return TOKEN.matcher(text).replaceAll(token -> Matcher.quoteReplacement(spelling(token)));
  }

  private String spelling(MatchResult token) {
    return switch (token.group(1)) {
      case "now" -> now;
      case "never" -> never;
      default -> moment.apply(token.group(2));
    };
  }
}
