package dev.waymark.engine.flow;

import static dev.waymark.engine.flow.Activities.activity;
import static dev.waymark.engine.flow.Activities.approval;
import static dev.waymark.engine.flow.Activities.body;
import static dev.waymark.engine.flow.Activities.compensate;
import static dev.waymark.engine.flow.Activities.emit;
import static dev.waymark.engine.flow.Activities.end;
import static dev.waymark.engine.flow.Activities.forEach;
import static dev.waymark.engine.flow.Activities.fork;
import static dev.waymark.engine.flow.Activities.join;
import static dev.waymark.engine.flow.Activities.race;
import static dev.waymark.engine.flow.Activities.raise;
import static dev.waymark.engine.flow.Activities.scope;
import static dev.waymark.engine.flow.Activities.send;
import static dev.waymark.engine.flow.Activities.set;
import static dev.waymark.engine.flow.Activities.signal;
import static dev.waymark.engine.flow.Activities.split;
import static dev.waymark.engine.flow.Activities.subWorkflow;
import static dev.waymark.engine.flow.Activities.terminate;
import static dev.waymark.engine.flow.Activities.timer;
import static dev.waymark.engine.flow.Activities.transactionalBody;
import static dev.waymark.engine.flow.Activities.userTask;
import static dev.waymark.engine.flow.Activities.waitFor;
import static dev.waymark.engine.flow.Clauses.after;
import static dev.waymark.engine.flow.Clauses.anyError;
import static dev.waymark.engine.flow.Clauses.attempts;
import static dev.waymark.engine.flow.Clauses.expr;
import static dev.waymark.engine.flow.Clauses.level;
import static dev.waymark.engine.flow.Clauses.literal;
import static dev.waymark.engine.flow.Clauses.match;
import static dev.waymark.engine.flow.Clauses.named;
import static dev.waymark.engine.flow.Clauses.otherwise;
import static dev.waymark.engine.flow.Clauses.result;
import static dev.waymark.engine.flow.Clauses.rival;
import static dev.waymark.engine.flow.Clauses.roles;
import static dev.waymark.engine.flow.Clauses.until;
import static dev.waymark.engine.flow.Clauses.when;
import static dev.waymark.engine.flow.Clauses.working;

