package dev.waymark.bench.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy in front of PostgreSQL that cuts committers' connections around a batch.
 *
 * <p>A connection belongs to a committer if it introduces itself as one. Every so many packets of
 * such a connection it cuts: before the server has the packet; after the server has carried it out
 * but before its reply is passed on; or it cuts the client off at once and lets the server have the
 * packet half a second later, when the same units have long been submitted again.
 */
final class CutProxy implements AutoCloseable {

  /** When a connection is cut. */
  enum Mode {
    BEFORE,
    AFTER,
    LATE
  }

  private static final int BUFFER = 1 << 20;

  /** Packets within which a connection says what it is for. */
  private static final int INTRODUCTION = 20;

  private static final long LATE_NANOS = 500_000_000L;

  private final ServerSocket server;
  private final int target;
  private final int every;
  private final AtomicInteger packets = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cutting;
  private volatile boolean down;

  CutProxy(int target, int every) {
    this.target = target;
    this.every = every;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  void cutting(boolean on) {
    cutting = on;
  }

  /** While it is down, the database is not there: connections break, new ones are refused. */
  void down(boolean gone) {
    down = gone;
    if (gone) {
      open.forEach(CutProxy::closeQuietly);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was on its way out anyway.
    }
  }

  int cuts() {
    return cuts.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        if (down) {
          closeQuietly(client);
        } else {
          open.add(client);
          Thread.ofVirtual().start(() -> connect(client));
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    try (client;
        Socket backend = new Socket(InetAddress.getLoopbackAddress(), target)) {
      client.setTcpNoDelay(true);
      backend.setTcpNoDelay(true);
      Thread replies = Thread.ofVirtual().start(() -> pass(backend, client));
      forward(client, backend);
      replies.join();
    } catch (IOException e) {
      // A cut connection ends like this on the other side; that is what it is for.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private void forward(Socket client, Socket backend) throws IOException {
    byte[] buffer = new byte[BUFFER];
    InputStream in = client.getInputStream();
    OutputStream out = backend.getOutputStream();
    boolean committer = false;
    int seen = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      if (!committer && ++seen <= INTRODUCTION) {
        committer = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("committer");
      } else if (committer && cutting && packets.incrementAndGet() % every == 0) {
        cut(
            Mode.values()[cuts.getAndIncrement() % Mode.values().length],
            Arrays.copyOf(buffer, n),
            client,
            backend);
        return;
      }
      out.write(buffer, 0, n);
      out.flush();
    }
    backend.close();
  }

  private static void cut(Mode mode, byte[] packet, Socket client, Socket backend)
      throws IOException {
    switch (mode) {
      case BEFORE -> client.close();
      case AFTER -> {
        // The replies' direction is closed first, so that not one byte of them gets through.
        client.shutdownOutput();
        backend.getOutputStream().write(packet);
        backend.getOutputStream().flush();
        LockSupport.parkNanos(LATE_NANOS / 10);
        client.close();
      }
      case LATE -> {
        client.close();
        LockSupport.parkNanos(LATE_NANOS);
        backend.getOutputStream().write(packet);
        backend.getOutputStream().flush();
        LockSupport.parkNanos(LATE_NANOS);
      }
    }
    backend.close();
  }

  private static void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        out.flush();
      }
      to.close();
    } catch (IOException e) {
      // As above.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
