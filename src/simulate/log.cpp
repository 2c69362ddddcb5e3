#include "simulate/log.hpp"

#include <algorithm>

namespace tutti {

double Log::entered(const Ranks& ranks, int rank) const {
  const double entered = ranks.entered(rank);
  return instants_.empty() ? entered : instants_[static_cast<std::size_t>(entered) - 1];
}

void Log::add(const MessageMeeting& meeting, const Ranks& ranks, double begin, double end) {
  messages_.push_back({.from = meeting.from,
                       .to = meeting.to,
                       .bytes = meeting.bytes,
                       .send_posted = std::max(entered(ranks, meeting.from), release_of(meeting.send)),
                       .receive_posted = meeting.receive == MessageMeeting::nobody ? begin : entered(ranks, meeting.to),
                       .begin = begin,
                       .end = end,
                       .released = end});
  sends_.push_back(meeting.send);
}

double Log::release_of(std::uint64_t send) const {
  const auto found = releases_.find(send);
  return found == releases_.end() ? 0 : found->second;
}

void Log::enter(int rank, std::string_view phase, double now) {
  std::string_view& at_hand = at_hand_[rank];
  if (at_hand == phase) return;
  at_hand = phase;
  phases_.push_back({rank, now, phase});
}

void Log::add_combination(int rank, double begin, double end) {
  if (end > begin) combinations_.push_back({rank, begin, end});
}

void Log::release(const std::vector<std::uint64_t>& sends, double now) {
  for (const std::uint64_t send : sends) released_[send] = now;
}

void Log::give(Simulation& result) {
  for (std::size_t k = 0; k < messages_.size() && !released_.empty(); ++k) {
    const auto found = released_.find(sends_[k]);
    if (found != released_.end()) messages_[k].released = std::max(messages_[k].end, found->second);
  }
  result.timeline = std::move(messages_);
  std::stable_sort(result.timeline.begin(), result.timeline.end(),
                   [](const TimelineMessage& a, const TimelineMessage& b) {
                     if (a.begin != b.begin) return a.begin < b.begin;
                     return a.from != b.from ? a.from < b.from : a.to < b.to;
                   });
  result.combinations = std::move(combinations_);
  std::stable_sort(result.combinations.begin(), result.combinations.end(),
                   [](const TimelineCombination& a, const TimelineCombination& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.rank < b.rank;
                   });
  result.phases = std::move(phases_);
  std::stable_sort(result.phases.begin(), result.phases.end(),
                   [](const TimelinePhase& a, const TimelinePhase& b) { return a.rank < b.rank; });
}

}  // namespace tutti