import dev.waymark.core.time.Calendar;
import dev.waymark.core.time.Calendar.Span;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.activity.ActivityResult;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A flow that says everything which a definition can say. */
final class EveryFeature {

  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");
  private static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "required", List.of("amount"));

  private static final Calendar OFFICE =
      new Calendar(
          ZoneId.of("Europe/Berlin"),
          Stream.of(DayOfWeek.values())
              .collect(Collectors.toMap(day -> day, day -> List.of(Span.parse("08:00-24:00")))),
          Set.of(LocalDate.parse("2026-12-25")));

  private EveryFeature() {}

  static Flow flow() {
    return head()
        .start("check")
        .activities(
            set("check")
                .description("Is it much?")
                .put("high", expr("Variables.amount > 100"))
                .putAll(Map.of("note", literal("costs ${ much }")))
                .output("high", expr("Output.high"))
                .next(when("Variables.high").to("approve"), otherwise("both")),
            waitFor("approve")
                .approval()
                .key(expr("Variables.orderId"))
                .payload(Map.of("amount", expr("Variables.amount")))
                .expires(Duration.ofDays(9))
                .guard(
                    roles("manager", "senior-admin")
                        .groups("finance")
                        .condition("Context.actor != Variables.requester")
                        .message("Nobody approves their own order.")
                        .result(SCHEMA))
                .onTimeout(after(Duration.ofDays(1)).to("remind").beside().output(Map.of()))
                .onMessage(
                    named("recall")
                        .to("rejected")
                        .correlate(expr("Variables.orderId"))
                        .match("Output.reason != ''")
                        .output("why", expr("Output.reason")))
                .onSignal(named("shutdown").to("saved"), named("audit").to("report").beside())
                .next("known"),
            waitFor("known").webhook().key("identity").next("paid"),
            waitFor("paid").externalMessage().correlate(expr("Variables.orderId")).next("papers"),
            papers(),
            release(),
            spend(),
            body("remind", context -> ActivityResult.completed()),
            fork("both").branches("pay", "pack"),
            activity("pay", "charge@2")
                .with("amount", expr("Variables.amount"))
                .output("payment", expr("Output.id"))
                .retry(
                    attempts(5)
                        .backoff(Duration.ofSeconds(1))
                        .maxBackoff(Duration.ofSeconds(30))
                        .jitter(0.2))
                .timeout(Duration.ofMinutes(1))
                .notRepeatable()
                .guard(result(SCHEMA))
                .compensateWith("refund")
                .onError(
                    match("Error.code == 'NO_FUNDS'")
                        .to("rejected")
                        .output("why", expr("Error.message")),
                    anyError().fails())
                .next("together"),
            transactionalBody("refund", (context, connection) -> ActivityResult.completed())
                .with(Map.of("payment", expr("Output.id"))),
            each(),
            join("together").any().cancelRest().next("parts"),
            split("parts").next(when("Variables.gift").to("wrap"), otherwise("plain")),
            set("wrap").put("wrapped", true).next("enough"),
            set("plain").next("enough"),
            join("enough").atLeast(1).continueRest().next("booking"),
            booking(),
            race("decide")
                .between(
                    rival("answer")
                        .userAction()
                        .key("answer")
                        .payload(Map.of("question", "Well?"))
                        .expires(Duration.ofDays(2))
                        .to("child"),
                    rival("news")
                        .externalMessage()
                        .key("news")
                        .correlate(expr("Variables.orderId"))
                        .to("child"),
                    rival("late").after(Duration.ofDays(3)).to("pause"),
                    rival("newYear").until(NEW_YEAR).when(expr("Variables.high")),
                    rival("recall").signal().key("recall").when(expr("Variables.high")))
                .next("child"),
            timer("pause").after(Duration.ofHours(36)).next("sleep"),
            timer("sleep").until(expr("Variables.date")).next("shift"),
            timer("shift").after(working(Duration.ofHours(8), "office")).next("monthly"),
            timer("monthly")
                .cron("0 9 1 * *")
                .zone(ZoneId.of("Europe/Berlin"))
                .occurrences(12)
                .missed(Missed.ONCE)
                .next("child"),
            subWorkflow("child")
                .definition("shipping")
                .version(2)
                .input(Map.of("order", expr("Variables.orderId")))
                .businessKey(expr("Variables.orderId"))
                .withoutWaiting()
                .continueWhenChildFails()
                .leaveWhenParentEnds()
                .next("tell"),
            signal("tell").name("order-shipped").payload(Map.of("id", 1)).next("write"),
            send("write")
                .to(expr("Variables.partner"))
                .name("shipped")
                .payload(expr("Variables"))
                .next("publish"),
            emit("publish").type("order.shipped").data(Map.of("id", 1)).next("undo"),
            compensate("undo").only("pay").next("done"),
            end("done"),
            set("saved").next("done"),
            set("report"),
            terminate("rejected").failed("REJECTED", "Rejected: ${ Variables.why }"));
  }

  private static UserTask papers() {
    return userTask("papers")
        .title("Papers of ${ Variables.orderId }")
        .instructions("Look at every page.")
        .data(Map.of("amount", expr("Variables.amount")))
        .form(SCHEMA)
        .key("papers")
        .assignee(expr("Variables.clerk"))
        .candidates("group:clerks", "anna")
        .leastLoaded("clerks")
        .exclude("${ Variables.requester }")
        .priority(expr("Variables.high ? 'high' : 'normal'"))
        .due(working(Duration.ofHours(24), "office"))
        .followUp(Duration.ofDays(1))
        .escalate(Duration.ofDays(3), "group:finance")
        .remind(Duration.ofDays(1), Duration.ofDays(1), 2)
        .completeAfter(Duration.ofDays(9), "expired")
        .notifying("Papers to look at")
        .next("release-order");
  }

  private static Approval release() {
    return approval("release-order")
        .approvers("anna", "group:finance")
        .atLeast(2)
        .title("Release")
        .instructions("Is it all there?")
        .data(expr("Variables"))
        .key("release")
        .priority(5)
        .exclude("${ Variables.requester }")
        .due(NEW_YEAR)
        .escalate(Duration.ofDays(3), "group:finance")
        .escalate(Duration.ofDays(5), "ceo")
        .remind(Duration.ofDays(1), Duration.ofDays(1), 2)
        .substitute("anna", "bert", Instant.EPOCH, NEW_YEAR)
        .notifying("To be released")
        .next("spend");
  }

  private static Approval spend() {
    return approval("spend")
        .levels(
            level("lead")
                .approvers("lead")
                .when(expr("Variables.high"))
                .due(working(Duration.ofHours(8), "office")),
            level("board")
                .approvers(expr("Variables.board"))
                .all()
                .escalate(working(Duration.ofHours(24), "office"), "ceo")
                .remind(Duration.ofDays(1), Duration.ofDays(1), 2))
        .bands(expr("Variables.amount"), Map.of(25_000, 2))
        .next("both");
  }

  private static FlowHead head() {
    return Flow.named("order")
        .name("Order")
        .description("Everything\nat once.\n")
        .input(SCHEMA)
        .variable("level", 1)
        .variable("gift", null)
        .label("country", expr("Variables.country"))
        .output("payment", expr("Variables.payment"))
        .startOn("order-placed")
        .startOn("order-changed", "Output.amount > 0")
        .startOnce("order-paid", expr("Context.correlationId"))
        .startOnce("order-sent", "Output.parcels > 0", expr("Output.order"))
        .timeout(after(Duration.ofDays(30)).to("rejected").compensating())
        .onError(anyError().to("rejected").compensating())
        .onTimeout(until(NEW_YEAR).to("report").beside(), after(Duration.ofDays(300)).fails())
        .onMessage(named("stop").to("rejected").compensating(), named("tell").to("report").beside())
        .onSignal(
            named(expr("'all-' + Variables.country")).to("report").beside().output("told", true),
            named("all").to("rejected").compensating())
        .calendar("office", OFFICE)
        .maxVisits(50);
  }

  private static ForEach each() {
    return forEach("pack")
        .items(expr("Variables.lines"))
        .parallel(5)
        .item("line")
        .index("n")
        .variable("price", 0)
        .start("price")
        .activity(body("price", context -> ActivityResult.completed()))
        .collect(expr("Variables.price"))
        .until("Output.result >= 100")
        .output("prices", expr("Output.results"))
        .next("together");
  }

  private static Scope booking() {
    return scope("booking")
        .variable("tries", 0)
        .start("reserve")
        .activities(
            activity("reserve", "reserve").compensateWith("release").next("full"),
            activity("release", "release"),
            raise("full").code("FULL").message("No seat for ${ Variables.orderId }"))
        .onError(match("Error.code == 'FULL'").to("decide").compensating())
        .next("decide");
  }
}
