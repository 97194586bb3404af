package dev.waymark.bench;

import dev.waymark.engine.store.Store;
import org.jspecify.annotations.Nullable;

/** What a benchmark runs on, and what that says about itself. */
interface Database extends AutoCloseable {

  static Database open(Options options) {
    return switch (options.store()) {
      case POSTGRES -> PostgresDatabase.open(options);
      case SQLITE -> SqliteDatabase.open();
    };
  }

  /** For people: which one, and how it is set. */
  String description();

  Store store();

  /** What this process and the database have used so far. */
  Usage usage();

  /** Transactions so far, or absent if nobody counts them. */
  @Nullable Long transactions();

  /** The part of updates of instances since opening that touched no index; absent if unknown. */
  @Nullable Double hotRatio();

  /** What the server does by itself every minute or so: forgets rows that are gone. */
  void tidy();

  @Override
  void close();
}
