package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A vertex of a program's graph.
 *
 * @param output what its result puts into the variables; absent, all of it
 * @param compensate the activity that undoes it
 */
public record Activity(
    String id,
    Kind kind,
    @Nullable Map<String, Term> output,
    List<Way> next,
    @Nullable Retry retry,
    List<Reaction> on,
    @Nullable String compensate,
    @Nullable Condition guard) {

  /** A transition. */
  public record Way(@Nullable Condition when, String to) {}

  /** How often a body is tried, and how long it waits in between, without any jitter. */
  public record Retry(int attempts, long backoff, long maxBackoff) {

    long delayAfter(int failures) {
      return Math.min(backoff << (failures - 1), maxBackoff);
    }
  }

  static Activity of(String id, Kind kind, @Nullable String next) {
    return new Activity(
        id,
        kind,
        null,
        next == null ? List.of() : List.of(new Way(null, next)),
        null,
        List.of(),
        null,
        null);
  }

  Activity kind(Kind other) {
    return new Activity(id, other, output, next, retry, on, compensate, guard);
  }

  Activity next(List<Way> ways) {
    return new Activity(id, kind, output, ways, retry, on, compensate, guard);
  }

  Activity output(Map<String, Term> mapping) {
    return new Activity(id, kind, mapping, next, retry, on, compensate, guard);
  }

  Activity retry(Retry policy) {
    return new Activity(id, kind, output, next, policy, on, compensate, guard);
  }

  Activity on(Reaction reaction) {
    List<Reaction> more = new ArrayList<>(on);
    more.add(reaction);
    return new Activity(id, kind, output, next, retry, List.copyOf(more), compensate, guard);
  }

  Activity compensate(String handler) {
    return new Activity(id, kind, output, next, retry, on, handler, guard);
  }

  Activity guard(Condition condition) {
    return new Activity(id, kind, output, next, retry, on, compensate, condition);
  }

  /** What is inside it, if anything can be. */
  @Nullable Block block() {
    return kind instanceof Kind.Scope scope
        ? scope.block()
        : kind instanceof Kind.ForEach each ? each.block() : null;
  }

  /** Every activity that a run standing here can come to next. */
  Stream<String> targets() {
    Stream<String> inside =
        switch (kind) {
          case Kind.Fork fork -> fork.branches().stream();
          case Kind.Race race -> race.waits().values().stream().map(Kind.Rival::to);
          case Kind.Probe k -> Stream.of();
          case Kind.Set k -> Stream.of();
          case Kind.End k -> Stream.of();
          case Kind.Terminate k -> Stream.of();
          case Kind.Misfit k -> Stream.of();
          case Kind.Raise k -> Stream.of();
          case Kind.Split k -> Stream.of();
          case Kind.Join k -> Stream.of();
          case Kind.Timer k -> Stream.of();
          case Kind.Wait k -> Stream.of();
          case Kind.Scope k -> Stream.of();
          case Kind.ForEach k -> Stream.of();
          case Kind.SubWorkflow k -> Stream.of();
          case Kind.Signal k -> Stream.of();
          case Kind.Send k -> Stream.of();
          case Kind.Emit k -> Stream.of();
          case Kind.Compensate k -> Stream.of();
        };
    return Stream.of(next.stream().map(Way::to), on.stream().map(Reaction::to), inside)
        .flatMap(targets -> targets)
        .filter(to -> to != null);
  }
}
