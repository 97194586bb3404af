package demo;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import java.sql.Connection;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** An application that starts a run in its own transaction. */
@SpringBootApplication
public class DemoApplication {

  static final Caller YOU = Caller.of("you");

  @Bean(destroyMethod = "close")
  Engine engine(DataSource source) {
    Engine engine =
        Engine.builder(PostgresStore.on(source, PostgresOptions.DEFAULTS))
            .activity("ship", context -> ActivityResult.completed(Map.of("shipped", true)))
            .start();
    engine
        .definitions()
        .deploy(
            """
            waymark: 1
            key: order
            start: ship
            activities:
              ship: { type: ship }
            """,
            YOU);
    return engine;
  }

  /** Orders and their runs, together or not at all. */
  @Component
  public static class Orders {

    private final JdbcTemplate jdbc;
    private final DataSource source;
    private final Engine engine;

    Orders(JdbcTemplate jdbc, DataSource source, Engine engine) {
      this.jdbc = jdbc;
      this.source = source;
      this.engine = engine;
    }

    @Transactional
    public InstanceId place(String order, boolean fail) {
      jdbc.update("insert into orders (id) values (?)", order);
      Connection connection = DataSourceUtils.getConnection(source);
      InstanceId run =
          engine
              .joining(connection)
              .start(StartRequest.of("order").businessKey(order), YOU)
              .orThrow();
      if (fail) {
        throw new IllegalStateException("out of stock");
      }
      return run;
    }
  }
}
