package dev.waymark.proof.request;

import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.MigrationRequest;

/** A definition with a place for every state that a run can be in, and the next version of it. */
final class EveryStateFlow {

  static final String FIRST =
      """
      waymark: 1
      key: many
      start: choose
      activities:
        choose:
          type: set
          next:
            - { when: "Variables.kind == 0", to: meet }
            - { when: "Variables.kind == 1", to: later }
            - { when: "Variables.kind == 2", to: bad }
            - { when: "Variables.kind == 3", to: busy }
            - { when: "Variables.kind == 4", to: each }
            - { when: "Variables.kind == 5", to: ask }
            - { when: "Variables.kind == 6", to: turn }
            - { when: "Variables.kind == 7", to: pay }
            - { when: "Variables.kind == 8", to: inner }
            - { to: old }
        # 0: one token waits at a join for the other
        meet: { type: fork, with: { branches: [left, right] } }
        left: { type: set, next: both }
        right: { type: wait, with: { key: right }, next: both }
        both: { type: join, next: done }
        # 1: a timer
        later: { type: timer, with: { after: P1D }, next: done }
        # 2: parked
        bad: { type: set, with: { x: "${ Variables.missing }" }, next: done }
        # 3: a body that runs
        busy: { type: busy, next: ask }
        # 4: items side by side
        each:
          type: for-each
          with: { items: [1, 2, 3], parallel: 2 }
          start: item
          activities:
            item: { type: wait, with: { key: item } }
          collect: "${ Variables.item }"
          next: done
        # 5: a person
        ask: { type: wait, with: { key: ask }, next: done }
        # 6: goes round and round
        turn: { type: wait, with: { key: turn }, next: turned }
        turned:
          type: set
          next: [{ when: "has(Variables.enough)", to: done }, { to: turn }]
        # 7: something that could be undone
        pay: { type: set, compensate: refund, next: paid }
        refund: { type: set }
        paid: { type: wait, with: { key: paid }, next: done }
        # 8: inside a scope, with a reaction
        inner:
          type: scope
          variables: { own: 1 }
          start: in
          activities:
            in: { type: wait, with: { key: in } }
          on: { message: { name: stop, to: done } }
          next: done
        # 9: has no place in the next version
        old: { type: wait, with: { key: old }, next: done }
        done: { type: end }
      """;

  static final String SECOND =
      FIRST
          .replace("right", "second")
          .replace("key: second", "key: right")
          .replace("both", "together")
          .replace("old: { type: wait, with: { key: old }, next: done }", "")
          .replace("- { to: old }", "- { to: done }")
          .replace("done: { type: end }", "done: { type: set, with: { v: 2 } }");

  static final MigrationRequest REQUEST =
      new MigrationRequest(
          "many",
          1,
          2,
          MigrationPlan.PLAIN.rename("right", "second").rename("both", "together").set("m", 1L));

  private EveryStateFlow() {}
}
