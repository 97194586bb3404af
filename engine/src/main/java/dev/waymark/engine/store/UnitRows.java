package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit as rows: every document is text by now, passed through the codec. The rows are made before
 * the unit is queued, so that committers do nothing but bind and send.
 *
 * @param before the version that must still be current; 0 means the instance must not exist yet
 * @param patched true if the unit changes the variables, and only its history says how: the stored
 *     document stays as it is, and whoever reads it applies the changes since
 * @param labels all labels of the instance if they differ now, or absent if they stay as they are
 * @param payloads the hashes of the payloads that the unit's history names; each once
 * @param commandId the id in the history row of the last version
 */
public record UnitRows(
    long before,
    InstanceRow instance,
    boolean patched,
    @Nullable List<LabelRow> labels,
    List<SpendRow> spends,
    List<ReceiptRow> received,
    List<ActivityRow> begun,
    List<ActivityRow> changed,
    List<Long> ended,
    List<BookmarkRow> created,
    List<AmendRow> amended,
    List<CandidateRow> candidates,
    List<CandidateRow> dismissed,
    List<HistoryRow> history,
    List<OutboxRow> events,
    List<MessageRow> sent,
    List<CommandRow> commands,
    List<KeyRow> keysTaken,
    List<KeyRow> keysFreed,
    List<String> payloads,
    String commandId,
    int size) {

  /** Statuses from here on are those of runs that have ended. */
  private static final int ENDED = 2;

  /**
   * True if the run holds the keys that the unit takes. A run that ends in its first step needs its
   * keys to be free, and does not hold them.
   */
  public boolean holdsKeys() {
    return instance.status() < ENDED;
  }

  /**
   * The instance's own row.
   *
   * @param variables the document, or absent if the stored one stays; as it is read, changes may
   *     have to be applied to it ({@link Load.Answer#patches})
   * @param extra labels, loop counts, hold and fault as one document, or absent if there are none
   * @param parent whose child it is; said when it starts, and never changed
   */
  public record InstanceRow(
      InstanceId id,
      String tenant,
      long definition,
      long version,
      int status,
      long visits,
      @Nullable String variables,
      @Nullable String extra,
      @Nullable String businessKey,
      @Nullable String correlationId,
      @Nullable String traceParent,
      Instant created,
      Instant updated,
      @Nullable Instant ended,
      @Nullable Parent parent) {}

  public record LabelRow(String name, String value) {}

  public record ActivityRow(
      long visit,
      String activity,
      long parent,
      int state,
      int attempt,
      int failures,
      int crashes,
      @Nullable NodeId node,
      @Nullable Instant due,
      Instant entered,
      @Nullable String data,
      @Nullable String fault) {}

  /**
   * A wait.
   *
   * @param state 0 open, 1 consumed, 2 withdrawn, 3 expired
   */
  public record BookmarkRow(
      long tag,
      long visit,
      int kind,
      String key,
      @Nullable String payload,
      @Nullable Instant due,
      int state,
      Instant created,
      @Nullable String closedBy,
      @Nullable Instant closedAt,
      @Nullable String holder,
      @Nullable Instant leaseUntil,
      long fence,
      TermsRow terms) {}

  /**
   * The terms of a wait: as a document, and once more as columns where it is looked for by them.
   *
   * @param document absent if all terms have their defaults
   * @param audience the name under which it is claimed: empty for every user, {@code *} for several
   *     names
   */
  public record TermsRow(
      int priority,
      @Nullable String correlation,
      @Nullable Instant expires,
      @Nullable String document,
      String audience) {

    public static final TermsRow NONE = new TermsRow(0, null, null, null, "");

    /** The terms as they are loaded: the document contains all of them. */
    public static TermsRow of(@Nullable String document) {
      return document == null ? NONE : new TermsRow(0, null, null, document, "");
    }
  }

  /**
   * A change of a wait that stays open. The wait is also among the spends, with state 0: so its row
   * is locked and checked before it is changed.
   *
   * @param released whether its lease ends
   */
  public record AmendRow(
      long tag,
      @Nullable String payload,
      @Nullable Instant due,
      TermsRow terms,
      boolean released) {}

  /**
   * A name whose inbox shows a wait, and when it is due there: a page of an inbox is in that order.
   *
   * @param who {@code user:…} or {@code group:…}; with a {@code *} before it once more where the
   *     wait has several names; {@code not:…} for who may never act on it
   */
  public record CandidateRow(long tag, String who, @Nullable Instant due) {}

  /**
   * A bookmark to close or to change, guarded on its locked row.
   *
   * @param state 0 if it stays open
   */
  public record SpendRow(
      long tag,
      Guard guard,
      long fence,
      int state,
      @Nullable String closedBy,
      @Nullable Instant closedAt) {}

  public record HistoryRow(
      long version,
      int ordinal,
      int type,
      @Nullable String activity,
      long visit,
      int attempt,
      @Nullable NodeId node,
      @Nullable Long bookmark,
      String actor,
      String commandId,
      Instant at,
      @Nullable Long durationMicros,
      int events,
      @Nullable String changes,
      @Nullable String detail,
      @Nullable String snapshot) {}

  /** One event for one sink. */
  public record OutboxRow(
      int lane, String sink, String eventId, long version, int ordinal, String type, String data) {}

  /**
   * A message that the unit spends.
   *
   * @param version the step that received it, which in a unit of several need not be the last
   */
  public record ReceiptRow(Message.Key key, long version) {}

  /**
   * A message as it waits.
   *
   * @param addressee absent in a broadcast, and where a correlation key stands for it
   */
  public record MessageRow(
      Message.Key key,
      @Nullable InstanceId addressee,
      String name,
      @Nullable String payload,
      String sender,
      Instant received,
      @Nullable String correlation,
      @Nullable Instant expires) {

    public MessageRow(
        Message.Key key,
        @Nullable InstanceId addressee,
        String name,
        @Nullable String payload,
        String sender,
        Instant received) {
      this(key, addressee, name, payload, sender, received, null, null);
    }
  }

  public record CommandRow(String scope, String id, String fingerprint, long version, Instant at) {}

  /**
   * A name that only one live instance may have.
   *
   * @param kind 0 business key; the tables allow 1 for the key of a wait, which nothing writes yet
   */
  public record KeyRow(int kind, String key) {}

  public UnitRows {
    requireNonNull(instance, "instance");
    if (instance.version() <= before) {
      throw new IllegalArgumentException(
          "Expected a version above %d, but got %d".formatted(before, instance.version()));
    }
    if (patched && (before == 0 || instance.variables() != null)) {
      throw new IllegalArgumentException(
          "Expected variables that stand already and are not written, but the unit of %s is patched"
                  .formatted(instance.id())
              + (before == 0 ? " and a start" : " and has a document"));
    }
  }

  public InstanceId id() {
    return instance.id();
  }

  public boolean isStart() {
    return before == 0;
  }
}
