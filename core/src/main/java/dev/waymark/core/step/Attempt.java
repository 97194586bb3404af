package dev.waymark.core.step;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node's command about a body: that it begins with it, how it ended, that it gives it back or
 * takes it over. These are the engine's own commands; no caller can send one.
 */
public sealed interface Attempt extends Command {

  /** The visit whose body it is. */
  long visit();

  /** A node's wish to run a ready visit. */
  record Take(Command.Meta meta, long visit) implements Attempt {

    @Override
    public Take with(Command.Meta newMeta) {
      return new Take(newMeta, visit);
    }
  }

  /** A body's good end. */
  record Complete(
      Command.Meta meta,
      long visit,
      int attempt,
      Map<String, @Nullable Object> output,
      Effects effects,
      Duration duration)
      implements Attempt {

    @Override
    public Complete with(Command.Meta newMeta) {
      return new Complete(newMeta, visit, attempt, output, effects, duration);
    }
  }

  /** A body's wish to wait: its bookmarks commit with the step. */
  record Await(
      Command.Meta meta,
      long visit,
      int attempt,
      List<Wait> waits,
      Map<String, @Nullable Object> output,
      Effects effects,
      Duration duration)
      implements Attempt {

    public Await {
      waits = List.copyOf(waits);
      if (waits.isEmpty() || waits.size() > Limits.BOOKMARKS_PER_RESULT) {
        throw new IllegalArgumentException(
            "Expected 1 to %d bookmarks in a suspended result, but got %d"
                .formatted(Limits.BOOKMARKS_PER_RESULT, waits.size()));
      }
    }

    @Override
    public Await with(Command.Meta newMeta) {
      return new Await(newMeta, visit, attempt, waits, output, effects, duration);
    }
  }

  /** A body's bad end, or its time-out. */
  record Fail(Command.Meta meta, long visit, int attempt, Fault fault, Duration duration)
      implements Attempt {

    @Override
    public Fail with(Command.Meta newMeta) {
      return new Fail(newMeta, visit, attempt, fault, duration);
    }
  }

  /**
   * A node gives back a visit that it will not finish: because it drains, or has no code for it.
   *
   * @param notBefore when it may be taken again; absent, at once
   */
  record Release(Command.Meta meta, long visit, int attempt, @Nullable Instant notBefore)
      implements Attempt {

    @Override
    public Release with(Command.Meta newMeta) {
      return new Release(newMeta, visit, attempt, notBefore);
    }
  }

  /**
   * Takeover of a body that no node runs any more.
   *
   * @param attempt the attempt that was seen stranded; if it has moved on since, nothing happens
   * @param crashed whether its node died with it, which counts against the body
   */
  record Recover(Command.Meta meta, long visit, int attempt, boolean crashed) implements Attempt {

    @Override
    public Recover with(Command.Meta newMeta) {
      return new Recover(newMeta, visit, attempt, crashed);
    }
  }
}
