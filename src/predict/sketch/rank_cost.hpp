/// @file
/// Cost of one rank in a call, as far as its own program tells.
#pragma once

#include <span>
#include <vector>

#include "predict/model/machine_costs.hpp"
#include "predict/replay/rank_programs.hpp"
#include "schedule/rewrite/compiled_program.hpp"

namespace tutti {

/// Bytes that a rank sends to other nodes, and receives from there.
struct AcrossNodes {
  double out = 0;
  double in = 0;

  void add(const AcrossNodes& other, double times) {
    out += times * other.out;
    in += times * other.in;
  }
};

/// A rank's times, in seconds, where all others keep pace with it: a message comes when this rank has sent its own of
/// the step, and is read as soon as it has come.
struct RankCost {
  double time = 0;                 ///< from the beginning of the call to the rank's end
  double work = 0;                 ///< seconds of these in which the rank works
  double copying = 0;              ///< seconds of these that it spends on its own memory alone
  int width = 0;                   ///< rounds, a rank taking one send and one receive a round
  int turns = 0;                   ///< number of times that others must have run before it goes on
  int turns_before_last_send = 0;  ///< turns of these before its last send
  int sends_at_end = 0;            ///< after its last message has come
  int sends = 0;
  int receives = 0;
  double bytes_sent = 0;
  AcrossNodes across;
  int last_source = -1;  ///< whose message comes last, and alone in its step; -1: nobody's
  // All these messages, as sender and receiver pay for them together:
  double fixed = 0;          ///< seconds that do not grow with the bytes
  double by_bytes = 0;       ///< seconds that grow with the bytes
  double by_bytes_sent = 0;  ///< seconds of these for the messages that it sends, as if each were read by itself
  double bytes = 0;
  int crossing = 0;            ///< messages that go from node to node
  int long_messages = 0;       ///< messages that are read in the sender's memory
  bool repeats_peers = false;  ///< whether a peer gets more than one of them
};

/// Goes through the program of rank `rank`. A sender that only waits for its reader reads half of the message where the
/// reader's step takes at most `most_helped` messages.
RankCost rank_cost_of(const LevelCosts& costs, int rank, const CompiledProgram& compiled, double element_size,
                      int most_helped);

/// Sketch of a rank's cost: all that is seen if messages alone were recorded.
struct CostSketch {
  double time = 0;  ///< no more than the rank cost's; width and turns, too
  int width = 0;
  int turns = 0;
  int sends = 0;
  int receives = 0;
};

/// Goes through the messages of rank `rank`, or with `turns` through those of rank 0, of which that rank's are turns.
CostSketch sketch_of(const LevelCosts& costs, int rank, const Program& messages, double element_size,
                     const PeerSymmetry* turns);
/// RankCost::across of the same messages.
AcrossNodes bytes_across(const LevelCosts& costs, int rank, const Program& messages, double element_size);

/// Elements that a rank sends to a peer and receives from it.
struct PeerTraffic {
  int peer = 0;
  double sent = 0;
  double received = 0;
};

/// Returns the traffic of one of `ranks` ranks, each peer once. If many messages go to few peers, the result is looked
/// through in less time than they are.
std::vector<PeerTraffic> traffic_by_peer(const Program& messages, int ranks);

/// Returns the bytes that `rank` sends between nodes, derived from the traffic of rank 0 by symmetry.
AcrossNodes bytes_across(const LevelCosts& costs, int rank, std::span<const PeerTraffic> traffic, double element_size,
                         const PeerSymmetry& turns);

}  // namespace tutti
