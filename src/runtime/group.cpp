#include "runtime/group.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::runtime {

Group::Group(std::uint64_t identity, std::vector<int> members)
    : identity_(identity),
      members_(std::move(members)),
      board_(static_cast<int>(members_.size())),
      channels_(static_cast<int>(members_.size())) {}

std::string Group::suffix() const {
  return identity_ == 0 ? std::string() : fmt::format(" of communicator {}", identity_);
}

std::optional<int> Group::rank_of(int member) const {
  const auto found = std::find(members_.begin(), members_.end(), member);
  if (found == members_.end()) return std::nullopt;
  return static_cast<int>(found - members_.begin());
}

void Group::fail(ErrorCode code, const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  error_.emplace(code, message);
  // Sequentially consistent: see ThreadsTransport, "Withdrawal".
  channels_.closed.store(true, std::memory_order_seq_cst);
}

Error Group::error() const {
  const std::lock_guard lock(mutex_);
  return *error_;
}

}  // namespace tutti::runtime
