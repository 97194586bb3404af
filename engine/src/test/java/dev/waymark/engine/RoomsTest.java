package dev.waymark.engine;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rooms of the code: who may know whom, how large a room is, and that the map names them. */
class RoomsTest {

  private static final String INTERNAL = "dev.waymark.engine.internal.";

  /** Rooms of the engine, from the floor up. Each may know those before it. */
  private static final List<String> ROOMS =
      List.of(
          "node",
          "row",
          "payload",
          "step",
          "body",
          "message",
          "outbox",
          "request",
          "time",
          "bookmark",
          "lifecycle");

  /** Rooms of definitions and of their expressions, from the floor up. */
  private static final List<String> DEFINITION_ROOMS =
      List.of(
          "dev.waymark.core.expression.value",
          "dev.waymark.core.expression.plan",
          "dev.waymark.core.expression",
          "dev.waymark.core.definition.text",
          "dev.waymark.core.definition.schema",
          "dev.waymark.core.definition",
          "dev.waymark.core.definition.read");

  /** Rooms of the decider, from the floor up. */
  private static final List<String> DECIDER_ROOMS =
      List.of(
          "dev.waymark.core.step",
          "dev.waymark.core.step.walk",
          "dev.waymark.core.step.people",
          "dev.waymark.core.step.kind",
          "dev.waymark.core.step.decide",
          "dev.waymark.core.explain");

  private static final int LARGEST_ROOM = 22;

  /** Rooms that are larger, and why. */
  private static final Map<String, String> LARGE =
      Map.of(
          "dev.waymark.engine.flow", "one class for each verb of the language",
          "dev.waymark.engine.store", "one interface for each part of a store, and their rows",
          "dev.waymark.core.step.kind", "one class for each kind of activity",
          "dev.waymark.core.instance", "one record for each noun of a run",
          "dev.waymark.proof.program", "a second interpreter, which may know none of the first",
          "dev.waymark.bench", "one class for each benchmark");

  private static final int MOST_PARAMETERS = 7;

  /** Classes whose constructor takes more. */
  private static final Set<String> WIDE = Set.of();

  /** Caches that the core guards by itself, because several threads decide at a time. */
  private static final Set<String> CACHES = Set.of("Expressions.java", "FormCache.java");

  private static final JavaClasses WAYMARK =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("dev.waymark.core", "dev.waymark.engine");

  @Test
  void only_the_builder_opens_the_door() {
    noClasses()
        .that(resideInAPackage("dev.waymark.engine.."))
        .and(not(resideInAPackage("dev.waymark.engine.internal..")))
        .and(not(isOrIsInside("dev.waymark.engine.EngineBuilder")))
        .should()
        .dependOnClassesThat(resideInAPackage("dev.waymark.engine.internal.."))
        .because(
            "a user who reads a public type must not meet what is not theirs: make the type an"
                + " interface, and let a class of a room implement it")
        .check(WAYMARK);
  }

