package dev.waymark.engine.internal.request;

import dev.waymark.core.instance.Actor;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.spi.PeopleDirectory;
import java.util.Set;

/** The people for whom an actor may act at this moment, as the application's directory says. */
public final class StandIns {

  private final ThisNode node;
  private final PeopleDirectory directory;

  public StandIns(ThisNode node, PeopleDirectory directory) {
    this.node = node;
    this.directory = directory;
  }

  /** Asks the application, each time: an absence may have begun since. */
  public Set<String> standsFor(Actor actor) {
    return directory.standsFor(actor.tenant(), actor.id(), node.now());
  }
}
