/// @file
/// Eager sends: messages that begin without their receivers.

#include "simulate/meeting.hpp"

namespace tutti {

// Messages of a pair are received in the order in which they are sent: none is sent ahead while a receive waits, and a
// receive takes the first of those that were, or that waits for it.
void Ranks::send_ahead(int rank, std::uint64_t send) {
  Move& move = workload_.moves()[send];
  move.met = true;
  ahead_.emplace(send, Ahead{});
  unmet_[key_of(move.peer, rank, true)].push_back(send);
  begin_when_released({.send = send,
                       .receive = MessageMeeting::nobody,
                       .from = rank,
                       .to = move.peer,
                       .bytes = move.bytes,
                       .ready = state(rank).entered,
                       .eager = true});
}

// The sends of a rank are numbered in their order, so that of two the lesser number is the earlier one. `waiting` is
// the peer's first send that waits for its receive; the greatest number where none does.
bool Ranks::meet_ahead(int rank, std::uint64_t receive, std::uint64_t waiting) {
  if (unmet_.empty()) return false;
  Move& move = workload_.moves()[receive];
  const auto sends = unmet_.find(key_of(rank, move.peer, true));
  if (sends == unmet_.end() || sends->second.front() > waiting) return false;
  move.met = true;
  const std::uint64_t send = sends->second.front();
  sends->second.pop_front();
  if (sends->second.empty()) unmet_.erase(sends);
  Ahead& ahead = ahead_.at(send);
  ahead.receive = receive;
  if (!ahead.arrived) return true;
  arrived_.push_back({.send = send,
                      .receive = receive,
                      .from = move.peer,
                      .to = rank,
                      .bytes = move.bytes,
                      .eager = true,
                      .chain = ahead.chain});
  ahead_.erase(send);
  return true;
}

// Only the rank that is entering its step can thereby complete it, and its caller is told.
void Ranks::take_what_arrived() {
  std::vector<int> done;
  for (const MessageMeeting& meeting : arrived_) receive_side(meeting, done);
  arrived_.clear();
}

void Ranks::complete_ahead(const MessageMeeting& meeting, std::vector<int>& done) {
  end_side(meeting.from, meeting.chain, done);
  const auto found = ahead_.find(meeting.send);
  if (found->second.receive == MessageMeeting::nobody) {
    found->second.arrived = true;
    found->second.chain = meeting.chain;
    return;
  }
  MessageMeeting met = meeting;
  met.receive = found->second.receive;
  ahead_.erase(found);
  receive_side(met, done);
}

}  // namespace tutti
