/// @file
/// Findings of a rank that waits: ranks that are lost or late, deadlocks, and waits of too long.

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/system/tell_user.hpp"
#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "progress/timeout_report.hpp"

namespace tutti::runtime {

void ProgressEngine::inspect(Operation& operation, WaitingTime::Duration idle) {
  world().watch();
  for (const std::shared_ptr<Operation>& each : active_) {
    if (!each->active()) continue;
    if (const auto error = each->lost()) each->communicator().failure().fail(error->code(), error->what());
  }
  if (!operation.active() || idle < operation.communicator().timeout || !are_all_up(operation.communicator())) return;
  Failure& failure = operation.communicator().failure();
  if (const auto error = operation.explain()) {
    failure.fail(error->code(), error->what());
  } else {
    Operation* const one = &operation;
    failure.fail(ErrorCode::timeout, timeout_report(operation, rank_.number, wait_state({&one, 1})));
  }
}

WaitingTime::Duration ProgressEngine::note_idle(Operation& operation) {
  const std::uint64_t seen = operation.moves() + operation.arrivals();
  if (seen != operation.seen || !operation.idle) {
    operation.seen = seen;
    operation.idle.emplace(rank_.clock.now());
    operation.late.emplace(rank_.late_after);
  }
  return operation.idle->look(rank_.clock.now());
}

void ProgressEngine::inspect_idle(Operation& operation) {
  const WaitingTime::Duration idle = note_idle(operation);
  inspect(operation, idle);
  Operation* const one = &operation;
  if (operation.active() && operation.late->take(idle)) tell_lasting({&one, 1}, idle, operation.late->gap());
}

// The late rank's record says when the user was told that ranks wait for it, so that one of them tells it for all.
void ProgressEngine::tell_lasting(std::span<Operation* const> awaited, WaitingTime::Duration waited,
                                  std::chrono::nanoseconds gap) {
  Operation& operation = *awaited.front();
  Failure& failure = operation.communicator().failure();
  if (failure.failed()) return;
  if (const auto error = operation.explain()) return failure.fail(error->code(), error->what());
  const WaitState mine = wait_state(awaited);
  const std::vector<int> late = late_ranks(world(), rank_.number, mine);
  if (!world().tells_once() && !is_first_to_wait(operation.communicator())) return;
  if (!world().claim_telling(late.empty() ? rank_.number : late.front(), rank_.clock.now().time_since_epoch(), gap))
    return;
  tell_user("tutti: {}\n", long_wait_report(operation, waited, rank_.number, mine));
}

/// Whether all ranks have come up, as far as this one can know: before, none is late.
bool ProgressEngine::are_all_up(const CommunicatorState& communicator) const {
  if (world().transport() == Transport::mpi) return true;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const RankRecord& record = communicator.record(rank);
    if (record.thread() == 0 && !record.has_ended()) return false;
  }
  return true;
}

/// Whether no rank before this one is known to wait.
bool ProgressEngine::is_first_to_wait(const CommunicatorState& communicator) const {
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank()) return true;
    if (communicator.record(rank).stamp() != 0) return false;
  }
  return true;
}

WaitState ProgressEngine::wait_state(std::span<Operation* const> awaited) const {
  WaitState wait_state;
  bool has_room = true;
  for (const Operation* each : awaited) has_room = has_room && each->tell(wait_state);
  if (!has_room) return {};
  wait_state.awaited = wait_state.operations;
  visit_all([&](const std::shared_ptr<Operation>& each) {
    const bool is_told = std::find(awaited.begin(), awaited.end(), each.get()) != awaited.end();
    if (!is_told && each->active()) has_room = each->tell(wait_state);
    return has_room;
  });
  if (tell_also_) has_room = has_room && tell_also_(wait_state);
  return has_room ? wait_state : WaitState();
}

}  // namespace tutti::runtime
