#include "verify/postcondition.hpp"

#include <fmt/format.h>

#include "base/integers.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {
namespace {

using Kind = ProofFailure::Kind;

/// Tells what is due, without parts that have no elements, until who sees it has seen enough.
class Teller {
 public:
  explicit Teller(const SeeDue& see) : see_(see) {}

  bool goes_on() const { return goes_on_; }
  void tell(int rank, const Due& due) {
    if (goes_on_ && due.count > 0) goes_on_ = see_(rank, due);
  }

 private:
  const SeeDue& see_;
  bool goes_on_ = true;
};

RankRange only(int rank) { return {rank, rank + 1}; }

// In place, a reduction leaves the data of the other ranks as it was.
void reduce_dues(const Problem& problem, Teller& teller) {
  for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank) {
    if (rank == problem.root) {
      teller.tell(rank, {0, problem.count, {0, problem.ranks}, 0});
    } else if (problem.in_place) {
      teller.tell(rank, {0, problem.count, only(rank), 0});
    }
  }
}

// The block of every rank, one after the other, at `rank`.
void gathered_dues(const Problem& problem, int rank, Teller& teller) {
  const Blocks blocks = output_blocks(problem, rank);
  if (blocks.total() == 0) return;
  for (int origin = 0; origin < problem.ranks && teller.goes_on(); ++origin) {
    teller.tell(rank, {blocks.first(origin), blocks.count(origin), only(origin), 0});
  }
}

// Each rank's own block of an input that holds one block a rank: the root's for scatter, everyone's for reduce-scatter.
void scattered_dues(const Problem& problem, RankRange contributors, Teller& teller) {
  const Blocks blocks = input_blocks(problem, contributors.first);
  for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank)
    teller.tell(rank, {0, blocks.count(rank), contributors, blocks.first(rank)});
}

void all_to_all_dues(const Problem& problem, Teller& teller) {
  std::vector<Blocks> inputs;
  for (int origin = 0; origin < problem.ranks; ++origin) inputs.push_back(input_blocks(problem, origin));
  for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank) {
    const Blocks outputs = output_blocks(problem, rank);
    if (outputs.total() == 0) continue;
    for (int origin = 0; origin < problem.ranks && teller.goes_on(); ++origin) {
      const std::int64_t offset = inputs[static_cast<std::size_t>(origin)].first(rank);
      teller.tell(rank, {outputs.first(origin), outputs.count(origin), only(origin), offset});
    }
  }
}

void shift_dues(const Problem& problem, Teller& teller) {
  for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank) {
    const auto origin = static_cast<int>(modulo<std::int64_t>(std::int64_t{rank} - problem.distance, problem.ranks));
    teller.tell(rank, {0, problem.block_count(origin), only(origin), 0});
  }
}

// Compares one rank's output with what is due to it.
std::optional<ProofFailure> check_due(const Execution& execution, const Expressions& expressions, int rank,
                                      const Due& due) {
  std::optional<ProofFailure> failure;
  const auto wrong = [&](std::int64_t first, std::int64_t count, std::string reason) {
    if (failure) return;
    const Slice slice{Buffer::output, first, count};
    failure =
        ProofFailure{.kind = Kind::wrong_result, .rank = rank, .slice = text_of(slice), .reason = std::move(reason)};
  };
  execution.memory(rank).visit({Buffer::output, due.first, due.count}, [&](std::int64_t first, std::int64_t count,
                                                                           const Value* value) {
    const std::int64_t offset = due.offset + first - due.first;
    if (value == nullptr) {
      wrong(first, count, "nothing is ever written here");
    } else if (!expressions.holds_exactly(value->expression, due.ranks)) {
      wrong(first, count,
            fmt::format("holds {}, not that of {}", expressions.text_of(value->expression),
                        due.ranks.end == due.ranks.first + 1
                            ? fmt::format("rank {}", due.ranks.first)
                            : fmt::format("ranks {}..{}", due.ranks.first, due.ranks.end - 1)));
    } else if (value->offset != offset) {
      wrong(first, count, fmt::format("holds elements from {} on of the input, not from {} on", value->offset, offset));
    }
  });
  return failure;
}

/// Looks for values where nothing is due: in those parts of the outputs that must stay as they were. Takes what
/// for_each_due() tells. Where such a part held a value from the start, that value is due; so whatever is found here
/// was written. Inputs need no look: an operation that writes one is malformed.
class LeftAlone {
 public:
  LeftAlone(const Problem& problem, const Execution& execution) : problem_(problem), execution_(execution) {}

  /// Looks through what lies before `due`, which is not looked at itself.
  std::optional<ProofFailure> pass(int rank, const Due& due) {
    if (auto failure = come_to(rank)) return failure;
    if (auto failure = look_before(due.first)) return failure;
    end_ = due.first + due.count;
    return std::nullopt;
  }

