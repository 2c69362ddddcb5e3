/// @file
/// Bundles of links that the same flows cross, kept while flows are listed and leave.
///
/// A bundle's key is the sum of hashes of its links' capacity and of its flows. A link that gains or loses a flow goes
/// to the bundle of its new key: that bundle is one of those that some flow of it crosses already, or it is made anew.

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/digest.hpp"
#include "simulate/flows/fair_shares.hpp"

namespace tutti {
namespace {

std::uint64_t key_of(std::uint32_t flow) { return spread(std::uint64_t{flow} + 1); }
std::uint64_t key_of(double time) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &time, sizeof bits);
  return spread(bits);
}

// Takes one of the elements that equal `value` away; the others may change places.
void take_one(std::vector<std::uint32_t>& list, std::uint32_t value) {
  const auto found = std::find(list.begin(), list.end(), value);
  *found = list.back();
  list.pop_back();
}

}  // namespace

std::uint32_t FairShares::slot_of(LinkId link) {
  std::uint32_t& slot = slots_[static_cast<std::size_t>(link)];
  if (slot != none) return slot;
  slot = static_cast<std::uint32_t>(listed_.size());
  const std::uint64_t key = key_of(time(link));
  listed_.push_back({.capacity = Precise(1) / time(link), .empty_key = key, .key = key});
  return slot;
}

// The bundle's flows gain or lose one.
void FairShares::alter(std::uint32_t bundle, Flow flow, bool joins) {
  if (joins) {
    bundles_[bundle].members.push_back(flow);
    listings_[flow].bundles.push_back(bundle);
  } else {
    take_one(bundles_[bundle].members, flow);
    take_one(listings_[flow].bundles, bundle);
  }
}

// Returns the bundle of that key, which links of the bundle `before` come to with the flow, or without it; none if
// there is none.
std::uint32_t FairShares::found_bundle(std::uint32_t before, std::uint64_t key, Flow flow, bool joins) const {
  Flow crosses = flow;  // a flow of the bundle
  if (!joins) {
    const std::vector<Flow>& members = bundles_[before].members;
    const auto other = std::find_if(members.begin(), members.end(), [&](Flow member) { return member != flow; });
    if (other != members.end()) crosses = *other;
  }
  for (const std::uint32_t bundle : listings_[crosses].bundles) {
    if (counts_[bundle].key == key) return bundle;
  }
  return none;
}

// Returns a bundle without links, of the flows of `before` and this one, or of those without it.
std::uint32_t FairShares::new_bundle(std::uint32_t before, Flow flow, bool joins) {
  if (free_bundles_.empty()) {
    free_bundles_.push_back(static_cast<std::uint32_t>(bundles_.size()));
    bundles_.emplace_back();
    counts_.emplace_back();
  }
  const std::uint32_t bundle = free_bundles_.back();
  free_bundles_.pop_back();
  bundles_[bundle].whole_flows = 0;
  if (before != none) {
    for (const Flow member : bundles_[before].members) alter(bundle, member, true);
  }
  alter(bundle, flow, joins);
  return bundle;
}

// Returns the bundle that links of the bundle `before` come to with the flow, or without it; none if no flow is left.
std::uint32_t FairShares::bundle_after(std::uint32_t before, std::uint64_t key, Flow flow, bool joins) {
  if (!joins && bundles_[before].members.size() == 1) return none;
  const std::uint32_t found = found_bundle(before, key, flow, joins);
  if (found != none) return found;
  if (before != none && counts_[before].links == 1) {
    alter(before, flow, joins);
    counts_[before].key = key;
    return before;
  }
  const std::uint32_t made = new_bundle(before, flow, joins);
  counts_[made].key = key;
  return made;
}

void FairShares::dissolve(std::uint32_t bundle) {
  for (const Flow member : bundles_[bundle].members) take_one(listings_[member].bundles, bundle);
  bundles_[bundle].members.clear();
  free_bundles_.push_back(bundle);
}

// Links that the flow crosses go to other bundles. Many in a row come from one bundle and go to one.
void FairShares::regroup(Flow flow, bool joins) {
  std::uint32_t from = none;
  std::uint32_t to = none;
  std::uint64_t to_key = 0;  // 0: of none
  for (const std::uint32_t slot : listings_[flow].slots) {
    Slot& listed = listed_[slot];
    listed.key += joins ? key_of(flow) : -key_of(flow);
    if (listed.bundle != from || listed.key != to_key) {
      from = listed.bundle;
      to_key = listed.key;
      to = bundle_after(from, to_key, flow, joins);
    }
    listed.bundle = to;
    if (to == from) {
      to_key = 0;
      continue;
    }
    if (to != none && counts_[to].links++ == 0) bundles_[to].capacity = listed.capacity;
    if (from == none || --counts_[from].links > 0) continue;
    dissolve(from);
    to_key = 0;
  }
}

void FairShares::list(Flow flow) {
  FlowState& member = flows_[flow];
  if (!member.present || member.listed) return;
  member.listed = true;
  ++listed_flows_;
  if (flow >= listings_.size()) listings_.resize(flow + 1);
  listings_[flow].slots.clear();
  listings_[flow].bundles.clear();
  for (const LinkId link : member.links) {
    if (use(link).timed) listings_[flow].slots.push_back(slot_of(link));
  }
  regroup(flow, true);
}

void FairShares::unlist(Flow flow) {
  --listed_flows_;
  regroup(flow, false);
}

// No flow is left on any link, and this one has had listed flows.
void FairShares::unlist_all(LinkId link) {
  Slot& listed = listed_[slots_[static_cast<std::size_t>(link)]];
  listed.key = listed.empty_key;
  const std::uint32_t bundle = std::exchange(listed.bundle, none);
  if (--counts_[bundle].links > 0) return;
  bundles_[bundle].members.clear();
  free_bundles_.push_back(bundle);
}

}  // namespace tutti
