package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Time, what is to be done next, and who listens for what. One number decides every order. */
final class World {

  private static final int MAX_DEEDS = 100_000;

  /**
   * Somebody who waits for something from outside.
   *
   * @param guard what an answer must be like
   * @param sample what a script would answer; absent if nobody ever does
   */
  record Listener(
      Visit visit,
      Kind.Source source,
      String name,
      @Nullable Condition guard,
      @Nullable Map<String, Object> sample,
      boolean once,
      BiConsumer<Map<String, @Nullable Object>, @Nullable Event> deed) {

    /** Whether a person answers it, who is told at once if that cannot be. */
    boolean isAsked() {
      return source == Kind.Source.USER_ACTION || source == Kind.Source.APPROVAL;
    }

    boolean takes(Map<String, @Nullable Object> answer) {
      return guard == null || guard.holds(new Term.View(visit.frame, Map.of(), answer, null));
    }
  }

  /**
   * Something that happens at a moment.
   *
   * @param retry whether it is another attempt of a body
   */
  private record Alarm(long due, Visit visit, Runnable deed, boolean retry) {}

  final List<Visit> visits = new ArrayList<>();
  final List<Course> courses = new ArrayList<>();
  final List<Listener> listeners = new ArrayList<>();
  private final List<Alarm> alarms = new ArrayList<>();
  private final List<Runnable> ready = new ArrayList<>();
  private final Order order;
  private final Map<String, Long> signals = new HashMap<>();
  private int events;
  private int deeds;
  long now;

  /**
   * Whether somebody began to wait for a signal at the very moment when it was given. Clocks of
   * several nodes cannot tell which was first, so nobody promises anything.
   */
  boolean ambiguous;

  /** Which of several things that could be done next is done next. */
  interface Order {

    int pick(int many);

    /** Whether what follows from a deed follows at once, or may wait for other deeds. */
    boolean atOnce();

    /** 0 is first come first served, 1 is the opposite, every other number is a lottery. */
    static Order of(long number) {
      Random lots = new Random(number);
      return new Order() {
        @Override
        public int pick(int many) {
          return number == 0 ? 0 : number == 1 ? many - 1 : lots.nextInt(many);
        }

        @Override
        public boolean atOnce() {
          return number == 0 || (number > 1 && lots.nextBoolean());
        }
      };
    }
  }

  World(Order order) {
    this.order = order;
  }

  Event event(@Nullable Event... after) {
    List<Event> all = new ArrayList<>();
    for (Event event : after) {
      if (event != null) {
        all.add(event);
      }
    }
    return Event.afterAll(events++, all);
  }

  Event eventAfter(List<Event> after) {
    return Event.afterAll(events++, after);
  }

  Event eventAfterSome(List<Event> after, int needed) {
    return Event.afterSome(events++, after, needed);
  }

  void soon(Runnable deed) {
    ready.add(deed);
  }

  /** The same for a deed that makes a run go on: a run that is held does it when it is let go. */
  void soon(Course course, Runnable deed) {
    soon(() -> course.whenFree(deed));
  }

  void in(long seconds, Visit visit, Runnable deed) {
    alarms.add(new Alarm(now + seconds, visit, deed, false));
  }

  /** Lets a body run. If the run is held by then, the body may already have been under way. */
  void begin(Course course, Runnable attempt) {
    soon(
        () -> {
          if (course.held && order.pick(2) == 0) {
            course.whenFree(attempt);
          } else {
            attempt.run();
          }
        });
  }

  /** Lets a body run again after a while, or at once when the run is let go. */
  void tryAgain(long seconds, Visit visit, Runnable attempt) {
    if (visit.course.held) {
      visit.course.whenFree(attempt);
    } else {
      alarms.add(new Alarm(now + seconds, visit, attempt, true));
    }
  }

  // ---- holds

  void hold(Course course) {
    if (course.status != null) {
      return;
    }
    course.held = true;
    for (Alarm alarm : List.copyOf(alarms)) {
      if (alarm.retry() && alarm.visit().course == course) {
        alarms.remove(alarm);
        course.whenFree(alarm.deed());
      }
    }
  }

  void letGo(Course course) {
    course.letGo().forEach(this::soon);
    soon(() -> handOut(course));
  }

  void listen(Listener listener) {
    listeners.add(listener);
    if (listener.source() == Kind.Source.SIGNAL) {
      ambiguous |= Objects.equals(signals.get(listener.name()), now);
    }
    if (listener.source() == Kind.Source.MESSAGE) {
      soon(() -> handOut(listener.visit().course));
    }
  }

  /** Gives messages that are kept to whoever waits for them by now. */
  void handOut(Course course) {
    if (course.held) {
      return;
    }
    for (Course.Kept message : List.copyOf(course.kept)) {
      List<Listener> waiting =
          listening(Kind.Source.MESSAGE, message.name()).stream()
              .filter(l -> l.visit().course == course && l.takes(message.payload()))
              .toList();
      if (!waiting.isEmpty()) {
        course.kept.remove(message);
        tell(waiting.get(order.pick(waiting.size())), message.payload(), message.cause());
        soon(() -> handOut(course));
        return;
      }
    }
  }

  /** Tells everybody who waits for a signal at this moment. */
  void signal(String name, Map<String, @Nullable Object> payload, @Nullable Event cause) {
    signals.put(name, now);
    listening(Kind.Source.SIGNAL, name)
        .forEach(l -> soon(l.visit().course, () -> tell(l, payload, cause)));
  }

  List<Listener> listening(Kind.Source source, String name) {
    listeners.removeIf(l -> !l.visit().alive());
    return listeners.stream().filter(l -> l.source() == source && l.name().equals(name)).toList();
  }

  void tell(Listener listener, Map<String, @Nullable Object> payload, @Nullable Event cause) {
    if (listener.visit().alive() && listeners.contains(listener) && listener.takes(payload)) {
      if (listener.once()) {
        listeners.remove(listener);
      }
      listener.visit().course.waited();
      listener.deed().accept(payload, cause);
    }
  }

  /** A visit no longer reacts to anything. */
  void deafen(Visit visit) {
    visit.deaf = true;
    listeners.removeIf(l -> l.visit() == visit);
    alarms.removeIf(a -> a.visit() == visit);
  }

  /** Does what can be done without time passing, and what follows from it. */
  void rest(Runnable settle) {
    while (!ready.isEmpty()) {
      if (++deeds > MAX_DEEDS) {
        throw new IllegalStateException("Expected a program to rest, but it goes on and on");
      }
      ready.remove(order.pick(ready.size())).run();
      if (ready.isEmpty() || order.atOnce()) {
        settle.run();
      }
    }
  }

  void pass(long seconds, Runnable settle) {
    long target = now + seconds;
    rest(settle);
    for (Long due = nextAlarm(); due != null && due <= target; due = nextAlarm()) {
      now = due;
      for (Alarm alarm : List.copyOf(alarms)) {
        if (alarm.due() == now) {
          alarms.remove(alarm);
          soon(
              alarm.visit().course,
              () -> {
                if (alarm.visit().alive() && !alarm.visit().deaf) {
                  alarm.deed().run();
                }
              });
        }
      }
      rest(settle);
    }
    now = target;
  }

  @Nullable Long nextAlarm() {
    alarms.removeIf(a -> !a.visit().alive());
    return alarms.stream().map(Alarm::due).min(Long::compare).orElse(null);
  }
}
