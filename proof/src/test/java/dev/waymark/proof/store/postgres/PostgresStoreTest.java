package dev.waymark.proof.store.postgres;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.store.Store;
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
  class Keys extends KeyContract {
    Keys() {
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
  class RemovedMessages extends RemovedMessagesContract {
    RemovedMessages() {
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
  class Lanes extends LanesContract {
    Lanes() {
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

  @Nested
  class Payloads extends PayloadContract {
    Payloads() {
      super(new Stores());
    }
  }
}
