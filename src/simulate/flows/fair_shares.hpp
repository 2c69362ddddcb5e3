/// @file
/// Flows that share links fairly.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "simulate/precise.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The max-min fair rates of flows over links: no flow's rate can rise without lowering that of a flow that has no
/// more.
///
/// When flows join or leave, only flows change that share a link with them, directly or through other flows; rates of
/// others stand. Within that set links fill up progressively: the link with the least capacity for each of its flows
/// fixes the rate of those flows, and what they use elsewhere is taken from the other links. Source: D. Bertsekas, R.
/// Gallager, Data Networks, 2nd ed., 1992, §6.5.2.
///
/// Most flows have all their links to themselves: a flow is lone until it meets another, and only counted.
///
/// In regular collectives all flows of a step join together and leave together, and one level fixes them all. Then the
/// numbers of flows on the links are enough; which flows a link has is listed only where some stay when others change.
/// And where all flows leave together, the links are emptied one by one, not flow by flow.
class FairShares {
 public:
  using Flow = std::uint32_t;

  /// Over no links; what takes each how long a byte is asked once.
  explicit FairShares(std::function<double(LinkId)> time_per_byte) : time_per_byte_(std::move(time_per_byte)) {}

  /// From here on links are numbered below `links` at least.
  void cover(LinkId links) {
    if (static_cast<std::size_t>(links) > uses_.size()) grow(static_cast<std::size_t>(links));
  }
  /// A flow of so many bytes over links, which must lie still until the update after it has left. A link whose time a
  /// byte is 0 holds nobody up and is not shared; returns false, and keeps nothing of the flow but its bytes, where
  /// there is no other. O(links), and where the flow has left since the last update, the flows that its links had.
  bool join(Flow flow, std::span<const LinkId> links, std::int64_t bytes);
  /// Takes a flow off its links. The flow may join other links at once, and from the next update on its number may be
  /// another flow's. O(1), and at the next join or update O(links).
  void leave(Flow flow);
  /// Sets the rates anew after any number of joins and leaves; appends the flows whose rate has changed.
  void update(std::vector<Flow>& changed);
  /// Bytes a unit of time.
  const Precise& rate(Flow flow) const { return flows_[flow].rate; }
  /// Returns the time for so many bytes at that rate.
  Precise time_for(Flow flow, const Precise& bytes) const;
  /// Returns how many links and flows all updates have looked at.
  std::int64_t work() const { return work_; }
  /// The greatest number of flows that a link has had.
  int most_shared() const { return static_cast<int>(most_shared_); }
  /// The bytes of all flows that have joined the link.
  std::int64_t carried(LinkId link) const { return use(link).bytes; }

 private:
  struct FlowState {
    std::span<const LinkId> links;
    Precise rate;
    double time = 0;           // a byte, on the slowest link; kept of lone flows
    std::uint64_t joined = 0;  // the number of updates before
    std::uint64_t left = ~std::uint64_t{0};
    bool present = false;
    bool lone = false;
    bool listed = false;  // a member of its links
    bool visited = false;
    bool fixed = false;
  };
  // State that every join touches, kept apart so that it stays in the caches.
  struct LinkUse {
    std::int64_t bytes = 0;
    Flow first = nobody;  // the flow that found it empty, until another came
    std::uint32_t flows : 28 = 0;
    std::uint32_t timed : 1 = false;     // known to take time
    std::uint32_t occupied : 1 = false;  // among occupied_
    std::uint32_t dirty : 1 = false;     // among dirty_
    std::uint32_t tight : 1 = false;     // fills up first
  };
  static_assert(sizeof(LinkUse) == 16);
  struct LinkState {
    std::vector<Flow> members;  // the listed flows, and some that have left, until the next update
    std::uint32_t listed = 0;   // index among the flows
    std::uint32_t unfixed = 0;  // during an update
    std::uint32_t fixed = 0;    // at the level at hand
    bool visited = false;
    Precise capacity;  // bytes a unit of time
    Precise left;      // during an update
  };
  struct Share {
    Precise each;
    LinkId link = 0;
  };

  static constexpr Flow nobody = ~Flow{0};
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  LinkUse& use(LinkId link) { return uses_[static_cast<std::size_t>(link)]; }
  const LinkUse& use(LinkId link) const { return uses_[static_cast<std::size_t>(link)]; }
  LinkState& state(LinkId link) { return links_[slots_[static_cast<std::size_t>(link)]]; }
  const LinkState& state(LinkId link) const { return links_[slots_[static_cast<std::size_t>(link)]]; }
  double time(LinkId link) const { return times_[static_cast<std::size_t>(link)]; }
  bool has_listed(LinkId link) const {
    const std::uint32_t slot = slots_[static_cast<std::size_t>(link)];
    return slot != none && links_[slot].listed > 0;
  }

  void grow(std::size_t links);
  bool takes_time(LinkId link);
  void touch(LinkId link);
  void meet(Flow flow);
  void let_go();
  void empty_all();
  void withdraw(Flow flow);
  void forget(Flow flow);
  void list(Flow flow);
  void set_lone_rates(std::vector<Flow>& changed);
  void forget_quiet_links();
  void open_heaviest();
  bool fill_at_once(std::vector<Flow>& changed);
  Precise find_tightest();
  bool each_is_tight() const;
  void gather();
  void fill(std::vector<Flow>& changed);
  void fix(const std::vector<LinkId>& tightest, const Precise& rate, std::vector<Flow>& changed);
  bool fill_level(std::vector<Flow>& changed);
  Share share_of(LinkId link) const;

  std::function<double(LinkId)> time_per_byte_;
  std::vector<FlowState> flows_;
  std::vector<LinkUse> uses_;         // by link
  std::vector<double> times_;         // by link: a byte; below 0: not asked yet
  std::vector<std::uint32_t> slots_;  // by link: in links_, or none
  std::vector<LinkState> links_;      // links that ever had a listed flow
  std::vector<LinkId> dirty_;         // links whose flows have changed
  std::vector<LinkId> occupied_;      // all links that have flows, and some that have none
  std::uint64_t updates_ = 0;
  std::int64_t work_ = 0;
  std::size_t present_ = 0;  // flows, those that are leaving among them
  std::uint32_t most_shared_ = 0;
  std::vector<Flow> leaving_;
  std::vector<Flow> fresh_;     // joined, or met another, since the last update
  std::vector<Flow> unlisted_;  // before it; some have left
  std::vector<LinkId> component_links_;
  std::vector<Flow> component_flows_;
  std::vector<Share> open_;       // links with flows that are not fixed
  std::vector<LinkId> tightest_;  // links of those that fill up at this level
  std::vector<LinkId> narrowed_;  // links that lose flows at this level
};

}  // namespace tutti
