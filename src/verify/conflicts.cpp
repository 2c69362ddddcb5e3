#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "verify/failure.hpp"
#include "verify/well_formed.hpp"

namespace tutti::proof {
namespace {

/// Elements that an operation of a step reads or writes. Touches of one party never conflict.
struct Touch {
  Slice slice;
  std::size_t op;
  std::size_t party;
  bool writes;
};

/// Among the touches so far, the one that reaches farthest, and the one that does among those of other parties.
class Farthest {
 public:
  void add(const Touch& touch) {
    if (first_ == nullptr || touch.party == first_->party) {
      if (first_ == nullptr || touch.slice.end() > first_->slice.end()) first_ = &touch;
    } else if (touch.slice.end() > first_->slice.end()) {
      other_ = first_;
      first_ = &touch;
    } else if (other_ == nullptr || touch.slice.end() > other_->slice.end()) {
      other_ = &touch;
    }
  }

  /// The one that reaches farthest among those of other parties than `party`; null where there is none.
  const Touch* but(std::size_t party) const { return first_ != nullptr && first_->party == party ? other_ : first_; }

 private:
  const Touch* first_ = nullptr;
  const Touch* other_ = nullptr;
};

/// Finds the conflicts of one rank, step by step; the list of touches is kept between steps to spare allocations.
///
/// Each touch is a party of its own, but for those of a chain of several operations: they are one party, after each
/// operation has been looked at alone.
class ConflictSearch {
 public:
  explicit ConflictSearch(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<ProofFailure> run(int rank) {
    rank_ = rank;
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank)];
    for (std::size_t begin = 0; begin < program.ops.size();) {
      const std::size_t end = program.chain_end(begin);
      if (auto failure = add_chain(program, begin, end)) return failure;
      begin = end;
      if (!program.ops[end - 1].ends_step) continue;
      if (auto failure = sweep(touches_)) return failure;
      touches_.clear();
    }
    return std::nullopt;
  }

 private:
  std::optional<ProofFailure> add_chain(const Program& program, std::size_t begin, std::size_t end) {
    if (end == begin + 1) {
      add(program, begin, touches_);
      return std::nullopt;
    }
    const std::size_t party = parties_++;
    for (std::size_t op = begin; op < end; ++op) {
      alone_.clear();
      add(program, op, alone_);
      if (auto failure = sweep(alone_)) return failure;
      for (Touch& touch : alone_) touch.party = party;
      touches_.insert(touches_.end(), alone_.begin(), alone_.end());
    }
    return std::nullopt;
  }

  void add(const Program& program, std::size_t i, std::vector<Touch>& touches) {
    const Op& op = program.ops[i];
    const bool writes = op.kind != OpKind::send;
    for (const Slice& slice : program.slices(op)) touch(slice, i, writes, touches);
    if (op.operand > 0) add_operand(program.slices(op), program.operand(op), i, touches);
    if (op.second > 0) add_operand(program.slices(op), program.second(op), i, touches);
  }

  void touch(const Slice& slice, std::size_t op, bool writes, std::vector<Touch>& touches) {
    if (slice.count > 0) touches.push_back({slice, op, parties_++, writes});
  }

  // An operation that reads the very element that it writes has no conflict: it has read the element by then. Both
  // lists are walked in segments that lie in one slice of each.
  void add_operand(std::span<const Slice> into, std::span<const Slice> operand, std::size_t op,
                   std::vector<Touch>& touches) {
    std::size_t at = 0;
    std::int64_t used = 0;  // elements of into[at] that are matched already
    for (const Slice& slice : operand) {
      std::int64_t first = slice.first;
      while (first < slice.end()) {
        if (used == into[at].count) {
          ++at;
          used = 0;
          continue;
        }
        const std::int64_t count = std::min(slice.end() - first, into[at].count - used);
        const bool in_place = slice.buffer == into[at].buffer && first == into[at].first + used;
        if (!in_place) touch({slice.buffer, first, count}, op, false, touches);
        first += count;
        used += count;
      }
    }
  }

  // In order of position, a touch conflicts with an earlier one of another party that reaches beyond its begin, if one
  // of the two writes. It is enough to remember which earlier touch, and which earlier write, reaches farthest.
  std::optional<ProofFailure> sweep(std::vector<Touch>& touches) const {
    if (touches.size() < 2) return std::nullopt;
    std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
      return a.slice.buffer != b.slice.buffer ? a.slice.buffer < b.slice.buffer : a.slice.first < b.slice.first;
    });
    Farthest all;
    Farthest writes;
    Buffer buffer = touches.front().slice.buffer;
    for (const Touch& next : touches) {
      if (next.slice.buffer != buffer) all = writes = Farthest();
      buffer = next.slice.buffer;
      const Touch* earlier = (next.writes ? all : writes).but(next.party);
      if (earlier != nullptr && earlier->slice.end() > next.slice.first) return conflict(*earlier, next);
      all.add(next);
      if (next.writes) writes.add(next);
    }
    return std::nullopt;
  }

  ProofFailure conflict(const Touch& a, const Touch& b) const {
    const Touch& writer = a.writes ? a : b;
    const Touch& other = a.writes ? b : a;
    const std::int64_t first = std::max(a.slice.first, b.slice.first);
    const Slice shared{a.slice.buffer, first, std::min(a.slice.end(), b.slice.end()) - first};
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank_)];
    std::string reason =
        fmt::format("\"{}\" writes what \"{}\" {} in the same step", text_of(program, program.ops[writer.op]),
                    text_of(program, program.ops[other.op]), other.writes ? "writes" : "reads");
    return failure_at(schedule_, {rank_, writer.op}, ProofFailure::Kind::conflict, shared, std::move(reason));
  }

  const Schedule& schedule_;
  int rank_ = 0;
  std::size_t parties_ = 0;
  std::vector<Touch> touches_;
  std::vector<Touch> alone_;
};

}  // namespace

std::optional<ProofFailure> find_conflict(const Schedule& schedule) {
  ConflictSearch search(schedule);
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    if (auto failure = search.run(rank)) return failure;
  }
  return std::nullopt;
}

bool is_single_ported(const Program& program) {
  int sends = 0;
  int receives = 0;
  for (const Op& op : program.ops) {
    sends += op.kind == OpKind::send ? 1 : 0;
    receives += op.receives() ? 1 : 0;
    if (sends > 1 || receives > 1) return false;
    if (op.ends_step) sends = receives = 0;
  }
  return true;
}

bool is_single_ported(const Schedule& schedule) {
  return std::all_of(schedule.programs.begin(), schedule.programs.end(),
                     [](const Program& program) { return is_single_ported(program); });
}

}  // namespace tutti::proof
