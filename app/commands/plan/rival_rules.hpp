/// @file
/// Decision rules of other libraries: algorithms that they take by default, and their names for tutti's algorithms.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/algorithm.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::app {

inline constexpr int any_ranks = std::numeric_limits<int>::max();
inline constexpr std::int64_t any_bytes = std::numeric_limits<std::int64_t>::max();

/// Problems that a line of the rules is about.
enum class RivalCondition : std::uint8_t {
  always,
  power_of_two,               ///< the number of ranks is one
  no_power_of_two,            ///< the number of ranks is none
  odd_ranks,                  ///< the number of ranks is odd
  few_elements,               ///< fewer than the largest power of two of ranks
  fewer_elements_than_ranks,  ///< fewer than there are ranks
  built_in_operator,  ///< MPI's own operators, with at least as many elements as that power of two; rules assume it
};

/// Calls below that many bytes take that algorithm, by the library's name.
struct RivalStep {
  std::int64_t below = 0;
  std::string_view algorithm = {};
};

/// Calls of a collective over fewer than so many ranks.
struct RivalRow {
  Collective collective = Collective::barrier;
  int below_ranks = any_ranks;
  RivalCondition condition = RivalCondition::always;
  std::vector<RivalStep> steps = {};
};

/// Algorithm that a library's function runs whatever its name says. Counterparts, by which the library's own files are
/// written, go by names alone.
struct Substitution {
  Collective collective = Collective::barrier;
  std::string_view function = {};   ///< by the library's name
  std::string_view algorithm = {};  ///< tutti's name; empty: it has none
  RivalCondition condition = RivalCondition::always;
};

/// Algorithm of another library with an equal schedule.
struct Counterpart {
  Collective collective = Collective::broadcast;
  std::string_view algorithm = {};  ///< tutti's name
  std::string_view name = {};       ///< the library's name of the algorithm
  std::string_view call = {};       ///< the library's name of the collective
  int number = 0;                   ///< Open MPI: of the collective, in a file of rules
  int choice = 0;                   ///< Open MPI: of the algorithm
  RivalCondition condition = RivalCondition::always;
};

/// Rules of a library, read from its file in bench/rivals/rules: the first row that fits a call counts, and in it the
/// first step.
struct RivalRules {
  std::string_view library;
  std::string_view source;
  bool counts_all_blocks = false;  ///< bytes of blocks are those of all together, but for an all-to-all
  std::vector<RivalRow> rows = {};
  std::vector<Substitution> substitutions = {};  ///< the first that fits goes before counterparts
  std::vector<Counterpart> counterparts = {};
};

/// Reads rules of the form of bench/rivals/rules. Views of the result are into the text. Throws `Error` naming the
/// first line that is wrong.
RivalRules read_rival_rules(std::string_view text);

/// Rules of Open MPI 4.1 and of MPICH 4.0, in that order.
std::span<const RivalRules> rival_rules();
std::span<const Counterpart> openmpi_counterparts();
std::span<const Counterpart> mpich_counterparts();

/// Returns the first counterpart that does what the algorithm does over so many ranks; null where there is none.
const Counterpart* counterpart_of(std::span<const Counterpart> counterparts, const Algorithm& algorithm, int ranks);

/// Returns the library's algorithm for the problem, whose elements have so many bytes; empty if its rules say nothing.
std::string_view taken_by(const RivalRules& rules, const Problem& problem, std::int64_t element_size);

/// Returns the library's algorithm for the problem as one of tutti's; null if there is no equal.
const Algorithm* equal_of(const RivalRules& rules, const Problem& problem, std::string_view taken);

}  // namespace tutti::app
