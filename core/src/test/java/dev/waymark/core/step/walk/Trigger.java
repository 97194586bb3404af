package dev.waymark.core.step.walk;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction.MoveToken;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Something that moves the token at {@code t} on to {@code go}. */
enum Trigger {
  COMPLETE("t: { type: work, next: go }") {
    @Override
    void pull(Play play) {
      play.complete("t");
    }
  },
  CONTINUE("t: { type: work, next: go }") {
    @Override
    void pull(Play play) {
      if (play.live().hold() == null) {
        play.step(new Command.Suspend(play.meta(), "look"));
      }
      play.complete("t");
      play.step(new Command.Continue(play.meta(), "seen"));
    }
  },
  FAIL("t: { type: work, retry: { attempts: 1 }, on: { error: { to: go } } }") {
    @Override
    void pull(Play play) {
      play.fail("t", "X");
    }
  },
  RECOVER("t: { type: work, repeatable: false, on: { error: { to: go } } }") {
    @Override
    void pull(Play play) {
      var visit = play.at("t");
      play.step(new Attempt.Recover(play.meta(), visit.visit(), visit.attempt(), true));
    }
  },
  RESUME("t: { type: wait, with: { key: t }, next: go }") {
    @Override
    void pull(Play play) {
      play.resume("t", Map.of());
    }
  },
  FIRE("t: { type: timer, with: { after: PT1H }, next: go }") {
    @Override
    void pull(Play play) {
      play.pass(Duration.ofHours(1));
    }
  },
  DELIVER("t: { type: wait, with: { for: external-message, key: t }, next: go }") {
    @Override
    void pull(Play play) {
      play.message("t", Map.of());
    }
  },
  INTERVENE("t: { type: set, with: { x: \"${ Variables.missing }\" }, next: go }") {
    @Override
    void pull(Play play) {
      play.step(
          new Command.Intervene(
              play.meta(Play.ADMIN),
              play.bookmark("t").id(),
              InterventionAction.SKIP_ACTIVITY,
              Map.of(),
              "skip"));
    }
  },
  EDIT("t: { type: wait, with: { key: t }, next: go }") {
    @Override
    void pull(Play play) {
      play.step(new Command.Edit(play.meta(), new MoveToken(play.at("t").visit(), "go"), "now"));
    }
  },
  MIGRATE(
      "t: { type: fork, with: { branches: [ta, tb] } }",
      "ta: { type: set, next: tj }",
      "tb: { type: wait, with: { key: tb }, next: tj }",
      "tj: { type: join, next: go }") {
    @Override
    void pull(Play play) {
      String second = play.definition.source().replace("{ key: tb }, next: tj }", "{ key: tb } }");
      play.migrate(Play.parse(second).deployedAs(2, 2), MigrationPlan.PLAIN);
    }
  };

  private final String text;

  Trigger(String... lines) {
    this.text = String.join("\n", lines);
  }

  abstract void pull(Play play);

  /** Starts everything ready, and lets only the trigger's body run. */
  static Play start(Trigger trigger, String activities) {
    StringBuilder text = new StringBuilder();
    activities
        .lines()
        .forEach(
            line -> {
              if (line.strip().equals("T")) {
                String indent = line.substring(0, line.indexOf('T'));
                trigger.text.lines().forEach(t -> text.append(indent).append(t).append('\n'));
              } else {
                text.append(line).append('\n');
              }
            });
    Play play = Play.of("a", text.toString());
    play.runner = null;
    play.start(Map.of());
    play.live().activities().values().stream()
        .filter(v -> v.state() == State.READY && List.of("t", "running").contains(v.activity()))
        .forEach(
            v -> {
              play.runner = Play.NODE;
              play.step(new Attempt.Take(play.meta(), v.visit()));
              play.runner = null;
            });
    return play;
  }
}
