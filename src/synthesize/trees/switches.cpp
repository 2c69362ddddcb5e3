#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "synthesize/trees/forest.hpp"
#include "synthesize/trees/held_flows.hpp"

namespace tutti::synthesize {
namespace {

// 1 to number - 1 in an order in which the first few are spread over all: halves, then quarters, then eighths. Nodes
// that few links are left for get some to near nodes and some to far ones.
// Source: J. G. van der Corput, Verteilungsfunktionen, 1935.
std::vector<std::size_t> spread_steps(std::size_t number) {
  std::vector<std::size_t> steps;
  std::vector<char> taken(number);
  for (std::size_t parts = 2; steps.size() + 1 < number; parts *= 2) {
    for (std::size_t part = 1; part < parts; part += 2) {
      const std::size_t step = part * number / parts;
      if (step > 0 && !std::exchange(taken[step], 1)) steps.push_back(step);
    }
  }
  return steps;
}

/// Takes one switch after the other out, never making a cut too narrow.
///
/// Switch that is taken out: what comes in over one link of it and leaves over another is split off and becomes
/// capacity between the two nodes beside it. A cut loses as much as is split off if the switch is on one side of it and
/// both nodes on the other, so that at most as much can be split off as the narrowest of such cuts has to spare.
class TakenOut {
 public:
  TakenOut(const Capacities& capacities, const Supplies& supplies) : ranks_(capacities.ranks()), flows_(capacities) {
    for (int rank = 0; rank < ranks_; ++rank) flows_.feed(rank, supplies[static_cast<std::size_t>(rank)]);
  }

  /// Takes off as much along the ways as can be, those that come first first. Afterwards every switch is taken out, or
  /// none, and links to be shared out are left; says which.
  bool take_along(const std::vector<Way>& ways) {
    for (auto first = ways.begin(); first != ways.end();) {
      const auto last = std::find_if(first, ways.end(), [&](const Way& way) { return way.size() != first->size(); });
      split_along(std::vector<Way>(first, last));
      first = last;
    }
    const HeldFlows before = flows_;
    for (int node = ranks_; node < flows_.nodes(); ++node) {
      if (flows_.drop(node)) continue;
      flows_ = before;
      return false;
    }
    return true;
  }

  /// Takes one switch after the other out, whatever ways that makes.
  void take_out_all(bool has_root) {
    // Links are to spare if one rank tells all, and messages of few switches meet one another less.
    for (int node = ranks_; has_root && node < flows_.nodes(); ++node) {
      if (is_balanced(node)) flows_.drop(node);
    }
    for (int node = ranks_; node < flows_.nodes(); ++node) take_out(node);
  }

  Capacities between_ranks() const {
    Capacities between(ranks_, ranks_);
    for (int from = 0; from < ranks_; ++from) {
      for (const int to : flows_.neighbours(from)) between.at(from, to) = flows_.capacity(from, to);
    }
    return between;
  }

 private:
  /// The links of a switch, as they were.
  struct Beside {
    int node = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
  };

  bool is_balanced(int node) const {
    const std::vector<Beside> beside = links_of(node);
    return std::all_of(beside.begin(), beside.end(), [](const Beside& other) { return other.in == other.out; });
  }

  // In proportion to their links first, then evenly, and at last as it goes: trees stay low where every rank has a link
  // to many others.
  void take_out(int node) {
    const std::vector<Beside> beside = links_of(node);
    std::int64_t in = 0;
    std::int64_t out = 0;
    for (const Beside& other : beside) {
      in += other.in;
      out += other.out;
    }
    const auto share = [&](const Beside& from, const Beside& to) {
      return out > from.out ? from.in * to.out / (out - from.out) : 0;
    };
    split(node, beside, share);
    split(node, beside, [&](const Beside& from, const Beside& to) {
      return flows_.capacity(from.node, to.node) == 0 ? std::max<std::int64_t>(share(from, to), 1) : 0;
    });
    split(node, beside, [&](const Beside& from, const Beside& to) { return share(from, to) + 1; });
    split(node, beside, [](const Beside& from, const Beside& to) { return std::min(from.in, to.out); });
    if (flows_.drop(node)) return;
    fail(ErrorCode::unsupported,
         "switch {} carries {} in and {} out, and no way is known to share that out among its ranks; give each of its "
         "links as much in both directions",
         node - ranks_, in, out);
  }

  std::vector<Beside> links_of(int node) const {
    std::vector<Beside> beside;
    for (int other = 0; other < flows_.nodes(); ++other) {
      const Beside links{other, flows_.capacity(other, node), flows_.capacity(node, other)};
      if (links.in > 0 || links.out > 0) beside.push_back(links);
    }
    return beside;
  }

  // Splits so much off between any two nodes beside the switch, as far as there is room.
  template <typename Share>
  void split(int node, const std::vector<Beside>& beside, const Share& share) {
    for (const std::size_t step : spread_steps(beside.size())) {
      for (std::size_t k = 0; k < beside.size(); ++k) {
        const Beside& from = beside[k];
        const Beside& to = beside[(k + step) % beside.size()];
        flows_.split_off(std::array{from.node, node, to.node}, share(from, to));
      }
    }
  }

  // Evenly, ways in turn, each a small share of what there is. What a way cannot have once, it never can.
  void split_along(std::vector<Way> ways) {
    while (!ways.empty()) {
      std::erase_if(ways, [&](const Way& way) {
        const std::int64_t share = std::max<std::int64_t>(room(way) / ranks_, 1);
        return flows_.split_off(way, share) < share;
      });
    }
  }

  std::int64_t room(const Way& way) const {
    std::int64_t least = HeldFlows::unlimited;
    for (std::size_t k = 1; k < way.size(); ++k) least = std::min(least, flows_.capacity(way[k - 1], way[k]));
    return least;
  }

  int ranks_;
  HeldFlows flows_;
};

}  // namespace

Capacities without_switches(const Capacities& capacities, const Supplies& supplies, const std::vector<Way>& ways) {
  const auto telling = std::count_if(supplies.begin(), supplies.end(), [](std::int64_t supply) { return supply > 0; });
  TakenOut links(capacities, supplies);
  if (!links.take_along(ways)) links.take_out_all(telling == 1);
  return links.between_ranks();
}

}  // namespace tutti::synthesize
