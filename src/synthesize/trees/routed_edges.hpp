/// @file
/// Edges of trees as routes over a network's links.
#pragma once

#include <cstddef>
#include <vector>

#include "synthesize/overlapped.hpp"

namespace tutti::synthesize {

/// The links that edges between ranks take by the network's own routes, and the ranks' limits behind them.
class RoutedEdges {
 public:
  RoutedEdges(const SynthesisRequest& wish, const Topology& topology, const Machine& machine)
      : ranks_(topology.ranks()) {
    for (LinkId id = 0; id < topology.links(); ++id) times_.push_back(link_time(machine, topology, id));
    const std::size_t limits = times_.size();
    if (wish.injection > 0) times_.resize(limits + 2 * static_cast<std::size_t>(ranks_), wish.injection);
    ways_.resize(static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(ranks_));
    std::vector<LinkId> path;
    for (int from = 0; from < ranks_; ++from) {
      for (int to = 0; to < ranks_; ++to) {
        path.clear();
        if (from != to) topology.route(from, to, path);
        std::vector<std::size_t>& way = ways_[place(from, to)];
        for (const LinkId id : path) way.push_back(static_cast<std::size_t>(id));
        if (wish.injection <= 0 || from == to) continue;
        way.push_back(limits + 2 * static_cast<std::size_t>(from));
        way.push_back(limits + 2 * static_cast<std::size_t>(to) + 1);
      }
    }
  }

  int ranks() const { return ranks_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::size_t>& way(int from, int to) const { return ways_[place(from, to)]; }
  std::size_t place(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to);
  }

 private:
  int ranks_;
  std::vector<double> times_;                   // seconds a byte of each link and limit
  std::vector<std::vector<std::size_t>> ways_;  // by place: the links and limits of a message
};

}  // namespace tutti::synthesize
