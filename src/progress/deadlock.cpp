#include "progress/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <span>

namespace tutti::runtime {
namespace {

/// Assumption of the search about a rank that waits, until it finds a reason against it.
struct Suspicion {
  const WaitState* wait_state = nullptr;
  std::array<bool, WaitState::most_operations> never_leaves = {};  // by part
  std::array<bool, WaitState::most_operations> never_moves = {};

  std::uint32_t awaited() const { return std::min(wait_state->awaited, wait_state->operations); }
  bool never_ends() const {
    return std::all_of(never_leaves.begin(), never_leaves.begin() + awaited(), [](bool never) { return never; });
  }
};

std::span<const Dependency> dependencies_of(const WaitState& wait_state, const PendingOperation& operation) {
  return std::span(wait_state.dependency).subspan(operation.first_dependency, operation.dependencies);
}

class CycleSearch {
 public:
  explicit CycleSearch(const std::function<const WaitState*(int)>& wait_state_of) : wait_state_of_(wait_state_of) {}

  WaitCycle from(int rank) {
    gather(rank);
    while (take_out()) continue;
    const auto found = ranks_.find(rank);
    if (found == ranks_.end()) return {};
    const Suspicion& mine = found->second;
    WaitCycle cycle;
    cycle.involves_it = std::find(mine.never_leaves.begin(), mine.never_leaves.end(), true) != mine.never_leaves.end();
    if (mine.never_ends()) {
      start_ = rank;
      follow_wait(rank);
      if (returns_) cycle.ranks = std::move(order_);
    }
    return cycle;
  }

 private:
  /// All ranks that anything of `rank` may depend on, as far as they wait.
  void gather(int rank) {
    std::deque<int> open{rank};
    std::set<int> seen{rank};
    while (!open.empty()) {
      const int next = open.front();
      open.pop_front();
      const WaitState* const wait_state = wait_state_of_(next);
      if (wait_state == nullptr || wait_state->operations == 0) continue;
      Suspicion suspicion{wait_state};
      for (std::uint32_t k = 0; k < wait_state->operations; ++k) {
        const PendingOperation& operation = wait_state->operation[k];
        suspicion.never_moves[k] = !operation.is_doubtful && operation.dependencies > 0 && !operation.is_cut;
        suspicion.never_leaves[k] =
            operation.any_suffices ? suspicion.never_moves[k] : !operation.is_doubtful && operation.dependencies > 0;
        for (const Dependency& dependency : dependencies_of(*wait_state, operation)) {
          if (seen.insert(dependency.rank).second) open.push_back(dependency.rank);
        }
      }
      ranks_.emplace(next, suspicion);
    }
  }

  /// Withdraws each assumption that no other one supports any more. Returns whether it has withdrawn any.
  bool take_out() {
    bool changed = false;
    for (auto& [rank, suspicion] : ranks_) {
      for (std::uint32_t k = 0; k < suspicion.wait_state->operations; ++k) {
        const auto dependencies = dependencies_of(*suspicion.wait_state, suspicion.wait_state->operation[k]);
        const auto is_unmet = [&, who = rank](const Dependency& dependency) { return is_never_met(who, dependency); };
        if (suspicion.never_leaves[k] && std::none_of(dependencies.begin(), dependencies.end(), is_unmet)) {
          suspicion.never_leaves[k] = suspicion.never_moves[k] = false;
          changed = true;
        }
        if (suspicion.never_moves[k] && !std::all_of(dependencies.begin(), dependencies.end(), is_unmet)) {
          suspicion.never_moves[k] = false;
          if (suspicion.wait_state->operation[k].any_suffices) suspicion.never_leaves[k] = false;
          changed = true;
        }
      }
    }
    return changed;
  }

  bool is_never_met(int rank, const Dependency& dependency) const {
    const auto found = ranks_.find(dependency.rank);
    if (found == ranks_.end()) return false;
    const Suspicion& other = found->second;
    const auto k = operation_in(other, dependency.operation);
    if (!k) return other.never_ends();
    if (dependency.kind == Dependency::Kind::begin) return false;  // the other rank has begun
    // A message is on its way between two ranks that each wait for the other's part in one operation.
    const auto dependencies = dependencies_of(*other.wait_state, other.wait_state->operation[*k]);
    if (std::any_of(dependencies.begin(), dependencies.end(),
                    [&](const Dependency& each) { return each.rank == rank; }))
      return false;
    return dependency.kind == Dependency::Kind::message ? other.never_leaves[*k] : other.never_moves[*k];
  }

  static std::optional<std::uint32_t> operation_in(const Suspicion& suspicion, OperationId id) {
    for (std::uint32_t k = 0; k < suspicion.wait_state->operations; ++k) {
      if (suspicion.wait_state->operation[k].id == id) return k;
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
    if (ranks_.at(rank).wait_state->operation[k].any_suffices) return follow_all(rank, k);
    if (!visited_.insert({rank, 2 * k}).second) return;
    note(rank);
    for (const Dependency& dependency :
         dependencies_of(*ranks_.at(rank).wait_state, ranks_.at(rank).wait_state->operation[k])) {
      if (is_never_met(rank, dependency)) return follow_dependency(dependency);
    }
  }

  /// A part that any of its needs would move stays where it is because of all of them.
  void follow_all(int rank, std::uint32_t k) {
    if (!visited_.insert({rank, 2 * k + 1}).second) return;
    note(rank);
    for (const Dependency& dependency :
         dependencies_of(*ranks_.at(rank).wait_state, ranks_.at(rank).wait_state->operation[k]))
      follow_dependency(dependency);
  }

  void follow_dependency(const Dependency& dependency) {
    const auto k = operation_in(ranks_.at(dependency.rank), dependency.operation);
    if (!k) return follow_wait(dependency.rank);
    dependency.kind == Dependency::Kind::message ? follow_step(dependency.rank, *k) : follow_all(dependency.rank, *k);
  }

  void note(int rank) {
    if (std::find(order_.begin(), order_.end(), rank) == order_.end()) order_.push_back(rank);
  }

  const std::function<const WaitState*(int)>& wait_state_of_;
  std::map<int, Suspicion> ranks_;
  std::set<std::pair<int, std::uint32_t>> visited_;
  std::vector<int> order_;
  int start_ = -1;
  bool returns_ = false;  // to the wait of the rank that was asked about
};

}  // namespace

WaitCycle wait_cycle_of(int rank, const std::function<const WaitState*(int)>& wait_state_of) {
  return CycleSearch(wait_state_of).from(rank);
}

std::string describe_wait_cycle(std::span<const int> ranks, const std::function<std::string(int)>& say) {
  constexpr std::size_t most_told = 12;
  std::string text;
  for (const int rank : ranks.first(std::min(ranks.size(), most_told)))
    text += fmt::format("{}{}", text.empty() ? "" : "; ", say(rank));
  if (ranks.size() > most_told) text += fmt::format("; … and so on, {} ranks in all", ranks.size());
  return text;
}

}  // namespace tutti::runtime
