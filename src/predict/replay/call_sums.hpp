/// @file
/// Costs of a message and of a whole call, shared by the replay of a schedule and its estimate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/transport.hpp"
#include "predict/model/machine_costs.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/rewrite/compiled_program.hpp"

namespace tutti {

inline bool is_short(const MachineCosts& costs, double bytes) {
  return bytes <= static_cast<double>(costs.short_bytes);
}

/// The least of a cost inside a node and between nodes.
inline double least_of(const LevelCosts& costs, double MachineCosts::*cost) {
  return std::min(costs.inside().*cost, costs.between_nodes().*cost);
}

/// Returns a lower bound of a reader's seconds for a byte that is read in place: its message may be one of several that
/// are combined at once. Half of it may be read by the sender.
inline double least_byte(const LevelCosts& costs, Collective collective) {
  return least_of(costs, &MachineCosts::byte) * (reduces(collective) ? least_of(costs, &MachineCosts::further) : 1);
}

/// Returns the seconds that a sender spends on a message.
inline double send_seconds(const MachineCosts& costs, double bytes) {
  return costs.overhead + (is_short(costs, bytes) ? costs.short_byte * bytes : 0);
}

/// Cost of the bytes of messages that a fold reads in place, one after the other.
class FoldBytes {
 public:
  explicit FoldBytes(const FoldStep& fold) : combines_(fold.operands > 1) {}

  /// Returns the seconds for a byte of the next message, which costs `byte` by itself. The first message pays for the
  /// result as well, which is written once, however many are combined.
  double of_next(const MachineCosts& costs, double byte) {
    if (!std::exchange(is_first_, false)) return costs.further * byte;
    return byte + (combines_ ? costs.combine_byte : 0);
  }

 private:
  bool combines_;
  bool is_first_ = true;
};

/// Returns the seconds that `rank` spends on a fold whose operands have `bytes` bytes each. `take` waits for the
/// message of an operand, and returns the cost of a byte that is read in place.
template <typename Take>
double fold_seconds(const LevelCosts& levels, int rank, const CompiledProgram& compiled, const FoldStep& fold,
                    double bytes, Take&& take) {
  double fixed = 0;
  double byte = 0;
  FoldBytes in_place(fold);
  for (const FoldOperand& operand : compiled.operands_of(fold)) {
    if (operand.peer < 0) continue;
    const double read_byte = take(operand);
    const MachineCosts& costs = levels.of(operand.peer, rank);
    const bool brief = is_short(costs, bytes);
    fixed += costs.overhead + (brief ? 0 : costs.rendezvous);
    byte += brief ? costs.short_byte : in_place.of_next(costs, read_byte);
  }
  // Beside others, what is the rank's own costs nothing: it is read at the same time.
  if (fold.operands == 1 && compiled.operands_of(fold).front().peer < 0) byte += levels.inside().copy_byte;
  return fixed + byte * bytes;
}

/// Returns a lower bound of the seconds that `rank` works: half of each message that is read in place may be read by
/// its sender.
inline double least_work(const LevelCosts& levels, int rank, const CompiledProgram& compiled, double element_size) {
  double work = levels.call();
  for (const SendStep& send : compiled.sends)
    work += send_seconds(levels.of(rank, send.peer), static_cast<double>(send.elements) * element_size);
  const double times = std::min(1.0, levels.between_nodes().exchange) / 2;
  for (const FoldStep& fold : compiled.folds) {
    work += fold_seconds(levels, rank, compiled, fold, static_cast<double>(fold.elements) * element_size,
                         [&](const FoldOperand& operand) { return levels.of(operand.peer, rank).byte * times; });
  }
  return work;
}

/// With which peers of other nodes a rank exchanges messages in a step.
class Exchanges {
 public:
  explicit Exchanges(const LevelCosts& costs) : costs_(costs), matters_(costs.between_nodes().exchange != 1) {}

  /// The rank's next step, by what it sends there.
  void begin(int rank, std::span<const SendStep> sends) {
    if (!matters_) return;
    rank_ = rank;
    ++step_;
    for (const SendStep& send : sends) {
      const auto peer = static_cast<std::size_t>(send.peer);
      if (peer >= last_.size()) last_.resize(peer + 1, 0);
      last_[peer] = step_;
    }
  }
  /// Returns the factor by which a byte costs more that the rank reads from that peer in this step.
  double times(int peer) const {
    const auto at = static_cast<std::size_t>(peer);
    const bool sends = matters_ && at < last_.size() && last_[at] == step_;
    return sends && costs_.crosses(peer, rank_) ? costs_.between_nodes().exchange : 1;
  }

 private:
  const LevelCosts& costs_;
  bool matters_;
  int rank_ = 0;
  std::uint32_t step_ = 0;
  std::vector<std::uint32_t> last_;  // by peer: the latest step in which it was sent something
};

/// Whether calls follow one another, so that ranks may run ahead.
enum class Calls : std::uint8_t { in_a_row, one };

/// Sums over all ranks of a call.
struct Sums {
  int ranks = 1;
  double end = 0;      ///< when the last rank is done, in seconds
  double busiest = 0;  ///< work of the busiest rank
  double work = 0;     ///< work of all ranks
  double link = 0;     ///< seconds for which the busiest link of a node is in use
  int turns = 0;       ///< the longest chain of ranks that run one after the other
  /// Whether ranks can be at different calls of a row, each at its own pace: messages go one way only, and who sends
  /// one does not have to wait until it is read.
  bool runs_ahead = false;
};

/// The part of a row of calls in which ranks run ahead that takes as long as calls by themselves, because the flow
/// control makes all ranks wait for one another: the rarer, the farther they may run.
inline constexpr double stalled_part = 1.6 / slots_of_a_pair;

/// Returns the seconds of a call in a row of calls, if the ranks share `cores` cores.
inline double seconds_of(const Sums& sums, const MachineCosts& costs, int cores) {
  // The busiest rank of a row of calls loses this share of its work, because it sometimes has to wait for a late rank.
  constexpr double uneven = 0.25;
  const auto n = static_cast<double>(sums.ranks);
  const double shared = std::max(sums.work / std::min<double>(cores, n), sums.link);
  // If ranks outnumber cores, all ranks of a core have had a turn before the next rank of the chain has its own.
  const double turn = sums.ranks > cores ? costs.turn * n / cores : 0;
  if (!sums.runs_ahead) return std::max(sums.end, shared) + turn * sums.turns;
  // Ranks of the chain that are on other cores run meanwhile. Of two ranks of a core every second one is followed by
  // the next of the chain; of four and more hardly any.
  const double missed = std::clamp(std::log2(n / cores) / 2, 0.5, 1.0);
  const double turns = 1 + missed * std::max(0, sums.turns - 1) / cores;
  return std::max(sums.busiest, shared) + uneven * sums.busiest + stalled_part * (sums.end + turn * turns);
}

}  // namespace tutti
