package dev.waymark.engine.query;

/**
 * Live instances of one version.
 *
 * @param parked suspended, with an open intervention; an operator may hold some of them as well
 * @param held suspended by an operator, and nothing in them is parked
 */
public record StateCount(String definition, int version, long running, long parked, long held) {}
