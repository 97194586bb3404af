package dev.waymark.core.definition.text;

/**
 * The two halves of a complaint of the form "Expected …, but got …", for who tells them at a place.
 */
public record Complaint(String expected, String got) {

  private static final String HEAD = "Expected ";
  private static final String BUT = ", but ";
  private static final String GOT = "got ";

  public static Complaint of(IllegalArgumentException complaint) {
    String message = String.valueOf(complaint.getMessage());
    int but = message.indexOf(BUT);
    if (!message.startsWith(HEAD) || but < 0) {
      return new Complaint("something that makes sense", message);
    }
    String rest = message.substring(but + BUT.length());
    return new Complaint(
        message.substring(HEAD.length(), but),
        rest.startsWith(GOT) ? rest.substring(GOT.length()) : rest);
  }
}
