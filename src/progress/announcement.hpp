/// @file
/// What a rank that waits for long tells the others, and what it learns from what they tell.
#pragma once

#include <chrono>
#include <string>

#include "progress/clock.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// Tells the other ranks what this one waits for, as long as it waits, and looks for ranks that wait in a circle. The
/// caller holds the rank's guard, because telling may send packets.
class Announcement {
 public:
  Announcement(World& world, int rank, Clock& clock) : world_(world), rank_(rank), clock_(clock) {}
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  ~Announcement() { withdraw(); }

  /// Tells what the rank waits for; `changes` is the engine's count of changes to the operations under way.
  void make(const std::string& text, const Standing& standing, std::uint64_t changes);
  void withdraw();
  bool is_made() const { return made_; }
  /// Whether what was told still holds: the rank's operations have not changed, and neither have their needs and words.
  /// Needs may become fewer without a change on this rank, when other ranks enter a call, and the words may name fewer
  /// ranks, when it hears that others had entered.
  bool holds(const std::string& text, const Standing& standing, std::uint64_t changes) const;

  /// Returns a sentence that names the ranks which wait for one another for ever, this one among them; empty where none
  /// are known to. The caller's announcement holds, and its latest look, which began at `moment`, has found nothing.
  std::string look(std::uint64_t moment);

 private:
  std::string circle();

  World& world_;
  int rank_;
  Clock& clock_;
  bool made_ = false;
  std::uint64_t changes_ = 0;
  std::string text_;
  Standing told_;
  Clock::Instant next_look_;
  Clock::Duration between_looks_{};
};

}  // namespace tutti::runtime
