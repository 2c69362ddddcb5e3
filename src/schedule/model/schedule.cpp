#include "schedule/model/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "schedule/model/problem_blocks.hpp"

namespace tutti {
namespace {

// The end of any slice, also of one in a wrong schedule that ends beyond all numbers.
std::int64_t printable_end(const Slice& slice) {
  std::int64_t end = 0;
  return __builtin_add_overflow(slice.first, slice.count, &end) ? std::numeric_limits<std::int64_t>::max() : end;
}

std::string unchained_text_of(const Program& program, const Op& op) {
  const std::string slices = text_of(program.slices(op));
  const std::string operand = text_of(program.operand(op));
  switch (op.kind) {
    case OpKind::send:
      return op.slices == 0 ? fmt::format("signal {}", op.peer) : fmt::format("send {} to {}", slices, op.peer);
    case OpKind::receive:
      return op.slices == 0 ? fmt::format("await {}", op.peer) : fmt::format("receive {} from {}", slices, op.peer);
    case OpKind::receive_reduce:
      return op.side == Side::mine_first ? fmt::format("receive {} = {} ∘ message from {}", slices, operand, op.peer)
                                         : fmt::format("receive {} = message ∘ {} from {}", slices, operand, op.peer);
    case OpKind::copy:
      return fmt::format("copy {} = {}", slices, operand);
    case OpKind::reduce:
      return fmt::format("reduce {} = {} ∘ {}", slices, operand, text_of(program.second(op)));
  }
  return "?";
}

// A rank inside its current step.
struct RankClock {
  std::size_t next = 0;    // the first op after the step
  std::int64_t begun = 0;  // the round in which the step began
  // The rounds in which both sides of its messages were ready, in the order in which they were.
  std::vector<std::int64_t> sends = {};
  std::vector<std::int64_t> receives = {};
  int open = 0;  // messages that have not met their counterpart
};

// The round after the last message, where one port takes a message a round, each once both of its sides are ready.
std::int64_t after_all(std::vector<std::int64_t>& ready, std::int64_t round) {
  std::sort(ready.begin(), ready.end());
  for (const std::int64_t each : ready) round = std::max(round, each) + 1;
  return round;
}

// Operations on one ordered pair of ranks that wait for their counterpart: all sends, or all receives.
struct PendingOps {
  std::vector<std::int64_t> begun;
  std::size_t head = 0;
  bool sends = false;
};

class RoundCounter {
 public:
  explicit RoundCounter(const Schedule& schedule) : schedule_(schedule), clocks_(schedule.programs.size()) {}

  Traffic run() {
    for (std::size_t rank = 0; rank < clocks_.size(); ++rank) ready_.push_back(static_cast<int>(rank));
    while (!ready_.empty()) {
      const int rank = ready_.back();
      ready_.pop_back();
      begin_steps(rank);
    }
    for (std::size_t rank = 0; rank < clocks_.size(); ++rank) {
      if (clocks_[rank].open > 0) fail(ErrorCode::internal, "rank {} waits for a message that never comes", rank);
      traffic_.rounds = std::max(traffic_.rounds, clocks_[rank].begun);
    }
    return traffic_;
  }

 private:
  RankClock& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  // Posts the step at hand, and the following ones as long as they complete at once.
  void begin_steps(int rank) {
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank)];
    RankClock& mine = clock(rank);
    while (mine.next < program.ops.size()) {
      const std::size_t end = program.step_end(mine.next);
      mine.open = 1;  // held until all are posted
      for (std::size_t at = mine.next; at < end; ++at) {
        const Op& op = program.ops[at];
        if (!op.communicates()) continue;
        post(rank, op, Slices(program.slices(op)).elements());
      }
      mine.next = end;
      if (--mine.open > 0) return;
      end_step(mine);
    }
  }

  static void end_step(RankClock& clock) {
    clock.begun = std::max(after_all(clock.sends, clock.begun), after_all(clock.receives, clock.begun));
    clock.sends.clear();
    clock.receives.clear();
  }

