#include "synthesize/trees/held_flows.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace tutti::synthesize {

HeldFlows::HeldFlows(const Capacities& capacities)
    : beside_(static_cast<std::size_t>(capacities.nodes())),
      arcs_to_(beside_.size()),
      flows_(static_cast<std::size_t>(capacities.ranks())) {
  for (int from = 0; from < capacities.nodes(); ++from) {
    for (int to = 0; to < capacities.nodes(); ++to) {
      if (capacities.at(from, to) > 0) widen(from, to, capacities.at(from, to));
    }
  }
}

int HeldFlows::find(int from, int to) const {
  const std::vector<int>& arcs = arcs_to_[static_cast<std::size_t>(from)];
  return static_cast<std::size_t>(to) < arcs.size() ? arcs[static_cast<std::size_t>(to)] : -1;
}

std::size_t HeldFlows::found_or_added(int from, int to) {
  int arc = find(from, to);
  if (arc < 0) {
    arc = static_cast<int>(arcs_.size());
    std::vector<int>& arcs = arcs_to_[static_cast<std::size_t>(from)];
    if (arcs.size() <= static_cast<std::size_t>(to)) arcs.resize(static_cast<std::size_t>(to) + 1, -1);
    arcs[static_cast<std::size_t>(to)] = arc;
    arcs_.push_back({from, to, 0});
    for (std::vector<std::int64_t>& flow : flows_) flow.push_back(0);
  }
  const auto found = static_cast<std::size_t>(arc);
  if (!std::exchange(arcs_[found].is_attached, true)) {
    beside_[static_cast<std::size_t>(from)].push_back(2 * found);
    beside_[static_cast<std::size_t>(to)].push_back(2 * found + 1);
  }
  return found;
}

// Searches need not look at links that have no capacity and over which nothing flows.
void HeldFlows::detach_if_empty(std::size_t arc) {
  if (arcs_[arc].capacity > 0 || !std::exchange(arcs_[arc].is_attached, false)) return;
  std::erase(beside_[static_cast<std::size_t>(arcs_[arc].from)], 2 * arc);
  std::erase(beside_[static_cast<std::size_t>(arcs_[arc].to)], 2 * arc + 1);
}

std::int64_t HeldFlows::capacity(int from, int to) const {
  const int arc = find(from, to);
  return arc < 0 ? 0 : arcs_[static_cast<std::size_t>(arc)].capacity;
}

std::vector<int> HeldFlows::neighbours(int from) const {
  std::vector<int> found;
  for (const std::size_t end : beside_[static_cast<std::size_t>(from)]) {
    if (end % 2 == 0 && arcs_[end / 2].capacity > 0) found.push_back(arcs_[end / 2].to);
  }
  return found;
}

int HeldFlows::add_node() {
  beside_.emplace_back();
  arcs_to_.emplace_back();
  return nodes() - 1;
}

void HeldFlows::widen(int from, int to, std::int64_t amount) { change(found_or_added(from, to), amount); }

void HeldFlows::feed(int node, std::int64_t amount) {
  for (std::size_t rank = 0; rank < flows_.size(); ++rank) {
    if (send(rank, node, static_cast<int>(rank), amount) > 0)
      fail(ErrorCode::internal, "links leave no room for all that rank {} is to be told", rank);
  }
}

int HeldFlows::divide(int node, std::int64_t amount) {
  const int other = add_node();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t end : std::vector(beside_[static_cast<std::size_t>(node)])) {
    const Arc arc = arcs_[end / 2];
    if (end % 2 != 0 || arc.capacity == 0) continue;
    pairs.emplace_back(end / 2, found_or_added(other, arc.to));
    change(pairs.back().second, arc.capacity);
  }
  for (std::vector<std::int64_t>& flow : flows_) {
    std::int64_t left = amount;
    for (const auto& [mine, others] : pairs) {
      const std::int64_t moved = std::min(left, flow[mine]);
      flow[mine] -= moved;
      flow[others] += moved;
      left -= moved;
    }
  }
  return other;
}

std::int64_t HeldFlows::send(std::size_t rank, int from, int to, std::int64_t amount) {
  const std::vector<std::int64_t>& flow = flows_[rank];
  while (amount > 0 && from != to && search(rank, from, to)) {
    const auto along_way = [&](auto&& see) {
      for (int node = to; node != from;) {
        const std::size_t end = reached_by_[static_cast<std::size_t>(node)];
        see(end / 2, end % 2 == 0);
        node = far_end(end ^ 1);
      }
    };
    std::int64_t room = amount;
    along_way([&](std::size_t arc, bool forward) {
      room = std::min(room, forward ? arcs_[arc].capacity - flow[arc] : flow[arc]);
    });
    along_way([&](std::size_t arc, bool forward) { change_flow(rank, arc, forward ? room : -room); });
    amount -= room;
  }
  return from == to ? 0 : amount;
}

