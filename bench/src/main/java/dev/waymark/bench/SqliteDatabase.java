package dev.waymark.bench;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A SQLite file in a folder of its own, deleted at the end. */
final class SqliteDatabase implements Database {

  private final Path folder;
  private final @Nullable Store store;

  private SqliteDatabase(Path folder, boolean opened) {
    this.folder = folder;
    this.store = opened ? openIn(folder) : null;
  }

  static SqliteDatabase open() {
    return new SqliteDatabase(newFolder(), true);
  }

  static SqliteDatabase unopened() {
    return new SqliteDatabase(newFolder(), false);
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("waymark-bench");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make a folder for the database", e);
    }
  }

  @Override
  public String description() {
    return "SQLite (WAL, synchronous=FULL)";
  }

  @Override
  public Store store() {
    return requireNonNull(store, "store");
  }

  @Override
  public Store openStore() {
    return openIn(folder);
  }

  private static Store openIn(Path folder) {
    return SqliteStore.open(folder.resolve("bench.db"), InstantSource.system());
  }

  @Override
  public Usage usage() {
    try (Stream<Path> files = Files.list(folder)) {
      long disk = files.mapToLong(file -> file.toFile().length()).sum();
      return new Usage(null, disk, Usage.cpuOfThisProcess(), null);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look into " + folder, e);
    }
  }

  @Override
  public @Nullable Long transactions() {
    return null;
  }

  @Override
  public @Nullable Long statements() {
    return null;
  }

  @Override
  public @Nullable Reads reads() {
    return null;
  }

  @Override
  public @Nullable Double hotRatio() {
    return null;
  }

  /** Nothing is left behind that would have to be. */
  @Override
  public void tidy() {}

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + folder, e);
    }
  }
}
