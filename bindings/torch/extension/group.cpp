#include "bindings/torch/extension/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

// A group in which nothing has been under way for so long is looked at no more.
constexpr std::chrono::milliseconds rest(20);

}  // namespace

Group::Group(std::optional<JoinedWorld> world, Communicator communicator, std::shared_ptr<RankLock> lock,
             std::chrono::milliseconds timeout)
    : rank_(communicator.rank()),
      size_(communicator.size()),
      timeout_(timeout),
      lock_(std::move(lock)),
      world_(std::move(world)),
      communicator_(std::move(communicator)),
      limit_(timeout) {
  if (timeout.count() > 0) communicator_->set_timeout(timeout);
}

Group::~Group() {
  if (process_ == getpid()) return;
  // Another process's rank: a child has a copy of it, and nothing of it is its own.
  new std::optional<JoinedWorld>(std::move(world_));
  new std::optional<Communicator>(std::move(communicator_));
}

Communicator& Group::communicator() {
  if (!communicator_)
    throw Error(ErrorCode::invalid_argument,
                "a process group was used after destroy_process_group: init_process_group again");
  return *communicator_;
}

void Group::keep(OperationPointer operation) {
  Helper& helper = Helper::of_this_process();
  operation->set_born(helper.tick());
  latest_ = std::chrono::steady_clock::now();
  under_way_.push_back(std::move(operation));
  if (!is_helped_.load(std::memory_order_relaxed)) helper.look_after(*this);
}

void Group::settle_done(std::vector<OperationPointer>& settled) {
  for (auto each = under_way_.begin(); each != under_way_.end();) {
    if (!(*each)->test_and_settle()) {
      ++each;
      continue;
    }
    settled.push_back(std::move(*each));
    each = under_way_.erase(each);
  }
}

void Group::limit_waits(std::chrono::milliseconds timeout) {
  if (!communicator_) return;
  if (timeout.count() <= 0) timeout = timeout_;
  if (timeout == limit_ || timeout.count() <= 0) return;
  communicator_->set_timeout(timeout);
  limit_ = timeout;
}

// All ranks of one machine have signed all calls by then, so that nothing is waited for. Those of MPI may hear of it later. The barrier
// itself is under way, or was done at once, as nothing else was.
void Group::compare_calls() {
  if (world_ && communicator_ && under_way_.size() <= 1) communicator_->wait_all();
}

Group::Helped Group::help(std::uint64_t tick, bool& moved) {
  std::vector<OperationPointer> settled;
  bool is_busy = false;
  {
    const HeldRank held(*lock_, std::try_to_lock);
    if (!held) return Helped::quiet;  // whoever holds it advances all that is under way
    if (under_way_.empty()) {
      if (std::chrono::steady_clock::now() - latest_ < rest) return Helped::quiet;
      is_helped_.store(false);
      return Helped::done;
    }
    if (under_way_.front()->born() + 1 >= tick) return Helped::quiet;
    settle_done(settled);
    is_busy = !under_way_.empty();
  }
  for (const OperationPointer& each : settled) each->tell();
  moved = moved || !settled.empty();
  return is_busy ? Helped::busy : Helped::quiet;
}

void Group::leave() {
  if (process_ != getpid()) return;
  std::exception_ptr first;
  for (;;) {
    OperationPointer next;
    {
      const HeldRank held(*lock_);
      if (!under_way_.empty()) next = under_way_.front();
    }
    if (next == nullptr) break;
    try {
      next->wait_until_settled(c10d::kUnsetTimeout);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  const HeldRank held(*lock_);
  if (CallReport::is_asked_for() && rank_ == 0) report_.write(size_);
  try {
    if (world_) std::exchange(world_, std::nullopt)->leave();
  } catch (...) {
    if (!first) first = std::current_exception();
  }
  communicator_.reset();
  if (first) std::rethrow_exception(first);
}

void Group::abandon(const std::string& why) {
  if (process_ != getpid()) return;
  const HeldRank held(*lock_);
  if (world_) {
    world_->abandon(why);
  } else if (communicator_) {
    tutti::abandon(why);
  }
}

}  // namespace tutti::torch_backend
