#include "schedule/model/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 62;

struct Traits {
  Collective collective;
  std::string_view name;
  bool rooted;
  bool reducing;
  bool blocks;
  std::optional<Collective> dual = {};
};

constexpr std::array traits{
    Traits{Collective::broadcast, "broadcast", true, false, false, Collective::reduce},
    Traits{Collective::reduce, "reduce", true, true, false, Collective::broadcast},
    Traits{Collective::all_reduce, "all-reduce", false, true, false},
    Traits{Collective::scan, "scan", false, true, false},
    Traits{Collective::exclusive_scan, "exclusive-scan", false, true, false},
    Traits{Collective::scatter, "scatter", true, false, true, Collective::gather},
    Traits{Collective::gather, "gather", true, false, true, Collective::scatter},
    Traits{Collective::all_gather, "all-gather", false, false, true, Collective::reduce_scatter},
    Traits{Collective::reduce_scatter, "reduce-scatter", false, true, true, Collective::all_gather},
    Traits{Collective::all_to_all, "all-to-all", false, false, true},
    Traits{Collective::shift, "shift", false, false, true},
    Traits{Collective::barrier, "barrier", false, false, false},
};

constexpr auto listed = [] {
  std::array<Collective, traits.size()> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = traits[k].collective;
  return all;
}();

const Traits& traits_of(Collective collective) { return traits[static_cast<std::size_t>(collective)]; }

// The number of entries that `counts` has where it is given.
std::size_t counts_needed(const Problem& problem) {
  const auto p = static_cast<std::size_t>(problem.ranks);
  if (problem.collective != Collective::all_to_all) return p;
  return problem.known_to < 0 ? p * p : 2 * p;
}

void check_counts(const Problem& problem) {
  require(problem.count >= 0, "a count is at least 0, not {}", problem.count);
  require(problem.count == 0 || largest_count(problem) > 0,
          "{} over {} can move more than 2^62 elements in all; take fewer ranks", name_of(problem.collective),
          counted(problem.ranks, "rank"));
  require(problem.count <= largest_count(problem),
          "{} of {} over {} can move more than 2^62 elements in all; take at most {} elements",
          name_of(problem.collective), amount_of(problem.count, Unit::elements), counted(problem.ranks, "rank"),
          largest_count(problem));
  require(problem.extra >= 0 && problem.extra < problem.ranks, "of {} blocks, {} cannot be larger", problem.ranks,
          problem.extra);
  require(problem.extra == 0 || (has_blocks(problem.collective) && problem.collective != Collective::all_to_all),
          "{} has no blocks of which some could be larger", name_of(problem.collective));
  const bool may_differ = problem.collective == Collective::all_to_all || problem.collective == Collective::gather ||
                          problem.collective == Collective::scatter;
  require(problem.known_to < 0 || (may_differ && problem.known_to < problem.ranks),
          "the counts of {} over {} ranks are not those of rank {} alone", name_of(problem.collective), problem.ranks,
          problem.known_to);
  if (problem.counts.empty()) return;
  require(has_blocks(problem.collective), "{} takes one count for all ranks, not per-rank counts",
          name_of(problem.collective));
  require(problem.counts.size() == counts_needed(problem), "{} over {} needs {}, not {}", name_of(problem.collective),
          counted(problem.ranks, "rank"), counted(static_cast<std::int64_t>(counts_needed(problem)), "per-rank count"),
          problem.counts.size());
  std::int64_t left = largest_size / problem.ranks;
  for (const std::int64_t count : problem.counts) {
    require(count >= 0, "a per-rank count is at least 0, not {}", count);
    require(count <= left, "the per-rank counts over {} ranks can move more than 2^62 elements in all", problem.ranks);
    left -= count;
  }
}

// "3,0,5"; of many counts only the first.
std::string counts_in_words(std::span<const std::int64_t> counts) {
  constexpr std::size_t most = 16;
  const std::string first = fmt::format("{}", fmt::join(counts.first(std::min(most, counts.size())), ","));
  return counts.size() <= most ? first : fmt::format("{},… ({} in all)", first, counts.size());
}

}  // namespace

