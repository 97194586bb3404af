package dev.waymark.postgres.internal.commit;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.postgres.internal.commit.CommitStatement.Form;
import dev.waymark.postgres.internal.commit.CommitStatement.Width;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of gates that {@link CommitGatesTest} tries is whole. */
class CommitGateListTest {

  private static final Pattern WRITE =
      Pattern.compile("(\\w+) as \\( (?:insert into|update|delete from) ");
  private static final Pattern PART = Pattern.compile("(\\w+) as (?:materialized )?\\( select ");
  private static final Pattern COMPARISON =
      Pattern.compile("[\\w.)]+ (?:=|<>|<=|>=|<|>|is|in|not) [\\w.(]+");

  /** Units, their rows and what is made of them. */
  private static final Set<String> GATES =
      Set.of(
          "current",
          "absent",
          "known",
          "occupied",
          "contested",
          "admitted",
          "locked_bookmark",
          "locked_message",
          "ok");

  @Test
  void a_condition_is_a_gate_that_is_tried_or_a_lookup_or_backed() {
    Set<String> left = new TreeSet<>();
    for (CommitShape shape : CommitShape.values()) {
      for (Width width : Width.values()) {
        left.addAll(conditions(withoutGates(shape, width)));
      }
    }
    Set<String> expected = new TreeSet<>(Gates.LOOKUPS);
    Gates.BACKED.forEach(backed -> expected.add(backed.condition()));

    assertThat(left)
        .as("conditions of the text without its gates: say in Gates what each is for")
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(CommitShape.class)
  void a_write_is_gated_and_counted_if_it_may_miss_a_row(CommitShape shape) {
    for (Width width : Width.values()) {
      String text = text(Form.SKIPPING, shape, width);

      assertThat(names(WRITE, text))
          .isEqualTo(GatedWrite.of(shape.parts()).stream().map(GatedWrite::name).collect(toSet()));
      for (GatedWrite write : GatedWrite.of(shape.parts())) {
        assertThat(Cut.part(write.name(), text).endsWith("returning 1 )"))
            .as("%s gives the rows that it touched", write.name())
            .isEqualTo(write.isCounted());
      }
    }
  }

  @Test
  void every_part_has_a_gate() {
    Set<CommitPart> gated =
        Gates.of(EnumSet.allOf(CommitPart.class)).stream()
            .flatMap(gate -> gate.needs().stream())
            .collect(toSet());

    assertThat(gated)
        .as("parts of the commit that gates and writes name: add a new one to Gates or GatedWrite")
        .containsExactlyInAnyOrder(CommitPart.values());
  }

  /** So what is proved of a batch holds for a unit in the caller's transaction. */
  @ParameterizedTest
  @EnumSource(CommitShape.class)
  void a_joined_unit_meets_the_same_gates(CommitShape shape) {
    for (Width width : Width.values()) {
      String waiting = text(Form.WAITING, shape, width);
      String alive = Cut.onOneLine(CommitGates.ALIVE);

      assertThat(waiting)
          .isEqualTo(
              text(Form.SKIPPING, shape, width)
                  .replace(" skip locked", "")
                  .replace("pg_try_advisory_xact_lock", "pg_advisory_xact_lock"))
          .contains(alive);
      assertThat(text(Form.WAITING_WITHOUT_NODE, shape, width))
          .isEqualTo(waiting.replace(" and " + alive, "").replace(" where " + alive, ""));
    }
  }

  private static String withoutGates(CommitShape shape, Width width) {
    List<Cut> cuts =
        Gates.beforeWrites(shape.parts()).stream()
            .flatMap(gate -> gate.cuts().stream())
            .distinct()
            .toList();
    return Cut.all(cuts, text(Form.SKIPPING, shape, width));
  }

  private static Set<String> conditions(String text) {
    return names(PART, text).stream()
        .filter(GATES::contains)
        .flatMap(part -> comparisons(Cut.part(part, text)))
        .collect(toCollection(TreeSet::new));
  }

  private static Stream<String> comparisons(String part) {
    return COMPARISON.matcher(part).results().map(found -> found.group());
  }

  private static Set<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).collect(toSet());
  }

  private static String text(Form form, CommitShape shape, Width width) {
    return Cut.onOneLine(CommitStatement.text(form, shape, width));
  }
}
