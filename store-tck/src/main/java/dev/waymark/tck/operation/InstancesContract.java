package dev.waymark.tck.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.StoredInstances;
import dev.waymark.engine.store.StoredInstances.ChildRef;
import dev.waymark.engine.store.StoredInstances.Filter;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists and histories. */
public abstract class InstancesContract extends StoreContract {

  private static final Filter ALL =
      new Filter(Rows.TENANT, null, null, null, null, Map.of(), null, null, null, 100);

  private final InstanceId first = Rows.newId();
  private final InstanceId second = Rows.newId();
  private final InstanceId third = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private StoredInstances instances;

  public InstancesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void startThree() {
    instances = store.instances();
    long order = store.definitions().deploy(Rows.TENANT, "order", "f1", "t1", "anna", true).id();
    long newer = store.definitions().deploy(Rows.TENANT, "order", "f2", "t2", "anna", true).id();
    long invoice =
        store.definitions().deploy(Rows.TENANT, "invoice", "f1", "t1", "anna", true).id();
    given(
        start(first).definition(order).labels(Map.of("team", "red", "area", "north")),
        start(second).definition(newer).labels(Map.of("team", "red")).correlationId("c-1"),
        start(third).definition(invoice).businessKey("b-1").correlationId("c-1"),
        start(Rows.newId()).tenant("umbrella").businessKey("b-1").correlationId("c-1"));
    given(step(second, 1).status(2));
  }

  @Test
  void a_list_goes_from_the_newest_to_the_oldest_of_its_tenant() {
    assertThat(list(ALL)).containsExactly(third, second, first);
  }

  @Test
  void of_many_instances_those_are_told_that_have_ended_or_are_not_there() {
    InstanceId gone = Rows.newId();
    given(step(third, 1).status(3));

    assertThat(instances.ended(List.of(first, gone, third, second)))
        .containsExactly(gone, third, second);
    assertThat(instances.ended(List.of())).isEmpty();
  }

  @Test
  void a_list_never_loads_variables() {
    assertThat(instances.list(ALL)).extracting(InstanceRow::variables).containsOnlyNulls();
  }

  @Test
  void all_but_the_variables_is_as_it_was_written() {
    InstanceRow loaded = load(third).instance();
    InstanceRow listed = instances.list(ALL).get(0);

    assertThat(listed).usingRecursiveComparison().ignoringFields("variables").isEqualTo(loaded);
  }

  @Test
  void each_filter_narrows_the_list() {
    assertThat(list(filter(0, null, null, null, Map.of()))).containsExactly(third, first);
    assertThat(list(filter(2, null, null, null, Map.of()))).containsExactly(second);
    assertThat(list(filter(null, "order", null, null, Map.of()))).containsExactly(second, first);
    assertThat(list(filter(null, "unknown", null, null, Map.of()))).isEmpty();
    assertThat(list(filter(null, null, "b-1", null, Map.of()))).containsExactly(third);
    assertThat(list(filter(null, null, null, "c-1", Map.of()))).containsExactly(third, second);
    assertThat(list(filter(null, null, null, null, Map.of("team", "red"))))
        .containsExactly(second, first);
    assertThat(list(filter(null, null, null, null, Map.of("team", "blue")))).isEmpty();
  }

  @Test
  void children_come_in_the_order_of_their_parents_visits_and_in_pages() {
    List<InstanceId> children = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      InstanceId child = InstanceId.child(first, i + 1);
      children.add(child);
      given(start(child).childOf(first, i + 1, true));
    }
    given(start(Rows.newId()).childOf(second, 1, true));

    List<InstanceRow> page = instances.children(Rows.TENANT, first, null, 2);
    InstanceRow last = page.get(1);
    List<InstanceRow> rest = instances.children(Rows.TENANT, first, new ChildRef(2, last.id()), 2);

