package dev.waymark.engine.payload;

import java.time.Instant;

/**
 * The description of a stored payload: its size, its type, and until when it is kept.
 *
 * @param mediaType as it was said when the content was put for the first time
 * @param keptUntil the moment until which it is kept even if no run uses it
 */
public record PayloadInfo(long size, String mediaType, Instant keptUntil) {}
