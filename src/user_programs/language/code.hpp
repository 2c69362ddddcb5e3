/// @file
/// A program of values, ready to run: expressions, and instructions with jumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/model/problem.hpp"
#include "user_programs/language/tokens.hpp"

namespace tutti::language {

enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  logical_not,
  equal,
  unequal,
  less,
  at_most,
  more,
  at_least,
  unite,
  bit_or,
  bit_xor,
  bit_and,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  negate,
  square_root,
  logarithm,
  minimum,
  maximum,
  holds,
};

struct Expression {
  enum class Kind : std::uint8_t { number, variable, operation };
  Kind kind = Kind::number;
  TextPosition at;
  std::int64_t number = 0;
  Operator operation = Operator::add;
  int variable = -1;                      ///< index of its name
  std::vector<Expression> operands = {};  ///< subscripts of a variable, two at most
};

Expression number_expression(std::int64_t number, TextPosition at);
Expression operation_expression(Operator operation, TextPosition at, std::vector<Expression> operands);

/// Ranks before a colon: "all", "even", "0,2..4".
struct RankSet {
  enum class Kind : std::uint8_t { listed, even, odd, all };
  Kind kind = Kind::listed;
  std::vector<std::pair<int, int>> ranges = {};  ///< first and last

  bool has(int rank) const;
};

struct Instruction {
  enum class Kind : std::uint8_t {
    assign,       ///< target := value
    jump_unless,  ///< to `jump` where value is 0
    jump_others,  ///< to `jump` for a rank that is not in `ranks`
    jump,
    send,     ///< value (a variable, or its block) to peer
    receive,  ///< target from peer
    wait,
    compute,  ///< value operations
    print,    ///< value
    swap,     ///< target and value
    clear,    ///< target
    bare_send,
    bare_receive,
  };
  Kind kind = Kind::wait;
  TextPosition at;
  bool waits = false;         ///< a message that ends before the next line begins
  bool shows_target = false;  ///< the target is what a loop's line shows of a turn
  bool relative = false;      ///< peer counts from the rank itself on
  std::int64_t bytes = 0;     ///< size of a bare message; 0: as usual
  std::size_t jump = 0;
  Expression target = {};
  Expression value = {};
  Expression peer = {};
  RankSet ranks = {};
  std::string text = {};  ///< its words in the source
};

using InstructionKind = Instruction::Kind;

Instruction assignment_of(Expression target, Expression value);

/// Ranks that a program promises to do what it computes over.
enum class RankNeed : std::uint8_t { any, power_of_two, square };

bool fits(RankNeed need, int ranks);
/// "a power of two of ranks"; empty for any number.
std::string_view in_words(RankNeed need);

/// Promise of a program: a collective, from one variable to another.
struct Computed {
  Collective collective = Collective::broadcast;
  std::optional<Expression> root = {};      ///< otherwise 0, or as the command line says
  std::optional<Expression> distance = {};  ///< only for a shift
  int input = -1;
  int output = -1;
  bool pairs = false;  ///< blocks have two subscripts: origin and destination
};

struct Code {
  TextName name;
  std::string title;  ///< title in its text: "ALL_TO_ALL_BC_RING(my_id, my_msg, p, result)"
  int ranks = 0;      ///< number in its text; 0: none
  int highest = 0;    ///< the highest rank that its text names
  TextPosition highest_at;
  RankNeed need = RankNeed::any;
  std::optional<Computed> computes = {};
  std::vector<std::string> values = {};  ///< inputs by rank
  std::vector<std::string> names;        ///< names of variables
  std::vector<Instruction> instructions;
  std::vector<std::string> lines;  ///< the whole text

  bool has_data() const { return computes.has_value(); }
  /// Index of the name, which is added where it is new.
  int variable(const std::string& word);
};

/// Reads a program. Throws `Error` naming line and column for what cannot be read.
Code code_of(std::string_view text, const std::string& name);

}  // namespace tutti::language
