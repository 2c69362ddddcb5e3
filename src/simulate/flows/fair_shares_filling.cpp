/// @file
/// Filling of links: at once, by counting, or level by level.

#include <algorithm>

#include "simulate/flows/fair_shares.hpp"

namespace tutti {
namespace {

// Shares that rounding alone keeps apart are one.
constexpr double rounding = 0x1p-80;

}  // namespace

FairShares::Share FairShares::share_of(LinkId link) const {
  return {state(link).left / static_cast<double>(state(link).unfixed), link};
}

// The flows of these links that are not fixed get the rate; other links have so much less for the rest of theirs.
void FairShares::fix(const std::vector<LinkId>& tightest, const Precise& rate, std::vector<Flow>& changed) {
  for (const LinkId tight : tightest) {
    if (state(tight).unfixed == 0) continue;
    for (const Flow flow : state(tight).members) {
      FlowState& member = flows_[flow];
      if (member.fixed) continue;
      member.fixed = true;
      if (member.rate != rate) changed.push_back(flow);
      member.rate = rate;
      for (const LinkId link : member.links) {
        if (!use(link).timed) continue;
        LinkState& crossed = state(link);
        --crossed.unfixed;
        if (crossed.fixed++ == 0) narrowed_.push_back(link);
      }
    }
  }
  for (const LinkId link : narrowed_) {
    LinkState& narrowed = state(link);
    narrowed.left = narrowed.left - rate * static_cast<double>(narrowed.fixed);
    narrowed.fixed = 0;
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

// Fills the links with the least share, found by looking at all that are open. Returns whether that was worth while:
// whether an eighth of them filled up.
bool FairShares::fill_level(std::vector<Flow>& changed) {
  const Precise least = find_tightest();
  work_ += static_cast<std::int64_t>(open_.size());
  fix(tightest_, least, changed);
  const std::size_t before = open_.size();
  std::erase_if(open_, [&](const Share& share) { return state(share.link).unfixed == 0; });
  for (Share& share : open_) share = share_of(share.link);
  return 8 * (before - open_.size()) >= before;
}

void FairShares::fill(std::vector<Flow>& changed) {
  open_.clear();
  for (const LinkId link : component_links_) {
    state(link).left = state(link).capacity;
    state(link).unfixed = use(link).flows;
    open_.push_back(share_of(link));
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
      const LinkId link = take().link;
      if (state(link).unfixed == 0) continue;
      // Shares only grow while others are fixed: an entry that has grown goes back into the heap.
      if (const Share now = share_of(link); now.each > limit) {
        open_.push_back(now);
        std::push_heap(open_.begin(), open_.end(), greater);
      } else {
        tightest_.push_back(link);
      }
    }
    fix(tightest_, least, changed);
  }
}

}  // namespace tutti
