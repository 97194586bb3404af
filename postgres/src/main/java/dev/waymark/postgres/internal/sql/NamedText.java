package dev.waymark.postgres.internal.sql;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, as JDBC wants it: a question mark for each, and their names in
 * order. Texts write casts as {@code cast(… as …)}, so that a colon always begins a name.
 */
public record NamedText(String sql, List<String> parameters) {

  static final Pattern NAME = Pattern.compile(":([a-z_]+)");

  public static NamedText of(String named) {
    Matcher names = NAME.matcher(named);
    return new NamedText(
        names.replaceAll("?"), NAME.matcher(named).results().map(r -> r.group(1)).toList());
  }
}
