#include "plan/wisdom.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "predict/stored_profile.hpp"

namespace tutti {
namespace {

WisdomEntry entry_of(const std::string& call, const Choice& choice, double seconds) {
  WisdomEntry entry{.call = call,
                    .algorithm = std::string(choice.algorithm->name),
                    .segments = choice.parameters.segments,
                    .grid = {},
                    .seconds = seconds};
  const Shape& grid = choice.parameters.grid;
  for (int k = 0; k < grid.dimensions(); ++k) entry.grid.push_back(grid.extent(k));
  return entry;
}

}  // namespace

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
