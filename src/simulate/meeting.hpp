/// @file
/// Ranks that go through their steps and meet for messages: what both engines share.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simulate/workload.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// A message whose two sides have come to it, or of an eager send its sender alone.
struct MessageMeeting {
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  std::uint64_t send = 0;     ///< the index of the sender's move
  std::uint64_t receive = 0;  ///< the index of the receiver's; nobody: it had not come when the message was to begin
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int64_t bytes = 0;
  double ready = 0;        ///< when the later of the two came, as Ranks::enter() was told
  bool eager = false;      ///< the sender waits for no chain of the receiver
  std::int32_t chain = 0;  ///< messages on the longest chain that ends with this one; set when it begins
};

/// The order in which messages that compete for ports begin.
struct EarlierMeeting {
  bool operator()(const MessageMeeting& a, const MessageMeeting& b) const {
    if (a.ready != b.ready) return a.ready < b.ready;
    if (a.from != b.from) return a.from < b.from;
    return a.send < b.send;
  }
};

/// The state of all ranks: steps, ports, and who waits for whom. It knows nothing of how long things take.
///
/// An instant is handled in three parts, so that the order within each does not matter: complete() for what has ended,
/// enter() for ranks whose next step begins, and start() to choose what begins.
class Ranks {
 public:
  /// Sends of at most `eager` bytes, where that is given, begin without their receivers.
  Ranks(Workload& workload, Ports ports, std::optional<std::int64_t> eager);

  enum class Entry : std::uint8_t {
    waits,     ///< in a step with messages
    local,     ///< in a step that is complete: without messages, or all of them were there before
    finished,  ///< there was no step left
  };
  /// The rank comes to its next step at `now`: a time, or the number of an instant. It orders messages and is kept for
  /// entered().
  Entry enter(int rank, double now);
  /// A message has arrived. Appends to `done` the ranks whose step is thereby complete. The sender is done with a
  /// message to a chain when the chain has come to it, the receiver when it is there.
  void complete(const MessageMeeting& meeting, std::vector<int>& done);
  /// Keeps the message of this send back until release().
  void hold(std::uint64_t send) { held_.insert(send); }
  /// The message may begin from `now` on.
  void release(std::uint64_t send, double now);
  /// Appends the messages that begin at this instant and takes their ports.
  void start(std::vector<MessageMeeting>& started);

  /// From here on `sends` gets each message that a chain takes in.
  void note_taken(std::vector<std::uint64_t>& sends) { taken_ = &sends; }

  /// Bytes that the rank combined in the step that it completed last.
  std::int64_t combined_bytes(int rank) const { return state(rank).combined; }
  /// The messages on the longest chain so far: one after the other at a rank, in its steps and through its ports.
  std::int64_t longest_chain() const { return longest_chain_; }
  /// After more looks than these no message begins that waits for a port: for a simulation that is given up then.
  void limit_looks(std::int64_t most) { most_looks_ = most; }
  /// Returns how often a message that waits for a port has been looked at.
  std::int64_t looks() const { return looks_; }
  double entered(int rank) const { return state(rank).entered; }
  /// The phase that the rank's step belongs to; empty where the algorithm names none.
  std::string_view phase(int rank) const { return workload_.phase(rank, state(rank).begin); }
  /// Ranks that wait in a step, in order; for the sentence that reports a stall.
  std::vector<int> waiting() const;
  /// Whom the rank waits for first; -1: for nobody.
  int awaited_by(int rank) const;

 private:
  struct State {
    std::uint64_t begin = 0;  // the step at hand: moves [begin, end)
    std::uint64_t end = 0;
    double entered = 0;
    std::int64_t combined = 0;
    std::int32_t chain = 0;   // messages on the longest chain before the step
    std::int32_t longer = 0;  // and with the step's own
    std::int32_t sent = 0;    // messages of the step that have begun
    std::int32_t received = 0;
    std::int32_t open = 0;   // messages of the step not yet arrived
    std::int32_t sends = 0;  // sends of the step
    std::int32_t receives = 0;
    bool inside = false;   // in a step
    bool sending = false;  // single ports
    bool receiving = false;
  };
  using Queue = std::set<MessageMeeting, EarlierMeeting>;

  // A chain of a rank's step: moves [begin, end), of which those before `next` are done.
  struct Chain {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t next = 0;
    std::int32_t longest = 0;  // messages on the longest chain of messages that ends before `next`
  };

  // An eager message that began without its receiver.
  struct Ahead {
    std::uint64_t receive = MessageMeeting::nobody;  // receive that has come since
    std::int32_t chain = 0;
    bool arrived = false;
  };

  // The key of a rank's operations with a peer in one direction.
  static std::uint64_t key_of(int rank, int peer, bool receives) {
    return static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint64_t>(peer) << 1 | (receives ? 1 : 0);
  }

  State& state(int rank) { return states_[static_cast<std::size_t>(rank)]; }
  const State& state(int rank) const { return states_[static_cast<std::size_t>(rank)]; }

  void begin_chains(int rank);
  Chain* chain_of(int rank, std::uint64_t receive);
  void take_in(Chain& chain, const MessageMeeting& meeting, std::vector<int>& done);
  void end_side(int rank, std::int32_t chain, std::vector<int>& done);
  void post(int rank, std::uint64_t index);
  bool is_eager(const Move& send) const { return eager_ && send.bytes <= *eager_; }
  void begin_when_released(const MessageMeeting& meeting);
  void send_ahead(int rank, std::uint64_t send);
  bool meet_ahead(int rank, std::uint64_t receive, std::uint64_t waiting);
  void take_what_arrived();
  void complete_ahead(const MessageMeeting& meeting, std::vector<int>& done);
  void receive_side(const MessageMeeting& meeting, std::vector<int>& done);
  std::uint64_t find_counterpart(int rank, const Move& move);
  bool competes(const MessageMeeting& meeting) const;
  const MessageMeeting* first_startable(const Queue& queue);
  void start_waiting(std::vector<MessageMeeting>& started);
  void forget(const MessageMeeting& meeting);
  void begin(const MessageMeeting& meeting, std::vector<MessageMeeting>& started);

  Workload& workload_;
  Ports ports_;
  std::optional<std::int64_t> eager_;
  std::vector<State> states_;
  std::int64_t longest_chain_ = 0;
  std::vector<MessageMeeting> met_;                                  // at this instant
  std::unordered_set<std::uint64_t> held_;                           // sends that are kept back
  std::unordered_map<std::uint64_t, MessageMeeting> held_meetings_;  // whose two sides have come, by send
  std::unordered_map<int, Queue> to_send_;                           // by sender: messages that wait for a port
  std::unordered_map<int, Queue> to_receive_;                        // queues by receiver
  std::vector<int> touched_;                                         // ranks whose queues may have become startable
  // In long steps the receives (sends) that have not met, by peer: a search of the step would be quadratic.
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> long_steps_;
  std::unordered_map<int, std::vector<Chain>> chains_;       // by rank, in order
  std::unordered_map<std::uint64_t, MessageMeeting> early_;  // messages that wait for the receiver's chain, by receive
  std::vector<std::uint64_t>* taken_ = nullptr;
  std::unordered_map<std::uint64_t, Ahead> ahead_;                      // by send
  std::unordered_map<std::uint64_t, std::deque<std::uint64_t>> unmet_;  // sends without receive, by pair
  std::int64_t looks_ = 0;
  std::int64_t most_looks_ = std::numeric_limits<std::int64_t>::max();
  std::vector<MessageMeeting> arrived_;  // met at this step by receives of the rank, and there already
};

}  // namespace tutti