  void post(int rank, const Op& op, std::int64_t elements) {
    const bool send = !op.receives();
    if (send) {
      ++traffic_.messages;
      traffic_.elements += elements;
    }
    const auto from = static_cast<std::uint64_t>(send ? rank : op.peer);
    const auto to = static_cast<std::uint64_t>(send ? op.peer : rank);
    PendingOps& channel = channels_[from << 32 | to];
    RankClock& mine = clock(rank);
    if (channel.head == channel.begun.size() || channel.sends == send) {
      channel.sends = send;
      channel.begun.push_back(mine.begun);
      ++mine.open;
      return;
    }
    const std::int64_t met = std::max(mine.begun, channel.begun[channel.head++]);
    if (channel.head == channel.begun.size()) {
      channel.begun.clear();
      channel.head = 0;
    }
    (send ? mine.sends : mine.receives).push_back(met);
    RankClock& peer = clock(op.peer);
    (send ? peer.receives : peer.sends).push_back(met);
    if (--peer.open > 0) return;
    end_step(peer);
    ready_.push_back(op.peer);
  }

  const Schedule& schedule_;
  std::vector<RankClock> clocks_;
  std::unordered_map<std::uint64_t, PendingOps> channels_;
  std::vector<int> ready_;
  Traffic traffic_;
};

}  // namespace

std::string_view name_of(Buffer buffer) {
  switch (buffer) {
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::scratch:
      return "scratch";
  }
  return "?";
}

std::string_view name_of(OpKind kind) {
  switch (kind) {
    case OpKind::send:
      return "send";
    case OpKind::receive:
      return "receive";
    case OpKind::receive_reduce:
      return "receive_reduce";
    case OpKind::copy:
      return "copy";
    case OpKind::reduce:
      return "reduce";
  }
  return "?";
}

std::int64_t Slices::elements() const {
  std::int64_t total = 0;
  for (const Slice& slice : view_) total += slice.count;
  return total;
}

std::size_t Program::step_end(std::size_t begin) const {
  while (begin < ops.size() && !ops[begin].ends_step) ++begin;
  return std::min(begin + 1, ops.size());
}

std::size_t Program::chain_end(std::size_t begin) const {
  ++begin;
  while (begin < ops.size() && ops[begin].chained) ++begin;
  return begin;
}

std::int64_t buffer_size(const Problem& problem, int rank, Buffer buffer) {
  const auto input = [&] { return input_blocks(problem, rank).total(); };
  const auto output = [&] { return output_blocks(problem, rank).total(); };
  switch (buffer) {
    case Buffer::input:
      return problem.in_place ? 0 : input();
    case Buffer::output:
      return problem.in_place ? std::max(input(), output()) : output();
    case Buffer::scratch:
      return 0;
  }
  return 0;
}

std::string text_of(Slices slices) {
  std::string text;
  for (const Slice& slice : slices) {
    text +=
        fmt::format("{}{}[{}..{})", text.empty() ? "" : " ", name_of(slice.buffer), slice.first, printable_end(slice));
  }
  return text;
}

std::string text_of(const Program& program, const Op& op) {
  return (op.chained ? "then " : "") + unchained_text_of(program, op);
}

std::string text_of(const Schedule& schedule) {
  std::string text = describe(schedule.problem) + "\n";
  for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank)
    text += text_of_rank(static_cast<int>(rank), schedule.programs[rank], schedule.layout);
  return text;
}

std::string text_of_rank(int rank, const Program& program, const Layout& layout) {
  const int node = layout.node_of(rank);
  const auto crossing = [&](const Op& op) {
    const bool crosses = op.communicates() && layout.node_of(op.peer) != node;
    return crosses ? fmt::format(", {} node {}", op.receives() ? "of" : "on", layout.node_of(op.peer)) : std::string();
  };
  std::string text = fmt::format("rank {}{}{}\n", rank, layout.nodes() > 1 ? fmt::format(" on node {}", node) : "",
                                 program.ops.empty() ? ": nothing to do" : "");
  int step = 1;
  auto phase = program.phases.begin();
  auto pruned = program.pruned.begin();
  for (std::size_t at = 0; at < program.ops.size(); ++step) {
    const std::size_t end = program.step_end(at);
    for (; phase != program.phases.end() && phase->op < end; ++phase) text += fmt::format("  {}\n", phase->name);
    for (std::string label = fmt::format("step {}", step); at < end; ++at, label.assign(label.size(), ' ')) {
      text += fmt::format("  {}  {}{}\n", label, text_of(program, program.ops[at]), crossing(program.ops[at]));
    }
    for (; pruned != program.pruned.end() && pruned->op < end; ++pruned)
      text += fmt::format("          no send to {}: pruned, nobody needs what it would carry\n", pruned->to);
  }
  return text;
}

Traffic traffic_of(const Schedule& schedule) { return RoundCounter(schedule).run(); }

}  // namespace tutti
