/// @file
/// The procedures of the sources, line by line, and what each rank does at each line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/own_program.hpp"

namespace tutti::app {

/// What a rank does when it comes to a line.
struct Visit {
  enum class Kind : std::uint8_t { computes, sends, receives, waits };
  int line = 0;  ///< from 1
  Kind kind = Kind::computes;
  int peer = -1;
  int blocks = 0;    ///< how many times m a message has
  std::string what;  ///< "partner 3"; of messages "2 m to 3"
};

/// One rank on its way through the text.
class Walk {
 public:
  Walk(int rank, int ranks, int root) : rank_(rank), ranks_(ranks), root_(root) {}

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int root() const { return root_; }
  /// For 2^d ranks.
  int dimensions() const;

  void at(int line, std::string what) { visits_.push_back({.line = line, .what = std::move(what)}); }
  void send(int line, int to, int blocks = 1);
  void receive(int line, int from);
  void wait(int line) { visits_.push_back({.line = line, .kind = Visit::Kind::waits, .what = "waits"}); }

  const std::vector<Visit>& visits() const { return visits_; }

 private:
  int rank_;
  int ranks_;
  int root_;
  std::vector<Visit> visits_;
};

struct Procedure {
  std::string_view name;       ///< "procedure-5"
  std::string_view title;      ///< as its text begins
  Collective collective;       ///< which it is
  std::string_view algorithm;  ///< of the catalogue: it sends the same messages, less those that nobody needs
  std::string_view needs;      ///< a sentence's end: "a power of two of ranks"; empty: any number
  bool (*fits)(int ranks);
  bool asynchronous = false;  ///< its messages end where it waits; otherwise before the next line begins
  std::vector<std::string_view> lines;
  void (*run)(Walk& me);
};

/// All of them, in the order of their numbers.
std::span<const Procedure> procedures();
/// The one of that name; null where there is none.
const Procedure* procedure_named(std::string_view name);

/// Each rank on its way through it. Throws `Error` for a number of ranks that it is not for, or a root that is none of
/// them.
std::vector<Walk> walks_of(const Procedure& procedure, int ranks, int root);

/// As a program: messages end where the text has it. A block has `bytes`.
OwnProgram program_of_procedure(const Procedure& procedure, int ranks, int root, std::int64_t bytes);

/// What `explain` says of it: its lines, and beside each what the ranks do there, turn by turn.
Outcome explain_procedure(const Procedure& procedure, const Request& request);
/// A row for each.
Outcome explain_procedures(bool json);

/// Over how many ranks it is shown where nobody says it.
int usual_ranks(const Procedure& procedure);

}  // namespace tutti::app
