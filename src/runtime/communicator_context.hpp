/// @file
/// Context of a Communicator: its state, shared by copies, and the cost model by which its ranks choose.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "calls/call_cache.hpp"
#include "calls/collective_operation.hpp"
#include "calls/message_operations.hpp"
#include "predict/model/cost_model.hpp"
#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "schedule/model/layout.hpp"
#include "transport/interfaces/world.hpp"
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
  ReceiveQueue& match_queue() { return match_queue_; }
  CallCache& calls() { return calls_; }

  /// An operation for a call that is waited for at once; given back, the last first, when it is done. Calls nest where
  /// a user's operator calls again.
  const std::shared_ptr<CollectiveOperation>& borrow() {
    if (borrowed_ == pool_.size()) pool_.emplace_back();
    std::shared_ptr<CollectiveOperation>& lent = pool_[borrowed_];
    if (lent == nullptr) [[unlikely]]
      lent = std::make_shared<CollectiveOperation>(state_, calls_);
    ++borrowed_;
    return lent;
  }
  void give_back() { --borrowed_; }
  /// The operation that was lent last, for a call that goes on when who has borrowed it returns: it does not come back.
  std::shared_ptr<CollectiveOperation> give_away() { return std::move(pool_[--borrowed_]); }

 private:
  std::shared_ptr<ProgressEngine> engine_;
  ReceiveQueue match_queue_;  // outlives the connection, which may still write to what is being set aside
  CommunicatorState state_;
  CallCache calls_;
  std::deque<std::shared_ptr<CollectiveOperation>> pool_;  // null where one was given away
  std::size_t borrowed_ = 0;                               // elements of the pool that are lent, from the front
};

/// Returns when all ranks of the communicator have called this with that name, as a collective among the others. Throws
/// what collectives do: Error(mismatch) where others call something else.
void meet_for(const std::shared_ptr<CommunicatorContext>& context, std::string_view name);

/// For a communicator of ranks of the run that are where `layout` says; the same on every one of them.
std::unique_ptr<const CostModel> cost_model_of(const World& world, const Layout& layout);

/// Describes the model in words: "threads on 2 cores".
std::string words_of_place(const World& world, const Layout& layout);

/// Returns how many cores that many ranks have for sure, if no host is more crowded than this one: all of its cores,
/// and if they must be on several hosts, as many for each of its ranks.
int cores_of(int ranks, const HostShare& most_crowded);

}  // namespace tutti::runtime
