package dev.waymark.bench.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of ours, started with our own class path. */
final class Child {

  private final Process process;
  private final BufferedReader output;

  private Child(Process process, BufferedReader output) {
    this.process = process;
    this.output = output;
  }

  /** Starts it and returns when it says that it is ready. */
  static Child start(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(args));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals("READY")) {
          return new Child(process, output);
        }
      }
      throw new IllegalStateException("Expected the child to get ready, but it ended");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says a line to it. */
  void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line that it says. */
  String line() {
    try {
      return String.valueOf(output.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal by its name, such as STOP or CONT. */
  void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("Expected to send " + name + ", but kill said " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for its own end. */
  int await() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL: nothing in it gets to say good-bye. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
