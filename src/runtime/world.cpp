#include "runtime/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tutti::runtime {
namespace {

std::string text_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

bool is_peer_failure(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& e) {
    return e.code() == ErrorCode::peer_failed;
  } catch (...) {
    return false;
  }
}

}  // namespace

World::World(int ranks) : ends_(static_cast<std::size_t>(ranks)), waiting_(static_cast<std::size_t>(ranks)) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  whole_ = std::make_shared<Group>(next_identity_++, std::move(all));
  groups_.push_back(whole_);
}

std::shared_ptr<Group> World::group(const Group& parent, std::uint64_t number, std::int64_t color,
                                    const std::vector<int>& members) {
  const std::lock_guard lock(mutex_);
  const Birth birth{parent.identity(), number, color};
  auto found = nursery_.find(birth);
  if (found == nursery_.end()) {
    auto fresh = std::make_shared<Group>(next_identity_++, members);
    for (const Failure& failure : failures_) fail_group(*fresh, failure);
    std::erase_if(groups_, [](const std::weak_ptr<Group>& group) { return group.expired(); });
    groups_.push_back(fresh);
    found = nursery_.emplace(birth, Nursery{std::move(fresh), members.size()}).first;
  }
  std::shared_ptr<Group> group = found->second.group;
  if (--found->second.expected == 0) nursery_.erase(found);
  return group;
}

void World::ended(int rank) {
  // Release: pairs with has_ended().
  ends_[static_cast<std::size_t>(rank)].store(true, std::memory_order_release);
}

void World::failed(int rank, std::exception_ptr exception) {
  {
    const std::lock_guard lock(mutex_);
    failures_.push_back({rank, text_of(exception), exception, is_peer_failure(exception)});
    for (const std::weak_ptr<Group>& weak : groups_) {
      if (const auto group = weak.lock()) fail_group(*group, failures_.back());
    }
  }
  ended(rank);
}

void World::fail_group(Group& group, const Failure& failure) const {
  const std::optional<int> rank = group.rank_of(failure.rank);
  if (!rank) return;
  const std::string who = *rank == failure.rank ? fmt::format("rank {}", *rank)
                                                : fmt::format("rank {} (rank {} of the run)", *rank, failure.rank);
  group.fail(ErrorCode::peer_failed, fmt::format("{} failed: {}", who, failure.message));
}

void World::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (failures_.empty()) return;
  const auto cause = std::find_if(failures_.begin(), failures_.end(), [](const Failure& f) { return !f.follows; });
  std::rethrow_exception(cause == failures_.end() ? failures_.front().exception : cause->exception);
}

void World::set_waiting(int rank, std::string what) {
  const std::lock_guard lock(mutex_);
  waiting_[static_cast<std::size_t>(rank)] = std::move(what);
}

std::string World::waiting(int rank) const {
  const std::lock_guard lock(mutex_);
  return waiting_[static_cast<std::size_t>(rank)];
}

}  // namespace tutti::runtime
