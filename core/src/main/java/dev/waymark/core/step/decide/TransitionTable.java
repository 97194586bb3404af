package dev.waymark.core.step.decide;

/**
 * The moves that there are: command, subject, from, and to what. A dash is what does not exist.
 *
 * <p>Commands that move a token on can open, end, park and keep any other visit on the way; a
 * cancelled run can come from any of them, since undoing goes on by whatever its handlers wait for.
 */
final class TransitionTable {

  static final String TEXT =
      """
      start run - > running suspended completed failed cancelled
      complete run running > suspended completed failed cancelled
      complete run suspended > running completed failed cancelled
      fail run running > suspended completed failed cancelled
      fail run suspended > running completed failed cancelled
      recover run running > suspended completed failed cancelled
      recover run suspended > running completed failed cancelled
      resume run running > suspended completed failed cancelled
      resume run suspended > running completed failed cancelled
      fire run running > suspended completed failed cancelled
      fire run suspended > running completed failed cancelled
      deliver run running > suspended completed failed cancelled
      deliver run suspended > running completed failed cancelled
      park run running > suspended
      cancel run running > suspended cancelled
      cancel run suspended > running cancelled
      suspend run running > suspended
      continue run suspended > running completed failed cancelled
      intervene run suspended > running completed failed cancelled
      edit run running > suspended completed failed cancelled
      edit run suspended > running completed failed cancelled
      migrate run running > suspended completed failed cancelled
      migrate run suspended > running completed failed cancelled

      start visit - > ready running waiting parked kept
      complete visit - > ready running waiting parked kept
      complete visit ready > -
      complete visit running > - ready parked kept
      complete visit waiting > - parked kept
      complete visit parked > -
      complete visit kept > -
      await visit running > ready waiting
      fail visit - > ready running waiting parked kept
      fail visit ready > -
      fail visit running > - ready parked
      fail visit waiting > - parked kept
      fail visit parked > -
      fail visit kept > -
      take visit ready > running
      release visit running > ready
      recover visit - > ready running waiting parked kept
      recover visit ready > -
      recover visit running > - ready parked
      recover visit waiting > - parked kept
      recover visit parked > -
      recover visit kept > -
      resume visit - > ready running waiting parked kept
      resume visit ready > - parked
      resume visit running > - parked
      resume visit waiting > - ready running parked kept
      resume visit parked > -
      resume visit kept > -
      fire visit - > ready running waiting parked kept
      fire visit ready > - parked
      fire visit running > - parked
      fire visit waiting > - ready running parked kept
      fire visit parked > -
      fire visit kept > -
      deliver visit - > ready running waiting parked kept
      deliver visit ready > - parked
      deliver visit running > - parked
      deliver visit waiting > - ready running parked kept
      deliver visit parked > -
      deliver visit kept > -
      park visit ready > parked
      park visit running > parked
      park visit waiting > parked
      cancel visit - > ready running waiting parked
      cancel visit ready > -
      cancel visit running > -
      cancel visit waiting > -
      cancel visit parked > -
      cancel visit kept > -
      continue visit - > ready running waiting parked kept
      continue visit ready > - running waiting parked kept
      continue visit running > -
      continue visit waiting > - parked kept
      continue visit parked > -
      continue visit kept > -
      intervene visit - > ready running waiting parked kept
      intervene visit ready > -
      intervene visit running > -
      intervene visit waiting > - parked kept
      intervene visit parked > - ready running waiting kept
      intervene visit kept > -
      edit visit - > ready running waiting parked kept
      edit visit ready > -
      edit visit running > -
      edit visit waiting > - parked kept
      edit visit parked > -
      edit visit kept > -
      migrate visit - > ready running waiting parked kept
      migrate visit ready > -
      migrate visit running > -
      migrate visit waiting > - parked
      migrate visit parked > -
      migrate visit kept > -
      """;

  private TransitionTable() {}
}
