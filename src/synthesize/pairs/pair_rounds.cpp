/// @file
/// Rounds of messages by colours: a message goes in the first round in which its links have room.

#include <algorithm>
#include <limits>
#include <utility>

#include "synthesize/pairs/pair_synthesis.hpp"

namespace tutti::synthesize {
namespace {

/// Seconds for which a byte of each block takes the links, by round.
class RoundLoads {
 public:
  RoundLoads(std::size_t links, double room) : room_(room * (1 + 1e-9)), first_free_(links) {}

  /// The first round from `least` on in which a message has room that takes so much of those links.
  int place(int least, const std::vector<std::pair<int, double>>& takes) {
    int round = least;
    for (const auto& [link, time] : takes) round = std::max(round, first_free_[static_cast<std::size_t>(link)]);
    while (!has_room(round, takes)) ++round;
    for (const auto& [link, time] : takes) {
      double& taken = rounds_[static_cast<std::size_t>(round)][static_cast<std::size_t>(link)];
      taken += time;
      int& free = first_free_[static_cast<std::size_t>(link)];
      if (taken + time > room_ && free == round) ++free;
    }
    return round;
  }

  /// The fullest links of all rounds together.
  double time() const {
    double sum = 0;
    for (const std::vector<double>& round : rounds_) sum += *std::max_element(round.begin(), round.end());
    return sum;
  }
  int count() const { return static_cast<int>(rounds_.size()); }

 private:
  bool has_room(int round, const std::vector<std::pair<int, double>>& takes) {
    if (static_cast<std::size_t>(round) >= rounds_.size())
      rounds_.resize(static_cast<std::size_t>(round) + 1, std::vector<double>(first_free_.size()));
    const std::vector<double>& here = rounds_[static_cast<std::size_t>(round)];
    return std::all_of(takes.begin(), takes.end(), [&](const auto& taken) {
      return here[static_cast<std::size_t>(taken.first)] + taken.second <= room_;
    });
  }

  double room_;
  std::vector<std::vector<double>> rounds_;
  std::vector<int> first_free_;  // by link: rounds before are full for messages of one size
};

/// Each message of the shares: what it takes of each link.
std::vector<std::vector<std::pair<int, double>>> takes_of(const Share& share, const Hops& hops,
                                                          const std::vector<int>& hop_at) {
  std::vector<std::vector<std::pair<int, double>>> all;
  for (std::size_t k = 1; k < share.way.size(); ++k) {
    const auto place = static_cast<std::size_t>(share.way[k - 1]) * static_cast<std::size_t>(hops.ranks) +
                       static_cast<std::size_t>(share.way[k]);
    std::vector<std::pair<int, double>>& takes = all.emplace_back();
    for (const int link : hops.hops[static_cast<std::size_t>(hop_at[place])].takes) {
      const double time = hops.times[static_cast<std::size_t>(link)] * (share.end - share.begin);
      if (time > 0) takes.emplace_back(link, time);
    }
  }
  return all;
}

}  // namespace

double colour(PairSynthesis& made, const SynthesisRequest& wish, const Topology& topology, const Machine& machine) {
  const Hops hops = hops_on(topology, machine, wish.injection, false);
  std::vector<int> hop_at(static_cast<std::size_t>(hops.ranks) * static_cast<std::size_t>(hops.ranks), -1);
  for (std::size_t k = 0; k < hops.hops.size(); ++k) {
    const RoutedHop& hop = hops.hops[k];
    hop_at[static_cast<std::size_t>(hop.from) * static_cast<std::size_t>(hops.ranks) +
           static_cast<std::size_t>(hop.to)] = static_cast<int>(k);
  }
  std::vector<std::vector<std::vector<std::pair<int, double>>>> takes;
  double largest = 0;
  for (const Share& share : made.shares) {
    takes.push_back(takes_of(share, hops, hop_at));
    for (const auto& message : takes.back()) {
      for (const auto& [link, time] : message) largest = std::max(largest, time);
    }
  }
  // More room leaves fewer gaps. The least room is taken that costs little: then few messages share links.
  constexpr double little = 1.02;
  const auto bytes = static_cast<double>(wish.bytes);
  double least = std::numeric_limits<double>::infinity();
  for (double room = std::max(made.achieved, largest); room >= largest && room > 0; room /= 2) {
    RoundLoads rounds(hops.times.size(), room);
    std::vector<std::vector<int>> found;
    for (std::size_t k = 0; k < made.shares.size(); ++k) {
      std::vector<int>& mine = found.emplace_back();
      for (const auto& message : takes[k]) mine.push_back(rounds.place(mine.empty() ? 0 : mine.back() + 1, message));
    }
    const double seconds = rounds.time() * bytes + machine.ts * rounds.count();
    if (seconds > little * least) continue;
    least = std::min(least, seconds);
    for (std::size_t k = 0; k < made.shares.size(); ++k) made.shares[k].rounds = std::move(found[k]);
  }
  return least;
}

}  // namespace tutti::synthesize
