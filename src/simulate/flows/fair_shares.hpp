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
///
/// Long ways have many links in a row that the same flows cross. Such links fill up together: they are bundled, and an
/// update looks at a bundle as at one link.
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
  /// there is no other. O(links), and of flows that have left since the last update what leave() says.
  bool join(Flow flow, std::span<const LinkId> links, std::int64_t bytes);
  /// Takes a flow off its links. The flow may join other links at once, and from the next update on its number may be
  /// another flow's. O(1), and at the next join or update O(links), with the flows that its bundles have.
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
  static constexpr Flow nobody = ~Flow{0};
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct FlowState {
    std::span<const LinkId> links;
    Precise rate;
    double time = 0;           // a byte, on the slowest link; kept of lone flows
    std::uint64_t joined = 0;  // the number of updates before
    bool present = false;
    bool lone = false;
    bool listed = false;  // a member of its bundles
    bool open = false;    // during an update: among those that change, and not fixed yet
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
  // A link that has had a listed flow. Its number among these, its slot, is denser than the links' own.
  struct Slot {
    Precise capacity;             // bytes a unit of time
    std::uint64_t empty_key = 0;  // key without flows
    std::uint64_t key = 0;        // its bundle's
    std::uint32_t bundle = none;  // none: without a listed flow
  };
  // Links of one capacity that are crossed by the same listed flows.
  struct Bundle {
    std::vector<Flow> members;
    Precise capacity;
    Precise whole;  // share of each of `whole_flows` flows, where none is fixed
    Precise left;   // during an update
    std::uint32_t whole_flows = 0;
    bool narrowed = false;  // whether the share has changed since it was computed
  };
  // Counts of a bundle, kept apart so that they stay in the caches. Outside of updates no flow is counted.
  struct Count {
    std::uint64_t key = 0;    // sum of hashes of its capacity and its flows
    std::uint32_t links = 0;  // 0: the bundle is free
    std::uint32_t unfixed = 0;
    std::uint32_t fixed = 0;  // at the level at hand
  };
  // Way of a listed flow. A link that the flow crosses twice is there twice, as is its bundle.
  struct Listing {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> bundles;
  };
  struct Share {
    Precise each;
    LinkId link = 0;  // or a bundle
  };

  LinkUse& use(LinkId link) { return uses_[static_cast<std::size_t>(link)]; }
  const LinkUse& use(LinkId link) const { return uses_[static_cast<std::size_t>(link)]; }
  double time(LinkId link) const { return times_[static_cast<std::size_t>(link)]; }
  bool has_listed(LinkId link) const {
    const std::uint32_t slot = slots_[static_cast<std::size_t>(link)];
    return slot != none && listed_[slot].bundle != none;
  }

  void grow(std::size_t links);
  bool takes_time(LinkId link);
  void touch(LinkId link);
  void meet(Flow flow);
  void let_go();
  void empty_all();
  void withdraw(Flow flow);
  void list(Flow flow);
  void unlist(Flow flow);
  void unlist_all(LinkId link);
  std::uint32_t slot_of(LinkId link);
  void regroup(Flow flow, bool joins);
  std::uint32_t bundle_after(std::uint32_t before, std::uint64_t key, Flow flow, bool joins);
  std::uint32_t found_bundle(std::uint32_t before, std::uint64_t key, Flow flow, bool joins) const;
  std::uint32_t new_bundle(std::uint32_t before, Flow flow, bool joins);
  void alter(std::uint32_t bundle, Flow flow, bool joins);
  void dissolve(std::uint32_t bundle);
  void set_lone_rates(std::vector<Flow>& changed);
  void forget_quiet_links();
  void open_heaviest();
  bool fill_at_once(std::vector<Flow>& changed);
  Precise find_tightest();
  bool each_is_tight() const;
  void open_bundle(std::uint32_t bundle);
  void gather();
  void fill(std::vector<Flow>& changed);
  void fill_by_heap(std::vector<Flow>& changed);
  void fix_member(FlowState& member, Flow flow, const Precise& rate, std::vector<Flow>& changed);
  void fix(const Precise& rate, std::vector<Flow>& changed);
  bool fill_level(std::vector<Flow>& changed);
  const Precise& whole_share(Bundle& bundle);
  Precise share_of(std::size_t bundle) const;

  std::function<double(LinkId)> time_per_byte_;
  std::vector<FlowState> flows_;
  std::vector<LinkUse> uses_;         // by link
  std::vector<double> times_;         // by link: a byte; below 0: not asked yet
  std::vector<std::uint32_t> slots_;  // by link: in listed_, or none
  std::vector<Slot> listed_;
  std::vector<Bundle> bundles_;
  std::vector<Count> counts_;  // by bundle
  std::vector<std::uint32_t> free_bundles_;
  std::vector<Listing> listings_;  // by flow, while it is listed
  std::size_t listed_flows_ = 0;
  std::vector<LinkId> dirty_;     // links whose flows have changed
  std::vector<LinkId> occupied_;  // all links that have flows, and some that have none
  std::uint64_t updates_ = 0;
  std::int64_t work_ = 0;
  std::size_t present_ = 0;  // flows, those that are leaving among them
  std::uint32_t most_shared_ = 0;
  std::vector<Flow> leaving_;
  std::vector<Flow> fresh_;               // joined, or met another, since the last update
  std::vector<Flow> unlisted_;            // before it; some have left
  std::vector<std::uint32_t> component_;  // bundles
  std::vector<Flow> component_flows_;
  std::vector<Share> open_;              // links with flows that are not fixed; where they fill level by level, bundles
  std::int64_t open_links_ = 0;          // links of those bundles
  std::vector<LinkId> tightest_;         // links, or bundles, of those that fill up at this level
  std::vector<std::uint32_t> narrowed_;  // bundles that lose flows at this level
};

}  // namespace tutti
