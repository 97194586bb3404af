package dev.waymark.engine.internal.row;

/**
 * The numbers under which enums are stored. They are the constants' positions, and each such enum
 * says of itself that it is never reordered; a smallint costs a sixth of a name in a hot row.
 */
public final class EnumCodes {

  private EnumCodes() {}

  @SuppressWarnings("EnumOrdinal")
  public static int of(Enum<?> constant) {
    return constant.ordinal();
  }
}
