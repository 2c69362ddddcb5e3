#include "exercises/knowledge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integers.hpp"
#include "verify/observe.hpp"

namespace tutti::exercises {
namespace {

class KnowledgeObserver final : public proof::Observer {
 public:
  KnowledgeObserver(int ranks, Knowledge& knowledge) : held_(knowledge) {
    const auto p = static_cast<std::size_t>(ranks);
    held_.assign(p, std::vector<std::uint8_t>(p));
    for (std::size_t rank = 0; rank < p; ++rank) held_[rank][rank] = 1;
    coming_.assign(p, std::vector<std::uint8_t>(p));
  }

  void run_begins(const proof::Execution&) override {}

  void message_passes(proof::OpPosition send, proof::OpPosition receive, std::span<const proof::Piece>) override {
    add(coming_[static_cast<std::size_t>(receive.rank)], held_[static_cast<std::size_t>(send.rank)]);
  }

  void step_ends(int rank, std::size_t) override {
    const auto at = static_cast<std::size_t>(rank);
    add(held_[at], coming_[at]);
    std::fill(coming_[at].begin(), coming_[at].end(), std::uint8_t{0});
  }

 private:
  static void add(std::vector<std::uint8_t>& to, const std::vector<std::uint8_t>& what) {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = static_cast<std::uint8_t>(std::min(2, int{to[k]} + int{what[k]}));
  }

  Knowledge& held_;
  std::vector<std::vector<std::uint8_t>> coming_;
};

bool sums(GoalKind kind) { return kind == GoalKind::reduce || kind == GoalKind::all_reduce || kind == GoalKind::scan; }

bool is_for(const ProgramGoal& goal, int rank) {
  const bool has_root = goal.kind == GoalKind::gather || goal.kind == GoalKind::reduce;
  return goal.kind != GoalKind::ends && (!has_root || rank == goal.number);
}

bool needs_part(const ProgramGoal& goal, int rank, int origin, int ranks) {
  switch (goal.kind) {
    case GoalKind::ends:
      return false;
    case GoalKind::broadcast:
      return origin == goal.number;
    case GoalKind::scan:
      return origin <= rank;
    case GoalKind::shift:
      return modulo(origin + goal.number, ranks) == rank;
    default:
      return true;
  }
}

}  // namespace

std::optional<ProofFailure> run_knowledge(const Schedule& schedule, Knowledge& knowledge) {
  KnowledgeObserver observer(schedule.problem.ranks, knowledge);
  return proof::observe(schedule, observer);
}

std::string missed_goal(const ProgramGoal& goal, const Knowledge& knowledge) {
  const auto ranks = static_cast<int>(knowledge.size());
  for (int rank = 0; rank < ranks; ++rank) {
    if (!is_for(goal, rank)) continue;
    for (int origin = 0; origin < ranks; ++origin) {
      const int times = knowledge[static_cast<std::size_t>(rank)][static_cast<std::size_t>(origin)];
      const bool needed = needs_part(goal, rank, origin, ranks);
      if (needed && times == 0) return fmt::format("rank {} never gets what rank {} had", rank, origin);
      if (needed && times > 1 && sums(goal.kind))
        return fmt::format("the sum of rank {} has the part of rank {} more than once", rank, origin);
      if (!needed && times > 0 && goal.kind == GoalKind::scan)
        return fmt::format("the sum of rank {} has the part of rank {}, which comes behind it", rank, origin);
    }
  }
  return {};
}

std::string goal_in_words(const ProgramGoal& goal) {
  switch (goal.kind) {
    case GoalKind::ends:
      return "every rank comes to its end";
    case GoalKind::broadcast:
      return fmt::format("every rank has what rank {} had", goal.number);
    case GoalKind::gather:
      return fmt::format("rank {} has what every rank had", goal.number);
    case GoalKind::all_gather:
      return "every rank has what every rank had";
    case GoalKind::reduce:
      return fmt::format("the sum of rank {} has each rank's part once", goal.number);
    case GoalKind::all_reduce:
      return "the sum of every rank has each rank's part once";
    case GoalKind::scan:
      return "the sum of rank r has the parts of ranks 0 to r once";
    case GoalKind::shift:
      break;
  }
  return fmt::format("rank r has what rank r - {} had, counted round", goal.number);
}

}  // namespace tutti::exercises
