/// @file
/// What Communicator stands for.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>

#include "calls/call_cache.hpp"
#include "calls/collective_operation.hpp"
#include "calls/inbox.hpp"
#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "tutti/duration.hpp"

namespace tutti::runtime {

/// One rank's communicator with the engine that advances what is called on it. Guarded by its rank
/// (ProgressEngine::guard).
class CommunicatorContext {
 public:
  /// A communicator of the engine's rank, which knows it from here on.
  static std::shared_ptr<CommunicatorContext> make(std::shared_ptr<ProgressEngine> engine, Membership membership,
                                                   Duration timeout);

  CommunicatorContext(std::shared_ptr<ProgressEngine> engine, Membership membership, Duration timeout);
  CommunicatorContext(const CommunicatorContext&) = delete;
  CommunicatorContext& operator=(const CommunicatorContext&) = delete;

  ProgressEngine& engine() const { return *engine_; }
  const std::shared_ptr<ProgressEngine>& shared_engine() const { return engine_; }
  CommunicatorState& state() { return state_; }
  Inbox& inbox() { return inbox_; }
  CallCache& calls() { return calls_; }

  /// An operation for a call that is waited for at once; given back, the last first, when it is done. Calls nest where
  /// a user's operator calls again.
  const std::shared_ptr<CollectiveOperation>& borrow() {
    if (borrowed_ == pool_.size()) pool_.push_back(std::make_shared<CollectiveOperation>(state_, calls_));
    return pool_[borrowed_++];
  }
  void give_back() { --borrowed_; }

 private:
  std::shared_ptr<ProgressEngine> engine_;
  Inbox inbox_;  // outlives the connection, which may still write to what is being set aside
  CommunicatorState state_;
  CallCache calls_;
  std::deque<std::shared_ptr<CollectiveOperation>> pool_;
  std::size_t borrowed_ = 0;  // of the pool, from the front
};

/// Returns when all ranks of the communicator have called this with that name, as a collective among the others. Throws
/// what collectives do: Error(mismatch) where others call something else.
void meet_for(const std::shared_ptr<CommunicatorContext>& context, std::string_view name);

}  // namespace tutti::runtime
