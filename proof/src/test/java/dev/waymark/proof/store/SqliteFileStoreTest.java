package dev.waymark.proof.store;

import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.tck.StoreFactory;
import dev.waymark.tck.bookmark.ClaimsContract;
import dev.waymark.tck.bookmark.ClosedWaitsContract;
import dev.waymark.tck.bookmark.LeasesContract;
import dev.waymark.tck.bookmark.TurnsContract;
import dev.waymark.tck.bookmark.WaitQueriesContract;
import dev.waymark.tck.bookmark.WaitsContract;
import dev.waymark.tck.commit.BatchContract;
import dev.waymark.tck.commit.CommitContract;
import dev.waymark.tck.commit.JoinedCommitContract;
import dev.waymark.tck.commit.KeyContract;
import dev.waymark.tck.commit.LoadContract;
import dev.waymark.tck.commit.SpendContract;
import dev.waymark.tck.message.BroadcastsContract;
import dev.waymark.tck.message.CorrelationsContract;
import dev.waymark.tck.message.HeavyMessagesContract;
import dev.waymark.tck.message.InboxContract;
import dev.waymark.tck.message.LanesContract;
import dev.waymark.tck.message.OutboxContract;
import dev.waymark.tck.message.RemovedMessagesContract;
import dev.waymark.tck.message.StartsContract;
import dev.waymark.tck.operation.DefinitionsContract;
import dev.waymark.tck.operation.DutiesContract;
import dev.waymark.tck.operation.InstancesContract;
import dev.waymark.tck.operation.NodesContract;
import dev.waymark.tck.operation.PayloadContract;
import dev.waymark.tck.operation.SchedulesContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contracts on SQLite in a file. */
final class SqliteFileStoreTest {

  @TempDir static Path folder;

  private static final FileStores STORES = new FileStores();

  /** A file of its own for every store. */
  private static final class FileStores implements StoreFactory {

    private Path file = Path.of("none");

    // A copy of a file with the schema: migrating each one would take longer than its test.
    @Override
    public Store open(InstantSource clock) throws IOException {
      Path migrated = folder.resolve("migrated.db");
      if (!Files.exists(migrated)) {
        try (Store store = SqliteStore.open(migrated, clock)) {
          store.migrate();
        }
      }
      file = Files.copy(migrated, folder.resolve(UUID.randomUUID() + ".db"));
      return SqliteStore.open(file, clock);
    }

    @Override
    public boolean takesManyNodes() {
      return false;
    }

    @Override
    public Connection strangeConnection() throws SQLException {
      return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    @Override
    public Object parameter(UUID id) {
      return SqliteIds.bytes(id);
    }
  }

  @Nested
  class Commit extends CommitContract {
    Commit() {
      super(STORES);
    }
  }

  @Nested
  class Keys extends KeyContract {
    Keys() {
      super(STORES);
    }
  }

  @Nested
  class Spend extends SpendContract {
    Spend() {
      super(STORES);
    }
  }

  @Nested
  class Starts extends StartsContract {
    Starts() {
      super(STORES);
    }
  }

  @Nested
  class HeavyMessages extends HeavyMessagesContract {
    HeavyMessages() {
      super(STORES);
    }
  }

  @Nested
  class Correlations extends CorrelationsContract {
    Correlations() {
      super(STORES);
    }
  }

  @Nested
  class Waits extends WaitsContract {
    Waits() {
      super(STORES);
    }
  }

  @Nested
  class Turns extends TurnsContract {
    Turns() {
      super(STORES);
    }
  }

  @Nested
  class ClosedWaits extends ClosedWaitsContract {
    ClosedWaits() {
      super(STORES);
    }
  }

  @Nested
  class Batch extends BatchContract {
    Batch() {
      super(STORES);
    }
  }

  @Nested
  class JoinedCommit extends JoinedCommitContract {
    JoinedCommit() {
      super(STORES);
    }
  }

  @Nested
  class Load extends LoadContract {
    Load() {
      super(STORES);
    }
  }

  @Nested
  class Nodes extends NodesContract {
    Nodes() {
      super(STORES);
    }
  }

  @Nested
  class Schedules extends SchedulesContract {
    Schedules() {
      super(STORES);
    }
  }

  @Nested
  class Duties extends DutiesContract {
    Duties() {
      super(STORES);
    }
  }

  @Nested
  class Outbox extends OutboxContract {
    Outbox() {
      super(STORES);
    }
  }

  @Nested
  class Lanes extends LanesContract {
    Lanes() {
      super(STORES);
    }
  }

  @Nested
  class Inbox extends InboxContract {
    Inbox() {
      super(STORES);
    }
  }

  @Nested
  class RemovedMessages extends RemovedMessagesContract {
    RemovedMessages() {
      super(STORES);
    }
  }

  @Nested
  class Claims extends ClaimsContract {
    Claims() {
      super(STORES);
    }
  }

  @Nested
  class WaitQueries extends WaitQueriesContract {
    WaitQueries() {
      super(STORES);
    }
  }

  @Nested
  class Leases extends LeasesContract {
    Leases() {
      super(STORES);
    }
  }

  @Nested
  class Definitions extends DefinitionsContract {
    Definitions() {
      super(STORES);
    }
  }

  @Nested
  class Instances extends InstancesContract {
    Instances() {
      super(STORES);
    }
  }

  @Nested
  class Broadcasts extends BroadcastsContract {
    Broadcasts() {
      super(STORES);
    }
  }

  @Nested
  class Payloads extends PayloadContract {
    Payloads() {
      super(STORES);
    }
  }
}
