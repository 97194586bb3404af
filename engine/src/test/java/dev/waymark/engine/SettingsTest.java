package dev.waymark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every setting at its ends and one beyond; a new setting is tried by itself. */
class SettingsTest {

  private static final Duration SHORTEST = Duration.ofNanos(2);

  static Stream<String> settings() {
    return Arrays.stream(Settings.class.getRecordComponents()).map(RecordComponent::getName);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void a_setting_is_taken_at_its_ends_and_refused_beyond(String name) throws Exception {
    Object value = value(Settings.DEFAULT, name);
    switch (value) {
      case Duration unused -> {
        Duration longest =
            name.equals("renewEvery") ? Limits.DURATION.dividedBy(2) : Limits.DURATION;
        for (Duration good : List.of(SHORTEST, longest)) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
        for (Duration bad : List.of(SHORTEST.negated(), Limits.DURATION.plusNanos(1))) {
          assertThatThrownBy(() -> with(name, bad))
              .cause()
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining(name);
        }
      }
      case Integer unused -> {
        for (int good : new int[] {1, Integer.MAX_VALUE}) {
          assertThat(value(with(name, good), name)).isEqualTo(good);
        }
        assertThatThrownBy(() -> with(name, 0))
            .cause()
            .isInstanceOf(IllegalArgumentException.class);
      }
      default -> assertThat(value).isInstanceOf(Boolean.class);
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
    Constructor<?> constructor = Settings.class.getDeclaredConstructors()[0];
    try {
      return (Settings) constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
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