std::int64_t HeldFlows::repair(const std::vector<std::size_t>& arcs, int first) {
  changes_.clear();
  for (std::size_t k = 0; k < flows_.size(); ++k) {
    const std::size_t rank = (k + static_cast<std::size_t>(first)) % flows_.size();
    for (const std::size_t arc : arcs) {
      const std::int64_t amount = flows_[rank][arc] - arcs_[arc].capacity;
      if (amount <= 0) continue;
      change_flow(rank, arc, -amount);
      const std::int64_t left = send(rank, arcs_[arc].from, arcs_[arc].to, amount);
      if (left == 0) continue;
      for (const Change& change : changes_) flows_[change.rank][change.arc] -= change.amount;
      return left;
    }
  }
  return 0;
}

std::int64_t HeldFlows::narrow(int from, int to, std::int64_t amount) {
  const std::size_t arc = found_or_added(from, to);
  const int first = to < static_cast<int>(flows_.size()) ? to : 0;
  while (amount > 0) {
    change(arc, -amount);
    const std::int64_t left = repair({arc}, first);
    if (left == 0) break;
    change(arc, amount);
    amount -= left;
    side_.resize(reached_by_.size());
    std::transform(reached_by_.begin(), reached_by_.end(), side_.begin(),
                   [](std::size_t by) { return by != unreached; });
  }
  detach_if_empty(arc);
  return std::max<std::int64_t>(amount, 0);
}

std::int64_t HeldFlows::split_off(std::span<const int> way, std::int64_t amount) {
  std::vector<std::size_t> arcs;
  for (std::size_t k = 1; k < way.size() && amount > 0; ++k) {
    const int arc = find(way[k - 1], way[k]);
    amount = arc < 0 ? 0 : std::min(amount, arcs_[static_cast<std::size_t>(arc)].capacity);
    arcs.push_back(static_cast<std::size_t>(arc));
  }
  if (amount <= 0) return 0;
  const std::size_t straight = found_or_added(way.front(), way.back());
  while (amount > 0) {
    const auto move = [&](std::int64_t moved) {
      for (const std::size_t arc : arcs) change(arc, -moved);
      change(straight, moved);
    };
    move(amount);
    const std::int64_t left = repair_straight(arcs, straight);
    if (left == 0) break;
    move(-amount);
    amount -= left;
  }
  for (const std::size_t arc : arcs) detach_if_empty(arc);
  detach_if_empty(straight);
  return std::max<std::int64_t>(amount, 0);
}

// Moves a rank's excess on some link of the way, which it has on all, to the new one, for which no search is needed:
// that was widened by as much as the way was narrowed.
std::int64_t HeldFlows::repair_straight(const std::vector<std::size_t>& arcs, std::size_t straight) {
  std::vector<Change> moved;
  changes_.clear();
  for (std::size_t rank = 0; rank < flows_.size(); ++rank) {
    std::int64_t excess = 0;
    std::int64_t common = unlimited;
    for (const std::size_t arc : arcs) {
      excess = std::max(excess, flows_[rank][arc] - arcs_[arc].capacity);
      common = std::min(common, flows_[rank][arc]);
    }
    const std::int64_t amount = std::min(excess, common);
    if (amount <= 0) continue;
    for (const std::size_t arc : arcs) change_flow(rank, arc, -amount);
    change_flow(rank, straight, amount);
  }
  moved.swap(changes_);
  const std::int64_t left = repair(arcs, 0);
  if (left == 0) return 0;
  for (const Change& change : moved) flows_[change.rank][change.arc] -= change.amount;
  return left;
}

bool HeldFlows::drop(int node) {
  std::vector<std::size_t> arcs;
  std::vector<std::int64_t> before;
  for (const std::size_t end : beside_[static_cast<std::size_t>(node)]) {
    arcs.push_back(end / 2);
    before.push_back(std::exchange(arcs_[end / 2].capacity, 0));
  }
  // A flow into the node that finds a way round it takes back what flowed out of it.
  if (repair(arcs, 0) == 0) {
    for (const std::size_t arc : arcs) detach_if_empty(arc);
    return true;
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) arcs_[arcs[k]].capacity = before[k];
  return false;
}

}  // namespace tutti::synthesize
