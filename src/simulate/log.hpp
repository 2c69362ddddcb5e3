/// @file
/// Log of the engines for a timeline.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simulate/meeting.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

/// Filled while the engine runs, and only where a timeline is wanted.
class Log {
 public:
  /// Notes the next instant's time, if ranks enter their steps at numbered instants. The first has the number 1.
  void note_instant(double now) { instants_.push_back(now); }
  /// The message has passed from `begin` to `end`. To be called while both ranks are in the steps that it belongs to.
  void add(const MessageMeeting& meeting, const Ranks& ranks, double begin, double end);
  /// At `now` the rank has come to a step of that phase; empty: of none.
  void enter(int rank, std::string_view phase, double now);
  /// The rank has combined, unless that took no time.
  void add_combination(int rank, double begin, double end);
  /// At `now` the receivers' chains have taken in the messages of these sends.
  void release(const std::vector<std::uint64_t>& sends, double now);
  /// The message of this send is kept back until then.
  void note_release(std::uint64_t send, double start) { releases_[send] = start; }
  /// Moves all of it into the result, in order.
  void give(Simulation& result);

 private:
  double entered(const Ranks& ranks, int rank) const;
  double release_of(std::uint64_t send) const;

  std::vector<double> instants_;
  std::vector<TimelineMessage> messages_;
  std::vector<std::uint64_t> sends_;  // send of each message
  std::vector<TimelineCombination> combinations_;
  std::vector<TimelinePhase> phases_;
  std::unordered_map<int, std::string_view> at_hand_;   // by rank: the phase that it is in
  std::unordered_map<std::uint64_t, double> released_;  // by send
  std::unordered_map<std::uint64_t, double> releases_;  // release times of messages that are kept back, by send
};

}  // namespace tutti
