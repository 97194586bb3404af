package dev.waymark.core.definition;

/**
 * The two halves of a complaint of the form "Expected …, but got …", for who tells them at a place.
 */
public record Refusal(String expected, String got) {

  private static final String HEAD = "Expected ";
  private static final String BUT = ", but ";
  private static final String GOT = "got ";

  public static Refusal of(IllegalArgumentException complaint) {
    String message = String.valueOf(complaint.getMessage());
    int but = message.indexOf(BUT);
    if (!message.startsWith(HEAD) || but < 0) {
      return new Refusal("something that makes sense", message);
    }
    String rest = message.substring(but + BUT.length());
    return new Refusal(
        message.substring(HEAD.length(), but),
        rest.startsWith(GOT) ? rest.substring(GOT.length()) : rest);
  }
}
