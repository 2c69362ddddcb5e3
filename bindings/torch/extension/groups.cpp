#include "bindings/torch/extension/groups.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace tutti::torch_backend {
namespace {

std::mutex living_mutex;

/// Groups of this process, in the order in which they were joined.
std::vector<std::weak_ptr<Group>>& living() {
  static auto& all = *new std::vector<std::weak_ptr<Group>>;
  return all;
}

std::vector<std::shared_ptr<Group>> living_groups() {
  const std::lock_guard lock(living_mutex);
  std::vector<std::shared_ptr<Group>> groups;
  for (const std::weak_ptr<Group>& each : living()) {
    if (std::shared_ptr<Group> group = each.lock()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::shared_ptr<Group> join_group(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                  std::chrono::milliseconds timeout) {
  std::shared_ptr<Group> group = join_by_store(store, rank, size, timeout);
  const std::lock_guard lock(living_mutex);
  std::erase_if(living(), [](const std::weak_ptr<Group>& each) { return each.expired(); });
  living().push_back(group);
  return group;
}

void leave_all() {
  std::vector<std::shared_ptr<Group>> groups = living_groups();
  for (auto each = groups.rbegin(); each != groups.rend(); ++each) (*each)->leave();
}

void abandon_all(const std::string& why) {
  for (const std::shared_ptr<Group>& each : living_groups()) each->abandon(why);
}

}  // namespace tutti::torch_backend
