#include "simulate/flows/fair_shares.hpp"

#include <algorithm>
#include <utility>

namespace tutti {

void FairShares::grow(std::size_t links) {
  uses_.resize(links);
  times_.resize(links, -1);
  slots_.resize(links, none);
}

bool FairShares::takes_time(LinkId link) {
  double& time = times_[static_cast<std::size_t>(link)];
  if (time < 0) time = time_per_byte_(link);
  use(link).timed = time > 0;
  return time > 0;
}

void FairShares::touch(LinkId link) {
  LinkUse& used = use(link);
  if (!used.dirty) dirty_.push_back(link);
  used.dirty = true;
}

bool FairShares::join(Flow flow, std::span<const LinkId> links, std::int64_t bytes) {
  let_go();
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  flows_[flow].lone = false;  // its number before it left: its way may cross a link twice, and so meet itself
  bool enters = false;
  bool lone = true;
  std::uint32_t most = most_shared_;
  for (const LinkId link : links) {
    LinkUse& used = use(link);
    used.bytes += bytes;
    if (!used.timed && !takes_time(link)) continue;
    enters = true;
    if (!used.dirty) touch(link);
    const std::uint32_t flows = ++used.flows;
    most = std::max(most, flows);
    if (flows > 1) {
      lone = false;
      if (used.first != nobody) meet(std::exchange(used.first, nobody));
      continue;
    }
    used.first = flow;
    if (!used.occupied) occupied_.push_back(link);
    used.occupied = true;
  }
  most_shared_ = most;
  if (!enters) return false;
  flows_[flow] = {.links = links, .joined = updates_, .present = true, .lone = lone};
  fresh_.push_back(flow);
  ++present_;
  return true;
}

// The flow is lone no more.
void FairShares::meet(Flow flow) {
  FlowState& state = flows_[flow];
  if (!state.lone) return;
  state.lone = false;
  if (state.joined == updates_) return;
  state.rate = 0;
  state.joined = updates_;
  fresh_.push_back(flow);
  for (const LinkId link : state.links) {
    if (use(link).timed) touch(link);
  }
}

void FairShares::leave(Flow flow) {
  flows_[flow].present = false;
  leaving_.push_back(flow);
}

// The links lose the flows that have left.
void FairShares::let_go() {
  if (leaving_.empty()) return;
  if (leaving_.size() == present_) {
    empty_all();
  } else {
    for (const Flow flow : leaving_) withdraw(flow);
  }
  present_ -= leaving_.size();
  leaving_.clear();
}

void FairShares::empty_all() {
  for (const LinkId link : occupied_) {
    use(link).flows = 0;
    use(link).occupied = false;
    if (has_listed(link)) unlist_all(link);
  }
  listed_flows_ = 0;
  occupied_.clear();
  fresh_.clear();
  unlisted_.clear();
}

void FairShares::withdraw(Flow flow) {
  const FlowState& leaver = flows_[flow];
  for (const LinkId link : leaver.links) {
    if (!use(link).timed) continue;
    --use(link).flows;
    if (!leaver.lone) touch(link);
  }
  if (leaver.listed) unlist(flow);
}

Precise FairShares::time_for(Flow flow, const Precise& bytes) const {
  const FlowState& state = flows_[flow];
  return state.lone ? bytes * state.time : bytes / state.rate;
}

// The bundle and its flows are among those that change.
void FairShares::open_bundle(std::uint32_t bundle) {
  Count& count = counts_[bundle];
  if (count.unfixed > 0) return;
  count.unfixed = static_cast<std::uint32_t>(bundles_[bundle].members.size());
  component_.push_back(bundle);
  open_links_ += count.links;
}

// The flows that share links with those of the dirty links, directly or through others, and all their links. The search
// ends where all listed flows are found: there is often but one such set.
void FairShares::gather() {
  component_.clear();
  component_flows_.clear();
  open_links_ = 0;
  for (const LinkId link : dirty_) {
    if (use(link).flows > 0) open_bundle(listed_[slots_[static_cast<std::size_t>(link)]].bundle);
  }
  for (std::size_t k = 0; k < component_.size() && component_flows_.size() < listed_flows_; ++k) {
    for (const Flow flow : bundles_[component_[k]].members) {
      FlowState& member = flows_[flow];
      if (member.open) continue;
      member.open = true;
      component_flows_.push_back(flow);
      for (const std::uint32_t bundle : listings_[flow].bundles) open_bundle(bundle);
    }
  }
}

// Flows that have met nobody go as fast as their slowest link, and are fresh no more.
void FairShares::set_lone_rates(std::vector<Flow>& changed) {
  std::erase_if(fresh_, [&](Flow flow) {
    FlowState& fresh = flows_[flow];
    if (!fresh.present || !fresh.lone) return !fresh.present;
    for (const LinkId link : fresh.links) fresh.time = std::max(fresh.time, time(link));
    fresh.rate = Precise(1) / fresh.time;
    changed.push_back(flow);
    return true;
  });
}

// Links without flows, and those of a lone flow, are clean.
void FairShares::forget_quiet_links() {
  std::erase_if(dirty_, [&](LinkId link) {
    LinkUse& used = use(link);
    const bool quiet = used.flows == 0 || (used.first != nobody && flows_[used.first].lone);
    used.dirty = !quiet;
    return quiet;
  });
}

void FairShares::update(std::vector<Flow>& changed) {
  let_go();
  const std::uint64_t now = updates_++;
  if (dirty_.empty()) return;
  work_ += static_cast<std::int64_t>(dirty_.size());
  set_lone_rates(changed);
  forget_quiet_links();
  if (dirty_.empty()) return;
  for (const Flow flow : unlisted_) {
    if (flows_[flow].joined < now && !flows_[flow].lone) list(flow);
  }
  unlisted_.clear();
  if (fill_at_once(changed)) {
    unlisted_.swap(fresh_);
  } else {
    for (const Flow flow : fresh_) list(flow);
    fresh_.clear();
    gather();
    work_ += open_links_ + static_cast<std::int64_t>(component_flows_.size());
    fill(changed);
  }
  for (const LinkId link : dirty_) use(link).dirty = false;
  dirty_.clear();
}

}  // namespace tutti
