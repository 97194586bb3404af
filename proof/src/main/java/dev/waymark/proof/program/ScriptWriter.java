package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plays a program for the first time, and draws what comes to it from outside as it goes. */
final class ScriptWriter {

  private static final int LONGEST = 60;

  private final Draw draw;
  private final Oracle oracle;
  private final Map<String, Map<String, Object>> messages;
  private final boolean cancels;
  private final boolean holds;
  private final boolean odd;
  private final List<Stimulus> script = new ArrayList<>();

  private ScriptWriter(Program program, Draw draw, Sketch main) {
    this.draw = draw;
    this.oracle = new Oracle(program, 0);
    this.messages = main.messages;
    this.cancels = main.may(Feature.CANCEL);
    this.odd = main.may(Feature.ODD_VALUE);
    this.holds = main.happens(Feature.HOLD, 35);
  }

  /**
   * Writes a script.
   *
   * @param main what the main flow was drawn on
   */
  static List<Stimulus> write(Program program, Draw draw, Sketch main) {
    ScriptWriter writer = new ScriptWriter(program, draw, main);
    while (writer.script.size() < LONGEST && !draw.chance(1)) {
      Stimulus next = writer.next();
      if (next == null) {
        break;
      }
      writer.add(next);
    }
    while (writer.oracle.world().courses.getFirst().held) {
      writer.add(new Stimulus.Continue());
    }
    return List.copyOf(writer.script);
  }

  private void add(Stimulus stimulus) {
    if (stimulus instanceof Stimulus.Continue) {
      // A wait may hear a signal from up to a second before it began, as clocks of nodes differ. So
      // that no kept signal is as young as that, some time passes first.
      play(new Stimulus.Pass(2));
    }
    play(stimulus);
  }

  private void play(Stimulus stimulus) {
    script.add(stimulus);
    oracle.play(stimulus);
  }

  private @Nullable Stimulus next() {
    World world = oracle.world();
    Course main = world.courses.getFirst();
    if (main.held && draw.chance(25)) {
      return new Stimulus.Continue();
    }
    if (holds && !main.held && main.status == null && draw.chance(12)) {
      return new Stimulus.Suspend();
    }
    if (!messages.isEmpty() && draw.chance(4)) {
      String name = draw.one(List.copyOf(messages.keySet()));
      return new Stimulus.Message(name, Objects.requireNonNull(messages.get(name)));
    }
    if (cancels && draw.chance(2) && main.status == null) {
      return new Stimulus.Cancel(draw.chance(60));
    }
    List<Stimulus> options = new ArrayList<>();
    for (World.Listener listener : world.listeners) {
      boolean refused = listener.visit().course.held && listener.isAsked();
      if (listener.visit().alive() && (!refused || draw.chance(15))) {
        offer(listener, world, options);
      }
    }
    Long alarm = world.nextAlarm();
    if (alarm != null && (options.isEmpty() || draw.chance(30))) {
      long until = Math.max(0, alarm - world.now - 1);
      return new Stimulus.Pass(draw.chance(30) ? until / 2 : until);
    }
    if (options.isEmpty()) {
      return main.held ? new Stimulus.Continue() : null;
    }
    Stimulus drawn = draw.one(options);
    return odd && draw.chance(4) ? unfit(drawn) : drawn;
  }

  private void offer(World.Listener listener, World world, List<Stimulus> options) {
    Map<String, Object> sample = listener.sample();
    if (sample == null) {
      return;
    }
    boolean wrong = listener.guard() != null && draw.chance(40);
    Map<String, Object> payload = wrong ? spoilt(sample) : sample;
    switch (listener.source()) {
      case USER_ACTION, APPROVAL -> options.add(new Stimulus.Answer(listener.name(), payload));
      case MESSAGE -> {
        if (listener.visit().course == world.courses.getFirst()) {
          options.add(new Stimulus.Message(listener.name(), payload));
        }
      }
      case SIGNAL -> options.add(new Stimulus.Signal(listener.name(), payload));
    }
  }

  private static Stimulus unfit(Stimulus drawn) {
    Map<String, Object> payload = Map.of("x", List.of(Oddities.NO_TEXT));
    return switch (drawn) {
      case Stimulus.Answer answer -> new Stimulus.Unfit(new Stimulus.Answer(answer.key(), payload));
      case Stimulus.Message to -> new Stimulus.Unfit(new Stimulus.Message(to.name(), payload));
      case Stimulus.Signal to -> new Stimulus.Unfit(new Stimulus.Signal(to.name(), payload));
      default -> drawn;
    };
  }

  private static Map<String, Object> spoilt(Map<String, Object> payload) {
    Map<String, Object> wrong = new java.util.HashMap<>(payload);
    wrong.replaceAll((name, value) -> -1L);
    return wrong;
  }
}
