#include "progress/sleep.hpp"

#include <algorithm>
#include <utility>

#include "progress/communicator_state.hpp"

namespace tutti::runtime {

Sleep::Sleep(World& world, int rank, std::vector<std::shared_ptr<Operation>> operations)
    : world_(world), rank_(rank), operations_(std::move(operations)) {
  WokenBy all = WokenBy::messages;
  for (const std::shared_ptr<Operation>& operation : operations_) {
    beds_.push_back({&operation->communicator().channel(), operation->woken_by()});
    all = std::max(all, beds_.back().woken_by);
  }
  for (const Bed& bed : beds_) bed.channel->lie_down(bed.woken_by);
  is_prepared_ = world_.lie_down(rank_, all);
}

Sleep::~Sleep() {
  world_.get_up(rank_);
  for (const Bed& bed : beds_) bed.channel->get_up(bed.woken_by);
}

}  // namespace tutti::runtime
