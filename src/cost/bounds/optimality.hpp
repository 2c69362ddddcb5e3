/// @file
/// Optimality: the distance of the catalogue's best algorithm from the lower bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/algorithm.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The best in one measure.
struct BestAlgorithm {
  const Algorithm* algorithm = nullptr;
  int segments = 0;   ///< into which it cuts the message; 0: it leaves the message whole, or takes its own number
  double least = 0;   ///< rounds, elements or seconds
  double bound = 0;   ///< the lower bound of the same
  bool exact = true;  ///< whether its closed form is exact here; otherwise it takes at most `least`

  double factor() const { return least / bound; }
};

/// The best for one problem in each measure, which may be three algorithms; empty where nothing bounds the measure from
/// below, as nothing does a barrier's volume. Of algorithms that are equally good it is the catalogue's first.
struct Optimality {
  int ranks = 0;
  std::int64_t bytes = 0;
  std::optional<BestAlgorithm> rounds;  ///< messages, one after the other
  std::optional<BestAlgorithm> volume;  ///< elements that pass one after the other through the ports of some ranks
  std::optional<BestAlgorithm> time;
};

/// Looks at all algorithms whose closed form for fully connected ranks with one port holds, with the numbers of
/// segments of segments_to_try(), against rounds_needed(), port_volume() and lower_bound(). `bytes` is m, by the
/// collective's convention, in elements of a byte. Where p does not divide a whole message, algorithms that cut it into
/// p blocks take at most what they take for the next larger message that p divides, and that is held against the bound
/// for m. The root is 0, a shift goes to the next rank. Of the machine ts, tw and tc count.
///
/// Cost: O(algorithms × segments), some microseconds; for all-to-all O(p²) beside.
Optimality optimality(Collective collective, int ranks, std::int64_t bytes, const Machine& machine);

/// Powers of two up to `most`, their neighbours, and between two of them the largest prime below the middle: numbers of
/// ranks on which algorithms for any number stand differently. From 2, in order.
std::vector<int> telling_ranks(int most);

/// Open question: knowledge of the best possible if the catalogue does not reach the bound.
struct OpenQuestion {
  Collective collective = Collective::broadcast;
  std::string_view measure;  ///< "rounds", "volume" or "time"
  std::string_view text;     ///< a sentence
  std::string_view source;
};

/// For all collectives, in their order.
std::span<const OpenQuestion> open_questions();

}  // namespace tutti