    assertThat(page).extracting(InstanceRow::id).isEqualTo(children.subList(0, 2));
    assertThat(page).extracting(InstanceRow::variables).containsOnlyNulls();
    assertThat(last)
        .usingRecursiveComparison()
        .ignoringFields("variables")
        .isEqualTo(load(last.id()).instance());
    assertThat(rest).extracting(InstanceRow::id).isEqualTo(children.subList(2, 3));
    assertThat(instances.children(Rows.TENANT, third, null, 2)).isEmpty();
    assertThat(instances.children("umbrella", first, null, 2)).isEmpty();
  }

  @Test
  void filters_hold_together() {
    assertThat(list(filter(0, "order", null, null, Map.of("team", "red")))).containsExactly(first);
    assertThat(list(filter(null, null, null, null, Map.of("team", "red", "area", "north"))))
        .containsExactly(first);
    assertThat(list(filter(null, "invoice", "b-1", "c-1", Map.of()))).containsExactly(third);
    assertThat(list(filter(2, "invoice", null, null, Map.of()))).isEmpty();
  }

  @Test
  void a_business_key_finds_its_instance_after_the_end_too() {
    given(step(third, 1).status(2).freeKey(Rows.BUSINESS_KEY, "b-1"));

    assertThat(list(filter(null, null, "b-1", null, Map.of()))).containsExactly(third);
  }

  @Test
  void pages_neither_repeat_nor_miss_an_instance() {
    List<InstanceId> seen = new ArrayList<>();
    InstanceId after = null;
    for (List<InstanceId> page = page(after); !page.isEmpty(); page = page(after)) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      seen.addAll(page);
      after = page.get(page.size() - 1);
    }

    assertThat(seen).containsExactly(third, second, first);
  }

  @Test
  void ids_are_ordered_by_bytes_as_the_core_orders_them() {
    List<InstanceId> ids =
        List.of("00", "7f", "80", "ff").stream()
            .map(prefix -> InstanceId.parse(prefix + "000000-0000-7000-8000-000000000000"))
            .toList();
    ids.forEach(id -> given(start(id).tenant("bytes")));

    Filter filter = new Filter("bytes", null, null, null, null, Map.of(), null, null, null, 100);

    assertThat(list(filter)).containsExactlyElementsOf(ids.reversed());
  }

  @Test
  void history_comes_in_order_from_a_version_on() {
    given(step(first, 1).entry(2, 1).entry(2, 0).entry(2, 2));
    given(step(first, 2));

    assertThat(history(1, 100)).containsExactly("1.0", "2.0", "2.1", "2.2", "3.0");
    assertThat(history(2, 3)).containsExactly("2.0", "2.1", "2.2");
    assertThat(history(3, 100)).containsExactly("3.0");
    assertThat(history(4, 100)).isEmpty();
    assertThat(instances.history(Rows.newId(), 1, 100)).isEmpty();
  }

  @Test
  void a_history_entry_is_as_it_was_written() {
    Rows step = step(first, 1).by("command-2").snapshot("{\"full\":true}").entry(2, 0);
    given(step);

    assertThat(instances.history(first, 2, 10)).isEqualTo(step.build().history());
  }

  @Test
  void the_newest_full_copy_at_or_before_a_version_is_found() {
    given(step(first, 1).snapshot("{}").entry(2, 0));
    given(step(first, 2));
    given(step(first, 3).snapshot("{}").entry(4, 0));

    assertThat(instances.snapshotBefore(first, 1)).isEqualTo(0);
    assertThat(instances.snapshotBefore(first, 2)).isEqualTo(2);
    assertThat(instances.snapshotBefore(first, 3)).isEqualTo(2);
    assertThat(instances.snapshotBefore(first, 100)).isEqualTo(4);
    assertThat(instances.snapshotBefore(Rows.newId(), 100)).isEqualTo(0);
  }

  private List<String> history(long fromVersion, int limit) {
    return instances.history(first, fromVersion, limit).stream()
        .map((HistoryRow entry) -> entry.version() + "." + entry.ordinal())
        .toList();
  }

  private List<InstanceId> page(@Nullable InstanceId after) {
    return list(new Filter(Rows.TENANT, null, null, null, null, Map.of(), null, null, after, 2));
  }

  private List<InstanceId> list(Filter filter) {
    return instances.list(filter).stream().map(InstanceRow::id).toList();
  }

  private static Filter filter(
      @Nullable Integer status,
      @Nullable String definition,
      @Nullable String businessKey,
      @Nullable String correlationId,
      Map<String, String> labels) {
    return new Filter(
        Rows.TENANT, status, definition, businessKey, correlationId, labels, null, null, null, 100);
  }
}
