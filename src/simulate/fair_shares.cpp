#include "simulate/fair_shares.hpp"

#include <algorithm>

namespace tutti {
namespace {

// Shares that rounding alone keeps apart are one.
constexpr double rounding = 0x1p-80;

}  // namespace

std::uint32_t FairShares::new_slot(LinkId link) {
  uses_.emplace_back();
  links_.emplace_back();
  links_.back().capacity = Precise(1) / time_per_byte_(link);
  return static_cast<std::uint32_t>(links_.size());
}

void FairShares::touch(std::uint32_t slot) {
  if (uses_[slot].dirty) return;
  uses_[slot].dirty = true;
  dirty_.push_back(slot);
}

void FairShares::join(Flow flow, std::span<const LinkId> links) {
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  if (slots_.empty()) slots_.resize(links_of_network_);
  FlowState& state = flows_[flow];
  state.rate = 0;
  state.joined = updates_;
  state.present = true;
  state.listed = false;
  state.links.resize(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    std::uint32_t& slot = slots_[static_cast<std::size_t>(links[k])];
    if (slot == 0) slot = new_slot(links[k]);
    state.links[k] = slot - 1;
    ++uses_[slot - 1].flows;
    touch(slot - 1);
  }
  fresh_.push_back(flow);
}

void FairShares::leave(Flow flow) {
  FlowState& state = flows_[flow];
  state.present = false;
  for (const std::uint32_t slot : state.links) {
    --uses_[slot].flows;
    touch(slot);
    if (state.listed && --uses_[slot].listed == 0) links_[slot].members.clear();
  }
  // A message that is stored and forwarded joins its next link at once, and would seem to be on this one still.
  if (state.listed && state.links.size() == 1) std::erase(links_[state.links.front()].members, flow);
  state.links.clear();
}

void FairShares::list(Flow flow) {
  FlowState& state = flows_[flow];
  if (!state.present || state.listed) return;
  state.listed = true;
  for (const std::uint32_t slot : state.links) {
    links_[slot].members.push_back(flow);
    ++uses_[slot].listed;
  }
}

// The flows that share links with those of the dirty links, directly or through others, and all their links.
void FairShares::gather() {
  component_links_.clear();
  component_flows_.clear();
  const auto visit = [&](std::uint32_t slot) {
    LinkUse& use = uses_[slot];
    if (use.visited) return;
    use.visited = true;
    component_links_.push_back(slot);
    if (!use.dirty) return;
    use.dirty = false;
    std::vector<Flow>& members = links_[slot].members;
    if (members.size() != use.flows) std::erase_if(members, [&](Flow flow) { return !flows_[flow].present; });
  };
  for (const std::uint32_t slot : dirty_) visit(slot);
  dirty_.clear();
  for (std::size_t k = 0; k < component_links_.size(); ++k) {
    for (const Flow flow : links_[component_links_[k]].members) {
      FlowState& state = flows_[flow];
      if (state.visited) continue;
      state.visited = true;
      component_flows_.push_back(flow);
      for (const std::uint32_t slot : state.links) visit(slot);
    }
  }
}

FairShares::Share FairShares::share_of(std::uint32_t slot) const {
  const LinkState& link = links_[slot];
  return {link.left / static_cast<double>(link.unfixed), slot};
}

// The flows of these links that are not fixed get the rate; other links have so much less for the rest of theirs.
void FairShares::fix(const std::vector<std::uint32_t>& tightest, const Precise& rate, std::vector<Flow>& changed) {
  for (const std::uint32_t slot : tightest) {
    if (links_[slot].unfixed == 0) continue;
    for (const Flow flow : links_[slot].members) {
      FlowState& state = flows_[flow];
      if (state.fixed) continue;
      state.fixed = true;
      if (state.rate != rate) changed.push_back(flow);
      state.rate = rate;
      for (const std::uint32_t other : state.links) {
        LinkState& link = links_[other];
        --link.unfixed;
        if (link.fixed++ == 0) narrowed_.push_back(other);
      }
    }
  }
  for (const std::uint32_t slot : narrowed_) {
    LinkState& link = links_[slot];
    link.left = link.left - rate * static_cast<double>(link.fixed);
    link.fixed = 0;
  }
  narrowed_.clear();
}

// The least share of the open links; the links that have no more than it are the tightest.
Precise FairShares::find_tightest() {
  const Precise least = std::min_element(open_.begin(), open_.end(), [](const Share& a, const Share& b) {
                          return a.each < b.each;
                        })->each;
  const Precise limit = least * (1 + rounding);
  tightest_.clear();
  for (const Share& share : open_) {
    if (share.each <= limit) tightest_.push_back(share.slot);
  }
  return least;
}

// Whether all fresh flows cross one of the tight links.
bool FairShares::each_is_tight() const {
  const auto tight = [&](std::uint32_t slot) { return uses_[slot].tight; };
  return std::all_of(fresh_.begin(), fresh_.end(), [&](Flow flow) {
    return std::any_of(flows_[flow].links.begin(), flows_[flow].links.end(), tight);
  });
}

// Sets the rates, by counting alone, where links whose flows have changed have fresh ones only and one level fixes all
// of these. Returns whether that is so.
bool FairShares::fill_at_once(std::vector<Flow>& changed) {
  open_.clear();
  for (const std::uint32_t slot : dirty_) {
    if (uses_[slot].listed > 0) return false;
    const std::uint32_t flows = uses_[slot].flows;
    if (flows > 0) open_.push_back({links_[slot].capacity / static_cast<double>(flows), slot});
  }
  if (!open_.empty()) {
    const Precise least = find_tightest();
    for (const std::uint32_t slot : tightest_) uses_[slot].tight = true;
    const bool suffices = each_is_tight();
    for (const std::uint32_t slot : tightest_) uses_[slot].tight = false;
    if (!suffices) return false;
    for (const Flow flow : fresh_) {
      flows_[flow].rate = least;
      changed.push_back(flow);
    }
  }
  for (const std::uint32_t slot : dirty_) uses_[slot].dirty = false;
  dirty_.clear();
  return true;
}

// Fills the links with the least share, found by looking at all that are open. Returns whether that was worth while:
// whether an eighth of them filled up.
bool FairShares::fill_level(std::vector<Flow>& changed) {
  const Precise least = find_tightest();
  fix(tightest_, least, changed);
  const std::size_t before = open_.size();
  std::erase_if(open_, [&](const Share& share) { return links_[share.slot].unfixed == 0; });
  for (Share& share : open_) share = share_of(share.slot);
  return 8 * (before - open_.size()) >= before;
}

void FairShares::fill(std::vector<Flow>& changed) {
  open_.clear();
  for (const std::uint32_t slot : component_links_) {
    LinkState& link = links_[slot];
    if (uses_[slot].flows == 0) continue;
    link.left = link.capacity;
    link.unfixed = uses_[slot].flows;
    open_.push_back(share_of(slot));
  }
  while (!open_.empty()) {
    if (!fill_level(changed)) break;
  }
  // Many links with shares of their own: a heap finds the least.
  const auto greater = [](const Share& a, const Share& b) { return a.each > b.each; };
  std::make_heap(open_.begin(), open_.end(), greater);
  const auto take = [&] {
    std::pop_heap(open_.begin(), open_.end(), greater);
    const Share share = open_.back();
    open_.pop_back();
    return share;
  };
  while (!open_.empty()) {
    const Precise least = open_.front().each;
    const Precise limit = least * (1 + rounding);
    tightest_.clear();
    while (!open_.empty() && open_.front().each <= limit) {
      const std::uint32_t slot = take().slot;
      if (links_[slot].unfixed == 0) continue;
      // Shares only grow while others are fixed: an entry that has grown goes back into the heap.
      if (const Share now = share_of(slot); now.each > limit) {
        open_.push_back(now);
        std::push_heap(open_.begin(), open_.end(), greater);
      } else {
        tightest_.push_back(slot);
      }
    }
    fix(tightest_, least, changed);
  }
}

void FairShares::update(std::vector<Flow>& changed) {
  if (dirty_.empty()) return;
  for (const Flow flow : unlisted_) {
    if (flows_[flow].joined < updates_) list(flow);
  }
  unlisted_.clear();
  std::erase_if(fresh_, [&](Flow flow) { return !flows_[flow].present; });
  ++updates_;
  if (fill_at_once(changed)) return unlisted_.swap(fresh_);
  for (const Flow flow : fresh_) list(flow);
  fresh_.clear();
  gather();
  fill(changed);
  for (const Flow flow : component_flows_) flows_[flow].visited = flows_[flow].fixed = false;
  for (const std::uint32_t slot : component_links_) uses_[slot].visited = false;
}

}  // namespace tutti
