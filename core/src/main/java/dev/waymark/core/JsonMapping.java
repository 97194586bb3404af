package dev.waymark.core;

import java.io.InputStream;
import java.io.Reader;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Records, beans, enums, times and all other types that Jackson knows, as JSON and back.
 *
 * <p>Apart from {@link JsonValues}, because a program that only has plain values never needs
 * databind. A value becomes a text first: so the result is JSON and nothing else, and the depth is
 * bounded while it is written.
 */
final class JsonMapping {

  /** The roots of the trees of other libraries: as beans they would show everything but data. */
  private static final Set<String> FOREIGN_TREES =
      Set.of(
          "com.fasterxml.jackson.core.TreeNode",
          "com.google.gson.JsonElement",
          "jakarta.json.JsonValue",
          "javax.json.JsonValue",
          "org.json.JSONArray",
          "org.json.JSONObject");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonText.FACTORY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .addModule(new SimpleModule().setSerializerModifier(new NoData()))
          .build();

  private JsonMapping() {}

  static @Nullable Object value(Object any) {
    String json;
    try {
      json = MAPPER.writeValueAsString(any);
    } catch (NotData e) {
      throw at(e, e.getOriginalMessage());
    } catch (InvalidDefinitionException e) {
      String reason = e.getOriginalMessage().replaceAll(" \\(to avoid exception.*", "");
      throw at(
          e,
          "Expected data, but got %s, which is none (%s); give a record, a bean with getters or a map"
              .formatted(
                  e.getType() == null
                      ? any.getClass().getName()
                      : e.getType().getRawClass().getName(),
                  reason));
    } catch (JacksonException e) {
      throw at(
          e,
          "Expected a value that JSON can express, but got %s: %s"
              .formatted(any.getClass().getName(), e.getOriginalMessage()));
    } catch (StackOverflowError e) {
      throw new Unfit(
          "Expected a value that does not contain itself, but got "
              + any.getClass().getName()
              + ", which does or is nested too deeply");
    }
    return JsonText.readMade(json);
  }

  static <T> T convert(@Nullable Object value, Class<T> type) {
    try {
      T converted = MAPPER.convertValue(value, type);
      if (converted == null) {
        throw new IllegalArgumentException("Expected a " + type.getSimpleName() + ", but got null");
      }
      return converted;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Expected a " + type.getSimpleName() + ", but: " + e.getOriginalMessage(), e);
    }
  }

  private static Unfit at(JacksonException e, String problem) {
    Unfit unfit = new Unfit(problem, e);
    for (int i = e.getPath().size() - 1; i >= 0; i--) {
      JacksonException.Reference step = e.getPath().get(i);
      unfit =
          step.getPropertyName() == null
              ? unfit.under(step.getIndex())
              : unfit.under(step.getPropertyName());
    }
    return unfit;
  }

  /**
   * Writes values that know their own JSON, and refuses values that Jackson would read as beans
   * although their properties do not hold their content.
   */
  private static final class NoData extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public ValueSerializer<?> modifySerializer(
        SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
      if (JsonForm.class.isAssignableFrom(bean.getBeanClass())) {
        return new AsDocument();
      }
      String advice = advice(bean.getBeanClass());
      return advice == null ? serializer : new Refusing(advice);
    }
  }

  private static @Nullable String advice(Class<?> type) {
    if (isForeignTree(type)) {
      return "a tree of another JSON library; give its text to Json.read, or turn it into a map";
    }
    if (InputStream.class.isAssignableFrom(type) || Reader.class.isAssignableFrom(type)) {
      return "which has to be read first; give its bytes or its text";
    }
    if (BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)) {
      return "which can be read only once; give a list";
    }
    // The classes of lambdas are hidden, and Jackson does not miss properties on them.
    return type.isHidden() ? "which is code; give its result" : null;
  }

  private static boolean isForeignTree(@Nullable Class<?> type) {
    if (type == null) {
      return false;
    }
    if (FOREIGN_TREES.contains(type.getName()) || isForeignTree(type.getSuperclass())) {
      return true;
    }
    for (Class<?> above : type.getInterfaces()) {
      if (isForeignTree(above)) {
        return true;
      }
    }
    return false;
  }

  private static final class Refusing extends ValueSerializer<Object> {

    private final String advice;

    Refusing(String advice) {
      this.advice = advice;
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      throw new NotData(
          out, "Expected data, but got %s, %s".formatted(value.getClass().getName(), advice));
    }
  }

  private static final class AsDocument extends ValueSerializer<Object> {

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      out.writePOJO(((JsonForm) value).toDocument());
    }
  }

  private static final class NotData extends DatabindException {

    private static final long serialVersionUID = 1L;

    NotData(JsonGenerator out, String message) {
      super(out, message);
    }
  }
}
