package dev.waymark.engine.payload;

import java.time.Instant;

/**
 * What is known of a stored payload without reading it.
 *
 * @param mediaType as it was said when the content was put for the first time
 * @param keptUntil the moment until which it is kept even if no run uses it
 */
public record PayloadInfo(long size, String mediaType, Instant keptUntil) {}
