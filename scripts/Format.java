import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks or applies google-java-format to every Java file below a folder.
 *
 * <p>Called by the build as {@code Format.java check|apply FOLDER}. It exits with 1 when a file is
 * not formatted (check) or cannot be parsed (both), and with 2 when it was called wrongly.
 */
final class Format {

  private static final Set<String> SKIPPED_FOLDERS = Set.of("target", "node_modules");

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !Set.of("check", "apply").contains(args[0])) {
      System.err.println("Expected 'check' or 'apply' and a folder, but got " + List.of(args));
      System.exit(2);
    }
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    Formatter formatter = new Formatter();
    List<String> wrong = new ArrayList<>();
    for (Path file : javaFilesBelow(root)) {
      String before = Files.readString(file);
      String name = root.relativize(file).toString();
      try {
        String after = formatter.formatSourceAndFixImports(before);
        if (after.equals(before)) {
          continue;
        }
        if (apply) {
          Files.writeString(file, after);
          System.out.println("Formatted " + name);
        } else {
          wrong.add(name);
        }
      } catch (FormatterException unparsable) {
        wrong.add(name + " (cannot be parsed: " + unparsable.getMessage() + ")");
      }
    }
    if (!wrong.isEmpty()) {
      wrong.forEach(name -> System.err.println("Not formatted: " + name));
      System.err.println("Run 'mvn -N verify -Dformat=apply' to format these files.");
      System.exit(1);
    }
  }

  private static List<Path> javaFilesBelow(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean hidden = name.startsWith(".") && !folder.equals(root);
            return hidden || SKIPPED_FOLDERS.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(null);
    return found;
  }
}
