package dev.waymark.sqlite;

import org.sqlite.SQLiteConfig.SynchronousMode;

/** The faults that a commit survives. A crash of the process loses nothing either way. */
public enum Durability {
  /** A commit is on the disk when it returns ({@code synchronous=FULL}). */
  SURVIVES_POWER_CUT(SynchronousMode.FULL),

  /**
   * The file stays whole, but the last commits before a power cut may be gone, although callers
   * were told that they had happened ({@code synchronous=NORMAL}).
   */
  LOSES_LAST_COMMITS_ON_POWER_CUT(SynchronousMode.NORMAL);

  private final SynchronousMode synchronous;

  Durability(SynchronousMode synchronous) {
    this.synchronous = synchronous;
  }

  SynchronousMode synchronous() {
    return synchronous;
  }
}
