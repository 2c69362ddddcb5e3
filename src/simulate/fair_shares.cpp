#include "simulate/fair_shares.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace tutti {

std::uint32_t FairShares::slot_of(LinkId link, double seconds_per_byte) {
  const auto [at, is_new] = slots_.try_emplace(link, 0);
  if (!is_new) return at->second;
  if (free_links_.empty()) {
    at->second = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back();
  } else {
    at->second = free_links_.back();
    free_links_.pop_back();
  }
  LinkState& state = links_[at->second];
  state.id = link;
  state.capacity = seconds_per_byte > 0 ? 1 / seconds_per_byte : std::numeric_limits<double>::infinity();
  return at->second;
}

void FairShares::join(Flow flow, std::span<const LinkId> links, std::span<const double> seconds_per_byte) {
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  FlowState& state = flows_[flow];
  state.links.clear();
  state.rate = 0;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::uint32_t slot = slot_of(links[k], seconds_per_byte[k]);
    state.links.push_back(slot);
    links_[slot].flows.push_back(flow);
    dirty_.push_back(slot);
  }
}

void FairShares::leave(Flow flow) {
  for (const std::uint32_t slot : flows_[flow].links) {
    std::vector<Flow>& on_link = links_[slot].flows;
    // Order among the flows of a link is kept, so that results do not depend on who left.
    on_link.erase(std::find(on_link.begin(), on_link.end(), flow));
    dirty_.push_back(slot);
  }
  flows_[flow].links.clear();
}

// The flows that share links with those of the dirty links, directly or through others, and all their links.
void FairShares::gather() {
  component_links_.clear();
  component_flows_.clear();
  const auto visit = [&](std::uint32_t slot) {
    if (links_[slot].visited) return;
    links_[slot].visited = true;
    component_links_.push_back(slot);
  };
  for (const std::uint32_t slot : dirty_) visit(slot);
  for (std::size_t k = 0; k < component_links_.size(); ++k) {
    for (const Flow flow : links_[component_links_[k]].flows) {
      if (flows_[flow].visited) continue;
      flows_[flow].visited = true;
      component_flows_.push_back(flow);
      for (const std::uint32_t slot : flows_[flow].links) visit(slot);
    }
  }
  dirty_.clear();
}

void FairShares::fill(std::vector<Flow>& changed) {
  using Share = std::pair<double, std::uint32_t>;
  std::priority_queue<Share, std::vector<Share>, std::greater<>> shares;
  const auto share = [&](const LinkState& link) { return link.left / link.unfixed; };
  for (const std::uint32_t slot : component_links_) {
    LinkState& link = links_[slot];
    link.left = link.capacity;
    link.unfixed = static_cast<std::uint32_t>(link.flows.size());
    if (link.unfixed > 0) shares.emplace(share(link), slot);
  }
  while (!shares.empty()) {
    const auto [least, slot] = shares.top();
    shares.pop();
    LinkState& tightest = links_[slot];
    // Shares only grow while others are fixed: an entry that has grown goes back into the queue.
    if (tightest.unfixed == 0) continue;
    if (const double now = share(tightest); now > least) {
      shares.emplace(now, slot);
      continue;
    }
    for (const Flow flow : tightest.flows) {
      FlowState& state = flows_[flow];
      if (state.fixed) continue;
      state.fixed = true;
      if (state.rate != least) changed.push_back(flow);
      state.rate = least;
      for (const std::uint32_t other : state.links) {
        links_[other].left = std::max(0.0, links_[other].left - least);
        --links_[other].unfixed;
      }
    }
  }
}

void FairShares::update(std::vector<Flow>& changed) {
  if (dirty_.empty()) return;
  gather();
  fill(changed);
  for (const Flow flow : component_flows_) flows_[flow].visited = flows_[flow].fixed = false;
  for (const std::uint32_t slot : component_links_) {
    links_[slot].visited = false;
    if (!links_[slot].flows.empty()) continue;
    slots_.erase(links_[slot].id);
    free_links_.push_back(slot);
  }
}

}  // namespace tutti
