package dev.waymark.proof.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Checker.Acknowledged;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Clean data, made by the engine itself: one instance for each way in which a run can stand still
 * or end. Each is known by its business key.
 */
final class Scenes {

  private static final Caller CALLER = Caller.of("test");
  private static final Duration HOUR = Duration.ofHours(1);

  /** Enough to give an event up, and some more. */
  private static final int ROUNDS = 26;

  private final WorkflowTestKit kit;
  private boolean broken = true;

  private Scenes(Store store, VirtualClock clock) {
    kit = WorkflowTestKit.on(store, clock, this::setUp);
  }

  static WorkflowTestKit play(Store store, VirtualClock clock) {
    Scenes scenes = new Scenes(store, clock);
    scenes.deploy();
    scenes.eventThatNobodyTakes();
    scenes.playAll();
    scenes.schedule();
    scenes.turn();
    scenes.payload();
    return scenes.kit;
  }

  /** What callers were told is done. */
  static List<Acknowledged> acknowledged() {
    return List.of(
        new Acknowledged("default", "start", "start-1", 1),
        new Acknowledged("default", "resume", "resume-1", 3));
  }

  private void setUp(EngineBuilder builder) {
    builder
        .callbackSecrets(Secret.of("scenes", new byte[32]))
        .directory((tenant, group) -> List.of("anna", "bert"))
        .activity("work", context -> ActivityResult.completed(Map.of("did", context.activity())))
        .activity(
            "count",
            context -> ActivityResult.completed(Map.of("n", context.variable("n", Long.class) + 1)))
        .activity(
            "ask", context -> ActivityResult.suspended(ActivityResult.userAction("ask", Map.of())))
        .activity("flaky", context -> ActivityResult.failed("FLAKY", "It is raining"))
        .activity(
            "fragile",
            context ->
                broken
                    ? ActivityResult.failedForGood("BROKEN", "It lies in pieces")
                    : ActivityResult.completed())
        .activity(
            "invoice",
            context -> ActivityResult.completed().emitting("invoice.sent", Map.of("amount", 10)))
        .subscribe("ledger", type -> true, event -> {})
        .subscribe(
            "deaf",
            type -> type.equals("invoice.sent"),
            event -> {
              throw new IllegalStateException("Nobody hears");
            });
  }

  /** A task that a group takes by turns. */
  private void turn() {
    deploy(
        "shared",
        "do",
        "  do: { type: user-task, with: { assign: { group: clerks, by: round-robin } } }\n");
    kit.start("shared", Map.of());
  }

  /** A run that holds a scan, and a content that no run has named yet. */
  private void payload() {
    Payloads payloads = kit.engine().payloads();
    PayloadReference scan = payloads.put("A scan".getBytes(UTF_8), "text/plain", CALLER);
    kit.start(StartRequest.of("long-nap").input(Map.of("scan", scan)).businessKey("filed"));
    payloads.put("Another one".getBytes(UTF_8), "text/plain", CALLER);
  }

  /** Its next occurrence is far away, so nothing starts by it. */
  private void schedule() {
    kit.engine()
        .schedules()
        .put(Schedule.every("yearly", Duration.ofDays(3_650), StartRequest.of("order")), CALLER);
  }

  private void deploy() {
    kit.deploy(
        """
        waymark: 1
        key: order
        labels: { region: "${ Variables.region }" }
        start: prepare
        activities:
          prepare: { type: work, next: confirm }
          confirm: { type: wait, with: { key: confirm, payload: { text: Fine? } }, next: ship }
          ship: { type: work }
        """);
    deploy("asking", "ask", "  ask: { type: ask, next: work }\n  work: { type: work }\n");
    deploy("short-nap", "nap", "  nap: { type: timer, with: { after: PT1H } }\n");
    deploy("long-nap", "nap", "  nap: { type: timer, with: { after: P30D } }\n");
    deploy(
        "branches",
        "split",
        """
          split: { type: fork, with: { branches: [quick, slow, slower] } }
          quick: { type: work, next: gather }
          slow: { type: wait, with: { key: slow }, next: gather }
          slower: { type: wait, with: { key: slower }, next: gather }
          gather: { type: join, next: done }
          done: { type: work }
        """);
    deploy(
        "rain",
        "try",
        "  try: { type: flaky, retry: { attempts: 5, backoff: P9D, maxBackoff: P9D } }\n");
    deploy("glass", "touch", "  touch: { type: fragile }\n");
    deploy("one-invoice", "bill", "  bill: { type: invoice }\n");
    deploy(
        "two-invoices",
        "bill",
        "  bill: { type: invoice, next: again }\n  again: { type: invoice }\n");
    deploy(
        "payment",
        "pay",
        """
          pay: { type: wait, with: { for: external-message, key: paid }, next: thank }
          thank: { type: wait, with: { key: thanks } }
        """);
    kit.deploy(
        """
        waymark: 1
        key: intake
        startOn: placed
        start: ask
        activities:
          ask: { type: wait }
        """);
    deploy("check", "ask", "  ask: { type: wait, with: { for: webhook, key: identity } }\n");
    deploy(
        "family",
        "delegate",
        """
          delegate:
            type: sub-workflow
            with: { definition: asking, businessKey: "${ Variables.child }" }
        """);
    deploy(
        "audience",
        "listen",
        """
          listen: { type: wait, with: { for: signal, key: storm }, next: rest }
          rest: { type: wait, with: { for: signal, key: calm } }
        """);
    deploy(
        "undoable",
        "book",
        """
          book: { type: work, compensate: unbook, next: each }
          unbook: { type: work }
          each:
            type: for-each
            with: { items: [1, 2] }
            start: ask
            activities:
              ask: { type: wait, with: { key: "item-${ Variables.item }" } }
            collect: "${ Variables.item }"
        """);
    kit.deploy(
        """
        waymark: 1
        key: loop
        maxVisits: 500
        variables: { n: 0 }
        start: count
        activities:
          count:
            type: count
            next: [{ when: "Variables.n < 220", to: count }, { to: rest }]
          rest: { type: wait }
        """);
  }

