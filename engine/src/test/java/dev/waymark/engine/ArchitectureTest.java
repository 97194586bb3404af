package dev.waymark.engine;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The promises about structure that no compiler checks.
 *
 * <p>Each rule ends with what to do instead. A rule whose subject is not written yet passes: it
 * starts to bite with the first class it is about.
 */
final class ArchitectureTest {

  private static final String CORE = "dev.waymark.core..";
  private static final String ENGINE = "dev.waymark.engine..";
  private static final String STORE = "dev.waymark.engine.store..";

  private static final String STORE_TYPE = "dev.waymark.engine.store.Store";
  private static final String COMMIT_CALLER = "dev.waymark.engine.internal.step.Committer";
  private static final String THREAD_SCHEDULER = "dev.waymark.engine.internal.node.ThreadScheduler";

  /** The pool of the scheduler, which also sees to it that tasks begin. */
  private static final String ENGINE_THREADS = "dev.waymark.engine.internal.node.EngineThreads";

  /** Hands calls of virtual threads over to platform threads, and waits for their end. */
  private static final String STORE_CALL = "dev.waymark.engine.store.sql.StoreCall";

  /** Classes outside the store that hand a {@code java.sql.Connection} to user code, by name. */
  private static final Set<String> SQL_SEAMS =
      Set.of(
          "dev.waymark.engine.internal.step.Committer",
          "dev.waymark.engine.Engine",
          "dev.waymark.engine.EngineTransaction",
          "dev.waymark.engine.internal.request.JoinedTransaction",
          "dev.waymark.engine.internal.request.JoinedTransactions",
          "dev.waymark.engine.internal.lifecycle.RunningEngine",
          "dev.waymark.engine.internal.message.JoinedMessages",
          "dev.waymark.engine.internal.body.TransactionalBodyCall",
          "dev.waymark.engine.activity.TransactionalActivity");

  private static final JavaClasses WAYMARK =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("dev.waymark.core", "dev.waymark.engine");

  @Test
  void the_rules_see_both_modules() {
    // An import that finds nothing would let every rule below pass for the wrong reason.
    for (String module : Set.of("dev.waymark.core", "dev.waymark.engine")) {
      if (!WAYMARK.containPackage(module)) {
        throw new AssertionError("Expected classes of " + module + " on the class path, got none");
      }
    }
  }