std::span<const Collective> all_collectives() { return listed; }

std::string_view name_of(Collective collective) { return traits_of(collective).name; }

std::optional<Collective> collective_named(std::string_view name) {
  const auto* found = std::find_if(traits.begin(), traits.end(), [&](const Traits& t) { return t.name == name; });
  if (found == traits.end()) return std::nullopt;
  return found->collective;
}

bool has_root(Collective collective) { return traits_of(collective).rooted; }
bool reduces(Collective collective) { return traits_of(collective).reducing; }
std::optional<Collective> dual_of(Collective collective) { return traits_of(collective).dual; }
bool has_blocks(Collective collective) { return traits_of(collective).blocks; }
bool allows_in_place(Collective collective) { return reduces(collective) && !has_blocks(collective); }

std::int64_t Problem::block_count(int rank) const {
  return counts.empty() ? count + (rank < extra ? 1 : 0) : counts[static_cast<std::size_t>(rank)];
}

std::int64_t Problem::pair_count(int origin, int destination) const {
  if (counts.empty()) return count;
  if (known_to >= 0) {
    require(origin == known_to || destination == known_to, "rank {} does not know what rank {} sends to rank {}",
            known_to, origin, destination);
    return counts[static_cast<std::size_t>(origin == known_to ? destination : ranks + origin)];
  }
  return counts[static_cast<std::size_t>(origin) * static_cast<std::size_t>(ranks) +
                static_cast<std::size_t>(destination)];
}

// Returns a count with which no algorithm's traffic overflows: every rank, for all-to-all every pair of ranks, has a
// block, and no block crosses as many links as there are ranks.
std::int64_t largest_count(const Problem& problem) {
  const std::int64_t each = largest_size / problem.ranks / problem.ranks;
  return problem.collective == Collective::all_to_all ? each / problem.ranks : each;
}

bool has_equal_blocks(const Problem& problem) {
  if (!problem.counts.empty() || problem.extra > 0) return false;
  return has_blocks(problem.collective) || problem.count % problem.ranks == 0;
}

void check(const Problem& problem) {
  const std::string_view name = name_of(problem.collective);
  require(problem.ranks >= 1, "{} needs at least one rank, not {}", name, problem.ranks);
  require(!has_root(problem.collective) || (problem.root >= 0 && problem.root < problem.ranks),
          "the root {} is not one of the ranks 0 to {}", problem.root, problem.ranks - 1);
  require(!problem.in_place || allows_in_place(problem.collective),
          "{} cannot run in place: its input and output differ in shape", name);
  check_counts(problem);
}

Problem without_counts(const Problem& problem) {
  // All members by name, so that a new one does not compile until it is copied, too.
  const auto& [collective, ranks, count, root, distance, counts, extra, commutative, in_place, known_to] = problem;
  static_cast<void>(counts);
  static_cast<void>(known_to);
  return {collective, ranks, count, root, distance, {}, extra, commutative, in_place};
}

std::string describe(const Problem& problem, Unit unit) {
  std::string text(name_of(problem.collective));
  if (problem.collective != Collective::barrier) {
    text += problem.counts.empty() ? " of " + amount_of(problem.count, unit)
                                   : " of counts " + counts_in_words(problem.counts);
  }
  if (problem.extra > 0)
    text += fmt::format(", the first {} of {}", counted(problem.extra, "block"), problem.count + 1);
  text += " over " + counted(problem.ranks, "rank");
  if (has_root(problem.collective)) text += fmt::format(", root {}", problem.root);
  if (problem.collective == Collective::shift) text += fmt::format(", distance {}", problem.distance);
  if (reduces(problem.collective) && !problem.commutative) text += ", operator not commutative";
  if (problem.in_place) text += ", in place";
  return text;
}

}  // namespace tutti
