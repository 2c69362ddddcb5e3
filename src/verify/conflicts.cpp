#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "verify/report.hpp"
#include "verify/well_formed.hpp"

namespace tutti::proof {
namespace {

/// Elements that an operation of a step reads or writes.
struct Touch {
  Slice slice;
  std::size_t op;
  bool writes;
};

/// Finds the conflicts of one rank, step by step; the list of touches is kept between steps to spare allocations.
class ConflictSearch {
 public:
  explicit ConflictSearch(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<Failure> run(int rank) {
    rank_ = rank;
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      add(program, i);
      if (!program.ops[i].ends_step) continue;
      if (auto failure = sweep()) return failure;
      touches_.clear();
    }
    return std::nullopt;
  }

 private:
  void add(const Program& program, std::size_t i) {
    const Op& op = program.ops[i];
    const bool writes = op.kind != OpKind::send;
    for (const Slice& slice : program.slices(op)) touch(slice, i, writes);
    if (op.operand > 0) add_operand(program.slices(op), program.operand(op), i);
    if (op.second > 0) add_operand(program.slices(op), program.second(op), i);
  }

  void touch(const Slice& slice, std::size_t op, bool writes) {
    if (slice.count > 0) touches_.push_back({slice, op, writes});
  }

  // What an operation reads where it writes the very same element is no conflict: it has read the element by then. Both
  // lists are walked in segments that lie in one slice of each.
  void add_operand(std::span<const Slice> into, std::span<const Slice> operand, std::size_t op) {
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
        if (!in_place) touch({slice.buffer, first, count}, op, false);
        first += count;
        used += count;
      }
    }
  }

  // In order of position, a touch conflicts with an earlier one that reaches beyond its begin, if one of the two
  // writes. It is enough to remember which earlier touch, and which earlier write, reaches farthest.
  std::optional<Failure> sweep() {
    if (touches_.size() < 2) return std::nullopt;
    std::sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
      return a.slice.buffer != b.slice.buffer ? a.slice.buffer < b.slice.buffer : a.slice.first < b.slice.first;
    });
    const Touch* farthest = nullptr;
    const Touch* farthest_write = nullptr;
    for (const Touch& next : touches_) {
      if (farthest != nullptr && farthest->slice.buffer != next.slice.buffer) farthest = farthest_write = nullptr;
      const Touch* earlier = next.writes ? farthest : farthest_write;
      if (earlier != nullptr && earlier->slice.end() > next.slice.first) return conflict(*earlier, next);
      if (farthest == nullptr || next.slice.end() > farthest->slice.end()) farthest = &next;
      if (next.writes && (farthest_write == nullptr || next.slice.end() > farthest_write->slice.end()))
        farthest_write = &next;
    }
    return std::nullopt;
  }

  Failure conflict(const Touch& a, const Touch& b) const {
    const Touch& writer = a.writes ? a : b;
    const Touch& other = a.writes ? b : a;
    const std::int64_t first = std::max(a.slice.first, b.slice.first);
    const Slice shared{a.slice.buffer, first, std::min(a.slice.end(), b.slice.end()) - first};
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank_)];
    std::string reason =
        fmt::format("\"{}\" writes what \"{}\" {} in the same step", text_of(program, program.ops[writer.op]),
                    text_of(program, program.ops[other.op]), other.writes ? "writes" : "reads");
    return failure_at(schedule_, {rank_, writer.op}, Failure::Kind::conflict, shared, std::move(reason));
  }

  const Schedule& schedule_;
  int rank_ = 0;
  std::vector<Touch> touches_;
};

}  // namespace

std::optional<Failure> find_conflict(const Schedule& schedule) {
  ConflictSearch search(schedule);
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    if (auto failure = search.run(rank)) return failure;
  }
  return std::nullopt;
}

bool is_single_ported(const Schedule& schedule) {
  for (const Program& program : schedule.programs) {
    int sends = 0;
    int receives = 0;
    for (const Op& op : program.ops) {
      sends += op.kind == OpKind::send ? 1 : 0;
      receives += op.receives() ? 1 : 0;
      if (sends > 1 || receives > 1) return false;
      if (op.ends_step) sends = receives = 0;
    }
  }
  return true;
}

}  // namespace tutti::proof