  @Test
  void the_api_speaks_its_own_types() {
    noClasses()
        .that(resideInAPackage("dev.waymark.engine.."))
        .and(not(resideInAPackage("dev.waymark.engine.internal..")))
        .and(not(resideInAPackage("dev.waymark.engine.store..")))
        .and(not(isOrIsInside("dev.waymark.engine.Engine")))
        .and(not(isOrIsInside("dev.waymark.engine.EngineBuilder")))
        .should()
        .dependOnClassesThat(resideInAPackage("dev.waymark.engine.store.."))
        .because(
            "who asks the engine need not know how a store is made: a noun that both speak of"
                + " belongs into dev.waymark.engine.query")
        .check(WAYMARK);
    noClasses()
        .that(resideInAPackage("dev.waymark.engine.query"))
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.waymark.engine..")
                .and(not(resideInAPackage("dev.waymark.engine.query"))))
        .because("users and stores both know this room, so it knows neither")
        .check(WAYMARK);
  }

  @Test
  void rooms_of_the_engine_follow_the_flow() {
    checkOrder(ROOMS.stream().map(room -> INTERNAL + room).toList());
  }

  @Test
  void rooms_of_the_decider_follow_the_flow() {
    checkOrder(DECIDER_ROOMS);
  }

  @Test
  void rooms_of_definitions_follow_the_flow() {
    checkOrder(DEFINITION_ROOMS);
  }

  private static void checkOrder(List<String> rooms) {
    for (int i = 0; i < rooms.size(); i++) {
      for (String above : rooms.subList(i + 1, rooms.size())) {
        noClasses()
            .that(resideInAPackage(rooms.get(i)))
            .should()
            .dependOnClassesThat(resideInAPackage(above))
            .because(
                "a room knows the rooms below it and not those above: give it a function or an"
                    + " interface of its own, and connect the two in Assembly")
            .check(WAYMARK);
      }
    }
  }

  @Test
  void internal_rooms_are_used_by_the_engine_and_nobody_else() throws IOException {
    List<String> strangers = new ArrayList<>();
    for (String module :
        List.of(
            "core", "testkit", "store-tck", "proof", "bench", "examples", "postgres", "sqlite")) {
      for (Path file : sources(module, "src")) {
        if (Files.readString(file).contains("import " + INTERNAL)) {
          strangers.add(file.getFileName().toString());
        }
      }
    }
    assertThat(strangers)
        .as("files outside of the engine that import internal types: use the public API instead")
        // It stops the real threads of a node that is to be found dead.
        .containsOnly("TakeoverTest.java");
  }

  @Test
  void a_room_can_be_remembered() throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    for (String module :
        List.of(
            "core",
            "engine",
            "postgres",
            "sqlite",
            "testkit",
            "store-tck",
            "proof",
            "bench",
            "examples")) {
      Path root = Path.of("..", module, "src/main/java");
      for (Path file : sources(module, "src/main/java")) {
        String room = root.relativize(file.getParent()).toString().replace('/', '.');
        files.merge(room, 1, Integer::sum);
      }
    }
    files.keySet().removeAll(LARGE.keySet());
    assertThat(files.entrySet())
        .isNotEmpty()
        .allSatisfy(
            room ->
                assertThat(room.getValue())
                    .as("files in " + room.getKey() + ": divide it by subject, or name it in LARGE")
                    .isLessThanOrEqualTo(LARGEST_ROOM));
  }

  @Test
  void nobody_holds_everything() {
    List<String> wide = new ArrayList<>();
    for (JavaClass type : WAYMARK) {
      if (!type.isRecord() && type.getPackageName().startsWith(INTERNAL)) {
        for (JavaConstructor constructor : type.getConstructors()) {
          if (constructor.getRawParameterTypes().size() > MOST_PARAMETERS) {
            wide.add(type.getName());
          }
        }
      }
    }
    assertThat(wide)
        .as("classes that are given more than %d parts: look for the missing noun", MOST_PARAMETERS)
        .containsExactlyInAnyOrderElementsOf(WIDE);
  }

  @Test
  void the_core_guards_only_its_caches() throws IOException {
    List<String> guarded = new ArrayList<>();
    for (Path file : sources("core", "src/main/java")) {
      if (Files.readString(file).contains("synchronized")) {
        guarded.add(file.getFileName().toString());
      }
    }
    assertThat(guarded)
        .as("classes of the core with a monitor: a decision needs none")
        .containsExactlyInAnyOrderElementsOf(CACHES);
  }

  @Test
  void the_map_names_every_class_of_every_room() throws IOException {
    String map = Files.readString(Path.of("..", "ARCHITECTURE.md"));
    List<String> missing = new ArrayList<>();
    for (Path file : sources("engine", "src/main/java/dev/waymark/engine/internal")) {
      String name = file.getFileName().toString().replace(".java", "");
      if (!name.equals("package-info") && !map.matches("(?s).*\\b" + name + "\\b.*")) {
        missing.add(name);
      }
    }
    assertThat(missing).as("classes that ARCHITECTURE.md does not name").isEmpty();
  }

  private static List<Path> sources(String module, String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..", module, folder))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static DescribedPredicate<JavaClass> isOrIsInside(String name) {
    return describe(
        "is " + name, type -> type.getName().equals(name) || type.getName().startsWith(name + "$"));
  }
}
