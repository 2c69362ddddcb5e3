/// @file
/// Call of the program's that waits for messages or requests, and that reports a wait which never ends.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/waits/message_wait.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {

/// Call that waits, and the function as which it is told.
class WatchedCall {
 public:
  WatchedCall(const char* function, std::vector<TrackedRequest> awaited, bool any_suffices = false)
      : function_(function), awaited_(std::move(awaited)), any_suffices_(any_suffices), wait_(*job().ranks->host()) {}

  /// Returns once `has_come` says so, or the error's code where it never will. `requests` are those that are awaited.
  std::optional<int> wait_for(const std::function<bool()>& has_come, const std::vector<MPI_Request>& requests = {});
  /// Some have come: these have not.
  void set_awaited(std::vector<TrackedRequest> awaited) {
    awaited_ = std::move(awaited);
    wait_.begin_anew();
  }

 private:
  /// Returns the communicator to which errors go: the first message's.
  const ServedCommunicator& on() const;
  AwaitedMessages told(const std::vector<MPI_Request>& requests) const;
  std::string text() const;

  const char* function_;
  std::vector<TrackedRequest> awaited_;
  bool any_suffices_;
  MessageWait wait_;
};

}  // namespace tutti::interpose