  /// Looks through what is left of the ranks before `rank`.
  std::optional<ProofFailure> come_to(int rank) {
    for (; rank_ < rank; ++rank_, end_ = 0) {
      if (auto failure = look_before(buffer_size(problem_, rank_, Buffer::output))) return failure;
    }
    return std::nullopt;
  }

 private:
  std::optional<ProofFailure> look_before(std::int64_t first) const {
    std::optional<ProofFailure> failure;
    const auto see = [&](std::int64_t at, std::int64_t count, const Value* value) {
      if (value == nullptr || failure) return;
      const Slice slice{Buffer::output, at, count};
      failure = ProofFailure{.kind = Kind::wrong_result,
                             .rank = rank_,
                             .slice = text_of(slice),
                             .reason = "was written, but must stay as it is"};
    };
    if (end_ < first) execution_.memory(rank_).visit({Buffer::output, end_, first - end_}, see);
    return failure;
  }

  const Problem& problem_;
  const Execution& execution_;
  int rank_ = 0;
  std::int64_t end_ = 0;  // everything before it in the rank's output is due, or has been looked at
};

// Every rank against rank 0, whose runs are taken one by one.
std::optional<ProofFailure> check_identical(const Schedule& schedule, const Execution& execution) {
  const Slice all{Buffer::output, 0, schedule.problem.count};
  std::optional<ProofFailure> failure;
  for (int rank = 1; rank < schedule.problem.ranks && !failure; ++rank) {
    execution.memory(0).visit(all, [&](std::int64_t first, std::int64_t count, const Value* expected) {
      execution.memory(rank).visit(
          {Buffer::output, first, count}, [&](std::int64_t at, std::int64_t n, const Value* value) {
            if (failure || *value == expected->after(at - first)) return;
            const Slice slice{Buffer::output, at, n};
            failure = ProofFailure{.kind = Kind::not_identical,
                                   .rank = rank,
                                   .slice = text_of(slice),
                                   .reason = "combined in another order than at rank 0, so that the bits may differ"};
          });
    });
  }
  return failure;
}

std::optional<ProofFailure> check_barrier(const Schedule& schedule, const Execution& execution) {
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    const int missing = execution.arrivals().first_missing(rank);
    if (missing < 0) continue;
    return ProofFailure{.kind = Kind::wrong_result,
                        .rank = rank,
                        .reason = fmt::format("leaves the barrier without a word that rank {} has entered", missing)};
  }
  return std::nullopt;
}

}  // namespace

void for_each_due(const Problem& problem, const SeeDue& see) {
  Teller teller(see);
  const auto every_rank = [&](auto&& due_of) {
    for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank)
      teller.tell(rank, Due{0, problem.count, due_of(rank), 0});
  };
  switch (problem.collective) {
    case Collective::broadcast:
      return every_rank([&](int) { return only(problem.root); });
    case Collective::reduce:
      return reduce_dues(problem, teller);
    case Collective::all_reduce:
      return every_rank([&](int) { return RankRange{0, problem.ranks}; });
    case Collective::scan:
      return every_rank([&](int rank) { return RankRange{0, rank + 1}; });
    case Collective::exclusive_scan:  // nothing precedes rank 0: its output stays as it is
      if (problem.in_place) teller.tell(0, {0, problem.count, only(0), 0});
      for (int rank = 1; rank < problem.ranks && teller.goes_on(); ++rank)
        teller.tell(rank, {0, problem.count, {0, rank}, 0});
      return;
    case Collective::scatter:
      return scattered_dues(problem, only(problem.root), teller);
    case Collective::gather:
      return gathered_dues(problem, problem.root, teller);
    case Collective::all_gather:
      for (int rank = 0; rank < problem.ranks && teller.goes_on(); ++rank) gathered_dues(problem, rank, teller);
      return;
    case Collective::reduce_scatter:
      return scattered_dues(problem, {0, problem.ranks}, teller);
    case Collective::all_to_all:
      return all_to_all_dues(problem, teller);
    case Collective::shift:
      return shift_dues(problem, teller);
    case Collective::barrier:
      return;
  }
}

std::optional<ProofFailure> check_outcome(const Schedule& schedule, const Execution& execution,
                                          const Expressions& expressions) {
  const Collective collective = schedule.problem.collective;
  if (collective == Collective::barrier) return check_barrier(schedule, execution);
  std::optional<ProofFailure> failure;
  LeftAlone left_alone(schedule.problem, execution);
  for_each_due(schedule.problem, [&](int rank, const Due& due) {
    failure = left_alone.pass(rank, due);
    if (!failure) failure = check_due(execution, expressions, rank, due);
    return !failure;
  });
  if (!failure) failure = left_alone.come_to(schedule.problem.ranks);
  if (!failure && collective == Collective::all_reduce) failure = check_identical(schedule, execution);
  return failure;
}

}  // namespace tutti::proof
