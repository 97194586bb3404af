package demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Engine;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application's rows and its runs commit together, under @Transactional. */
class DemoApplicationTest {

  @Test
  void an_order_and_its_run_are_there_together_or_not_at_all() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start();
        ConfigurableApplicationContext context =
            new SpringApplicationBuilder(DemoApplication.class)
                .properties(
                    "spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"),
                    "spring.datasource.username=postgres",
                    "spring.datasource.password=postgres")
                .run()) {
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      jdbc.execute("create table orders (id text primary key)");
      DemoApplication.Orders orders = context.getBean(DemoApplication.Orders.class);
      Engine engine = context.getBean(Engine.class);

      assertThatThrownBy(() -> orders.place("a", true)).hasMessage("out of stock");
      InstanceId run = orders.place("b", false);

      assertThat(
              engine
                  .instances()
                  .awaitEnd(run, Duration.ofSeconds(30), DemoApplication.YOU)
                  .status())
          .isEqualTo(Status.COMPLETED);
      assertThat(jdbc.queryForList("select id from orders", String.class)).containsExactly("b");
      assertThat(jdbc.queryForObject("select count(*) from wm_instance", Long.class)).isEqualTo(1);
    }
  }
}
