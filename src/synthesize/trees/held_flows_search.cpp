/// @file
/// Ways around for flows that must give way: a search from both ends.

#include "synthesize/trees/held_flows.hpp"

namespace tutti::synthesize {

bool HeldFlows::has_room(std::size_t rank, std::size_t end) const {
  const std::int64_t flow = flows_[rank][end / 2];
  return end % 2 == 0 ? arcs_[end / 2].capacity > flow : flow > 0;
}

std::size_t HeldFlows::end_with_room(std::size_t rank, int from, int to) const {
  const auto arc = static_cast<std::size_t>(find(from, to));
  if (arc < arcs_.size() && has_room(rank, 2 * arc)) return 2 * arc;
  const auto back = static_cast<std::size_t>(find(to, from));
  return back < arcs_.size() && has_room(rank, 2 * back + 1) ? 2 * back + 1 : unreached;
}

// Goes on by a step from the start. `leads_on` says, and notes, whether a way is known from a node to the target.
// Returns the first node found of which it is, or -1.
template <typename LeadsOn>
int HeldFlows::look_ahead(std::size_t rank, const LeadsOn& leads_on) {
  for (const std::size_t last = queue_.size(); ahead_ < last; ++ahead_) {
    const std::vector<std::size_t>& beside = beside_[static_cast<std::size_t>(queue_[ahead_])];
    for (auto latest = beside.rbegin(); latest != beside.rend(); ++latest) {
      const std::size_t end = *latest;
      const int next = far_end(end);
      std::size_t& by = reached_by_[static_cast<std::size_t>(next)];
      if (by != unreached || !has_room(rank, end)) continue;
      by = end;
      if (leads_on(next)) return next;
      queue_.push_back(next);
    }
  }
  return -1;
}

// Goes back by a step from the target. Returns the first node found that was reached from the start, or -1.
int HeldFlows::look_back(std::size_t rank) {
  for (const std::size_t last = back_queue_.size(); back_ < last; ++back_) {
    const std::vector<std::size_t>& beside = beside_[static_cast<std::size_t>(back_queue_[back_])];
    for (auto latest = beside.rbegin(); latest != beside.rend(); ++latest) {
      const std::size_t end = *latest;
      const int before = far_end(end);
      std::size_t& by = left_by_[static_cast<std::size_t>(before)];
      if (by != unreached || !has_room(rank, end ^ 1)) continue;
      by = end ^ 1;
      if (reached_by_[static_cast<std::size_t>(before)] != unreached) return before;
      back_queue_.push_back(before);
    }
  }
  return -1;
}

int HeldFlows::meeting(std::size_t rank, int from, int to) {
  const auto is_beside = [&](int node) {
    std::size_t& by = left_by_[static_cast<std::size_t>(node)];
    by = end_with_room(rank, node, to);
    return by != unreached;
  };
  const auto is_met = [&](int node) { return left_by_[static_cast<std::size_t>(node)] != unreached; };
  if (is_beside(from)) return from;
  int met = look_ahead(rank, is_beside);
  left_by_[static_cast<std::size_t>(to)] = at_end;
  while (met < 0 && ahead_ < queue_.size()) {
    const std::size_t behind = back_queue_.size() - back_;
    met = behind == 0 || queue_.size() - ahead_ <= behind ? look_ahead(rank, is_met) : look_back(rank);
  }
  return met;
}

// Finds a short way over links with room, or back over those that something flows along. The search first tries ways
// of two links, which most ways are; then it goes on from the end that has fewer nodes to look past. Where there is no
// way, every node that can be reached from the start has been.
bool HeldFlows::search(std::size_t rank, int from, int to) {
  reached_by_.assign(beside_.size(), unreached);
  left_by_.assign(beside_.size(), unreached);
  reached_by_[static_cast<std::size_t>(from)] = at_end;
  queue_.assign(1, from);
  back_queue_.assign(1, to);
  ahead_ = back_ = 0;
  const int met = meeting(rank, from, to);
  if (met < 0) return false;
  for (int node = met; node != to;) {
    const std::size_t end = left_by_[static_cast<std::size_t>(node)];
    node = far_end(end);
    reached_by_[static_cast<std::size_t>(node)] = end;
  }
  return true;
}

}  // namespace tutti::synthesize
