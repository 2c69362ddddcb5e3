#include "progress/announcement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "progress/circle.hpp"

namespace tutti::runtime {
namespace {

// The time between two searches for a circle doubles from the one to the other, so that a rank which waits for long,
// and for a good reason, spends little time on them.
constexpr std::chrono::milliseconds shortest(5);
constexpr std::chrono::milliseconds longest(2000);

bool same_parts(const Part& a, const Part& b) {
  return a.deed == b.deed && a.needs == b.needs && a.is_doubtful == b.is_doubtful && a.is_cut == b.is_cut &&
         a.any_suffices == b.any_suffices;
}

bool same_needs(const Need& a, const Need& b) { return a.deed == b.deed && a.rank == b.rank && a.kind == b.kind; }

}  // namespace

bool Announcement::holds(const std::string& text, const Standing& standing, std::uint64_t changes) const {
  return made_ && changes == changes_ && text == text_ && standing.parts == told_.parts &&
         standing.needs == told_.needs && standing.awaited == told_.awaited &&
         std::equal(standing.part.begin(), standing.part.begin() + standing.parts, told_.part.begin(), same_parts) &&
         std::equal(standing.need.begin(), standing.need.begin() + standing.needs, told_.need.begin(), same_needs);
}

void Announcement::make(const std::string& text, const Standing& standing, std::uint64_t changes) {
  withdraw();
  world_.announce(rank_, text, standing);
  made_ = true;
  changes_ = changes;
  text_ = text;
  told_ = standing;
  between_looks_ = shortest;
  next_look_ = clock_.now() + between_looks_;
}

void Announcement::withdraw() {
  if (made_) world_.withdraw(rank_);
  made_ = false;
}

std::string Announcement::look(std::uint64_t moment) {
  world_.note_quiet(rank_, moment);
  if (clock_.now() < next_look_) return {};
  between_looks_ = std::min<Clock::Duration>(2 * between_looks_, longest);
  next_look_ = clock_.now() + between_looks_;
  return circle();
}

std::string Announcement::circle() {
  struct Told {
    Standing standing;
    std::uint64_t stamp = 0;
  };
  std::map<int, Told> told;
  const auto standing_of = [&](int rank) -> const Standing* {
    const auto [found, is_new] = told.try_emplace(rank);
    if (is_new) found->second.stamp = world_.record(rank).standing(found->second.standing);
    return found->second.stamp == 0 ? nullptr : &found->second.standing;
  };
  const Circle circle = circle_of(rank_, standing_of);
  if (circle.involves_it) world_.tell_quiet(rank_);
  if (circle.ranks.empty()) return {};
  std::vector<World::Stand> stands;
  for (const int rank : circle.ranks) stands.push_back({rank, told[rank].stamp});
  const std::string text =
      (circle.ranks.size() == 1 ? "a rank waits for itself, for ever: " : "ranks wait for one another, for ever: ") +
      words_of_circle(circle.ranks, [&](int rank) {
        return fmt::format("rank {} waits for {}", rank, world_.record(rank).waiting());
      });
  // The texts were read before this question, so that they belong to the standings of which it is asked.
  return world_.were_quiet(stands) ? text : std::string();
}

}  // namespace tutti::runtime
