package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A flow that is being drawn: what it has so far, and what it may still have. */
final class Sketch {

  /** Names that are given out once in a whole program. */
  static final class Names {
    private int activities;
    private int variables;

    String activity(String prefix) {
      return prefix + ++activities;
    }

    String variable(String prefix) {
      return prefix + ++variables;
    }
  }

  final String key;
  final Draw draw;
  final Names names;
  final Set<Feature> features;
  final List<Flow> children;
  final boolean child;
  final Oddities oddities;
  final Map<String, Object> variables = new LinkedHashMap<>();

  /** Variables that nobody writes, so that everybody may read them at any time. */
  final List<String> fixed = new ArrayList<>();

  /** Messages that somebody may wait for, with what they bring. */
  final Map<String, Map<String, Object>> messages = new LinkedHashMap<>();

  /** How many of a hundred activities can be undone. */
  int undoable = 15;

  private int budget;

  Sketch(
      String key, Draw draw, Names names, Set<Feature> features, List<Flow> children, int budget) {
    this.key = key;
    this.draw = draw;
    this.names = names;
    this.features = features;
    this.children = children;
    this.child = key.contains("-");
    this.budget = budget;
    this.oddities = new Oddities(draw);
    for (int i = 0; i < 2; i++) {
      String name = names.variable("k");
      variables.put(name, draw.small());
      fixed.add(name);
    }
  }

  boolean may(Feature feature) {
    return features.contains(feature);
  }

  /** Whether a feature is allowed, and the lot falls on it. */
  boolean happens(Feature feature, int percent) {
    return may(feature) && draw.chance(percent);
  }

  boolean hasRoom() {
    return budget > 0;
  }

  String newId(String prefix) {
    budget--;
    return names.activity(prefix);
  }
}
