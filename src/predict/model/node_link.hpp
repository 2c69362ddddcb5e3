/// @file
/// Links of nodes: the time for which one is in use in a call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/model/machine_costs.hpp"
#include "predict/replay/rank_programs.hpp"
#include "predict/sketch/rank_cost.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/layout.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {

/// The link of a rank's node, which is in use as long as what the node's ranks send to others takes, or what they
/// receive. Of many ranks 15 stand for all but the first, which may be the node's leader. Where there is one node,
/// there is no link, and it is never in use.
class NodeLink {
 public:
  /// Refers to all that it is given.
  NodeLink(RecordingContext& context, const LevelCosts& costs, const Choice& choice, const Problem& problem,
           double element_size, int rank);

  /// Tells what a rank does, so that it need not be recorded. Other ranks than those that are looked at do not matter.
  void know(int rank, const AcrossNodes& bytes);
  /// Looks at the messages of the next rank of which nothing is known; false where there is none. They are recorded, or
  /// where all ranks are alike, those of rank 0 once for all.
  bool look_at_next();

  /// The messages of the rank that was given, where that was the first to be looked at; null elsewhere.
  const CostSketch* sketch() const { return sketch_ ? &*sketch_ : nullptr; }

  /// Returns the seconds of use if ranks of which nothing is known do not use the link: at most the final value, and
  /// equal to it once all ranks are known.
  double least() const;
  /// Returns the seconds of use if those ranks use the link as the others do.
  double likely() const;
  /// No less than what is found in the end, if all messages of all ranks have so many bytes.
  double at_most(double bytes) const;

 private:
  /// Has the messages in `program_`: the rank's, or where all ranks are alike those of rank 0.
  void record(int rank);
  AcrossNodes bytes_across_of(int rank) const;
  double seconds_of(const AcrossNodes& bytes) const;
  int rank_at(std::size_t k) const;

  RecordingContext& context_;
  const LevelCosts& costs_;
  const Choice& choice_;
  const Problem& problem_;
  double element_size_;
  int rank_;
  std::span<const int> node_;
  std::vector<std::optional<AcrossNodes>> uses_;  // use by the first rank, then by those that stand for the others
  std::optional<CostSketch> sketch_;
  std::optional<PeerSymmetry> turns_;  // by which all ranks are alike
  Pooled<Program> program_;            // program of the rank that was recorded last
  std::vector<PeerTraffic> by_peer_;   // traffic of rank 0, if it stands for all
};

/// Seconds for which the link of each node, which carries both directions at a time, is in use. The layout must outlive
/// it.
class LinkUse {
 public:
  explicit LinkUse(const Layout& layout) : layout_(layout) {}

  /// A message between ranks of different nodes.
  void add(int from, int to, double seconds) {
    const auto nodes = static_cast<std::size_t>(layout_.nodes());
    out_of_.resize(nodes);
    into_.resize(nodes);
    out_of_[static_cast<std::size_t>(layout_.node_of(from))] += seconds;
    into_[static_cast<std::size_t>(layout_.node_of(to))] += seconds;
  }
  double busiest() const {
    double busiest = 0;
    for (const std::vector<double>* links : {&out_of_, &into_}) {
      for (const double seconds : *links) busiest = std::max(busiest, seconds);
    }
    return busiest;
  }

 private:
  const Layout& layout_;
  std::vector<double> out_of_;  // by node
  std::vector<double> into_;
};

}  // namespace tutti
