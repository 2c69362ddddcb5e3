#include "simulate/meeting.hpp"

#include <algorithm>
#include <iterator>
#include <queue>

namespace tutti {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::uint64_t long_step = 32;  // moves: where an index beats a search, measured

}  // namespace

Ranks::Ranks(Workload& workload, Ports ports, std::optional<std::int64_t> eager)
    : workload_(workload), ports_(ports), eager_(eager), states_(static_cast<std::size_t>(workload.ranks())) {
  for (int rank = 0; rank < workload.ranks(); ++rank) state(rank).end = workload.begin(rank);
}

Ranks::Entry Ranks::enter(int rank, double now) {
  State& mine = state(rank);
  if (mine.end == workload_.begin(rank + 1)) return Entry::finished;
  mine = State{.begin = mine.end,
               .end = workload_.step_end(mine.end),
               .entered = now,
               .chain = mine.longer,
               .longer = mine.longer,
               .inside = true,
               .receiving = mine.receiving};
  const std::span<Move> moves = workload_.moves();
  for (std::uint64_t at = mine.begin; at < mine.end; ++at) {
    const Move& move = moves[at];
    if (move.kind == OpKind::receive_reduce || move.kind == OpKind::reduce) mine.combined += move.bytes;
    if (!move.communicates()) continue;
    ++mine.open;
    ++(move.receives() ? mine.receives : mine.sends);
  }
  if (workload_.has_chains()) begin_chains(rank);
  const bool indexed = mine.end - mine.begin >= long_step;
  for (std::uint64_t at = mine.begin; at < mine.end; ++at) {
    if (!moves[at].communicates()) continue;
    if (indexed) long_steps_[key_of(rank, moves[at].peer, moves[at].receives())].push_back(at);
    post(rank, at);
  }
  if (!arrived_.empty()) take_what_arrived();
  mine.inside = mine.open > 0;
  return mine.inside ? Entry::waits : Entry::local;
}

// Meets the counterpart if the peer has come to it. Operations of a pair meet in the order in which they are posted:
// the counterpart is the peer's first that has not met.
void Ranks::post(int rank, std::uint64_t index) {
  Move& move = workload_.moves()[index];
  const std::uint64_t other = find_counterpart(rank, move);
  if (move.receives() && meet_ahead(rank, index, other)) return;
  if (other == none) {
    if (!move.receives() && is_eager(move)) send_ahead(rank, index);
    return;
  }
  move.met = true;
  workload_.moves()[other].met = true;
  const bool receives = move.receives();
  const MessageMeeting meeting{.send = receives ? other : index,
                               .receive = receives ? index : other,
                               .from = receives ? move.peer : rank,
                               .to = receives ? rank : move.peer,
                               .bytes = receives ? workload_.moves()[other].bytes : move.bytes,
                               .ready = state(rank).entered,
                               .eager = is_eager(workload_.moves()[receives ? other : index])};
  begin_when_released(meeting);
}

void Ranks::begin_when_released(const MessageMeeting& meeting) {
  if (held_.contains(meeting.send)) {
    held_meetings_.emplace(meeting.send, meeting);
  } else {
    met_.push_back(meeting);
  }
}

void Ranks::release(std::uint64_t send, double now) {
  held_.erase(send);
  const auto found = held_meetings_.find(send);
  if (found == held_meetings_.end()) return;
  met_.push_back(found->second);
  met_.back().ready = now;
  held_meetings_.erase(found);
}

