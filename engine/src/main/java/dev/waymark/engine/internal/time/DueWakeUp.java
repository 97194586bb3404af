package dev.waymark.engine.internal.time;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.step.CommitListener;

/** Tells the workers of timers, ready visits and expiry when a committed step has made work due. */
public final class DueWakeUp implements CommitListener {

  private final DueWorker timers;
  private final KnownTimers known;
  private final DueWorker ready;
  private final DueWorker expiry;

  public DueWakeUp(DueWorker timers, KnownTimers known, DueWorker ready, DueWorker expiry) {
    this.timers = timers;
    this.known = known;
    this.ready = ready;
    this.expiry = expiry;
  }

  @Override
  public void committed(Unit unit) {
    for (Step step : unit.steps()) {
      step.begun().forEach(this::wakeReady);
      step.changed().forEach(this::wakeReady);
      step.created().forEach(this::wakeTimer);
      step.amended().forEach(amend -> wakeTimer(amend.after()));
      step.spends().forEach(spend -> forgetTimer(spend.bookmark()));
    }
  }

  private void wakeReady(ActivityInstance visit) {
    if (visit.state() == State.READY && visit.due() != null) {
      ready.wakeAt(visit.due());
    }
  }

  private void wakeTimer(Bookmark wait) {
    if (wait.kind() == BookmarkKind.TIMER && wait.due() != null) {
      timers.wakeAt(known.set(wait.id(), wait.due()));
    }
  }

  private void forgetTimer(Bookmark wait) {
    if (wait.kind() == BookmarkKind.TIMER) {
      known.forget(wait.id());
    }
  }

  @Override
  public void opened(Bookmark wait) {
    if (wait.terms().expires() != null) {
      expiry.wakeAt(wait.terms().expires());
    }
    if (wait.kind() == BookmarkKind.MANUAL_INTERVENTION && wait.due() != null) {
      expiry.wakeAt(wait.due());
    }
  }
}
