#include "progress/circle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <span>

namespace tutti::runtime {
namespace {

/// What the search assumes of a rank that waits, until it finds a reason against it.
struct Suspicion {
  const Standing* standing = nullptr;
  std::array<bool, Standing::most_parts> never_leaves = {};  // by part
  std::array<bool, Standing::most_parts> never_moves = {};

  std::uint32_t awaited() const { return std::min(standing->awaited, standing->parts); }
  bool never_ends() const {
    return std::all_of(never_leaves.begin(), never_leaves.begin() + awaited(), [](bool never) { return never; });
  }
};

std::span<const Need> needs_of(const Standing& standing, const Part& part) {
  return std::span(standing.need).subspan(part.first_need, part.needs);
}

class Search {
 public:
  explicit Search(const std::function<const Standing*(int)>& standing_of) : standing_of_(standing_of) {}

  Circle from(int rank) {
    gather(rank);
    while (take_out()) continue;
    const auto found = ranks_.find(rank);
    if (found == ranks_.end()) return {};
    const Suspicion& mine = found->second;
    Circle circle;
    circle.involves_it = std::find(mine.never_leaves.begin(), mine.never_leaves.end(), true) != mine.never_leaves.end();
    if (mine.never_ends()) {
      start_ = rank;
      follow_wait(rank);
      if (returns_) circle.ranks = std::move(order_);
    }
    return circle;
  }

 private:
  /// All ranks that anything of `rank` may depend on, as far as they wait.
  void gather(int rank) {
    std::deque<int> open{rank};
    std::set<int> seen{rank};
    while (!open.empty()) {
      const int next = open.front();
      open.pop_front();
      const Standing* const standing = standing_of_(next);
      if (standing == nullptr || standing->parts == 0) continue;
      Suspicion suspicion{standing};
      for (std::uint32_t k = 0; k < standing->parts; ++k) {
        const Part& part = standing->part[k];
        suspicion.never_moves[k] = !part.is_doubtful && part.needs > 0 && !part.is_cut;
        suspicion.never_leaves[k] = part.any_suffices ? suspicion.never_moves[k] : !part.is_doubtful && part.needs > 0;
        for (const Need& need : needs_of(*standing, part)) {
          if (seen.insert(need.rank).second) open.push_back(need.rank);
        }
      }
      ranks_.emplace(next, suspicion);
    }
  }

  /// Withdraws each assumption that no other one supports any more. Returns whether it has withdrawn any.
  bool take_out() {
    bool changed = false;
    for (auto& [rank, suspicion] : ranks_) {
      for (std::uint32_t k = 0; k < suspicion.standing->parts; ++k) {
        const auto needs = needs_of(*suspicion.standing, suspicion.standing->part[k]);
        const auto is_unmet = [&, who = rank](const Need& need) { return is_never_met(who, need); };
        if (suspicion.never_leaves[k] && std::none_of(needs.begin(), needs.end(), is_unmet)) {
          suspicion.never_leaves[k] = suspicion.never_moves[k] = false;
          changed = true;
        }
        if (suspicion.never_moves[k] && !std::all_of(needs.begin(), needs.end(), is_unmet)) {
          suspicion.never_moves[k] = false;
          if (suspicion.standing->part[k].any_suffices) suspicion.never_leaves[k] = false;
          changed = true;
        }
      }
    }
    return changed;
  }

  bool is_never_met(int rank, const Need& need) const {
    const auto found = ranks_.find(need.rank);
    if (found == ranks_.end()) return false;
    const Suspicion& other = found->second;
    const auto k = part_in(other, need.deed);
    if (!k) return other.never_ends();
    if (need.kind == Need::Kind::begin) return false;  // the other rank has begun
    // Where each of two ranks waits for the other's part in one deed, a message is on its way between them.
    const auto needs = needs_of(*other.standing, other.standing->part[*k]);
    if (std::any_of(needs.begin(), needs.end(), [&](const Need& each) { return each.rank == rank; })) return false;
    return need.kind == Need::Kind::message ? other.never_leaves[*k] : other.never_moves[*k];
  }

  static std::optional<std::uint32_t> part_in(const Suspicion& suspicion, Deed deed) {
    for (std::uint32_t k = 0; k < suspicion.standing->parts; ++k) {
      if (suspicion.standing->part[k].deed == deed) return k;
    }
    return std::nullopt;
  }

  // ---- Why one rank waits: which ranks, and in which order

  void follow_wait(int rank) {
    if (rank == start_ && !order_.empty()) returns_ = true;
    for (std::uint32_t k = 0; k < ranks_.at(rank).awaited(); ++k) follow_step(rank, k);
  }

  /// A part that needs all of its needs stays where it is because of the first that is never met.
  void follow_step(int rank, std::uint32_t k) {
    if (ranks_.at(rank).standing->part[k].any_suffices) return follow_all(rank, k);
    if (!visited_.insert({rank, 2 * k}).second) return;
    note(rank);
    for (const Need& need : needs_of(*ranks_.at(rank).standing, ranks_.at(rank).standing->part[k])) {
      if (is_never_met(rank, need)) return follow_need(need);
    }
  }

  /// A part that any of its needs would move stays where it is because of all of them.
  void follow_all(int rank, std::uint32_t k) {
    if (!visited_.insert({rank, 2 * k + 1}).second) return;
    note(rank);
    for (const Need& need : needs_of(*ranks_.at(rank).standing, ranks_.at(rank).standing->part[k])) follow_need(need);
  }

  void follow_need(const Need& need) {
    const auto k = part_in(ranks_.at(need.rank), need.deed);
    if (!k) return follow_wait(need.rank);
    need.kind == Need::Kind::message ? follow_step(need.rank, *k) : follow_all(need.rank, *k);
  }

  void note(int rank) {
    if (std::find(order_.begin(), order_.end(), rank) == order_.end()) order_.push_back(rank);
  }

  const std::function<const Standing*(int)>& standing_of_;
  std::map<int, Suspicion> ranks_;
  std::set<std::pair<int, std::uint32_t>> visited_;
  std::vector<int> order_;
  int start_ = -1;
  bool returns_ = false;  // to the wait of the rank that was asked about
};

}  // namespace

Circle circle_of(int rank, const std::function<const Standing*(int)>& standing_of) {
  return Search(standing_of).from(rank);
}

std::string words_of_circle(std::span<const int> ranks, const std::function<std::string(int)>& say) {
  constexpr std::size_t most_told = 12;
  std::string text;
  for (const int rank : ranks.first(std::min(ranks.size(), most_told)))
    text += fmt::format("{}{}", text.empty() ? "" : "; ", say(rank));
  if (ranks.size() > most_told) text += fmt::format("; … and so on, {} ranks in all", ranks.size());
  return text;
}

}  // namespace tutti::runtime
