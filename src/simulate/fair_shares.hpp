/// @file
/// Flows that share links fairly.
#pragma once

#include <cstdint>
#include <functional>
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
/// In regular collectives all flows of a step join together and leave together, and one level fixes them all. Then the
/// numbers of flows on the links are enough; which flows a link has is listed only where some stay when others change.
class FairShares {
 public:
  using Flow = std::uint32_t;

  /// Over links numbered below `links`; what takes each how long a byte is asked once.
  FairShares(LinkId links, std::function<double(LinkId)> time_per_byte)
      : links_of_network_(static_cast<std::size_t>(links)), time_per_byte_(std::move(time_per_byte)) {}

  /// A flow over links whose times a byte are above 0. O(links).
  void join(Flow flow, std::span<const LinkId> links);
  /// From the next update on its number may be another flow's; at once where it had one link. O(links), or O(flows on
  /// the link) where it is one.
  void leave(Flow flow);
  /// Sets the rates anew after any number of joins and leaves; appends the flows whose rate has changed.
  void update(std::vector<Flow>& changed);
  /// Bytes a unit of time.
  const Precise& rate(Flow flow) const { return flows_[flow].rate; }

 private:
  struct FlowState {
    std::vector<std::uint32_t> links;  // slots in links_
    Precise rate;
    std::uint64_t joined = 0;  // the number of updates before
    bool present = false;
    bool listed = false;  // a member of its links
    bool visited = false;
    bool fixed = false;
  };
  // What every join and leave touches is kept apart, so that it stays in the caches.
  struct LinkUse {
    std::uint32_t flows = 0;
    std::uint32_t listed = 0;  // of the flows
    bool dirty = false;
    bool visited = false;
    bool tight = false;  // fills up first
  };
  struct LinkState {
    std::vector<Flow> members;  // the listed flows, and some that have left, until the next update
    Precise capacity;           // bytes a unit of time
    Precise left;               // during an update
    std::uint32_t unfixed = 0;  // during an update
    std::uint32_t fixed = 0;    // at the level at hand
  };
  struct Share {
    Precise each;
    std::uint32_t slot = 0;
  };

  std::uint32_t new_slot(LinkId link);
  void touch(std::uint32_t slot);
  void list(Flow flow);
  bool fill_at_once(std::vector<Flow>& changed);
  Precise find_tightest();
  bool each_is_tight() const;
  void gather();
  void fill(std::vector<Flow>& changed);
  void fix(const std::vector<std::uint32_t>& tightest, const Precise& rate, std::vector<Flow>& changed);
  bool fill_level(std::vector<Flow>& changed);
  Share share_of(std::uint32_t slot) const;

  std::size_t links_of_network_;
  std::function<double(LinkId)> time_per_byte_;
  std::vector<FlowState> flows_;
  std::vector<LinkState> links_;      // those that were ever shared
  std::vector<LinkUse> uses_;         // of the same
  std::vector<std::uint32_t> slots_;  // by link: its slot + 1; 0: none
  std::vector<std::uint32_t> dirty_;  // slots whose flows have changed
  std::uint64_t updates_ = 0;
  std::vector<Flow> fresh_;     // joined since the last update
  std::vector<Flow> unlisted_;  // joined before it; some have left
  std::vector<std::uint32_t> component_links_;
  std::vector<Flow> component_flows_;
  std::vector<Share> open_;              // links with flows that are not fixed
  std::vector<std::uint32_t> tightest_;  // of those, the ones that fill up at this level
  std::vector<std::uint32_t> narrowed_;  // links that lose flows at this level
};

}  // namespace tutti
