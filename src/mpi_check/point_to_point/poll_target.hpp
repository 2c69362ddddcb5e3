/// @file
/// Targets of a loop of looks: what a program looks for again and again, and how that is told as a wait.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "mpi_check/point_to_point/poll_call.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/waits/message_wait.hpp"
#include "mpi_check/waits/poll_pace.hpp"

namespace tutti::interpose {

/// One thing that the program looks for, as its requests are now.
class PollTarget {
 public:
  explicit PollTarget(const PollCall& look) : look_(look) {}

  const PollCall& look() const { return look_; }
  PollPace::Instant latest{};  ///< when the program looked for it

  /// Whether it is there. Changes nothing.
  bool is_there() const;
  /// Returns its awaited messages; nothing if they are not known.
  std::optional<std::vector<TrackedRequest>> posted_now() const;

 private:
  PollCall look_;
};

/// Subject of a loop's looks, told as a wait for the first of it.
class AwaitedByLoop {
 public:
  void add(const PollTarget& thing, const std::vector<TrackedRequest>& known);
  AwaitedMessages told(const std::vector<MPI_Request>& requests);
  bool is_known() const { return !what_.awaited.empty() || !what_.or_all_of.empty(); }

 private:
  void add_together(const std::vector<TrackedRequest>& known);
  std::string text() const;

  AwaitedMessages what_;
  std::vector<TrackedRequest> for_words_;
  std::string functions_;
  const char* word_ = " and ";
  int things_ = 0;
};

}  // namespace tutti::interpose
