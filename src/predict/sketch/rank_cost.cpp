#include "predict/sketch/rank_cost.hpp"

#include <algorithm>

#include "predict/model/cost_model.hpp"
#include "predict/replay/call_sums.hpp"

namespace tutti {
namespace {

class RankCostWalk {
 public:
  RankCostWalk(const LevelCosts& costs, int self, const CompiledProgram& compiled, double element_size, int most_helped)
      : costs_(costs), self_(self), compiled_(compiled), element_size_(element_size), most_helped_(most_helped) {
    spend(costs.call());
  }

  RankCost cost() {
    for (const CompiledStep& step : compiled_.steps) take(step);
    return rank_;
  }

 private:
  void spend(double seconds) {
    rank_.time += seconds;
    rank_.work += seconds;
  }
  void wait_until(double time) { rank_.time = std::max(rank_.time, time); }

  /// A message that was posted: its bytes where it keeps its sender, else -1; and what it costs.
  struct Posted {
    double kept = -1;
    const MachineCosts* costs = nullptr;
  };

  void take(const CompiledStep& step) {
    Posted longest;
    if (step.sends > 0) rank_.turns_before_last_send = rank_.turns;
    for (const SendStep& send : compiled_.sends_of(step)) {
      const Posted posted = post(send);
      if (longest.costs == nullptr || posted.kept > longest.kept) longest = posted;
    }
    const double sent = rank_.time;
    const int received = fold_all(step, sent);
    rank_.sends += static_cast<int>(step.sends);
    rank_.receives += received;
    rank_.width += std::max(static_cast<int>(step.sends), received);
    if (received > 0) ++rank_.turns;
    rank_.sends_at_end = received > 0 ? 0 : rank_.sends_at_end + static_cast<int>(step.sends);
    // A rank that waits for readers has a turn after theirs, which is one of its own if it did not wait for messages.
    if (longest.kept >= 0) rank_.turns += received > 0 ? 1 : 2;
    if (step.sends == 0) return;
    // A rank that also receives is as late as its readers are.
    const MachineCosts& costs = *longest.costs;
    const double bytes = std::max(longest.kept, 0.0);
    const double reading =
        costs.overhead + (longest.kept < 0 ? 0 : costs.rendezvous + read_byte(costs, true, 1) * bytes);
    taken_ = received > 0 ? rank_.time : sent + costs.latency + reading;
    if (longest.kept >= 0) wait_until(taken_ + costs.latency);
  }

  Posted post(const SendStep& send) {
    const MachineCosts& costs = costs_.of(self_, send.peer);
    // A pair of ranks has room for one message of a call: the next waits until the last was taken.
    if (send.index > 0) {
      rank_.repeats_peers = true;
      wait_until(taken_ + costs.latency);
    }
    const double bytes = static_cast<double>(send.elements) * element_size_;
    const bool brief = is_short(costs, bytes);
    spend(send_seconds(costs, bytes));
    rank_.bytes_sent += bytes;
    if (costs_.crosses(self_, send.peer)) rank_.across.out += bytes;
    rank_.by_bytes_sent += count(send.peer, bytes, read_byte(costs, true, 1));
    return {brief ? -1 : bytes, &costs};
  }

  /// Takes the step's messages, which others have sent at `sent`, too, and says how many.
  int fold_all(const CompiledStep& step, double sent) {
    const int messages = messages_of(step);
    exchanges_.begin(self_, compiled_.sends_of(step));
    const bool idle_senders = step.sends == 0 && messages <= most_helped_;
    int received = 0;
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      const double bytes = static_cast<double>(fold.elements) * element_size_;
      const int before = received;
      FoldBytes in_place(fold);
      const double seconds = fold_seconds(costs_, self_, compiled_, fold, bytes, [&](const FoldOperand& operand) {
        const MachineCosts& costs = costs_.of(operand.peer, self_);
        wait_until(sent + costs.latency);
        ++received;
        rank_.last_source = messages == 1 ? operand.peer : -1;
        if (costs_.crosses(operand.peer, self_)) rank_.across.in += bytes;
        const double byte = read_byte(costs, idle_senders, fold.operands) * exchanges_.times(operand.peer);
        count(operand.peer, bytes, is_short(costs, bytes) ? 0 : in_place.of_next(costs, byte));
        return byte;
      });
      spend(seconds);
      if (received == before) rank_.copying += seconds;
    }
    return received;
  }

  int messages_of(const CompiledStep& step) const {
    int messages = 0;
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      for (const FoldOperand& operand : compiled_.operands_of(fold)) messages += operand.peer >= 0 ? 1 : 0;
    }
    return messages;
  }

  double read_byte(const MachineCosts& costs, bool sender_is_idle, std::uint32_t operands) const {
    const Help kind = operands > 1 ? Help::with_all : Help::with_copies;
    return most_helped_ > 0 && sender_is_idle && costs.help >= kind ? costs.byte / 2 : costs.byte;
  }

