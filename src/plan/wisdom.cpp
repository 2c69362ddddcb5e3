#include "plan/wisdom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/digest.hpp"
#include "base/text/one_line.hpp"
#include "plan/choice.hpp"
#include "plan/explanation.hpp"
#include "plan/rules.hpp"
#include "predict/profile/stored_profile.hpp"

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

/// The latest winners, as many as ranks tell one another, each with what was kept of it.
std::vector<std::pair<WisdomEntry, KnownWinner>> latest_winners() {
  std::vector<std::pair<WisdomEntry, KnownWinner>> latest;
  const std::vector<WisdomEntry> all = recall_all();
  for (auto entry = all.rbegin(); entry != all.rend() && latest.size() < KnownWinners::most; ++entry) {
    if (auto winner = winner_in(*entry)) latest.emplace_back(*entry, std::move(*winner));
  }
  return latest;
}

bool fits(const Choice& choice, const Problem& problem, const Layout& layout) {
  const std::vector<const Algorithm*> candidates = candidates_for(problem, layout);
  const Shape& grid = choice.parameters.grid;
  return std::find(candidates.begin(), candidates.end(), choice.algorithm) != candidates.end() &&
         (grid.empty() || grid.size() == problem.ranks);
}

/// Words of a call before its elements, and after them.
struct AroundElements {
  std::string before;
  std::string after;
};

AroundElements around_elements(const TriedCall& call) {
  const std::string asked = call.parameters == Parameters() ? "" : ", " + describe(call.parameters);
  // A profile keeps UTF-8 alone.
  return {one_line(call_in_words(call.problem, call.element_size)), one_line(fmt::format("{}; {}", asked, call.place))};
}

/// The elements that the words of a call name between the two; nothing where they are of another call. Words that name
/// more than a type and an operator are of a call that asks for parameters.
std::optional<std::string> elements_in(std::string_view words, const AroundElements& around, std::int64_t most_names) {
  if (words.size() < around.before.size() + around.after.size()) return std::nullopt;
  if (!words.starts_with(around.before) || !words.ends_with(around.after)) return std::nullopt;
  words.remove_prefix(around.before.size());
  words.remove_suffix(around.after.size());
  constexpr std::string_view comma = ", ";
  if (words.empty()) return std::string();
  if (!words.starts_with(comma)) return std::nullopt;
  words.remove_prefix(comma.size());
  const std::int64_t names = 1 + std::count(words.begin(), words.end(), ',');
  return names <= most_names ? std::optional(std::string(words)) : std::nullopt;
}

}  // namespace

std::string elements_in_words(Collective collective, std::string_view type, std::string_view op) {
  std::string words(type);
  if (reduces(collective)) words += fmt::format("{}{}", words.empty() ? "" : ", ", op);
  return words;
}

std::string words_of(const TriedCall& call, std::string_view elements) {
  const AroundElements around = around_elements(call);
  // An operator's name may have been cut short within a letter.
  return fmt::format("{}{}{}{}", around.before, elements.empty() ? "" : ", ", one_line(elements), around.after);
}

std::vector<KeptWinner> kept_winners(const TriedCall& call, const Layout& layout) {
  const std::int64_t bytes = call.problem.count * call.element_size;
  std::vector<AroundElements> around;
  // Unchanged MPI programs move data in elements of 64 bytes; those of structures may have any size.
  constexpr std::int64_t most_element_bytes = 64;
  for (std::int64_t size = 1; size <= most_element_bytes; ++size) {
    if (bytes % size != 0) continue;
    TriedCall other = call;
    other.element_size = size;
    other.problem.count = bytes / size;
    around.push_back(around_elements(other));
  }
  const std::int64_t most_names = reduces(call.problem.collective) ? 2 : 1;
  std::vector<KeptWinner> kept;
  for (const auto& [entry, winner] : latest_winners()) {
    for (const AroundElements& each : around) {
      const auto elements = elements_in(entry.call, each, most_names);
      if (!elements || !fits(winner.choice, call.problem, layout)) continue;
      const bool is_new = std::none_of(kept.begin(), kept.end(),
                                       [&](const KeptWinner& before) { return before.elements == *elements; });
      if (is_new) kept.push_back({*elements, winner.choice, entry.seconds});
    }
  }
  return kept;
}

const Choice* KnownWinners::find(const std::string& call, const Problem& problem, const Layout& layout) const {
  const std::uint64_t digest = digest_of(call);
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const KnownWinner& known) { return known.call == digest; });
  if (found == list.end()) return nullptr;
  return fits(found->choice, problem, layout) ? &found->choice : nullptr;
}

KnownWinners known_winners() {
  KnownWinners known;
  for (auto& [entry, winner] : latest_winners()) known.list.push_back(std::move(winner));
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

KeptWisdom remember(const std::string& call, const Choice& winner, double seconds) {
  KeptWisdom kept{own_profile_file(), {}};
  if (kept.file.empty()) return kept;
  try {
    keep_entry(kept.file, entry_of(call, winner, seconds));
  } catch (const Error& error) {
    kept.complaint = error.what();
  }
  return kept;
}

}  // namespace tutti
