package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.sql.BorrowedConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;
import org.postgresql.jdbc.PgConnection;

/**
 * The type of the elements of an array for the server. Arrays are written here, in the form in
 * which the server holds them itself: the driver looks up the names of types for each of the
 * hundred arrays of a commit, and sends UUIDs as text. A fifth of the engine's time went into that.
 */
public enum ArrayType {
  INT2("int2", Oid.INT2, Oid.INT2_ARRAY, Short.BYTES) {
    @Override
    void put(ByteBuffer into, Object value) {
      into.putShort(((Number) value).shortValue());
    }
  },
  INT4("int4", Oid.INT4, Oid.INT4_ARRAY, Integer.BYTES) {
    @Override
    void put(ByteBuffer into, Object value) {
      into.putInt(((Number) value).intValue());
    }
  },
  INT8("int8", Oid.INT8, Oid.INT8_ARRAY, Long.BYTES) {
    @Override
    void put(ByteBuffer into, Object value) {
      into.putLong(((Number) value).longValue());
    }
  },
  BOOL("bool", Oid.BOOL, Oid.BOOL_ARRAY, Byte.BYTES) {
    @Override
    void put(ByteBuffer into, Object value) {
      into.put((byte) ((Boolean) value ? 1 : 0));
    }
  },
  UUIDS("uuid", Oid.UUID, Oid.UUID_ARRAY, 2 * Long.BYTES) {
    @Override
    void put(ByteBuffer into, Object value) {
      UUID id = (UUID) value;
      into.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }
  },
  TEXT("text", Oid.TEXT, Oid.TEXT_ARRAY, 0) {
    @Override
    @Nullable Object[] prepared(@Nullable Object[] values) {
      @Nullable Object[] prepared = new Object[values.length];
      for (int i = 0; i < values.length; i++) {
        Object value = values[i];
        prepared[i] = value == null ? null : ((String) value).getBytes(StandardCharsets.UTF_8);
      }
      return prepared;
    }

    @Override
    int length(Object prepared) {
      return ((byte[]) prepared).length;
    }

    @Override
    void put(ByteBuffer into, Object value) {
      into.put((byte[]) value);
    }
  };

  private static final int HEADER = 5 * Integer.BYTES;
  private static final int FIRST_INDEX = 1;
  private static final int NULL = -1;

  private final String sql;
  private final int oid;
  private final int arrayOid;
  private final int width;

  ArrayType(String sql, int oid, int arrayOid, int width) {
    this.sql = sql;
    this.oid = oid;
    this.arrayOid = arrayOid;
    this.width = width;
  }

  /** The name of the type in SQL. */
  String sql() {
    return sql;
  }

  /** Writes one value, without its length. */
  abstract void put(ByteBuffer into, Object prepared);

  /** The values as they are put. */
  @Nullable Object[] prepared(@Nullable Object[] values) {
    return values;
  }

  /** The number of bytes that a prepared value takes. */
  int length(Object prepared) {
    return width;
  }

  /** An array for a statement of this connection. */
  public Array array(Connection connection, @Nullable Object[] values) throws SQLException {
    return new PgArray(
        BorrowedConnection.behind(connection).unwrap(PgConnection.class),
        arrayOid,
        bytes(prepared(values)));
  }

  private byte[] bytes(@Nullable Object[] values) {
    int size = HEADER + values.length * Integer.BYTES;
    boolean nulls = false;
    for (Object value : values) {
      size += value == null ? 0 : length(value);
      nulls |= value == null;
    }
    ByteBuffer into = ByteBuffer.allocate(size);
    into.putInt(1).putInt(nulls ? 1 : 0).putInt(oid).putInt(values.length).putInt(FIRST_INDEX);
    for (Object value : values) {
      if (value == null) {
        into.putInt(NULL);
      } else {
        into.putInt(length(value));
        put(into, value);
      }
    }
    return into.array();
  }
}
