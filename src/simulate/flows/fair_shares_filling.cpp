/// @file
/// Filling of links: at once, by counting, or level by level.

#include <algorithm>
#include <utility>

#include "simulate/flows/fair_shares.hpp"

namespace tutti {
namespace {

// Shares that rounding alone keeps apart are one.
constexpr double rounding = 0x1p-80;

}  // namespace

// Returns the share of each of the bundle's flows, where none is fixed.
const Precise& FairShares::whole_share(Bundle& bundle) {
  const auto flows = static_cast<std::uint32_t>(bundle.members.size());
  if (bundle.whole_flows != flows) {
    bundle.whole = bundle.capacity / static_cast<double>(flows);
    bundle.whole_flows = flows;
  }
  return bundle.whole;
}

Precise FairShares::share_of(std::size_t bundle) const {
  return bundles_[bundle].left / static_cast<double>(counts_[bundle].unfixed);
}

void FairShares::fix_member(FlowState& member, Flow flow, const Precise& rate, std::vector<Flow>& changed) {
  member.open = false;
  if (member.rate != rate) changed.push_back(flow);
  member.rate = rate;
  for (const std::uint32_t bundle : listings_[flow].bundles) {
    Count& count = counts_[bundle];
    --count.unfixed;
    if (count.fixed++ == 0) narrowed_.push_back(bundle);
  }
}

// The flows of the tightest bundles that are not fixed get the rate; other bundles have so much less for the rest of
// theirs.
void FairShares::fix(const Precise& rate, std::vector<Flow>& changed) {
  for (const LinkId tight : tightest_) {
    const auto bundle = static_cast<std::size_t>(tight);
    if (counts_[bundle].unfixed == 0) continue;
    for (const Flow flow : bundles_[bundle].members) {
      if (flows_[flow].open) fix_member(flows_[flow], flow, rate, changed);
    }
  }
  for (const std::uint32_t bundle : narrowed_) {
    const std::uint32_t fixed = std::exchange(counts_[bundle].fixed, 0);
    if (counts_[bundle].unfixed == 0) continue;
    Bundle& narrowed = bundles_[bundle];
    narrowed.left = narrowed.left - rate * static_cast<double>(fixed);
    narrowed.narrowed = true;
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
    if (share.each <= limit) tightest_.push_back(share.link);
  }
  return least;
}

// Whether all fresh flows cross one of the tight links.
bool FairShares::each_is_tight() const {
  const auto tight = [&](LinkId link) -> bool { return use(link).tight; };
  return std::all_of(fresh_.begin(), fresh_.end(), [&](Flow flow) {
    return std::any_of(flows_[flow].links.begin(), flows_[flow].links.end(), tight);
  });
}

// Opens the dirty links among which the tightest are: in doubles their time for a byte of each flow is as great as any.
void FairShares::open_heaviest() {
  constexpr double slack = 0x1p-40;
  const auto weight = [&](LinkId link) { return time(link) * use(link).flows; };
  double heaviest = 0;
  for (const LinkId link : dirty_) heaviest = std::max(heaviest, weight(link));
  open_.clear();
  LinkId like = -1;  // the link before, of which there are often many alike
  for (const LinkId link : dirty_) {
    if (weight(link) < heaviest * (1 - slack)) continue;
    if (like < 0 || time(link) != time(like) || use(link).flows != use(like).flows) {
      open_.push_back({Precise(1) / time(link) / static_cast<double>(use(link).flows), link});
    } else {
      open_.push_back({open_.back().each, link});
    }
    like = link;
  }
}

// Sets the rates, by counting alone, where links whose flows have changed have fresh ones only and one level fixes all
// of these. Returns whether that is so.
bool FairShares::fill_at_once(std::vector<Flow>& changed) {
  if (std::any_of(dirty_.begin(), dirty_.end(), [&](LinkId link) { return has_listed(link); })) return false;
  if (fresh_.empty()) return true;
  open_heaviest();
  const Precise least = find_tightest();
  for (const LinkId link : tightest_) use(link).tight = true;
  const bool suffices = each_is_tight();
  for (const LinkId link : tightest_) use(link).tight = false;
  for (std::size_t k = 0; k < fresh_.size() && suffices; ++k) {
    flows_[fresh_[k]].rate = least;
    changed.push_back(fresh_[k]);
  }
  return suffices;
}

// Fills the bundles with the least share, found by looking at all that are open. Returns whether that was worth while:
// whether an eighth of the links filled up.
bool FairShares::fill_level(std::vector<Flow>& changed) {
  const Precise least = find_tightest();
  work_ += open_links_;
  fix(least, changed);
  const std::int64_t before = open_links_;
  std::erase_if(open_, [&](const Share& share) {
    const Count& count = counts_[static_cast<std::size_t>(share.link)];
    if (count.unfixed == 0) open_links_ -= count.links;
    return count.unfixed == 0;
  });
  for (Share& share : open_) {
    const auto bundle = static_cast<std::size_t>(share.link);
    if (std::exchange(bundles_[bundle].narrowed, false)) share.each = share_of(bundle);
  }
  return 8 * (before - open_links_) >= before;
}

// Fills many bundles with shares of their own: a heap finds the least.
void FairShares::fill_by_heap(std::vector<Flow>& changed) {
  const auto greater = [](const Share& a, const Share& b) { return a.each > b.each; };
  std::make_heap(open_.begin(), open_.end(), greater);
  const auto take = [&] {
    std::pop_heap(open_.begin(), open_.end(), greater);
    const Share share = open_.back();
    open_.pop_back();
    return share;
  };
  // Whether the bundle is among the tightest. Shares only grow while others are fixed: an entry that has grown goes
  // back into the heap.
  const auto is_tight = [&](std::size_t bundle, const Precise& limit) {
    if (counts_[bundle].unfixed == 0) return false;
    if (!std::exchange(bundles_[bundle].narrowed, false)) return true;
    const Precise now = share_of(bundle);
    if (now <= limit) return true;
    open_.push_back({now, static_cast<LinkId>(bundle)});
    std::push_heap(open_.begin(), open_.end(), greater);
    return false;
  };
  while (!open_.empty()) {
    const Precise least = open_.front().each;
    const Precise limit = least * (1 + rounding);
    tightest_.clear();
    while (!open_.empty() && open_.front().each <= limit) {
      const LinkId bundle = take().link;
      if (is_tight(static_cast<std::size_t>(bundle), limit)) tightest_.push_back(bundle);
    }
    fix(least, changed);
  }
}

void FairShares::fill(std::vector<Flow>& changed) {
  open_.clear();
  for (const std::uint32_t number : component_) {
    Bundle& bundle = bundles_[number];
    bundle.left = bundle.capacity;
    bundle.narrowed = false;
    open_.push_back({whole_share(bundle), number});
  }
  while (!open_.empty()) {
    if (!fill_level(changed)) break;
  }
  fill_by_heap(changed);
}

}  // namespace tutti
