#include "calls/meeting_operation.hpp"

#include <algorithm>
#include <utility>

#include "agreement/disagreement.hpp"
#include "transport/communicator_name.hpp"

namespace tutti::runtime {

bool MeetingOperation::advance() {
  if (!is_entered()) return enter();
  if (!met_ && !all_have_entered()) return false;
  if (!met_ && !meet()) return true;
  if (signature_.color >= 0 && !join()) return false;
  communicator().leave(number());
  finish();
  return true;
}

std::string MeetingOperation::title() const { return call_name(signature_); }

/// Finds the ranks that come together; false if the ranks came for different things.
bool MeetingOperation::meet() {
  Agreement& agreement = communicator().agreement();
  std::vector<std::pair<std::int64_t, int>> keyed;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    const MeetingWords other = agreement.meeting_words(rank, number());
    if (other.digest != signature_.digest) {
      fail_disputed(number());
      return false;
    }
    if (other.color == signature_.color) keyed.emplace_back(other.key, rank);
  }
  std::sort(keyed.begin(), keyed.end());
  for (const auto& [key, rank] : keyed) {
    if (rank == communicator().rank()) made_.rank = static_cast<int>(ranks_.size());
    ranks_.push_back(rank);
    made_.members.push_back(communicator().member(rank));
  }
  met_ = true;
  return true;
}

bool MeetingOperation::join() {
  const Membership& parent = communicator().membership();
  if (!communicator().world().join(parent, number(), ranks_, made_)) return false;
  made_.title = title_of_communicator(communicator().title(), number(), ranks_.front());
  return true;
}

}  // namespace tutti::runtime