  @Test
  void the_core_knows_no_database() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql.."))
            .because(
                "the core decides and the engine stores: return what must be stored in the Step,"
                    + " and write it in "
                    + STORE));
  }

  @Test
  void the_core_runs_on_the_thread_of_its_caller() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(threadsAndLocks())
            .because(
                "a decision is a function of its arguments: return an Effect and let the engine"
                    + " run it, instead of starting or guarding a thread here"));
  }

  @Test
  void the_core_is_told_the_time() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(assignableTo(Clock.class).or(assignableTo(InstantSource.class)))
            .orShould()
            .accessTargetWhere(readsTheTime())
            .because(
                "time is an argument: take the Instant from the Command, so that a test can turn"
                    + " the clock by hand"));
  }

  @Test
  void the_core_draws_no_lots() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(assignableTo(Random.class).or(assignableTo(RandomGenerator.class)))
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .because(
                "the same input must yield the same step: derive ids from the command, or take them"
                    + " as an argument"));
  }

  @Test
  void the_core_does_not_log() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.slf4j..", "java.util.logging.."))
            .orShould()
            .dependOnClassesThat(assignableTo(System.Logger.class))
            .because(
                "what is worth telling belongs in the Decision: return it as a history entry or a"
                    + " Rejection, and let the engine log it"));
  }

  @Test
  void the_core_reaches_neither_files_nor_the_network() {
    check(
        noClasses()
            .that(resideInAPackage(CORE))
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.file.."))
            .orShould()
            .dependOnClassesThat(
                belongToAnyOf(
                    java.io.File.class,
                    java.io.FileInputStream.class,
                    java.io.FileOutputStream.class,
                    java.io.FileReader.class,
                    java.io.FileWriter.class,
                    java.io.RandomAccessFile.class))
            .because("the engine reads and the core is told: pass text or bytes in"));
  }

  @Test
  void only_the_store_speaks_sql() {
    check(
        noClasses()
            .that(resideInAPackage(ENGINE))
            .and(not(resideInAPackage(STORE)))
            .and(not(named(SQL_SEAMS)))
            .should()
            .dependOnClassesThat(resideInAPackage("java.sql.."))
            .because(
                "two databases stay one product only behind one interface: add an operation to"
                    + " Store; a class that hands a Connection to user code is listed in"
                    + " SQL_SEAMS"));
  }

  @Test
  void only_the_committer_commits() {
    check(
        noClasses()
            .that(not(named(Set.of(COMMIT_CALLER))))
            .and(not(resideInAPackage(STORE)))
            .should()
            .accessTargetWhere(
                access("it is Store.commit", call -> isMember(call, STORE_TYPE, "commit")))
            .because(
                "every step passes one door, where fences, limits and retries are checked: call "
                    + COMMIT_CALLER));
  }

  @Test
  void only_the_scheduler_waits_or_starts_threads() {
    check(
        noClasses()
            .that(resideInAPackage(ENGINE))
            .and(not(named(Set.of(THREAD_SCHEDULER, ENGINE_THREADS, STORE_CALL))))
            .should()
            .accessTargetWhere(waitsOrStartsAThread())
            .because(
                "simulation must own every wait: ask the scheduler to call back later, and leave"
                    + " threads to "
                    + THREAD_SCHEDULER));
  }

  @Test
  void nothing_reads_java_serialization() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(assignableTo(ObjectInputStream.class))
            .because("stored bytes must not choose which class is built: state is JSON"));
  }

  @Test
  void nothing_runs_scripts() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("javax.script.."))
            .because("an expression must not reach the JVM: write it in CEL"));
  }

  @Test
  void every_class_is_named_after_its_idea() {
    check(
        noClasses()
            .should()
            .haveNameMatching(
                "(.*[.$])?(Base[A-Z]\\w*|\\w*(Manager|Service|Helper|Utils?|Impl|Common))")
            .because(
                "such a name says that the idea is not found yet: look for the noun of the domain"
                    + " that owns the behaviour"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(WAYMARK);
  }

  private static DescribedPredicate<JavaClass> named(Set<String> names) {
    return describe(
        "are one of " + names,
        type -> names.stream().anyMatch(name -> isOrIsInside(type.getName(), name)));
  }

  private static boolean isOrIsInside(String type, String outer) {
    return type.equals(outer) || type.startsWith(outer + "$");
  }

  private static DescribedPredicate<JavaClass> threadsAndLocks() {
    return describe(
        "threads, executors or locks",
        type ->
            type.isAssignableTo(Thread.class)
                || type.isAssignableTo(java.util.concurrent.Executor.class)
                || type.isAssignableTo(java.util.concurrent.Future.class)
                || type.isEquivalentTo(Executors.class)
                || type.isAssignableTo(ThreadLocal.class)
                || type.getPackageName().equals("java.util.concurrent.locks"));
  }

  private static DescribedPredicate<JavaAccess<?>> readsTheTime() {
    return access(
        "it reads the current time",
        access ->
            isMember(access, System.class.getName(), "currentTimeMillis")
                || isMember(access, System.class.getName(), "nanoTime")
                || (access.getTargetOwner().getPackageName().equals(Instant.class.getPackageName())
                    && access.getTarget().getName().equals("now")));
  }

  private static DescribedPredicate<JavaAccess<?>> waitsOrStartsAThread() {
    return access(
        "it waits or starts a thread",
        access ->
            isMember(access, Thread.class, "sleep", "join", "<init>", "start", "ofVirtual")
                || isMember(access, Thread.class, "ofPlatform", "startVirtualThread")
                || isMember(access, Object.class, "wait")
                || isMember(access, TimeUnit.class, "sleep")
                || isMember(access, BlockingQueue.class, "take", "put")
                || isMember(access, CompletableFuture.class, "join")
                || isMember(access, Future.class, "get")
                || isMember(access, CountDownLatch.class, "await")
                || access.getTargetOwner().isEquivalentTo(Executors.class));
  }

  private static boolean isMember(JavaAccess<?> access, Class<?> owner, String... names) {
    return access.getTargetOwner().isAssignableTo(owner)
        && Set.of(names).contains(access.getTarget().getName());
  }

  private static boolean isMember(JavaAccess<?> access, String owner, String name) {
    return access.getTargetOwner().isAssignableTo(owner)
        && access.getTarget().getName().equals(name);
  }

  private static DescribedPredicate<JavaAccess<?>> access(
      String description, java.util.function.Predicate<JavaAccess<?>> predicate) {
    return describe(description, predicate);
  }
}
