package dev.waymark.engine.store.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * The scripts that make a store's schema, by their versions, with the checksums that Flyway notes.
 *
 * <p>One question tells that all of them are applied and none is newer. Then a node that opens an
 * existing schema needs no Flyway, which takes a third of a second to load and to find that out. In
 * every other case Flyway decides: also if it should compute its checksums in another way one day.
 */
public final class SchemaScripts {

  private static final String APPLIED =
      """
      select version, type, checksum, success
        from wm_schema_history
       where type not in ('SCHEMA', 'BASELINE')
      """;

  private final SortedMap<String, Integer> checksums;

  private SchemaScripts(SortedMap<String, Integer> checksums) {
    this.checksums = Collections.unmodifiableSortedMap(checksums);
  }

  /**
   * Reads the scripts.
   *
   * @param owner a class of the module that holds them
   * @param folder where they are on the class path, from its root
   * @param names all of them: {@code V1__schema.sql}
   */
  public static SchemaScripts of(Class<?> owner, String folder, List<String> names) {
    SortedMap<String, Integer> checksums = new TreeMap<>();
    for (String name : names) {
      checksums.put(version(name), checksum(owner, "/" + folder + "/" + name));
    }
    return new SchemaScripts(checksums);
  }

  /**
   * True if the schema is made of exactly these scripts. The history table must be there.
   *
   * @param connection as it is needed for a question; nothing is written
   */
  public boolean areApplied(Connection connection) throws SQLException {
    SortedMap<String, Integer> applied = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(APPLIED)) {
      while (row.next()) {
        String version = row.getString("version");
        boolean ours = version != null && row.getString("type").equals("SQL");
        if (!ours || !row.getBoolean("success")) {
          return false;
        }
        applied.put(version, row.getInt("checksum"));
      }
    }
    return applied.equals(checksums);
  }

  private static String version(String name) {
    return name.substring(1, name.indexOf("__"));
  }

  /** As Flyway computes it: over the lines, whatever stands between them. */
  private static int checksum(Class<?> owner, String path) {
    try (InputStream script = owner.getResourceAsStream(path)) {
      if (script == null) {
        throw new IllegalStateException("Expected the script %s on the class path".formatted(path));
      }
      CRC32 sum = new CRC32();
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(script, StandardCharsets.UTF_8));
      lines.lines().forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
      return (int) sum.getValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
