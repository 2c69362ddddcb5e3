#include "verify/matching.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::proof {
namespace {

/// The sends of all ranks, sorted by destination, then by source, then in program order.
struct SendsByDestination {
  std::vector<std::size_t> begins;  // begins of each destination's sends; one more than there are ranks
  std::vector<OpPosition> sends;

  explicit SendsByDestination(const Schedule& schedule) : begins(schedule.programs.size() + 1, 0) {
    const auto each_send = [&](auto&& see) {
      for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        const auto& ops = schedule.programs[rank].ops;
        for (std::size_t i = 0; i < ops.size(); ++i) {
          if (ops[i].kind == OpKind::send)
            see(static_cast<std::size_t>(ops[i].peer), OpPosition{static_cast<int>(rank), i});
        }
      }
    };
    each_send([&](std::size_t destination, OpPosition) { ++begins[destination + 1]; });
    for (std::size_t d = 0; d + 1 < begins.size(); ++d) begins[d + 1] += begins[d];
    sends.resize(begins.back());
    std::vector<std::size_t> ends = begins;
    each_send([&](std::size_t destination, OpPosition place) { sends[ends[destination]++] = place; });
  }
};

std::int64_t size_of(const Schedule& schedule, OpPosition place) {
  const Program& program = schedule.programs[static_cast<std::size_t>(place.rank)];
  return Slices(program.slices(program.ops[place.op])).elements();
}

ProofFailure unmatched(const Schedule& schedule, OpPosition place) {
  const Program& program = schedule.programs[static_cast<std::size_t>(place.rank)];
  const Op& op = program.ops[place.op];
  const bool sends = op.kind == OpKind::send;
  return failure_at(schedule, place, ProofFailure::Kind::unmatched, program.slices(op),
                    fmt::format("\"{}\" waits for ever: rank {} has no {} left for it", text_of(program, op), op.peer,
                                sends ? "receive" : "send"));
}

ProofFailure size_mismatch(const Schedule& schedule, OpPosition receive, OpPosition send) {
  const Program& program = schedule.programs[static_cast<std::size_t>(receive.rank)];
  const Op& op = program.ops[receive.op];
  return failure_at(schedule, receive, ProofFailure::Kind::size_mismatch, program.slices(op),
                    fmt::format("\"{}\" meets a message of {} that rank {} sends in its step {}", text_of(program, op),
                                elements_text(size_of(schedule, send)), send.rank, step_of(schedule, send)));
}

}  // namespace

Matching::Matching(const Schedule& schedule) {
  begins_.reserve(schedule.programs.size() + 1);
  begins_.push_back(0);
  for (const Program& program : schedule.programs) begins_.push_back(begins_.back() + program.ops.size());
  counterparts_.assign(begins_.back(), none);

  const SendsByDestination sorted(schedule);
  std::vector<std::size_t> next(schedule.programs.size());  // by source: its next send to this destination
  for (std::size_t d = 0; d < schedule.programs.size(); ++d) {
    const auto& ops = schedule.programs[d].ops;
    for (const Op& op : ops) {
      if (op.receives()) next[static_cast<std::size_t>(op.peer)] = sorted.begins[d + 1];
    }
    for (std::size_t k = sorted.begins[d + 1]; k-- > sorted.begins[d];)
      next[static_cast<std::size_t>(sorted.sends[k].rank)] = k;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (!ops[i].receives()) continue;
      const std::size_t k = next[static_cast<std::size_t>(ops[i].peer)]++;
      if (k >= sorted.begins[d + 1] || sorted.sends[k].rank != ops[i].peer) continue;
      const OpPosition send = sorted.sends[k];
      counterpart({static_cast<int>(d), i}) = static_cast<std::uint32_t>(send.op);
      counterpart(send) = static_cast<std::uint32_t>(i);
    }
  }
}

std::optional<ProofFailure> Matching::find_failure(const Schedule& schedule) const {
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    const auto& ops = schedule.programs[static_cast<std::size_t>(rank)].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (!ops[i].communicates()) continue;
      if (counterpart(OpPosition{rank, i}) == none) return unmatched(schedule, {rank, i});
      const OpPosition send{ops[i].peer, counterpart(OpPosition{rank, i})};
      if (ops[i].receives() && size_of(schedule, {rank, i}) != size_of(schedule, send)) {
        return size_mismatch(schedule, {rank, i}, send);
      }
    }
  }
  return std::nullopt;
}

Arrivals::Arrivals(int ranks) : ranks_(ranks), words_((static_cast<std::size_t>(ranks) + 63) / 64) {
  known_.assign(static_cast<std::size_t>(ranks) * words_, 0);
  for (int rank = 0; rank < ranks; ++rank) {
    known_[row(rank) + static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1} << (rank % 64);
  }
  arriving_ = known_;
}

void Arrivals::pass(int source, int destination) {
  if (ranks_ == 0) return;
  for (std::size_t k = 0; k < words_; ++k) arriving_[row(destination) + k] |= known_[row(source) + k];
}

void Arrivals::end_step(int rank) {
  if (ranks_ == 0) return;
  const auto from = arriving_.begin() + static_cast<std::ptrdiff_t>(row(rank));
  std::copy_n(from, words_, known_.begin() + static_cast<std::ptrdiff_t>(row(rank)));
}

int Arrivals::first_missing(int rank) const {
  for (int other = 0; other < ranks_; ++other) {
    if ((known_[row(rank) + static_cast<std::size_t>(other) / 64] >> (other % 64) & 1) == 0) return other;
  }
  return -1;
}

}  // namespace tutti::proof
