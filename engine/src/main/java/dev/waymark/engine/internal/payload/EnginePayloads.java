package dev.waymark.engine.internal.payload;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.payload.PayloadInfo;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.payload.TenantPayloads;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.StoredPayloads;
import dev.waymark.engine.store.StoredPayloads.Finished;
import dev.waymark.engine.store.StoredPayloads.Part;
import dev.waymark.engine.store.StoredPayloads.PayloadRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes contents in and gives them out, one part at a time. */
public final class EnginePayloads implements Payloads {

  private static final Logger log = LoggerFactory.getLogger(EnginePayloads.class);

  private final ThisNode node;
  private final StoreCalls calls;
  private final IdSource ids;
  private final PayloadDoor door;

  public EnginePayloads(ThisNode node, StoreCalls calls, IdSource ids) {
    this.node = node;
    this.calls = calls;
    this.ids = ids;
    this.door = new PayloadDoor(node, calls);
  }

  @Override
  public PayloadReference put(InputStream content, String mediaType, Caller caller)
      throws IOException {
    given("content, mediaType, caller", content, mediaType, caller);
    String type = PayloadReference.checkMediaType(mediaType);
    calls.refuseIfClosed();
    UUID upload = ids.next();
    boolean stored = false;
    try {
      Finished finished = upload(upload, content, type, caller);
      stored = finished.fresh();
      return new PayloadReference(finished.payload().hash(), finished.payload().size(), type);
    } finally {
      if (!stored) {
        remove(upload, caller);
      }
    }
  }

  @Override
  public PayloadReference put(byte[] content, String mediaType, Caller caller) {
    given("content, mediaType, caller", content, mediaType, caller);
    try {
      return put(new ByteArrayInputStream(content), mediaType, caller);
    } catch (IOException e) {
      throw new UncheckedIOException("Expected bytes in memory to be readable", e);
    }
  }

  private Finished upload(UUID upload, InputStream content, String mediaType, Caller caller)
      throws IOException {
    String tenant = caller.actor().tenant();
    ContentHash hash = new ContentHash();
    int parts = 0;
    byte[] bytes = content.readNBytes(Limits.PAYLOAD_PART);
    while (bytes.length > 0) {
      hash.add(bytes);
      if (hash.size() > node.settings().largestPayload()) {
        throw tooLarge();
      }
      write(new Part(upload, tenant, parts++), bytes, caller);
      bytes = content.readNBytes(Limits.PAYLOAD_PART);
    }
    PayloadRow payload =
        new PayloadRow(tenant, hash.hex(), hash.size(), mediaType, parts, keptUntil());
    Finished finished =
        calls
            .patience(caller)
            .read(() -> Optional.ofNullable(store().finish(upload, payload)))
            .orElse(null);
    if (finished == null) {
      throw cutOff();
    }
    return finished;
  }

  private void write(Part part, byte[] content, Caller caller) {
    Instant until = keptUntil();
    if (!calls.patience(caller).read(() -> store().write(part, content, until))) {
      throw cutOff();
    }
  }

  private CommandRefused tooLarge() {
    return new CommandRefused(
        Rejection.of(
            Rejection.Code.BAD_INPUT,
            "Expected a payload of at most %,d bytes, but got more: the setting 'largestPayload' says how large one may be"
                .formatted(node.settings().largestPayload())));
  }

  private EngineException cutOff() {
    return new EngineException(
        "Expected the content to come without a pause of %s or more, but its parts were removed meanwhile: put it again"
            .formatted(node.settings().unusedPayloads()),
        null);
  }

  /**
   * Removes the parts of an upload that is not needed. What cannot be removed now, the housekeeping
   * removes later.
   */
  private void remove(UUID upload, Caller caller) {
    try {
      calls
          .patience(caller)
          .read(
              () -> {
                store().giveUp(upload);
                return true;
              });
      Instant before = StoredPayloads.GIVEN_UP.plusMillis(1);
      boolean more = true;
      while (more) {
        more =
            calls.patience(caller).read(() -> store().removeParts(before, Limits.PARTS_REMOVED))
                > 0;
      }
    } catch (RuntimeException e) {
      log.debug("Upload {} is left to the housekeeping", upload, e);
    }
  }

  @Override
  public InputStream open(PayloadReference reference, Caller caller) {
    given("reference, caller", reference, caller);
    String tenant = caller.actor().tenant();
    PayloadRow row = row(reference, caller);
    if (row == null || row.size() != reference.size()) {
      throw new CommandRefused(
          Rejection.of(
              Rejection.Code.PAYLOAD_MISSING,
              PayloadDoor.missing(reference, row == null ? null : row.size())));
    }
    return new PayloadContent(
        reference,
        row.parts(),
        part ->
            calls
                .patience(caller)
                .read(() -> Optional.ofNullable(store().part(tenant, reference.sha256(), part)))
                .orElse(null));
  }

  @Override
  public Optional<PayloadInfo> find(PayloadReference reference, Caller caller) {
    given("reference, caller", reference, caller);
    PayloadRow row = row(reference, caller);
    return row == null || row.size() != reference.size()
        ? Optional.empty()
        : Optional.of(new PayloadInfo(row.size(), row.mediaType(), row.keptUntil()));
  }

  private @Nullable PayloadRow row(PayloadReference reference, Caller caller) {
    String tenant = caller.actor().tenant();
    return calls
        .patience(caller)
        .read(() -> Optional.ofNullable(store().find(tenant, reference.sha256())))
        .orElse(null);
  }

  private StoredPayloads store() {
    return node.store().payloads();
  }

  private Instant keptUntil() {
    return Limits.after(node.now(), node.settings().unusedPayloads());
  }

  /** The look at references in data that comes in. */
  public PayloadDoor door() {
    return door;
  }

  /** The payloads of one tenant, for the bodies of its runs. */
  public TenantPayloads of(String tenant) {
    return new OfTenant(tenant);
  }

  // Made for each body that is called, and used by few: so it makes its caller when it needs one.
  private final class OfTenant implements TenantPayloads {

    private final String tenant;

    OfTenant(String tenant) {
      this.tenant = tenant;
    }

    private Caller caller() {
      return Caller.of(Actor.engine(tenant));
    }

    @Override
    public PayloadReference put(InputStream content, String mediaType) throws IOException {
      return EnginePayloads.this.put(content, mediaType, caller());
    }

    @Override
    public PayloadReference put(byte[] content, String mediaType) {
      return EnginePayloads.this.put(content, mediaType, caller());
    }

    @Override
    public InputStream open(PayloadReference reference) {
      return EnginePayloads.this.open(reference, caller());
    }

    @Override
    public Optional<PayloadInfo> find(PayloadReference reference) {
      return EnginePayloads.this.find(reference, caller());
    }
  }
}
