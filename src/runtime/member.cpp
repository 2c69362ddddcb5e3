#include "runtime/member.hpp"

#include <numeric>

#include "runtime/price.hpp"
#include "runtime/transport/threads/threads_transport.hpp"

namespace tutti::runtime {

Member::Member(std::shared_ptr<Rank> owner, std::shared_ptr<Group> group, int rank, Duration patience)
    : timeout(patience),
      owner_(std::move(owner)),
      group_(std::move(group)),
      rank_(rank),
      transport_(std::make_unique<ThreadsTransport>(group_->channels(), rank)),
      numbers_(group_->size()),
      recipes_(rank, price_of(threads_costs)) {
  std::iota(due_.begin(), due_.end(), std::uint64_t{0});
}

}  // namespace tutti::runtime
