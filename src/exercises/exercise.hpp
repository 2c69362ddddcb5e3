/// @file
/// Exercise of the course as data: a question, how its answer is checked, and answers that are typically wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/problem.hpp"

namespace tutti::exercises {

enum class ExerciseKind : std::uint8_t {
  number,   ///< a number, to so many digits, or with a unit
  formula,  ///< a formula of given symbols
  choice,   ///< the letters of the statements that hold
  program,  ///< a program of sends, receives and waits that reaches a goal, completed from a beginning
  mend,     ///< a program that is wrong and has to be mended
  time,     ///< a program, or an algorithm of the catalogue, that takes no longer than a given time
};

/// "number", "formula", …
std::string_view name_of(ExerciseKind kind);

/// One of the statements of a choice.
struct ChoiceOption {
  std::string text;
  std::string why;  ///< a sentence on why it holds, or why not
  bool holds = false;
};

/// Knowledge that ranks are to have after a program. A message carries all that its sender has by then; sums are added up.
enum class GoalKind : std::uint8_t {
  ends,        ///< every rank comes to its end
  broadcast,   ///< every rank has what the root had
  gather,      ///< the root has what every rank had
  all_gather,  ///< every rank has what every rank had
  reduce,      ///< the root's sum has each rank's part once
  all_reduce,  ///< every rank's sum has each rank's part once
  scan,        ///< rank r's sum has the parts of ranks 0 to r once, and no others
  shift,       ///< rank r has what rank r - q had
};

struct ProgramGoal {
  GoalKind kind = GoalKind::ends;
  int number = 0;  ///< the root, or a shift's distance
};

/// Machine and network of an exercise with a time, by the words of the command line.
struct ExerciseMachine {
  std::string topology;  ///< empty: fully connected
  std::string switching = "alpha-beta";
  double ts = 1e-6;
  double tw = 1e-9;
  double th = 0;
};

/// A wrong answer, and what is said of it.
struct TypicalMistake {
  std::string answer;
  std::string sentence;  ///< for programs words that the checker's sentence has
};

struct Exercise {
  std::string number;  ///< "4.3": chapter and place in it
  ExerciseKind kind = ExerciseKind::number;
  std::string title;
  std::string source;  ///< the source's title and place; empty: the course's own
  std::string text;    ///< the question, paragraphs with an empty line between them
  std::string answer;  ///< a right answer
  std::string solution;
  std::vector<TypicalMistake> mistakes;
  std::string unit;                   ///< unit of a number: "s", "B", or any other word
  int digits = 0;                     ///< significant digits of a number; 0: all
  std::vector<std::string> symbols;   ///< symbols of a formula: "p", "p=2^", "p=square", "q<p", "ts", …
  std::vector<ChoiceOption> options;  ///< statements of a choice: a, b, c, …
  std::string program;                ///< the program that is to be completed or mended
  int ranks = 0;
  ProgramGoal goal = {};
  std::int64_t bytes = 1024;                  ///< size of messages that name none, or of an algorithm's problem
  std::optional<Collective> collective = {};  ///< if the answer is an algorithm: its collective
  std::optional<double> within = {};          ///< seconds that the answer may take
  /// Peers to which the messages of a program go, step by step and the last ones for all steps after: "+1 or -1",
  /// "xor 1". Empty: any.
  std::vector<std::string> peers = {};
  ExerciseMachine machine = {};
};

/// Letter of a choice's statement: a, b, c, …
inline char letter_of(std::size_t option) { return static_cast<char>('a' + option); }

struct Chapter {
  int number = 0;
  std::string title;
  std::vector<Exercise> exercises;
};

/// Outcome of a check of an answer.
struct AnswerCheck {
  bool is_right = false;
  std::string sentence;  ///< on what is wrong, or how well a right answer does
};

}  // namespace tutti::exercises
