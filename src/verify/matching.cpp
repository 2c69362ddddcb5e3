#include "verify/matching.hpp"

#include <fmt/format.h>

namespace tutti::proof {
namespace {

/// The sends of all ranks, sorted by destination, then by source, then in program order.
struct SendsByDestination {
  std::vector<std::size_t> begins;  // of each destination's sends; one more than there are ranks
  std::vector<Place> sends;

  explicit SendsByDestination(const Schedule& schedule) : begins(schedule.programs.size() + 1, 0) {
    const auto each_send = [&](auto&& see) {
      for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        const auto& ops = schedule.programs[rank].ops;
        for (std::size_t i = 0; i < ops.size(); ++i) {
          if (ops[i].kind == OpKind::send) see(static_cast<std::size_t>(ops[i].peer), Place{static_cast<int>(rank), i});
        }
      }
    };
    each_send([&](std::size_t destination, Place) { ++begins[destination + 1]; });
    for (std::size_t d = 0; d + 1 < begins.size(); ++d) begins[d + 1] += begins[d];
    sends.resize(begins.back());
    std::vector<std::size_t> ends = begins;
    each_send([&](std::size_t destination, Place place) { sends[ends[destination]++] = place; });
  }
};

std::int64_t size_of(const Schedule& schedule, Place place) {
  const Program& program = schedule.programs[static_cast<std::size_t>(place.rank)];
  return Slices(program.slices(program.ops[place.op])).elements();
}

Failure unmatched(const Schedule& schedule, Place place) {
  const Program& program = schedule.programs[static_cast<std::size_t>(place.rank)];
  const Op& op = program.ops[place.op];
  const bool sends = op.kind == OpKind::send;
  return failure_at(schedule, place, Failure::Kind::unmatched, program.slices(op),
                    fmt::format("\"{}\" waits for ever: rank {} has no {} left for it", text_of(program, op), op.peer,
                                sends ? "receive" : "send"));
}

Failure size_mismatch(const Schedule& schedule, Place receive, Place send) {
  const Program& program = schedule.programs[static_cast<std::size_t>(receive.rank)];
  const Op& op = program.ops[receive.op];
  return failure_at(schedule, receive, Failure::Kind::size_mismatch, program.slices(op),
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
      const Place send = sorted.sends[k];
      counterpart({static_cast<int>(d), i}) = static_cast<std::uint32_t>(send.op);
      counterpart(send) = static_cast<std::uint32_t>(i);
    }
  }
}

std::optional<Failure> Matching::find_failure(const Schedule& schedule) const {
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    const auto& ops = schedule.programs[static_cast<std::size_t>(rank)].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (!ops[i].communicates()) continue;
      if (counterpart(Place{rank, i}) == none) return unmatched(schedule, {rank, i});
      const Place send{ops[i].peer, counterpart(Place{rank, i})};
      if (ops[i].receives() && size_of(schedule, {rank, i}) != size_of(schedule, send)) {
        return size_mismatch(schedule, {rank, i}, send);
      }
    }
  }
  return std::nullopt;
}

}  // namespace tutti::proof
