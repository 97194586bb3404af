package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.store.ClaimQuery;
import java.util.LinkedHashSet;
import java.util.Set;

/** A caller's request for claims, as the store is asked for them. */
record ClaimQuestion(ClaimRequest request, Actor actor) {

  /** The name under which the claims are held. */
  String holder() {
    String name = request.holder();
    return name == null ? actor.id() : Limits.name("a holder", Lease.holder(actor.id(), name));
  }

  ClaimQuery query() {
    return new ClaimQuery(
        actor.tenant(),
        request.kinds(),
        names(),
        actor.id(),
        request.order(),
        request.lease(),
        request.extensions());
  }

  /**
   * The names of the caller that the request is limited to: a caller cannot claim in the name of
   * others.
   */
  private Set<String> names() {
    Set<String> own = Candidates.namesOf(actor);
    if (request.kinds().equals(Set.of(BookmarkKind.MANUAL_INTERVENTION))) {
      // An intervention names a level, which some applications know as a group and others as a
      // role.
      actor.roles().forEach(role -> own.add(Candidates.group(role)));
    }
    if (request.assignee() == null && request.groups().isEmpty()) {
      own.add(Candidates.ANYBODY_AT_ALL);
      return own;
    }
    Set<String> wanted = new LinkedHashSet<>();
    request.groups().forEach(group -> wanted.add(Candidates.group(group)));
    if (request.assignee() != null) {
      wanted.add(Candidates.user(request.assignee()));
    }
    wanted.retainAll(own);
    return wanted;
  }
}
