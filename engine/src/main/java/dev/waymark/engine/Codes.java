package dev.waymark.engine;

/**
 * The numbers under which enums are stored. They are the constants' positions, and each such enum
 * says of itself that it is never reordered; a smallint costs a sixth of a name in a hot row.
 */
final class Codes {

  private Codes() {}

  @SuppressWarnings("EnumOrdinal")
  static int of(Enum<?> constant) {
    return constant.ordinal();
  }
}
