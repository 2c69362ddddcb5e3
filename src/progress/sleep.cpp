#include "progress/sleep.hpp"

#include <algorithm>
#include <utility>

#include "progress/communicator_state.hpp"

namespace tutti::runtime {

Sleep::Sleep(RankSleep& sleeper, int rank, std::vector<std::shared_ptr<Operation>> operations)
    : sleeper_(sleeper), rank_(rank), operations_(std::move(operations)) {
  WokenBy all = WokenBy::messages;
  for (const std::shared_ptr<Operation>& operation : operations_) {
    channels_.push_back({&operation->communicator().channel(), operation->woken_by()});
    all = std::max(all, channels_.back().woken_by);
  }
  for (const SleepingChannel& each : channels_) each.channel->prepare_sleep(each.woken_by);
  is_prepared_ = sleeper_.prepare_sleep(rank_, all);
}

Sleep::~Sleep() {
  sleeper_.finish_sleep(rank_);
  for (const SleepingChannel& each : channels_) each.channel->finish_sleep(each.woken_by);
}

}  // namespace tutti::runtime
