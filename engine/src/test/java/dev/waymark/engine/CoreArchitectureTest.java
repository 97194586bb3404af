package dev.waymark.engine;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.waymark.engine.ArchitectureTest.check;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The promises about the core: it decides from its arguments alone and touches nothing else. */
final class CoreArchitectureTest {

  private static final String CORE = "dev.waymark.core..";
  private static final String STORE = "dev.waymark.engine.store..";

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

  private static boolean isMember(JavaAccess<?> access, String owner, String name) {
    return access.getTargetOwner().isAssignableTo(owner)
        && access.getTarget().getName().equals(name);
  }

  private static DescribedPredicate<JavaAccess<?>> access(
      String description, java.util.function.Predicate<JavaAccess<?>> predicate) {
    return describe(description, predicate);
  }
}
