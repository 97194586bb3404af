package dev.waymark.engine.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wait of a race. */
public abstract sealed class Rival permits Rival.Answer, Rival.Moment {

  final String name;
  final Map<String, @Nullable Object> fields;

  private Rival(String name, Map<String, @Nullable Object> fields) {
    this.name = name;
    this.fields = fields;
  }

  /** Its name; the next verb says what it waits for. */
  public static final class Open {

    private final String name;

    Open(String name) {
      this.name = name;
    }

    public Answer userAction() {
      return answer("user-action");
    }

    public Answer externalMessage() {
      return answer("external-message");
    }

    /** A partner's callback; its token is made of the run's id and the wait's key. */
    public Answer webhook() {
      return answer("webhook");
    }

    public Answer approval() {
      return answer("approval");
    }

    public Answer signal() {
      return answer("signal");
    }

    public Moment after(Duration duration) {
      return moment("after", duration);
    }

    public Moment after(Expr duration) {
      return moment("after", duration);
    }

    /** Working time from now. */
    public Moment after(Working time) {
      return moment("after", time.fields);
    }

    public Moment until(Instant moment) {
      return moment("until", moment);
    }

    public Moment until(Expr moment) {
      return moment("until", moment);
    }

    private Answer answer(String kind) {
      return new Answer(name, PlainData.plus(null, "for", kind));
    }

    private Moment moment(String field, Object value) {
      return new Moment(name, PlainData.plus(null, field, value));
    }
  }

  /** Wins with an answer. */
  public static final class Answer extends Rival {

    private Answer(String name, Map<String, @Nullable Object> fields) {
      super(name, fields);
    }

    public Answer key(String key) {
      return put("key", key);
    }

    public Answer key(Expr key) {
      return put("key", key);
    }

    /** The data that is shown to the candidates. */
    public Answer payload(Map<String, ? extends @Nullable Object> shown) {
      return put("payload", shown);
    }

    /** The correlation key that a message must name to be for this run. */
    public Answer correlate(Expr correlation) {
      return put("correlate", correlation);
    }

    /** The time after which no answer is accepted, and it wins with {@code expired}. */
    public Answer expires(Duration duration) {
      return put("expires", duration);
    }

    /** Takes part only if this is true when the race begins. */
    public Answer when(Expr condition) {
      return put("when", condition);
    }

    /**
     * The activity that the run goes to if this one wins; without it, the run goes where {@code
     * next} leads.
     */
    public Answer to(String activity) {
      return put("to", activity);
    }

    private Answer put(String field, @Nullable Object value) {
      return new Answer(name, PlainData.plus(fields, field, value));
    }
  }

  /** Wins when its moment comes. */
  public static final class Moment extends Rival {

    private Moment(String name, Map<String, @Nullable Object> fields) {
      super(name, fields);
    }

    /** Takes part only if this is true when the race begins. */
    public Moment when(Expr condition) {
      return new Moment(name, PlainData.plus(fields, "when", condition));
    }

    /**
     * The activity that the run goes to if this one wins; without it, the run goes where {@code
     * next} leads.
     */
    public Moment to(String activity) {
      return new Moment(name, PlainData.plus(fields, "to", activity));
    }
  }
}
