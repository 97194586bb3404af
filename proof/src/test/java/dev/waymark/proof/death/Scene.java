package dev.waymark.proof.death;

import dev.waymark.proof.death.Drill.Act;
import java.util.ArrayList;
import java.util.List;

/** Definitions, and what happens to a run of the first one from outside, in order. */
public record Scene(String name, List<String> definitions, List<Act> acts) {

  public static Scene of(String name, String activities, Act... acts) {
    return new Scene(name, List.of(flow("flow", "", activities)), List.of(acts));
  }

  public static String flow(String key, String top, String activities) {
    return "waymark: 1\nkey: " + key + "\n" + top + "start: a\nactivities:\n" + activities;
  }

  Scene and(String definition) {
    List<String> more = new ArrayList<>(definitions);
    more.add(definition);
    return new Scene(name, more, acts);
  }

  @Override
  public String toString() {
    return name;
  }
}
