package dev.waymark.proof.payload;

import dev.waymark.engine.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Random;

/** Contents that are made while they are read, and a look at what is stored of them. */
final class Contents {

  private Contents() {}

  /** Bytes that no test ever has in memory together. */
  static final class Made extends InputStream {

    private final Random random;
    private final long failsAt;
    private long left;
    private long given;

    /** The most bytes that a reader has asked for at a time. */
    int largestRead;

    Made(long size, long seed) {
      this(size, seed, Long.MAX_VALUE);
    }

    /**
     * @param failsAt after how many bytes it throws
     */
    Made(long size, long seed, long failsAt) {
      this.random = new Random(seed);
      this.left = size;
      this.failsAt = failsAt;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (given >= failsAt) {
        throw new IOException("The line is cut");
      }
      if (left == 0) {
        return -1;
      }
      largestRead = Math.max(largestRead, length);
      int count = (int) Math.min(left, length);
      for (int i = 0; i < count; i++) {
        into[offset + i] = (byte) random.nextInt();
      }
      left -= count;
      given += count;
      return count;
    }
  }

  /** Reads to the end, a little at a time. */
  static String hashOf(InputStream content) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] buffer = new byte[10_000];
    for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
      digest.update(buffer, 0, count);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static int count(Store store, String table) {
    return store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
            rows.next();
            return rows.getInt(1);
          }
        });
  }

  static int change(Store store, String sql) {
    return store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
          }
        });
  }

  static int change(Store store, String sql, byte[] bytes) {
    return store.inTransaction(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, bytes);
            return statement.executeUpdate();
          }
        });
  }
}
