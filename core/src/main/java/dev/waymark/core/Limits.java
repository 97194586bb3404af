package dev.waymark.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Every bound of Waymark, each with its name. Values that come from outside are checked against
 * these before a step is queued: one poison value must not fail the batch that it travels in.
 */
public final class Limits {

  /** Keys, ids and names, in bytes of UTF-8. An index entry of PostgreSQL holds 2,704 bytes. */
  public static final int NAME_BYTES = 512;

  /** A definition's text, in characters. */
  public static final int DEFINITION_CHARS = 512 * 1024;

  /** Activities of one definition. */
  public static final int DEFINITION_ACTIVITIES = 1_000;

  /** Faults of a definition that are told one by one; the rest are counted. */
  public static final int DEFINITION_FAULTS = 100;

  /** Expressions of a definition. Compiling one takes about a millisecond. */
  public static final int EXPRESSIONS = 2_000;

  /** Branches of one fork. */
  public static final int BRANCHES = 1_000;

  /** Bends of a diagram's arrows in one scope; what would need more is drawn beside the rest. */
  public static final int DIAGRAM_BENDS = 20_000;

  /** Transitions of one activity. */
  public static final int TRANSITIONS = 100;

  /** A variables document, an input or a payload, in characters of JSON. */
  public static final int DOCUMENT_CHARS = 2 * 1024 * 1024;

  /** Visits to one activity without a wait between them, unless the definition says otherwise. */
  public static final int MAX_VISITS = 100;

  /** The most that a definition may say for {@link #MAX_VISITS}. */
  public static final int VISITS_CEILING = 100_000;

  /** Activities that one step may pass through before it is cut off as runaway. */
  public static final int ACTIVITIES_PER_STEP = 10_000;

  /**
   * The number of live activity instances of one instance. A load and a step may have to carry all
   * of them.
   */
  public static final int LIVE_ACTIVITIES = 10_000;

  /** Runs above a child: its parent, the parent's parent and so on. */
  public static final int CHILD_DEPTH = 100;

  /** Waits that one result of a body may ask for. */
  public static final int BOOKMARKS_PER_RESULT = 1_000;

  /** Events that one result of a body may publish. */
  public static final int EVENTS_PER_RESULT = 100;

  /** Messages that one result of a body may send. */
  public static final int MESSAGES_PER_RESULT = 1_000;

  /** Labels of one run. */
  public static final int LABELS = 32;

  /** Items of one for-each. */
  public static final int ITEMS = 100_000;

  /** Items of one for-each that may be under way at the same time. */
  public static final int PARALLEL_ITEMS = 1_000;

  /** Waits of one race. */
  public static final int RACE_WAITS = 100;

  /** Voices at one level of an approval. */
  public static final int SEATS = 1_000;

  /** The greatest weight of one voice; a thousand of them are still safe to add. */
  public static final int SEAT_WEIGHT = 1_000_000;

  /** Levels of one approval. */
  public static final int LEVELS = 20;

  /** Rungs of one escalation ladder. */
  public static final int RUNGS = 20;

  /** Reminders of one wait. */
  public static final int REMINDERS = 100;

  /** Comments and attachments that one task keeps. */
  public static final int REMARKS = 100;

  /**
   * The number of times that a task asks for a member of a group to be assigned, before an operator
   * must look.
   */
  public static final int ASSIGN_TRIES = 3;

  /** After how long it asks again. */
  public static final Duration ASSIGN_AGAIN = Duration.ofSeconds(10);

  /** One attachment's address, in characters. */
  public static final int URI_CHARS = 2_000;

  /** One comment, in characters. */
  public static final int COMMENT_CHARS = 4_000;

  /** Reactions of one activity. */
  public static final int REACTIONS = 32;

  /** Characters kept of an error's message; the rest is cut, with an ellipsis. */
  public static final int ERROR_CHARS = 4_000;

  /** Characters kept of the trace of what user code has thrown; the rest is cut. */
  public static final int TRACE_CHARS = 8_000;

