/// @file
/// A rank that has joined a world of processes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "progress/progress_engine.hpp"
#include "transport/processes/process_world.hpp"
#include "tutti/communicator.hpp"
#include "tutti/error.hpp"
#include "tutti/run.hpp"

namespace tutti::runtime {

/// Engine of the rank, and its communicator of all ranks.
class JoinedRank {
 public:
  /// Tells the other ranks where it fails, because the system has no thread to give, for one.
  JoinedRank(const Joined& joined, const RunOptions& options);

  Communicator& communicator() { return *communicator_; }
  ProgressEngine& engine() { return *engine_; }
  const std::shared_ptr<ProgressEngine>& shared_engine() const { return engine_; }

  /// Whether the error only says that another rank has failed, which that rank says itself.
  bool is_told_elsewhere(const Error& error) const {
    return error.code() == ErrorCode::peer_failed && engine_->world().losses() > 0;
  }
  /// Closes the world for this rank: communicators, handles and plans that the program still has do nothing from here
  /// on.
  void close();
  /// Waits until the others have come to all calls of this rank, then closes. Throws what is found only now, and
  /// closes all the same.
  void finish_and_close();

 private:
  std::shared_ptr<ProgressEngine> engine_;
  std::optional<Communicator> communicator_;
};

}  // namespace tutti::runtime
