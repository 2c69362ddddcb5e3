/// @file
/// What one rank does in a call, as far as its own program tells.
#pragma once

#include <span>
#include <vector>

#include "predict/level_costs.hpp"
#include "predict/peer_turns.hpp"
#include "schedule/compiled_program.hpp"

namespace tutti {

/// What a rank sends to other nodes, and what comes from there, in bytes.
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
struct Portrait {
  double time = 0;                 ///< from the beginning of the call to the rank's end
  double work = 0;                 ///< of that, what the rank works
  double copying = 0;              ///< of that, what it spends on its own memory alone
  int width = 0;                   ///< rounds, a rank taking one send and one receive a round
  int turns = 0;                   ///< how often others must have run before it goes on
  int turns_before_last_send = 0;  ///< of those
  int sends_at_end = 0;            ///< after its last message has come
  int sends = 0;
  int receives = 0;
  double bytes_sent = 0;
  AcrossNodes across;
  int last_source = -1;  ///< whose message comes last, and alone in its step; -1: nobody's
  // All these messages, as sender and receiver pay for them together:
  double fixed = 0;          ///< what does not grow with the bytes
  double by_bytes = 0;       ///< what does
  double by_bytes_sent = 0;  ///< of that, for the messages that it sends, as if each were read by itself
  double bytes = 0;
  int crossing = 0;            ///< that go from node to node
  int long_messages = 0;       ///< that are read in the sender's memory
  bool repeats_peers = false;  ///< whether a peer gets more than one of them
};

/// Goes through the program of rank `rank`. A sender that only waits for its reader reads half of the message where the
/// reader's step takes at most `most_helped` messages.
Portrait portrait_of(const LevelCosts& costs, int rank, const CompiledProgram& compiled, double element_size,
                     int most_helped);

/// What is seen of a portrait where messages alone were recorded.
struct Outline {
  double time = 0;  ///< no more than the portrait's; width and turns, too
  int width = 0;
  int turns = 0;
  int sends = 0;
  int receives = 0;
};

/// Goes through the messages of rank `rank`, or with `turns` through those of rank 0, of which that rank's are turns.
Outline outline_of(const LevelCosts& costs, int rank, const Program& messages, double element_size,
                   const PeerTurns* turns);
/// Portrait::across of the same messages.
AcrossNodes bytes_across(const LevelCosts& costs, int rank, const Program& messages, double element_size);

/// What a rank sends to a peer and receives from it, in elements.
struct PeerTraffic {
  int peer = 0;
  double sent = 0;
  double received = 0;
};

/// Of one of `ranks` ranks, each peer once. Where many messages go to few peers, it is looked through in less time than
/// they are.
std::vector<PeerTraffic> traffic_by_peer(const Program& messages, int ranks);

/// The same as of the messages of rank `rank`, from the traffic of rank 0, of which that rank's are turns.
AcrossNodes bytes_across(const LevelCosts& costs, int rank, std::span<const PeerTraffic> traffic, double element_size,
                         const PeerTurns& turns);

}  // namespace tutti
