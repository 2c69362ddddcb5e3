/// @file
/// Announcement of a rank that waits for long, and its view of what others announce.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "progress/clock.hpp"
#include "transport/interfaces/rank_directory.hpp"
#include "transport/interfaces/wait_state.hpp"

namespace tutti::runtime {

/// Tells the other ranks what this one waits for, as long as it waits, and looks for ranks that wait in a cycle. The
/// caller holds the rank's guard, because telling may send packets.
class Announcement {
 public:
  Announcement(const RankDirectory& ranks, WaitBoard& board, int rank, Clock& clock)
      : ranks_(ranks), board_(board), rank_(rank), clock_(clock) {}
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  ~Announcement() { withdraw(); }

  /// Tells what the rank waits for; `changes` is the engine's count of changes to the operations under way.
  void make(const std::string& text, const WaitState& wait_state, std::uint64_t changes);
  void withdraw();
  bool is_made() const { return made_; }
  /// Whether what was told still holds: the rank's operations have not changed, and neither have their needs and words.
  /// Needs may become fewer without a change on this rank, when other ranks enter a call, and the words may name fewer
  /// ranks, when it hears that others had entered.
  bool holds(const std::string& text, const WaitState& wait_state, std::uint64_t changes) const;

  /// Whether nothing but ranks moves what ranks have under way: then none goes on once all of them wait.
  enum class Movers : std::uint8_t { ranks, others };

  /// Returns a sentence that names the ranks which wait for one another for ever, this one among them; empty where none
  /// are known to. The caller's announcement holds, and its latest look, which began at `moment`, has found nothing.
  std::string look(std::uint64_t moment, Movers movers = Movers::others);

 private:
  class Heard;
  std::string find_cycle(Heard& heard);
  std::string wait_of_all(Heard& heard);
  std::string named(std::span<const int> ranks) const;

  const RankDirectory& ranks_;
  WaitBoard& board_;
  int rank_;
  Clock& clock_;
  bool made_ = false;
  std::uint64_t changes_ = 0;
  std::string text_;
  WaitState told_;
  Clock::Instant next_look_;
  Clock::Duration between_looks_{};
};

}  // namespace tutti::runtime
