package dev.waymark.testkit.store;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.sqlite.SqliteStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Nested;

/** The contracts on SQLite in memory. */
final class SqliteMemoryStoreTest {

  private static final StoreFactory STORES = new MemoryStores();

  private static final class MemoryStores implements StoreFactory {

    @Override
    public Store open(InstantSource clock) {
      Store store = SqliteStore.inMemory(clock);
      store.migrate();
      return store;
    }

    @Override
    public boolean takesManyNodes() {
      return false;
    }

    @Override
    public Connection strangeConnection() throws SQLException {
      return DriverManager.getConnection("jdbc:sqlite::memory:");
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
  class Inbox extends InboxContract {
    Inbox() {
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
}
