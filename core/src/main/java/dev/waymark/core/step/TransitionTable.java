package dev.waymark.core.step;

/**
 * The moves that there are: command, subject, from, and to what. A dash is what does not exist.
 *
 * <p>Commands that move a token on can open, end, park and keep any other visit on the way; a
 * cancelled run can come from any of them, since undoing goes on by whatever its handlers wait for.
 */
final class TransitionTable {

  static final String TEXT =
      """
      Start run - > running suspended completed failed cancelled
      Complete run running > suspended completed failed cancelled
      Complete run suspended > running completed failed cancelled
      Fail run running > suspended completed failed cancelled
      Fail run suspended > running completed failed cancelled
      Recover run running > suspended completed failed cancelled
      Recover run suspended > running completed failed cancelled
      Resume run running > suspended completed failed cancelled
      Resume run suspended > running completed failed cancelled
      Fire run running > suspended completed failed cancelled
      Fire run suspended > running completed failed cancelled
      Deliver run running > suspended completed failed cancelled
      Deliver run suspended > running completed failed cancelled
      Park run running > suspended
      Cancel run running > suspended cancelled
      Cancel run suspended > running cancelled
      Suspend run running > suspended
      Continue run suspended > running completed failed cancelled
      Intervene run suspended > running completed failed cancelled
      Edit run running > suspended completed failed cancelled
      Edit run suspended > running completed failed cancelled
      Migrate run running > suspended completed failed cancelled
      Migrate run suspended > running completed failed cancelled

      Start visit - > ready running waiting parked kept
      Complete visit - > ready running waiting parked kept
      Complete visit ready > -
      Complete visit running > - ready parked kept
      Complete visit waiting > - parked kept
      Complete visit parked > -
      Complete visit kept > -
      Await visit running > ready waiting
      Fail visit - > ready running waiting parked kept
      Fail visit ready > -
      Fail visit running > - ready parked
      Fail visit waiting > - parked kept
      Fail visit parked > -
      Fail visit kept > -
      Take visit ready > running
      Release visit running > ready
      Recover visit - > ready running waiting parked kept
      Recover visit ready > -
      Recover visit running > - ready parked
      Recover visit waiting > - parked kept
      Recover visit parked > -
      Recover visit kept > -
      Resume visit - > ready running waiting parked kept
      Resume visit ready > - parked
      Resume visit running > - parked
      Resume visit waiting > - ready running parked kept
      Resume visit parked > -
      Resume visit kept > -
      Fire visit - > ready running waiting parked kept
      Fire visit ready > - parked
      Fire visit running > - parked
      Fire visit waiting > - ready running parked kept
      Fire visit parked > -
      Fire visit kept > -
      Deliver visit - > ready running waiting parked kept
      Deliver visit ready > - parked
      Deliver visit running > - parked
      Deliver visit waiting > - ready running parked kept
      Deliver visit parked > -
      Deliver visit kept > -
      Park visit ready > parked
      Park visit running > parked
      Park visit waiting > parked
      Cancel visit - > ready running waiting parked
      Cancel visit ready > -
      Cancel visit running > -
      Cancel visit waiting > -
      Cancel visit parked > -
      Cancel visit kept > -
      Continue visit - > ready running waiting parked kept
      Continue visit ready > - running waiting parked kept
      Continue visit running > -
      Continue visit waiting > - parked kept
      Continue visit parked > -
      Continue visit kept > -
      Intervene visit - > ready running waiting parked kept
      Intervene visit ready > -
      Intervene visit running > -
      Intervene visit waiting > - parked kept
      Intervene visit parked > - ready running waiting kept
      Intervene visit kept > -
      Edit visit - > ready running waiting parked kept
      Edit visit ready > -
      Edit visit running > -
      Edit visit waiting > - parked kept
      Edit visit parked > -
      Edit visit kept > -
      Migrate visit - > ready running waiting parked kept
      Migrate visit ready > -
      Migrate visit running > -
      Migrate visit waiting > - parked
      Migrate visit parked > -
      Migrate visit kept > -
      """;

  private TransitionTable() {}
}
