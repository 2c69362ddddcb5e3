#include "plan/wisdom.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/digest.hpp"
#include "plan/choice.hpp"
#include "plan/rules.hpp"
#include "predict/stored_profile.hpp"

namespace tutti {
namespace {

WisdomEntry entry_of(const std::string& call, const Choice& choice, double seconds) {
  WisdomEntry entry{.call = call,
                    .algorithm = std::string(choice.algorithm->name),
                    .segments = choice.parameters.segments,
                    .radix = choice.parameters.radix,
                    .grid = {},
                    .seconds = seconds};
  const Shape& grid = choice.parameters.grid;
  for (int k = 0; k < grid.dimensions(); ++k) entry.grid.push_back(grid.extent(k));
  return entry;
}

/// A call's words begin with its collective's.
std::optional<Collective> collective_of(const std::string& call) {
  for (const Collective collective : all_collectives()) {
    const std::string_view name = name_of(collective);
    if (call.starts_with(name) && call.substr(name.size()).starts_with(' ')) return collective;
  }
  return std::nullopt;
}

/// Nothing for what no catalogue has, and no grid of two dimensions whose places can be counted.
std::optional<KnownWinner> winner_in(const WisdomEntry& entry) {
  const std::optional<Collective> collective = collective_of(entry.call);
  if (!collective) return std::nullopt;
  const std::vector<const Algorithm*> all = algorithms::algorithms_for(*collective);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Algorithm* each) { return each->name == entry.algorithm; });
  const bool is_grid = entry.grid.size() == 2 && entry.grid[0] > 0 && entry.grid[1] > 0 &&
                       entry.grid[0] <= std::numeric_limits<int>::max() / entry.grid[1];
  if (found == all.end() || !(is_grid || entry.grid.empty())) return std::nullopt;
  if (entry.radix == 1 || entry.radix > Rules::most_radix) return std::nullopt;
  Parameters parameters{.segments = entry.segments, .radix = entry.radix, .grid = {}};
  if (is_grid) parameters.grid = Shape({entry.grid[0], entry.grid[1]});
  return KnownWinner{digest_of(entry.call), {**found, parameters}};
}

}  // namespace

const Choice* KnownWinners::find(const std::string& call, const Problem& problem, const Layout& layout) const {
  const std::uint64_t digest = digest_of(call);
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const KnownWinner& known) { return known.call == digest; });
  if (found == list.end()) return nullptr;
  const Shape& grid = found->choice.parameters.grid;
  const std::vector<const Algorithm*> candidates = candidates_for(problem, layout);
  const bool fits = std::find(candidates.begin(), candidates.end(), found->choice.algorithm) != candidates.end();
  return fits && (grid.empty() || grid.size() == problem.ranks) ? &found->choice : nullptr;
}

KnownWinners known_winners() {
  KnownWinners known;
  const std::vector<WisdomEntry> all = recall_all();
  for (auto entry = all.rbegin(); entry != all.rend() && known.list.size() < KnownWinners::most; ++entry) {
    if (const auto winner = winner_in(*entry)) known.list.push_back(*winner);
  }
  return known;
}

std::optional<std::size_t> recall(const std::string& call, const std::vector<Choice>& choices) {
  const std::optional<WisdomEntry> known = recall_entry(call);
  if (!known) return std::nullopt;
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
    return entry_of(call, choice, known->seconds) == *known;
  });
  if (found == choices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - choices.begin());
}

Kept remember(const std::string& call, const Choice& winner, double seconds) {
  Kept kept{own_profile_file(), {}};
  if (kept.file.empty()) return kept;
  try {
    keep_entry(kept.file, entry_of(call, winner, seconds));
  } catch (const Error& error) {
    kept.complaint = error.what();
  }
  return kept;
}

}  // namespace tutti
