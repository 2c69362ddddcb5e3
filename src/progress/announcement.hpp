/// @file
/// What a rank that waits for long tells the others, and what it learns from what they tell.
#pragma once

#include <chrono>
#include <string>

#include "progress/clock.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// Tells the other ranks what this one waits for, while it does, and looks for ranks that wait in a circle. To be used
/// under the rank's guard, because what is told may be sent.
class Announcement {
 public:
  Announcement(World& world, int rank, Clock& clock) : world_(world), rank_(rank), clock_(clock) {}
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  ~Announcement() { withdraw(); }

  /// Tells what the rank waits for; `changes` is what it counts of what is under way.
  void make(const std::string& text, const Standing& standing, std::uint64_t changes);
  void withdraw();
  bool is_made() const { return made_; }
  /// Whether what was told still holds: nothing has changed, and the needs are the same. They may grow fewer without a
  /// change of this rank's, where other ranks come.
  bool holds(const Standing& standing, std::uint64_t changes) const;

  /// To be called while it holds, after a look from `moment` on that found nothing. Which ranks wait for one another
  /// for ever, this one with them, in a sentence; empty: none that are known.
  std::string look(std::uint64_t moment);

 private:
  std::string circle();

  World& world_;
  int rank_;
  Clock& clock_;
  bool made_ = false;
  std::uint64_t changes_ = 0;
  Standing told_;
  Clock::Instant next_look_;
  Clock::Duration between_looks_{};
};

}  // namespace tutti::runtime
