package dev.waymark.engine.task;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A piece of people's work as they see it: a user task, or a level of an approval.
 *
 * @param owner the person who has delegated it and gets it back; absent if it was not delegated
 * @param claim its holder and the end of the lease; absent if it is free, also because a lease has
 *     lapsed
 */
public record Task(
    Bookmark bookmark,
    @Nullable String owner,
    @Nullable Lease claim,
    List<Comment> comments,
    List<Attachment> attachments) {

  public record Comment(String by, Instant at, String text) {}

  /** A document that is kept elsewhere. */
  public record Attachment(String by, Instant at, String name, String uri, long size) {}

  public Task {
    requireNonNull(bookmark, "bookmark");
    comments = List.copyOf(comments);
    attachments = List.copyOf(attachments);
  }

  /** The task as inboxes show it: without its comments. */
  public static Task of(Bookmark bookmark, Instant now) {
    return new Task(bookmark, null, claim(bookmark, now), List.of(), List.of());
  }

  public static Task of(Bookmark bookmark, ActivityInstance visit, Instant now) {
    return new Task(
        bookmark,
        visit.data().get("owner") instanceof String owner ? owner : null,
        claim(bookmark, now),
        remarks(visit, "comments").map(Task::comment).toList(),
        remarks(visit, "attachments").map(Task::attachment).toList());
  }

  private static @Nullable Lease claim(Bookmark bookmark, Instant now) {
    Lease lease = bookmark.lease();
    return lease != null && lease.isLiveAt(now) ? lease : null;
  }

  private static Stream<Map<?, ?>> remarks(ActivityInstance visit, String name) {
    List<?> list = visit.data().get(name) instanceof List<?> found ? found : List.of();
    return list.stream().map(each -> (Map<?, ?>) each);
  }

  private static Comment comment(Map<?, ?> document) {
    return new Comment(
        text(document, "by"), Instant.parse(text(document, "at")), text(document, "text"));
  }

  private static Attachment attachment(Map<?, ?> document) {
    return new Attachment(
        text(document, "by"),
        Instant.parse(text(document, "at")),
        text(document, "name"),
        text(document, "uri"),
        document.get("size") instanceof Number size ? size.longValue() : 0);
  }

  private static String text(Map<?, ?> document, String name) {
    return String.valueOf(document.get(name));
  }

  public BookmarkId id() {
    return bookmark.id();
  }

  /** True if it is a level of an approval, which is voted on and not completed. */
  public boolean isApproval() {
    return bookmark.kind() == BookmarkKind.APPROVAL;
  }

  /** The title of the task; its key if the definition gave it no title. */
  public String title() {
    return bookmark.payload().get("title") instanceof String title ? title : bookmark.key();
  }

  public String description() {
    return bookmark.payload().get("description") instanceof String text ? text : "";
  }

  /** The JSON Schema of the answer; empty if anything goes. */
  public Map<String, @Nullable Object> form() {
    return object("form");
  }

  /** The data that people are shown to decide on. */
  public Map<String, @Nullable Object> data() {
    return object("data");
  }

  /** One value of {@link #data} as a type of yours. */
  public <T> T data(String name, Class<T> type, T otherwise) {
    return data().get(name) == null ? otherwise : Json.convert(data().get(name), type);
  }

  /** At which level of how many an approval is; 1 of 1 for a task. */
  public int level() {
    return number("level");
  }

  public int levels() {
    return number("levels");
  }

  public Candidates candidates() {
    return bookmark.terms().candidates();
  }

  public int priority() {
    return bookmark.terms().priority();
  }

  public @Nullable Instant due() {
    return bookmark.due();
  }

  public @Nullable Instant followUp() {
    return bookmark.terms().followUp();
  }

  private int number(String name) {
    return bookmark.payload().get(name) instanceof Number number ? number.intValue() : 1;
  }

  private Map<String, @Nullable Object> object(String name) {
    return bookmark.payload().get(name) instanceof Map<?, ?> map ? Json.object(map) : Map.of();
  }
}
