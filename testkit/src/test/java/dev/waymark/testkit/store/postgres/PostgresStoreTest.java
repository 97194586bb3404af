package dev.waymark.testkit.store.postgres;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.store.Store;
import dev.waymark.testkit.store.BatchContract;
import dev.waymark.testkit.store.BroadcastsContract;
import dev.waymark.testkit.store.ClaimsContract;
import dev.waymark.testkit.store.ClosedWaitsContract;
import dev.waymark.testkit.store.CommitContract;
import dev.waymark.testkit.store.CorrelationsContract;
import dev.waymark.testkit.store.DefinitionsContract;
import dev.waymark.testkit.store.DutiesContract;
import dev.waymark.testkit.store.HeavyMessagesContract;
import dev.waymark.testkit.store.InboxContract;
import dev.waymark.testkit.store.InstancesContract;
import dev.waymark.testkit.store.JoinedCommitContract;
import dev.waymark.testkit.store.LeasesContract;
import dev.waymark.testkit.store.LoadContract;
import dev.waymark.testkit.store.NodesContract;
import dev.waymark.testkit.store.OutboxContract;
import dev.waymark.testkit.store.SchedulesContract;
import dev.waymark.testkit.store.SpendContract;
import dev.waymark.testkit.store.StartsContract;
import dev.waymark.testkit.store.StoreFactory;
import dev.waymark.testkit.store.TurnsContract;
import dev.waymark.testkit.store.WaitQueriesContract;
import dev.waymark.testkit.store.WaitsContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The contract that every store passes, on PostgreSQL. */
class PostgresStoreTest {

  /** A database of its own for every store. */
  private static final class Stores implements StoreFactory {

    private @Nullable Database database;

    @Override
    public Store open(InstantSource clock) {
      database = Database.withSchema();
      return database.open(clock);
    }

    @Override
    public boolean takesManyNodes() {
      return true;
    }

    @Override
    public Connection strangeConnection() throws SQLException {
      return requireNonNull(database, "database").connect();
    }

    @Override
    public Object parameter(UUID id) {
      return id;
    }
  }

  @Nested
  class Batch extends BatchContract {
    Batch() {
      super(new Stores());
    }
  }

  @Nested
  class Commit extends CommitContract {
    Commit() {
      super(new Stores());
    }
  }

  @Nested
  class Definitions extends DefinitionsContract {
    Definitions() {
      super(new Stores());
    }
  }

  @Nested
  class Duties extends DutiesContract {
    Duties() {
      super(new Stores());
    }
  }

  @Nested
  class Inbox extends InboxContract {
    Inbox() {
      super(new Stores());
    }
  }

  @Nested
  class Instances extends InstancesContract {
    Instances() {
      super(new Stores());
    }
  }

  @Nested
  class JoinedCommit extends JoinedCommitContract {
    JoinedCommit() {
      super(new Stores());
    }
  }

  @Nested
  class Claims extends ClaimsContract {
    Claims() {
      super(new Stores());
    }
  }

  @Nested
  class WaitQueries extends WaitQueriesContract {
    WaitQueries() {
      super(new Stores());
    }
  }

  @Nested
  class Leases extends LeasesContract {
    Leases() {
      super(new Stores());
    }
  }

  @Nested
  class Load extends LoadContract {
    Load() {
      super(new Stores());
    }
  }

  @Nested
  class Nodes extends NodesContract {
    Nodes() {
      super(new Stores());
    }
  }

  @Nested
  class Schedules extends SchedulesContract {
    Schedules() {
      super(new Stores());
    }
  }

  @Nested
  class Outbox extends OutboxContract {
    Outbox() {
      super(new Stores());
    }
  }

  @Nested
  class Spend extends SpendContract {
    Spend() {
      super(new Stores());
    }
  }

  @Nested
  class Starts extends StartsContract {
    Starts() {
      super(new Stores());
    }
  }

  @Nested
  class HeavyMessages extends HeavyMessagesContract {
    HeavyMessages() {
      super(new Stores());
    }
  }

  @Nested
  class Correlations extends CorrelationsContract {
    Correlations() {
      super(new Stores());
    }
  }

  @Nested
  class Waits extends WaitsContract {
    Waits() {
      super(new Stores());
    }
  }

  @Nested
  class Turns extends TurnsContract {
    Turns() {
      super(new Stores());
    }
  }

  @Nested
  class ClosedWaits extends ClosedWaitsContract {
    ClosedWaits() {
      super(new Stores());
    }
  }

  @Nested
  class Broadcasts extends BroadcastsContract {
    Broadcasts() {
      super(new Stores());
    }
  }
}
