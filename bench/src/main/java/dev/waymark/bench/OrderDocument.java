package dev.waymark.bench;

import dev.waymark.core.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * An order with its lines, as users have them in their variables: nested, with texts that repeat
 * themselves and numbers that do not, so that a database compresses it as it would theirs.
 */
final class OrderDocument {

  /** The same order in every run, so that runs can be compared. */
  private static final long SEED = 12;

  private static final int BYTES_PER_KILOBYTE = 1_024;

  private static final List<String> ARTICLES =
      List.of(
          "Hexagon bolt, zinc plated",
          "Ball bearing, sealed on both sides",
          "Hydraulic hose with couplings",
          "Control cabinet, powder coated",
          "Cable gland, brass, nickel plated",
          "Proximity switch, normally open");

  private static final List<String> STATES = List.of("ordered", "picked", "shipped", "invoiced");

  private OrderDocument() {}

  /** An order that takes about so many kilobytes as JSON: at most one line more. */
  static Map<String, @Nullable Object> ofKilobytes(int kilobytes) {
    Random random = new Random(SEED);
    List<Object> lines = new ArrayList<>();
    Map<String, @Nullable Object> order = new LinkedHashMap<>();
    order.put("customer", customer());
    order.put("currency", "EUR");
    order.put("lines", lines);
    long size = Json.write(order).length();
    while (size < (long) kilobytes * BYTES_PER_KILOBYTE) {
      Map<String, Object> line = line(lines.size() + 1, random);
      lines.add(line);
      size += Json.write(line).length() + 1L;
    }
    return order;
  }

  private static Map<String, Object> line(int number, Random random) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("line", number);
    line.put("article", "A-" + (100_000 + random.nextInt(900_000)));
    line.put("text", ARTICLES.get(random.nextInt(ARTICLES.size())));
    line.put("quantity", 1 + random.nextInt(500));
    line.put("price", BigDecimal.valueOf(random.nextInt(1_000_000), 2));
    line.put("state", STATES.get(random.nextInt(STATES.size())));
    line.put("delivery", delivery(random));
    return line;
  }

  private static Map<String, Object> customer() {
    Map<String, Object> customer = new LinkedHashMap<>();
    customer.put("number", "C-20417");
    customer.put("name", "Ada Works Ltd");
    customer.put("country", "IE");
    return customer;
  }

  private static Map<String, Object> delivery(Random random) {
    Map<String, Object> delivery = new LinkedHashMap<>();
    delivery.put("week", 1 + random.nextInt(52));
    delivery.put("partial", random.nextBoolean());
    delivery.put("dock", "D4");
    return delivery;
  }
}