  /// One message more, a byte of which costs so much where it is read in the sender's memory. What its bytes cost.
  double count(int peer, double bytes, double long_byte) {
    const MachineCosts& costs = costs_.of(self_, peer);
    const bool brief = is_short(costs, bytes);
    rank_.fixed += 2 * costs.overhead + (brief ? 0 : costs.rendezvous);
    const double by_bytes = bytes * (brief ? 2 * costs.short_byte : long_byte);
    rank_.by_bytes += by_bytes;
    rank_.bytes += bytes;
    if (!brief) ++rank_.long_messages;
    if (costs_.crosses(self_, peer)) ++rank_.crossing;
    return by_bytes;
  }

  const LevelCosts& costs_;
  int self_;
  const CompiledProgram& compiled_;
  double element_size_;
  int most_helped_;
  Exchanges exchanges_{costs_};
  double taken_ = 0;  // when what the rank sent last was
  RankCost rank_;
};

/// Returns a lower bound of a receiver's seconds for a message: its sender may read half of what is read in place, and
/// it may be combined with others at once.
double least_receive_seconds(const MachineCosts& costs, double bytes, double exchange) {
  const bool brief = is_short(costs, bytes);
  return costs.overhead +
         (brief ? costs.short_byte * bytes : costs.rendezvous + costs.further * costs.byte / 2 * exchange * bytes);
}

int peer_of(const Op& op, int rank, const PeerSymmetry* turns) {
  return turns != nullptr ? (*turns)(rank, op.peer) : op.peer;
}

double bytes_of(const Program& program, const Op& op, double element_size) {
  return static_cast<double>(Slices(program.slices(op)).elements()) * element_size;
}

}  // namespace

CostSketch sketch_of(const LevelCosts& costs, int rank, const Program& messages, double element_size,
                     const PeerSymmetry* turns) {
  const double exchange = std::min(1.0, costs.between_nodes().exchange);
  CostSketch sketch{.time = costs.call()};
  for (std::size_t at = 0; at < messages.ops.size();) {
    int sends = 0;
    int receives = 0;
    double receiving = 0;
    double first = no_limit;  // no message of the step comes sooner
    double last = 0;          // with the latest of them the step is not over sooner
    for (const std::size_t end = messages.step_end(at); at < end; ++at) {
      const Op& op = messages.ops[at];
      const MachineCosts& level = costs.of(rank, peer_of(op, rank, turns));
      const double bytes = bytes_of(messages, op, element_size);
      if (!op.receives()) {
        ++sends;
        sketch.time += send_seconds(level, bytes);
        continue;
      }
      ++receives;
      const double seconds = least_receive_seconds(level, bytes, exchange);
      receiving += seconds;
      first = std::min(first, level.latency);
      last = std::max(last, level.latency + seconds);
    }
    sketch.sends += sends;
    sketch.receives += receives;
    sketch.width += std::max(sends, receives);
    if (receives == 0) continue;
    ++sketch.turns;
    sketch.time += std::max(first + receiving, last);
  }
  return sketch;
}

AcrossNodes bytes_across(const LevelCosts& costs, int rank, const Program& messages, double element_size) {
  AcrossNodes bytes;
  for (const Op& op : messages.ops) {
    if (costs.crosses(rank, op.peer)) (op.receives() ? bytes.in : bytes.out) += bytes_of(messages, op, element_size);
  }
  return bytes;
}

std::vector<PeerTraffic> traffic_by_peer(const Program& messages, int ranks) {
  std::vector<PeerTraffic> traffic;
  std::vector<int> places(static_cast<std::size_t>(ranks), -1);  // in the traffic, by peer
  for (const Op& op : messages.ops) {
    int& place = places[static_cast<std::size_t>(op.peer)];
    if (place < 0) {
      place = static_cast<int>(traffic.size());
      traffic.push_back({.peer = op.peer});
    }
    PeerTraffic& peer = traffic[static_cast<std::size_t>(place)];
    (op.receives() ? peer.received : peer.sent) += bytes_of(messages, op, 1);
  }
  return traffic;
}

AcrossNodes bytes_across(const LevelCosts& costs, int rank, std::span<const PeerTraffic> traffic, double element_size,
                         const PeerSymmetry& turns) {
  AcrossNodes bytes;
  for (const PeerTraffic& peer : traffic) {
    if (!costs.crosses(rank, turns(rank, peer.peer))) continue;
    bytes.in += peer.received * element_size;
    bytes.out += peer.sent * element_size;
  }
  return bytes;
}

RankCost rank_cost_of(const LevelCosts& costs, int rank, const CompiledProgram& compiled, double element_size,
                      int most_helped) {
  return RankCostWalk(costs, rank, compiled, element_size, most_helped).cost();
}

}  // namespace tutti
