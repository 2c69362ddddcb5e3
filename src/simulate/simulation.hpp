/// @file
/// Simulation as data: its options, and its result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace tutti {

/// Progress of time in a simulation.
enum class Engine : std::uint8_t {
  rounds,  ///< all together: in each round every message that can be under way is; k of them on a link each take k
           ///< times tw
  flows,   ///< each rank at its own pace; messages on a link share it fairly (max-min) while they are both under way
};

std::string_view name_of(Engine engine);

/// Routing of a message.
enum class Routing : std::uint8_t {
  own,               ///< the network's own route, always the same
  minimal_adaptive,  ///< among the shortest ways, link by link the one on which fewest messages are when the message
                     ///< begins, or are still to come: they count from when they have chosen it
  ecmp,              ///< among the shortest ways one by a hash of the two ranks: all messages of a pair take it
  valiant,           ///< over a random rank, or its switch, each message over its own
  adaptive,          ///< the network's own route, or a detour as by valiant where that is less loaded for its length
};

std::string_view name_of(Routing routing);

/// All of them, as the command line has them.
std::span<const Routing> all_routings();

/// Endless messages between random ranks, which share links with all others.
struct Background {
  int messages = 0;
  unsigned seed = 0;
};

/// A rank that is not like the others.
struct Skew {
  double start = 0;     ///< seconds after which the rank begins
  double slowness = 1;  ///< seconds of combining, times the machine's tc
};

/// A message that its sender keeps back.
struct Release {
  int rank = 0;      ///< the sender
  int send = 0;      ///< index among its sends, from 0
  double start = 0;  ///< seconds before which the message does not begin
};

struct SimulationOptions {
  Engine engine = Engine::flows;
  Routing routing = Routing::own;
  unsigned routing_seed = 0;   ///< seed of hashes and random ranks
  Background background = {};  ///< ways as by `routing`; carries nothing in the result but makes links shared
  double injection = 0;        ///< seconds a byte for all that a rank sends, and for all that it gets; 0: no limit
  /// Sends of at most so many bytes are buffered: they begin when the sender comes to them, and keep it until they have
  /// arrived, whether anybody receives them yet or not.
  std::optional<std::int64_t> eager = {};
  std::vector<Skew> skew;         ///< empty, or one a rank; in rounds all ranks begin together
  std::vector<Release> releases;  ///< messages that are kept back; in rounds none is
  bool timeline = false;          ///< keep every message and combination, and the load of every link
  /// In flows it is given up after more work than this, and where it is not over at that time; by either engine at
  /// once where traffic alone takes longer than that (traffic_bound.hpp).
  std::optional<std::int64_t> most_work = {};
  std::optional<double> until = {};
  /// Told, as messages come to their ends, how many of all have; about a thousand times, and at the last one.
  std::function<void(std::int64_t passed, std::int64_t all)> progress = {};
  std::optional<unsigned>
      shuffle;  ///< handle simultaneous events in a random order with this seed: the result must not change
};

/// One message of a timeline. Times in seconds.
struct TimelineMessage {
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;
  double send_posted = 0;     ///< when the sender was ready
  double receive_posted = 0;  ///< when the receiver was ready; of a message that began without it, when it began
  double begin = 0;           ///< when both ports were free
  double end = 0;
  double released = 0;  ///< when the sender was done with it: later than its end where it waited for a chain
};

/// Combination by a rank after a step of a timeline. Times in seconds.
struct TimelineCombination {
  int rank = 0;
  double begin = 0;
  double end = 0;
};

/// When a rank came to a phase of its algorithm, in seconds; it lasts until the rank's next one, or until it is done.
struct TimelinePhase {
  int rank = 0;
  double begin = 0;
  std::string_view name;  ///< empty: none
};

struct LinkLoad {
  LinkId link = 0;
  std::int64_t bytes = 0;
};

struct Simulation {
  bool is_whole = true;   ///< otherwise it was given up, and nothing else but the work is told
  std::int64_t work = 0;  ///< in flows: messages, and looks at those that wait and at links whose flows have changed
  double seconds = 0;
  std::int64_t rounds = 0;  ///< in rounds their number; in flows the messages on the longest chain
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< sent by all ranks
  int most_shared = 0;     ///< the greatest number of messages that were on one link at a time
  std::optional<LinkLoad>
      busiest;  ///< the link that carried most bytes, the first of several; none where each pair has its own
  std::vector<double> finished;                   ///< when each rank was done
  std::vector<LinkLoad> loads;                    ///< with a timeline: the links that carried anything, in order
  std::vector<TimelineMessage> timeline;          ///< in order of beginning, then of sender
  std::vector<TimelineCombination> combinations;  ///< with a timeline, where they take time; in order of beginning
  std::vector<TimelinePhase> phases;              ///< with a timeline: each rank's in order
};

/// Weight of a message among looks at links, and of a look at one that waits for a port.
inline constexpr std::int64_t work_of_a_message = 8;
inline constexpr std::int64_t work_of_a_look = 2;

}  // namespace tutti