  private void deploy(String key, String start, String activities) {
    kit.deploy("waymark: 1\nkey: " + key + "\nstart: " + start + "\nactivities:\n" + activities);
  }

  private Run start(String definition, String businessKey) {
    return kit.start(request(definition, businessKey));
  }

  private static StartRequest request(String definition, String businessKey) {
    return StartRequest.of(definition).input(Map.of("region", "north")).businessKey(businessKey);
  }

  // Every start wakes the deliverer, which nothing else does while time is turned by hand.
  private void eventThatNobodyTakes() {
    start("one-invoice", "given-up");
    for (int round = 0; round < ROUNDS; round++) {
      kit.advance(HOUR.multipliedBy(3));
      start("order", "tick-" + round).cancel("Only to wake the deliverer");
    }
  }

  private void playAll() {
    InstanceId completed =
        kit.engine()
            .instances()
            .start(request("order", "completed"), CALLER.withCommandId("start-1"))
            .orThrow();
    kit.runUntilIdle();
    kit.engine()
        .bookmarks()
        .resume(
            kit.run(completed).bookmark("confirm").id(),
            Map.of("fine", true),
            CALLER.withCommandId("resume-1"))
        .orThrow();
    start("order", "waiting");
    InstanceId cancelled = start("order", "cancelled").id();
    kit.engine()
        .operations()
        .cancel(cancelled, "No more", CALLER.withCommandId("cancel-1"))
        .orThrow();
    start("asking", "asked").resume("ask", Map.of("answer", 42));
    start("short-nap", "woken");
    start("long-nap", "sleeping");
    start("branches", "forked");
    Run joined = start("branches", "joined");
    joined.resume("slow", Map.of());
    joined.resume("slower", Map.of());
    start("rain", "retrying");
    start("rain", "held").suspend("Not now");
    start("glass", "parked");
    Run mended = start("glass", "mended");
    broken = false;
    mended.intervene(InterventionAction.RETRY_ACTIVITY, "Glued");
    start("loop", "long");
    playMessages();
    playFamilies();
    playSignals();
    start("undoable", "kept").resume("item-1", Map.of());
    Run undone = start("undoable", "undone");
    undone.resume("item-1", Map.of());
    undone.cancel("All for nothing");
    kit.advance(HOUR.multipliedBy(2));
    start("two-invoices", "unheard");
  }

  private void playFamilies() {
    family("mother", "daughter");
    Run father = family("father", "son");
    Run son = kit.run(kit.engine().instances().children(father.id(), CALLER).get(0).id());
    son.resume("ask", Map.of());
    family("widow", "lost").cancel("No more");
  }

  private Run family(String parent, String child) {
    return kit.start(StartRequest.of("family").input(Map.of("child", child)).businessKey(parent));
  }

  private void playSignals() {
    start("audience", "warned");
    kit.engine().messages().signal("storm", Map.of(), "radio", "s1", CALLER);
    kit.runUntilIdle();
  }

  private void playMessages() {
    InstanceId early = start("payment", "paid").id();
    kit.engine().messages().send(early, "paid", Map.of("cents", 5), "bank", "m1", CALLER);
    InstanceId listening = start("payment", "listening").id();
    kit.engine().messages().send(listening, "unknown", Map.of(), "bank", "m2", CALLER);
    kit.engine()
        .messages()
        .correlate(Correlated.of("placed", "o-1", Map.of(), "shop", "m3"), CALLER);
    InstanceId checked = start("check", "checked").id();
    String token =
        kit.engine().callbacks().seal(new Token("default", checked, "identity", true, null));
    kit.engine().callbacks().report(token, "{\"status\":\"begun\"}".getBytes(UTF_8), Map.of());
    kit.runUntilIdle();
  }
}
