package dev.waymark.core.step.kind;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.step.Resumption;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An activity whose work is user code. The core only says that its body may run; the result comes
 * back as a command of its own.
 */
final class BodyKind implements Kind {

  @Override
  public String name() {
    return "body";
  }

  @Override
  public boolean runsBody() {
    return true;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.run(visit);
  }

  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (Resumption.documentsOf(visit).isEmpty()) {
      walk.begin(visit);
    } else {
      walk.run(visit);
    }
  }

  // While a body runs, more answers may come in for the visit's other bookmarks. Each is kept, and
  // the next one is handled when this body has asked to wait on.
  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    Map<String, @Nullable Object> resumption =
        Resumption.of(bookmark, payload, walk.actor()).toDocument();
    List<@Nullable Object> resumptions = new ArrayList<>(Resumption.documentsOf(visit));
    resumptions.add(resumption);
    ActivityInstance resumed = visit.with(Resumption.DATA, List.copyOf(resumptions));
    if (visit.state() == ActivityInstance.State.WAITING) {
      walk.run(resumed);
    } else {
      walk.put(resumed);
    }
  }
}
