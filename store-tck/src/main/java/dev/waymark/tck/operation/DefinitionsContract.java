package dev.waymark.tck.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.StoredDefinitions;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deployed definitions. */
public abstract class DefinitionsContract extends StoreContract {

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private StoredDefinitions definitions;

  public DefinitionsContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askDefinitions() {
    definitions = store.definitions();
  }

  @Test
  void a_definition_is_found_as_it_was_deployed() {
    DefinitionRow deployed = deploy("order", "text 1");

    assertThat(deployed)
        .isEqualTo(
            new DefinitionRow(
                deployed.id(), Rows.TENANT, "order", 1, "text 1", "anna", now(), now(), null));
    assertThat(definitions.byId(deployed.id())).isEqualTo(deployed);
    assertThat(definitions.find(Rows.TENANT, "order", 1)).isEqualTo(deployed);
    assertThat(definitions.find(Rows.TENANT, "order", null)).isEqualTo(deployed);
  }

  @Test
  void another_text_is_the_next_version() {
    DefinitionRow first = deploy("order", "text 1");
    clock.advance(HOUR);
    DefinitionRow second = deploy("order", "text 2");

    assertThat(second.version()).isEqualTo(2);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(definitions.find(Rows.TENANT, "order", null)).isEqualTo(second);
    assertThat(definitions.find(Rows.TENANT, "order", 1)).isEqualTo(first);
  }

  @Test
  void the_same_text_again_is_the_version_that_has_it() {
    DefinitionRow first = deploy("order", "text 1");
    var unused = deploy("order", "text 2");
    clock.advance(HOUR);

    assertThat(deploy("order", "text 1")).isEqualTo(first);
    assertThat(definitions.find(Rows.TENANT, "order", null))
        .extracting(DefinitionRow::version)
        .isEqualTo(2);
  }

  @Test
  void versions_are_counted_by_tenant_and_key() {
    var unused = deploy("order", "text 1");

    assertThat(deploy("invoice", "text 1").version()).isEqualTo(1);
    assertThat(definitions.deploy("umbrella", "order", "f", "text 2", "bob", true).version())
        .isEqualTo(1);
  }

  @Test
  void eight_that_deploy_the_same_text_get_the_same_version() throws Exception {
    List<DefinitionRow> deployed = Race.run(i -> () -> deploy("order", "text 1"));

    assertThat(deployed.stream().distinct()).hasSize(1);
    assertThat(deployed.get(0).version()).isEqualTo(1);
  }

  @Test
  void eight_that_deploy_eight_texts_get_eight_versions() throws Exception {
    List<DefinitionRow> deployed = Race.run(i -> () -> deploy("order", "text " + i));

    assertThat(deployed)
        .extracting(DefinitionRow::version)
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void what_was_never_deployed_is_absent() {
    var unused = deploy("order", "text 1");

    assertThat(definitions.byId(1_000_000)).isNull();
    assertThat(definitions.find(Rows.TENANT, "order", 2)).isNull();
    assertThat(definitions.find(Rows.TENANT, "invoice", null)).isNull();
    assertThat(definitions.find("umbrella", "order", null)).isNull();
    assertThat(definitions.list("umbrella", null, 10)).isEmpty();
  }

  @Test
  void the_list_has_the_newest_version_of_each_key_in_pages() {
    var a = deploy("a", "text 1");
    var unused = deploy("b", "text 1");
    var b = deploy("b", "text 2");
    var c = deploy("c", "text 1");
    var upper = deploy("Z", "text 1");

    assertThat(definitions.list(Rows.TENANT, null, 2)).containsExactly(upper, a);
    assertThat(definitions.list(Rows.TENANT, "a", 2)).containsExactly(b, c);
    assertThat(definitions.list(Rows.TENANT, "c", 2)).isEmpty();
  }

  @Test
  void new_runs_get_what_was_activated_last_and_is_not_retired() {
    deploy("order", "text 1");
    clock.advance(HOUR);
    definitions.deploy(Rows.TENANT, "order", "f2", "text 2", "anna", false);
    assertThat(active()).isEqualTo(1);

    assertThat(definitions.activate(Rows.TENANT, "order", 2)).isTrue();
    assertThat(active()).isEqualTo(2);
    clock.advance(HOUR);
    assertThat(definitions.retire(Rows.TENANT, "order", 2)).isTrue();
    assertThat(active()).isEqualTo(1);
    assertThat(definitions.retire(Rows.TENANT, "order", 1)).isTrue();
    assertThat(definitions.find(Rows.TENANT, "order", null)).isNull();

    clock.advance(HOUR);
    assertThat(definitions.activate(Rows.TENANT, "order", 1)).isTrue();
    assertThat(active()).isEqualTo(1);
    assertThat(definitions.activate(Rows.TENANT, "order", 7)).isFalse();
    assertThat(definitions.retire("umbrella", "order", 1)).isFalse();
    assertThat(definitions.versions(Rows.TENANT, "order", 10))
        .extracting(DefinitionRow::version)
        .containsExactly(2, 1);
  }

  @Test
  void what_is_activated_last_is_active_although_the_clock_stands() {
    deploy("order", "text 1");
    deploy("order", "text 2");
    assertThat(active()).isEqualTo(2);

    assertThat(definitions.activate(Rows.TENANT, "order", 1)).isTrue();
    assertThat(active()).isEqualTo(1);
    assertThat(definitions.activate(Rows.TENANT, "order", 2)).isTrue();
    assertThat(active()).isEqualTo(2);
  }

  @Test
  void deploying_an_old_text_again_does_not_activate_it() {
    deploy("order", "text 1");
    clock.advance(HOUR);
    deploy("order", "text 2");
    clock.advance(HOUR);
    deploy("order", "text 1");

    assertThat(active()).isEqualTo(2);
  }

  private int active() {
    return Objects.requireNonNull(definitions.find(Rows.TENANT, "order", null)).version();
  }

  private DefinitionRow deploy(String key, String text) {
    return definitions.deploy(Rows.TENANT, key, "fingerprint of " + text, text, "anna", true);
  }
}