std::uint64_t Ranks::find_counterpart(int rank, const Move& move) {
  const State& theirs = state(move.peer);
  if (!theirs.inside) return none;
  const std::span<Move> moves = workload_.moves();
  const bool wanted = !move.receives();
  const auto fits = [&](std::uint64_t at) {
    return !moves[at].met && moves[at].peer == rank && moves[at].receives() == wanted && moves[at].communicates();
  };
  if (theirs.end - theirs.begin < long_step) {
    for (std::uint64_t at = theirs.begin; at < theirs.end; ++at) {
      if (fits(at)) return at;
    }
    return none;
  }
  const auto indexed = long_steps_.find(key_of(move.peer, rank, wanted));
  if (indexed == long_steps_.end()) return none;
  const auto first = std::find_if(indexed->second.begin(), indexed->second.end(), fits);
  return first == indexed->second.end() ? none : *first;
}

void Ranks::complete(const MessageMeeting& meeting, std::vector<int>& done) {
  longest_chain_ = std::max<std::int64_t>(longest_chain_, meeting.chain);
  state(meeting.from).sending = false;
  state(meeting.to).receiving = false;
  for (const int rank : {meeting.from, meeting.to}) {
    if (eager_ || state(rank).sends > 1 || state(rank).receives > 1) touched_.push_back(rank);
  }
  if (meeting.receive == MessageMeeting::nobody) return complete_ahead(meeting, done);
  if (meeting.eager || chain_of(meeting.to, meeting.receive) == nullptr) end_side(meeting.from, meeting.chain, done);
  receive_side(meeting, done);
}

void Ranks::receive_side(const MessageMeeting& meeting, std::vector<int>& done) {
  if (Chain* chain = chain_of(meeting.to, meeting.receive)) take_in(*chain, meeting, done);
  end_side(meeting.to, meeting.chain, done);
}

// One message less to wait for in the rank's step.
void Ranks::end_side(int rank, std::int32_t chain, std::vector<int>& done) {
  State& side = state(rank);
  side.longer = std::max(side.longer, chain);
  if (--side.open > 0) return;
  side.inside = false;
  if (side.end - side.begin >= long_step) {
    for (std::uint64_t at = side.begin; at < side.end; ++at) {
      const Move& move = workload_.moves()[at];
      if (move.communicates()) long_steps_.erase(key_of(rank, move.peer, move.receives()));
    }
  }
  done.push_back(rank);
}

void Ranks::begin_chains(int rank) {
  const State& mine = state(rank);
  const std::span<Move> moves = workload_.moves();
  std::vector<Chain>& chains = chains_[rank];
  chains.clear();
  for (std::uint64_t at = mine.begin; at < mine.end;) {
    const std::uint64_t begin = at++;
    while (at < mine.end && moves[at].chained) ++at;
    if (at > begin + 1) chains.push_back({.begin = begin, .end = at, .next = begin});
  }
}

// The chain that the receive belongs to; null where it is not in one.
Ranks::Chain* Ranks::chain_of(int rank, std::uint64_t receive) {
  const auto found = chains_.find(rank);
  if (found == chains_.end()) return nullptr;
  const auto next = std::upper_bound(found->second.begin(), found->second.end(), receive,
                                     [](std::uint64_t at, const Chain& chain) { return at < chain.begin; });
  if (next == found->second.begin() || std::prev(next)->end <= receive) return nullptr;
  return &*std::prev(next);
}

// The chain goes on as far as messages are there; their senders are done with them.
void Ranks::take_in(Chain& chain, const MessageMeeting& meeting, std::vector<int>& done) {
  early_.emplace(meeting.receive, meeting);
  for (; chain.next < chain.end; ++chain.next) {
    if (!workload_.moves()[chain.next].communicates()) continue;
    const auto found = early_.find(chain.next);
    if (found == early_.end()) return;
    chain.longest = std::max(chain.longest, found->second.chain);
    if (!found->second.eager) {
      end_side(found->second.from, chain.longest, done);
      if (taken_ != nullptr) taken_->push_back(found->second.send);
    }
    early_.erase(found);
  }
}

// A rank with one send and one receive in its step never keeps a message waiting for a port, unless an eager one, of
// another step, is on its way to it.
bool Ranks::competes(const MessageMeeting& meeting) const {
  return ports_ == Ports::single && (eager_ || state(meeting.from).sends > 1 || state(meeting.to).receives > 1);
}

