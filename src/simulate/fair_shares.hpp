/// @file
/// Flows that share links fairly.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "topology/machine.hpp"

namespace tutti {

/// The max-min fair rates of flows over links: no flow's rate can rise without lowering that of a flow that has no
/// more.
///
/// When flows join or leave, only flows change that share a link with them, directly or through other flows; rates of
/// others stand. Within that set links fill up progressively: the link with the least capacity for each of its flows
/// fixes the rate of those flows, and what they use elsewhere is taken from the other links. Source: D. Bertsekas, R.
/// Gallager, Data Networks, 2nd ed., 1992, §6.5.2.
class FairShares {
 public:
  using Flow = std::uint32_t;

  /// A flow over links with the given seconds a byte each. O(links).
  void join(Flow flow, std::span<const LinkId> links, std::span<const double> seconds_per_byte);
  void leave(Flow flow);
  /// Sets the rates anew after any number of joins and leaves; appends the flows whose rate has changed.
  void update(std::vector<Flow>& changed);
  /// Bytes a second.
  double rate(Flow flow) const { return flows_[flow].rate; }

 private:
  struct FlowState {
    std::vector<std::uint32_t> links;  // slots in links_
    double rate = 0;
    bool visited = false;
    bool fixed = false;
  };
  struct LinkState {
    LinkId id = 0;
    double capacity = 0;  // bytes a second
    std::vector<Flow> flows;
    double left = 0;  // during an update
    std::uint32_t unfixed = 0;
    bool visited = false;
  };

  std::uint32_t slot_of(LinkId link, double seconds_per_byte);
  void gather();
  void fill(std::vector<Flow>& changed);

  std::vector<FlowState> flows_;
  std::vector<LinkState> links_;  // those with flows, and free slots
  std::vector<std::uint32_t> free_links_;
  std::unordered_map<LinkId, std::uint32_t> slots_;
  std::vector<std::uint32_t> dirty_;  // slots whose flows have changed
  std::vector<std::uint32_t> component_links_;
  std::vector<Flow> component_flows_;
};

}  // namespace tutti
