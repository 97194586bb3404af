package dev.waymark.core.expression;

import java.util.List;

/** One sentence and one example for every function, as the page of expressions shows them. */
final class FunctionNotes {

  /** An example is tried by the test, and must come to the result as JSON. */
  record Note(String name, String sentence, String example, String result) {}

  static final List<Note> ALL =
      List.of(
          note(
              "_+_",
              "Adds numbers and durations, moves a time, joins texts or lists.",
              "'a' + 'b'",
              "\"ab\""),
          note("_-_", "Subtracts numbers, times and durations.", "10.10 - 0.10", "10.00"),
          note("_*_", "Multiplies numbers.", "3 * 1.10", "3.30"),
          note("_/_", "Divides exactly, to 34 digits.", "10 / 4", "2.5"),
          note("div", "Divides and leaves the rest, towards zero.", "div(-7, 2)", "-3"),
          note("_%_", "The rest of a division, with the sign of the first number.", "-7 % 4", "-3"),
          note("-_", "The number or duration with the other sign.", "-(2.50)", "-2.50"),
          note("abs", "The number without its sign.", "abs(-2.50)", "2.50"),
          note(
              "round",
              "Rounds half away from zero, to an integer or to so many digits.",
              "round(2.345, 2)",
              "2.35"),
          note("floor", "The next integer below.", "floor(-1.5)", "-2"),
          note("ceil", "The next integer above.", "ceil(1.2)", "2"),
          note("min", "The smallest of two numbers or of a list.", "min([3, 1.5])", "1.5"),
          note("max", "The largest of two numbers or of a list.", "max(1, 2)", "2"),
          note("sum", "The sum of a list of numbers.", "sum([0.1, 0.2])", "0.3"),
          note(
              "_==_",
              "Equal; values of different kinds differ, numbers are equal if they count alike.",
              "1 == 1.0",
              "true"),
          note("_!=_", "Not equal.", "'a' != 'b'", "true"),
          note(
              "_<_",
              "Before: numbers, texts by code points, times, durations, false before true.",
              "1 < 1.5",
              "true"),
          note("_<=_", "Before or equal.", "'a' <= 'a'", "true"),
          note("_>_", "After.", "2 > 1", "true"),
          note("_>=_", "After or equal.", "2 >= 2.0", "true"),
          note(
              "@in",
              "Whether a list has the element, or an object the key.",
              "'a' in {'a': 1}",
              "true"),
          note("!_", "Not.", "!false", "true"),
          note("_[_]", "The element at an index from 0, or the value of a key.", "[1, 2][0]", "1"),
          note("size", "The number of characters, elements or entries.", "size('abc')", "3"),
          note(
              "_&&_",
              "And; a false side wins also if the other one fails.",
              "1 / 0 > 1 && false",
              "false"),
          note(
              "_||_",
              "Or; a true side wins also if the other one fails.",
              "1 / 0 > 1 || true",
              "true"),
          note(
              "_?_:_",
              "The second value if the first is true, else the third.",
              "true ? 'a' : 1",
              "\"a\""),
          note("string", "The value as a text.", "string(2.50)", "\"2.50\""),
          note(
              "int",
              "The integer part of a number, the integer in a text, the seconds of a time since"
                  + " 1970.",
              "int('12')",
              "12"),
          note("double", "The number as a decimal.", "double(5)", "5.0"),
          note("bool", "True or false from a text.", "bool('true')", "true"),
          note("dyn", "The value itself, of which the check assumes nothing.", "dyn(1)", "1"),
          note(
              "contains",
              "Whether the text has the other one in it.",
              "'abc'.contains('b')",
              "true"),
          note("startsWith", "Whether the text starts so.", "'abc'.startsWith('a')", "true"),
          note("endsWith", "Whether the text ends so.", "'abc'.endsWith('c')", "true"),
          note(
              "matches",
              "Whether a part of the text fits the regular expression (RE2).",
              "'a1'.matches('[0-9]')",
              "true"),
          note(
              "indexOf",
              "Where the other text begins, from 0; -1 if it is not there.",
              "'abc'.indexOf('c')",
              "2"),
          note(
              "substring",
              "The characters from one index to before another, or to the end.",
              "'abcd'.substring(1, 3)",
              "\"bc\""),
          note("lowerAscii", "The text with a to z for A to Z.", "'AbÄ'.lowerAscii()", "\"abÄ\""),
          note("upperAscii", "The text with A to Z for a to z.", "'ab'.upperAscii()", "\"AB\""),
          note("trim", "The text without white space around it.", "' a '.trim()", "\"a\""),
          note(
              "replace",
              "The text with every occurrence of one text replaced by another.",
              "'aba'.replace('a', 'x')",
              "\"xbx\""),
          note(
              "split",
              "The pieces between the separators; without one, the characters.",
              "'a,b'.split(',')",
              "[\"a\",\"b\"]"),
          note(
              "join",
              "The texts of a list, with a separator between them.",
              "['a', 'b'].join('-')",
              "\"a-b\""),
          note(
              "timestamp",
              "A time from a text in ISO 8601, or from seconds since 1970.",
              "timestamp('2026-01-01T00:00:00Z')",
              "\"2026-01-01T00:00:00Z\""),
          note("duration", "A duration from 1h30m or PT1H30M.", "duration('90m')", "\"PT1H30M\""),
          part("getFullYear", "The year.", "2026"),
          part("getMonth", "The month, from 0.", "2"),
          part("getDate", "The day of the month, from 1.", "4"),
          part("getDayOfMonth", "The day of the month, from 0.", "3"),
          part("getDayOfWeek", "The day of the week, from 0 for Sunday.", "3"),
          part("getDayOfYear", "The day of the year, from 0.", "62"),
          part("getHours", "The hour; of a duration, all its hours.", "5"),
          part("getMinutes", "The minute; of a duration, all its minutes.", "6"),
          part("getSeconds", "The second; of a duration, all its seconds.", "7"),
          part("getMilliseconds", "The milliseconds of the last second.", "125"));

  private FunctionNotes() {}

  private static Note note(String name, String sentence, String example, String result) {
    return new Note(name, sentence, example, result);
  }

  private static Note part(String name, String sentence, String result) {
    return note(name, sentence, "timestamp('2026-03-04T05:06:07.125Z')." + name + "()", result);
  }
}
