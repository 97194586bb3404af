package dev.waymark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every setting at its ends and one beyond; a new setting is tried by itself. */
class SettingsTest {

  static Stream<String> settings() {
    return Arrays.stream(Settings.class.getRecordComponents()).map(RecordComponent::getName);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void a_setting_is_taken_at_its_ends_and_refused_beyond(String name) throws Exception {
    switch (value(Settings.DEFAULT, name)) {
      case Duration unused -> {
        Duration shortest = shortest(name);
        Duration longest = longest(name);
        for (Duration good : List.of(shortest, longest)) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
        for (Duration bad : List.of(shortest.minusNanos(1), longest.plusNanos(1))) {
          assertThatThrownBy(() -> with(name, bad))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageFindingMatch("^Expected .*'" + name + "'.* but got .*" + bad);
        }
      }
      case Integer unused -> {
        for (int good : new int[] {1, Integer.MAX_VALUE}) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
          assertThatThrownBy(() -> with(name, bad))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage("Expected 1 or more for '%s', but got %d", name, bad);
        }
      }
      case Long unused -> {
        for (long good : new long[] {1, Limits.PAYLOAD_BYTES}) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
        for (long bad : new long[] {0, -1, Limits.PAYLOAD_BYTES + 1}) {
          assertThatThrownBy(() -> with(name, bad))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage(
                  "Expected 1 to %,d bytes for '%s', but got %,d", Limits.PAYLOAD_BYTES, name, bad);
        }
      }
      case Boolean unused -> {
        for (boolean good : new boolean[] {true, false}) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
      }
      default -> throw new AssertionError("Expected a bound for '" + name + "' in this test");
    }
  }

  /** A lease has to be long enough for two renewals; events need not gather at all. */
  private static Duration shortest(String name) {
    return switch (name) {
      case "gatherEvents" -> Duration.ZERO;
      case "nodeLease" -> Duration.ofNanos(2);
      case "unusedPayloads" -> Limits.PAYLOAD_KEPT;
      default -> Duration.ofNanos(1);
    };
  }

  private static Duration longest(String name) {
    return name.equals("renewEvery") ? Limits.DURATION.dividedBy(2) : Limits.DURATION;
  }

  @Test
  void only_what_a_verb_names_is_changed_by_it() throws Exception {
    Map<String, Settings> changed =
        Map.of(
            "suspectAfter", Settings.DEFAULT.withSuspectAfter(7),
            "maxBodies", Settings.DEFAULT.withMaxBodies(7),
            "manual", Settings.DEFAULT.stepByStep());
    for (var each : changed.entrySet()) {
      for (String name : settings().toList()) {
        Object before = value(Settings.DEFAULT, name);
        Object after = value(each.getValue(), name);
        if (name.equals(each.getKey())) {
          assertThat(after).as(name).isIn(7, true);
        } else {
          assertThat(after).as(name).isEqualTo(before);
        }
      }
    }
  }

  private static Object value(Settings settings, String name) throws Exception {
    return Settings.class.getMethod(name).invoke(settings);
  }

  /** The defaults with one value changed, and a lease that fits its renewals. */
  private static Settings with(String name, Object changed) throws Exception {
    RecordComponent[] components = Settings.class.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      String each = components[i].getName();
      values[i] = each.equals(name) ? changed : fitting(each, name);
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return Settings.class.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  private static Object fitting(String each, String name) throws Exception {
    if (each.equals("renewEvery") && name.equals("nodeLease")) {
      return Duration.ofNanos(1);
    }
    if (each.equals("nodeLease") && name.equals("renewEvery")) {
      return Limits.DURATION;
    }
    return value(Settings.DEFAULT, each);
  }
}