void Ranks::begin(const MessageMeeting& meeting, std::vector<MessageMeeting>& started) {
  State& sender = state(meeting.from);
  State& receiver = state(meeting.to);
  sender.sending = receiver.receiving = true;
  ++sender.sent;
  ++receiver.received;
  const bool single = ports_ == Ports::single;
  started.push_back(meeting);
  started.back().chain =
      std::max(sender.chain + (single ? sender.sent : 1), receiver.chain + (single ? receiver.received : 1));
}

void Ranks::start(std::vector<MessageMeeting>& started) {
  for (const MessageMeeting& meeting : met_) {
    if (competes(meeting)) {
      to_send_[meeting.from].insert(meeting);
      to_receive_[meeting.to].insert(meeting);
      touched_.push_back(meeting.from);
      touched_.push_back(meeting.to);
    } else {
      begin(meeting, started);
    }
  }
  met_.clear();
  if (!touched_.empty()) start_waiting(started);
}

const MessageMeeting* Ranks::first_startable(const Queue& queue) {
  if (looks_ > most_looks_) return nullptr;
  const auto found = std::find_if(queue.begin(), queue.end(), [&](const MessageMeeting& meeting) {
    ++looks_;
    return !state(meeting.from).sending && !state(meeting.to).receiving;
  });
  return found == queue.end() ? nullptr : &*found;
}

// The earliest message of all that could begin does, until none can. A message can have become able to begin only where
// one of its ranks was touched, so the first ones of those ranks' queues are all that compete.
void Ranks::start_waiting(std::vector<MessageMeeting>& started) {
  struct Candidate {
    MessageMeeting meeting;
    const Queue* queue;
  };
  const auto later = [](const Candidate& a, const Candidate& b) { return EarlierMeeting()(b.meeting, a.meeting); };
  std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> candidates(later);
  const auto add = [&](const Queue& queue) {
    if (const MessageMeeting* first = first_startable(queue)) candidates.push({*first, &queue});
  };
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const int rank : touched_) {
    if (const auto sends = to_send_.find(rank); sends != to_send_.end() && !state(rank).sending) add(sends->second);
    if (const auto receives = to_receive_.find(rank); receives != to_receive_.end() && !state(rank).receiving)
      add(receives->second);
  }
  std::vector<MessageMeeting> chosen;
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    if (state(best.meeting.from).sending || state(best.meeting.to).receiving) {
      // One that began took a port of it. If that was this queue's own, none of the queue can begin.
      add(*best.queue);
      continue;
    }
    begin(best.meeting, started);
    chosen.push_back(best.meeting);
  }
  for (const MessageMeeting& meeting : chosen) forget(meeting);
  touched_.clear();
}

void Ranks::forget(const MessageMeeting& meeting) {
  const auto forget_in = [&](std::unordered_map<int, Queue>& queues, int rank) {
    const auto queue = queues.find(rank);
    queue->second.erase(meeting);
    if (queue->second.empty()) queues.erase(queue);
  };
  forget_in(to_send_, meeting.from);
  forget_in(to_receive_, meeting.to);
}

std::vector<int> Ranks::waiting() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < workload_.ranks(); ++rank) {
    if (state(rank).inside) ranks.push_back(rank);
  }
  return ranks;
}

int Ranks::awaited_by(int rank) const {
  const State& mine = state(rank);
  const std::span<Move> moves = workload_.moves();
  for (std::uint64_t at = mine.begin; at < mine.end; ++at) {
    if (moves[at].communicates() && !moves[at].met) return moves[at].peer;
  }
  int awaited = -1;
  for (const auto& [receive, message] : early_) {
    if (message.from == rank && (awaited < 0 || message.to < awaited)) awaited = message.to;
  }
  return awaited;
}

}  // namespace tutti
