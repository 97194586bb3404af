package dev.waymark.examples;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.InProcessQueue;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An order waits for its payment and then for its shipment. The bank and the warehouse know the
 * order's number and nothing of Waymark: one calls in, the other writes to a queue. The payment
 * comes before the order is there, and is kept for it.
 */
public final class OrderMessageExample {

  static final String ORDER =
      """
      waymark: 1
      key: order
      input: { type: object, required: [number, amount] }
      start: payment
      activities:
        payment:
          type: wait
          with: { for: external-message, key: payment, correlate: "${ Variables.number }" }
          guard:
            when: "Output.paid >= Variables.amount"
            message: "the whole amount must be paid"
          on:
            timeout: { after: P14D, to: reminder }
          next: shipment
        shipment:
          type: wait
          with: { for: external-message, key: shipped, correlate: "${ Variables.number }" }
        reminder:
          type: emit
          with: { type: order.unpaid, data: { number: "${ Variables.number }" } }
      """;

  private OrderMessageExample() {}

  public static void main(String[] args) {
    // The file is kept, and a number that it knows would be known: each time is another order.
    String number = "order-" + Instant.now();
    order(SqliteStore.open(Path.of("order.db")), number, System.out::println);
  }

  /** Runs one order, and tells what happens. */
  static Instance order(Store store, String number, Consumer<String> told) {
    Caller shop = Caller.of("shop");
    Caller bank = Caller.of("bank");
    InProcessQueue warehouse = new InProcessQueue();
    try (Engine engine =
        Engine.builder(store)
            .queue(warehouse, Binding.of("parcels", "default", "shipped", "order"))
            .start()) {
      engine.definitions().deploy(ORDER, shop);

      pay(engine, number, 5, number + "/1", bank);
      for (Message waiting : engine.messages().unmatched(null, 10, bank)) {
        told.accept("kept: %s for order %s".formatted(waiting.name(), waiting.correlation()));
      }

      Map<String, Object> input = Map.of("number", number, "amount", 30);
      InstanceId id =
          engine.instances().start(StartRequest.of("order").input(input), shop).orThrow();
      told.accept("too little was paid, so the order waits");
      pay(engine, number, 30, number + "/2", bank);
      boolean again = pay(engine, number, 30, number + "/2", bank);
      told.accept("the bank calls twice, and the second call " + (again ? "counts" : "is known"));

      warehouse.publish("parcels", number, Map.of(), Map.of("order", number, "track", "XY-1"));
      Instance ended = engine.instances().awaitEnd(id, Duration.ofSeconds(30), shop);
      told.accept("order %s: %s %s".formatted(number, ended.status(), ended.variables()));
      return ended;
    }
  }

  private static boolean pay(Engine engine, String number, int amount, String id, Caller bank) {
    return engine
        .messages()
        .correlate(Correlated.of("payment", number, Map.of("paid", amount), "bank", id), bank);
  }
}