  /**
   * The greatest difference between the clocks of two nodes. Each follows the database's and may be
   * ahead of it by the time that the question for it was under way.
   */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(1);

  /**
   * The time for which a message for an instance that does not exist is kept. An instance that ends
   * takes its waiting messages with it; one that never comes would leave them for ever.
   */
  public static final Duration MESSAGE_FOR_NOBODY = Duration.ofDays(30);

  /** Waits that one correlated message is offered to, before it goes on waiting. */
  public static final int CORRELATION_TRIES = 20;

  /** Messages that one definition may say its runs begin with. */
  public static final int MESSAGE_STARTS = 32;

  /** Definitions that begin with messages, of one tenant or of all, that a look takes in. */
  public static final int STARTERS = 1_000;

  /** The time for which a correlated message waits to be received, unless it says so itself. */
  public static final Duration MESSAGE_KEPT = Duration.ofDays(30);

  /** The time for which a partner's report of progress is kept until its wait is there. */
  public static final Duration REPORT_KEPT = Duration.ofDays(30);

  /** The time that an intervention may lie before it goes to a higher level. */
  public static final Duration INTERVENTION_TIME = Duration.ofDays(1);

  /**
   * The number of pages that are read for one page of an inbox, where the user is excluded from
   * tasks of the own group. A page may be short then, and says where the next one begins.
   */
  public static final int INBOX_ROUNDS = 20;

  /** The time for which a person who takes a task has it, unless it is said. */
  public static final Duration TASK_CLAIM = Duration.ofHours(8);

  /** The largest number of extensions of one lease that a caller may ask for. */
  public static final int LEASE_EXTENSIONS = 30_000;

  /** Bookmarks that one claim may take. */
  public static final int CLAIMS = 1_000;

  /**
   * The time for which a wait that was answered, or that was not needed any more, stays where steps
   * look.
   */
  public static final Duration CONSUMED_KEPT = Duration.ofDays(30);

  /** The same for a wait that was not answered in time. */
  public static final Duration EXPIRED_KEPT = Duration.ofDays(7);

  /** The time for which a closed wait can be found at all: there, and in the archive after that. */
  public static final Duration ARCHIVE_KEPT = Duration.ofDays(90);

  /** Waits that one transaction moves into the archive or out of it. */
  public static final int HOUSEKEEPING_BATCH = 1_000;

  /** The interval at which one of all nodes looks for waits that are old. */
  public static final Duration HOUSEKEEPING_EVERY = Duration.ofHours(1);

  /** Characters of a callback's token. */
  public static final int TOKEN = 4_096;

  /** Bytes of a callback's body. */
  public static final int CALLBACK_BYTES = 256 * 1024;

  /** Users, groups or excluded people that one wait may name. */
  public static final int CANDIDATES = 1_000;

  /**
   * The same with those that it was escalated or handed to since; of more, the first ones count.
   */
  public static final int CANDIDATES_IN_ALL = 2_000;

  /** Instances that a signal is handed to, and messages that are looked for, in one statement. */
  public static final int MESSAGES_PER_PAGE = 1_000;

  /** Deaths of its node that a body may be part of before a person must look at it. */
  public static final int CRASHES = 3;

  /** The number of versions from one full copy of the state in history to the next. */
  public static final int SNAPSHOT_EVERY = 100;

  /** The first moment that a caller may name; both databases can store it. */
  public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  /** The last moment that anything can be due at; both databases can store it. */
  public static final Instant FARTHEST = Instant.parse("9999-12-31T23:59:59Z");

  /** The time that one attempt of a body may take, unless the definition says otherwise. */
  public static final Duration ACTIVITY_TIMEOUT = Duration.ofMinutes(5);

