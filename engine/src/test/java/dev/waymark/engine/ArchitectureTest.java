package dev.waymark.engine;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The promises about structure that no compiler checks.
 *
 * <p>Each rule ends with what to do instead. A rule whose subject is not written yet passes: it
 * starts to bite with the first class it is about.
 */
final class ArchitectureTest {

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
          "dev.waymark.engine.internal.request.JoinedSteps",
          "dev.waymark.engine.internal.request.JoinedTransaction",
          "dev.waymark.engine.internal.request.JoinedTransactions",
          "dev.waymark.engine.internal.lifecycle.RunningEngine",
          "dev.waymark.engine.internal.message.JoinedMessages",
          "dev.waymark.engine.internal.body.TransactionalBodies",
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

  static void check(ArchRule rule) {
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
