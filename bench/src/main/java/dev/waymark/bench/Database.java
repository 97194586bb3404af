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

  /** One that counts statements, if it can: that costs each of them a little. */
  static Database counting(Options options) {
    return switch (options.store()) {
      case POSTGRES -> PostgresDatabase.counting(options);
      case SQLITE -> SqliteDatabase.open();
    };
  }

  /** An empty one without a store, for a benchmark that opens its own. */
  static Database unopened(Options options) {
    return switch (options.store()) {
      case POSTGRES -> PostgresDatabase.unopened(options);
      case SQLITE -> SqliteDatabase.unopened();
    };
  }

  /** For people: which one, and how it is set. */
  String description();

  Store store();

  /** Another store on the same database, which the caller closes. SQLite has one at a time. */
  Store openStore();

  /** What this process and the database have used so far. */
  Usage usage();

  /** Transactions so far, or absent if nobody counts them. */
  @Nullable Long transactions();

  /** Statements so far, or absent if nobody counts them; those of this method do not count. */
  @Nullable Long statements();

  /** What was read so far, about a second ago; absent if nobody counts it. */
  @Nullable Reads reads();

  /** The part of updates of instances since opening that touched no index; absent if unknown. */
  @Nullable Double hotRatio();

  /** What the server does by itself every minute or so: forgets rows that are gone. */
  void tidy();

  @Override
  void close();
}