  /** The shortest time-out that a definition may say. */
  public static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);

  /** The longest duration that a definition may say: far away, yet safe to count in nanoseconds. */
  public static final Duration DURATION = Duration.ofDays(36_500);

  /** A cron expression, in characters. */
  public static final int CRON_CHARS = 256;

  /** Changes of a zone's offset that the search for a cron's next occurrence passes. */
  public static final int CRON_TRANSITIONS = 1_000;

  /**
   * Months that are searched for a day such as {@code 29W}. February has a 29th every 8 years at
   * least.
   */
  public static final int CRON_MONTHS = 108;

  /** Occurrences that a cron timer may be told to stop after. */
  public static final int OCCURRENCES = 1_000_000;

  /**
   * An occurrence that is noticed later than this was missed: what happens then is the policy's. A
   * restart, or a database that pauses for some seconds, is no reason to leave one out.
   */
  public static final Duration MISSED_AFTER = Duration.ofMinutes(1);

  /** A timer that is so late says more about the engine than about its definition. */
  public static final Duration TIMER_LATE = Duration.ofMinutes(1);

  /** Occurrences of one schedule that are decided in one look; the rest is next. */
  public static final int OCCURRENCES_PER_LOOK = 100;

  /** Occurrences of one backfill. */
  public static final int BACKFILL = 1_000;

  /** Live runs that a schedule remembers, so that they can stand in the way of the next. */
  public static final int SCHEDULED_RUNS = 2_000;

  /**
   * The number of times that a change of a schedule is tried where others change it at the same
   * time.
   */
  public static final int SCHEDULE_TRIES = 1_000;

  /**
   * The time after which unconfirmed starts are done again: the node that decided them may have
   * died.
   */
  public static final Duration START_AGAIN = Duration.ofSeconds(5);

  /**
   * The interval at which a schedule looks whether the run has ended that its next one waits for.
   */
  public static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** Calendars of one definition. */
  public static final int CALENDARS = 32;

  /** Holidays of one calendar. */
  public static final int HOLIDAYS = 2_000;

  /** Spans of working time of one day. */
  public static final int SPANS_PER_DAY = 8;

  /** Days that the end of a working time is looked for, one after another. */
  public static final int CALENDAR_DAYS = 40_000;

  /**
   * The number of violations of an input schema that a refusal lists; a start with more is refused,
   * too.
   */
  public static final int VIOLATIONS = 100;

  /** Schemas that judge one and the same value, references followed. */
  public static final int SCHEMA_FAN_OUT = 1_000;

  /** One regular expression, in characters. */
  public static final int PATTERN_CHARS = 4_096;

  /** Steps of a compiled regular expression, with its repetitions written out. */
  public static final int PATTERN_STEPS = 500;

  /** The largest number of rows of one page that a caller may ask for. */
  public static final int PAGE = 1_000;

  /** Documents that one statement reads or writes together; a single one may be larger. */
  public static final int BATCH_BYTES = 8 << 20;

  /**
   * Variables of at least this many characters are not written whole by each step that changes
   * them: see {@link #PATCH_CHARS}.
   */
  public static final int PATCHED_FROM = 8 << 10;

  /** Variables of more characters than this are written whole by each step that changes them. */
  public static final int PATCHED_UP_TO = 256 << 10;

  /**
   * A step whose changes of large variables take at most this many characters writes the changes
   * alone, as its history entry. A step with more writes the whole document.
   */
  public static final int PATCH_CHARS = 2 << 10;

  /**
   * Versions whose changes a load may have to apply to the variables as they were last written
   * whole. Fewer for shorter documents: one for each 1,000 characters.
   */
  public static final int PATCHES = 64;

  /**
   * Timers that a node knows of those that it has set: the next ones. They take about 200 bytes
   * each.
   */
  public static final int KNOWN_TIMERS = 10_000;

  /** Timers that are due at the same moment and fire from memory. The others are read in pages. */
  public static final int TIMERS_FROM_MEMORY = 256;

  /** A document of more than this is not read together with those of other instances. */
  public static final int HEAVY_DOCUMENT = 64 << 10;

  /** Heavy instances that one node reads and decides on at a time. */
  public static final int HEAVY_LOADS = 4;

  /**
   * The time for which a heavy instance keeps the next one waiting, if the command that it was read
   * for takes long.
   */
  public static final Duration HEAVY_PATIENCE = Duration.ofSeconds(5);

  /**
   * The time that one call of a listener may take before its event is put aside and the lane goes
   * on.
   */
  public static final Duration LISTENER_TIME = Duration.ofSeconds(30);

  /**
   * The time for which events are written for a name after the last process that listened to it is
   * gone.
   */
  public static final Duration SINK_KEPT = Duration.ofDays(1);

  /** Characters of an error that are kept with an event. */
  public static final int ERROR_TEXT = 2_000;

  /** The largest number of entries of history that a caller may ask for at once. */
  public static final int HISTORY_PAGE = 10_000;

  /**
   * The shortest time for which a worker holds a wait: it extends its lease each time that half is
   * over.
   */
  public static final Duration WORKER_LEASE = Duration.ofMillis(100);

  /** The largest payload that a setting may allow, in bytes. */
  public static final long PAYLOAD_BYTES = 1L << 30;

  /** Bytes of one part of a payload: what is read or written of it at a time. */
  public static final int PAYLOAD_PART = 256 << 10;

  /** References to payloads in one request, one message or one result of a body. */
  public static final int PAYLOAD_REFERENCES = 1_000;

  /** A payload's media type, in characters. */
  public static final int MEDIA_TYPE_CHARS = 255;

  /** The shortest time for which an unused payload may be kept. */
  public static final Duration PAYLOAD_KEPT = Duration.ofMinutes(1);

  /** The time after which the housekeeping looks again at a payload that a run uses. */
  public static final Duration PAYLOAD_LOOK = Duration.ofDays(7);

  /** Payloads that one transaction of the housekeeping looks at. */
  public static final int PAYLOADS_PER_LOOK = 1_000;

  /** Parts of payloads that one transaction removes. */
  public static final int PARTS_REMOVED = 64;

  /** Unreadable rows that one node remembers; of more, the one that was seen longest ago goes. */
  public static final int UNREADABLE_ROWS = 10_000;

  /**
   * The time for which an unreadable row is left alone after the first look at it; doubled each
   * time.
   */
  public static final Duration UNREADABLE_FIRST = Duration.ofSeconds(1);

  /** The longest time for which an unreadable row is left alone. */
  public static final Duration UNREADABLE_WORST = Duration.ofMinutes(1);

  /** Questions of callers with a time of their own that a node asks its store at a time. */
  public static final int TIMED_QUESTIONS = 64;

  /**
   * The length of a refusal's text, in characters. It repeats some of the input, which may be long.
   */
  public static final int REFUSAL_CHARS = 4_000;

  private Limits() {}

  /** Checks how many rows a page is to have: 1 to {@link #PAGE}. */
  public static int page(int rows) {
    if (rows < 1 || rows > PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %,d, but got %d".formatted(PAGE, rows));
    }
    return rows;
  }

  /** Checks the duration of a lease that a caller asks for: more than zero. */
  public static Duration lease(Duration lease) {
    present("a lease", lease);
    if (lease.isNegative() || lease.isZero() || lease.compareTo(DURATION) > 0) {
      throw new IllegalArgumentException(
          "Expected a lease of more than 0 and at most %s, but got %s".formatted(DURATION, lease));
    }
    return lease;
  }

  private static void present(String what, @Nullable Object value) {
    if (value == null) {
      throw new NullPointerException("Expected " + what + ", but got null");
    }
  }

  /**
   * The time to wait for the answer that a caller asks for: more than {@link #DURATION} means for
   * ever, which is as long as that, and less than zero means not at all.
   */
  public static Duration patience(Duration atMost) {
    return atMost.isNegative() ? Duration.ZERO : atMost.compareTo(DURATION) > 0 ? DURATION : atMost;
  }

  /** The moment that is later than another by this duration, or the last possible one. */
  public static Instant after(Instant moment, Duration time) {
    if (time.compareTo(DURATION) > 0) {
      return FARTHEST;
    }
    return time.compareTo(DURATION.negated()) < 0 ? EARLIEST : within(moment.plus(time));
  }

  /** The moment that is earlier than another by this duration, or the first possible one. */
  public static Instant before(Instant moment, Duration time) {
    if (time.compareTo(DURATION) > 0) {
      return EARLIEST;
    }
    return time.compareTo(DURATION.negated()) < 0 ? FARTHEST : within(moment.minus(time));
  }

  /** A moment that is only compared with others: one that no database can store means the end. */
  public static Instant within(Instant moment) {
    return moment.isBefore(EARLIEST) ? EARLIEST : moment.isAfter(FARTHEST) ? FARTHEST : moment;
  }

  /** Checks a moment that a caller names, so that both databases can store it. */
  public static Instant moment(String what, Instant moment) {
    if (moment.isAfter(FARTHEST) || moment.isBefore(EARLIEST)) {
      throw new IllegalArgumentException(
          "Expected %s from %s to %s, but got %s".formatted(what, EARLIEST, FARTHEST, moment));
    }
    return moment;
  }

  /** Checks that a moment can be stored as one at which something is due. */
  public static void due(String what, Instant moment) {
    if (moment.isAfter(FARTHEST) || moment.isBefore(Instant.EPOCH)) {
      throw new IllegalArgumentException(
          "Expected %s from %s to %s, but got %s".formatted(what, Instant.EPOCH, FARTHEST, moment));
    }
  }

  /** Checks a key, id or name: present, well formed, no NUL, at most {@link #NAME_BYTES} bytes. */
  public static String name(String what, String value) {
    present(what, value);
    if (value.isEmpty()) {
      throw new IllegalArgumentException("Expected " + what + ", but got an empty text");
    }
    // Most names are short: 128 chars can never be over 512 bytes, so no encoding is needed.
    if (value.length() > NAME_BYTES / 4 && value.getBytes(UTF_8).length > NAME_BYTES) {
      throw new IllegalArgumentException(
          "Expected %s of at most %d bytes, but got %d characters starting with '%s…'"
              .formatted(what, NAME_BYTES, value.length(), value.substring(0, 40)));
    }
    int nul = value.indexOf(0);
    if (nul >= 0) {
      throw new IllegalArgumentException(
          "Expected " + what + " without NUL, but got one at position " + nul);
    }
    return wellFormed(what, value);
  }

  /** The same for a name that may be absent. */
  public static @Nullable String optionalName(String what, @Nullable String value) {
    return value == null ? null : name(what, value);
  }

  /** Checks a reason or a comment: well formed, at most {@link #COMMENT_CHARS} characters. */
  public static String comment(String what, String value) {
    present(what, value);
    if (value.length() > COMMENT_CHARS) {
      throw new IllegalArgumentException(
          "Expected %s of at most %,d characters, but got %,d"
              .formatted(what, COMMENT_CHARS, value.length()));
    }
    return wellFormed(what, value);
  }

  /** Checks that UTF-8 can hold all of a text: a lone surrogate would be stored as a '?'. */
  public static String wellFormed(String what, String value) {
    int lone = Unicode.loneSurrogate(value);
    if (lone >= 0) {
      throw new IllegalArgumentException(
          "Expected %s in well-formed Unicode, but got %s"
              .formatted(what, Unicode.shown(value, lone)));
    }
    return value;
  }

  /**
   * A text for people and logs, cut to this number of characters. NUL and lone surrogates become
   * U+FFFD: PostgreSQL cannot store the first, and neither database the second.
   */
  public static String shortened(String words, int most) {
    String cut = words.length() <= most ? words : words.substring(0, most - 1) + "…";
    return Unicode.repaired(cut.replace('\0', '\uFFFD'));
  }
}
