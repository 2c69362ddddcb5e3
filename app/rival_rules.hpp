/// @file
/// Which algorithms other libraries take where nobody tells them to take others.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "app/counterparts.hpp"
#include "schedule/problem.hpp"

namespace tutti::app {

/// Calls below that many bytes take that algorithm, by the library's name.
struct RivalStep {
  std::int64_t below = 0;  ///< 0: there is no such step
  std::string_view algorithm = {};
};

inline constexpr int any_ranks = std::numeric_limits<int>::max();
inline constexpr std::int64_t any_bytes = std::numeric_limits<std::int64_t>::max();

/// What a row of rules needs of a call beside its collective.
enum class RivalNeed : std::uint8_t {
  nothing,
  power_of_two,  ///< of ranks
  few_elements,  ///< fewer than the largest power of two of ranks
};

/// The calls of a collective over fewer than so many ranks.
struct RivalRow {
  Collective collective = Collective::barrier;
  int below_ranks = any_ranks;
  std::array<RivalStep, 11> steps = {};
  RivalNeed need = RivalNeed::nothing;
};

/// The rows of each library.
std::span<const RivalRow> openmpi_rows();
std::span<const RivalRow> mpich_rows();

/// For which problems a function of a library runs another algorithm than its name says.
enum class When : std::uint8_t {
  all,
  odd_ranks,
  no_power_of_two,  ///< of ranks
  few_elements,     ///< fewer than the largest power of two of ranks
  fewer_elements_than_ranks,
};

/// The algorithm that a library's function runs for such problems. Counterparts, by which the library's own files are
/// written, go by names alone.
struct Substitution {
  Collective collective = Collective::barrier;
  std::string_view function = {};   ///< by the library's name
  std::string_view algorithm = {};  ///< tutti's name; empty: it has none
  When when = When::all;
};

/// The rules of a library: the first row that fits a call, and in it the first step.
struct RivalRules {
  std::string_view library;
  std::string_view source;
  std::span<const RivalRow> rows;
  std::span<const Counterpart> counterparts;
  std::span<const Substitution> substitutions;  ///< the first that fits goes before counterparts
  bool counts_all_blocks = false;               ///< bytes of blocks are those of all together, but for an all-to-all
};

/// Open MPI 4.1 and MPICH 4.0, for commutative operators of theirs and ranks that share no node by their knowledge.
std::span<const RivalRules> rival_rules();

/// What the library takes for the problem, whose elements have so many bytes; empty where its rules say nothing.
std::string_view taken_by(const RivalRules& rules, const Problem& problem, std::int64_t element_size);

/// The same as an algorithm of tutti's; null where there is no equal.
const Algorithm* equal_of(const RivalRules& rules, const Problem& problem, std::string_view taken);

}  // namespace tutti::app
