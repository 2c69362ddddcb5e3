#include "cost/bounds/optimality.hpp"

#include <algorithm>
#include <array>

#include "algorithms/catalogue.hpp"
#include "base/alike.hpp"
#include "base/integers.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/bounds/volume.hpp"
#include "cost/closed_form.hpp"
#include "cost/segments.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

// Bounds of the three measures, for one size.
struct Bounds {
  double rounds = 0;
  double volume = 0;
  double seconds = 0;
};

Bounds bounds_of(const Problem& problem, const Topology& topology, const Machine& machine) {
  return {static_cast<double>(rounds_needed(problem)), port_volume(problem),
          lower_bound(problem, 1, topology, machine).seconds};
}

void take(std::optional<BestAlgorithm>& best, const BestAlgorithm& offered) {
  if (offered.bound <= 0) return;
  if (!best || offered.factor() * alike < best->factor()) best = offered;
}

class OptimalitySearch {
 public:
  OptimalitySearch(Problem problem, const Bounds& bounds, const Topology& topology, const Machine& machine,
                   Optimality& found)
      : problem_(std::move(problem)), bounds_(bounds), topology_(topology), machine_(machine), found_(found) {}

  void look_at(const Algorithm& algorithm) {
    const std::optional<ClosedFormPrice> open = priced(algorithm, 0);
    if (!open) return;
    see(algorithm, 0, *open);
    if (!is_cut(algorithm)) return;
    for (const int segments : segments_to_try(problem_.count)) {
      if (const auto price = priced(algorithm, segments)) see(algorithm, segments, *price);
    }
  }

 private:
  std::optional<ClosedFormPrice> priced(const Algorithm& algorithm, int segments) const {
    return price({algorithm, {.segments = segments}}, problem_, topology_, machine_);
  }

  bool is_cut(const Algorithm& algorithm) const {
    const auto whole = priced(algorithm, 1);
    const auto halves = priced(algorithm, 2);
    return problem_.count > 1 && whole && halves &&
           (whole->terms.starts != halves->terms.starts || whole->terms.elements != halves->terms.elements);
  }

  void see(const Algorithm& algorithm, int segments, const ClosedFormPrice& price) {
    const auto offer = [&](std::optional<BestAlgorithm>& best, double least, double bound) {
      take(best, {&algorithm, segments, least, bound, price.exactly && problem_.count <= found_.bytes});
    };
    offer(found_.rounds, price.terms.starts, bounds_.rounds);
    offer(found_.volume, price.terms.elements, bounds_.volume);
    offer(found_.time, seconds(price.terms, 1, machine_), bounds_.seconds);
  }

  Problem problem_;
  Bounds bounds_;
  const Topology& topology_;
  const Machine& machine_;
  Optimality& found_;
};

bool is_prime(int n) {
  for (int divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return n > 1;
}

int largest_prime_below(int n) {
  do --n;
  while (!is_prime(n));
  return n;
}

using enum Collective;

constexpr std::string_view traff =
    "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
    "Reduction and All-Reduction, 2024";
constexpr std::string_view johnsson_ho =
    "S. L. Johnsson, C.-T. Ho, Optimum Broadcasting and Personalized Communication in Hypercubes, 1989";
constexpr std::string_view census =
    "A. Bar-Noy, S. Kipnis, B. Schieber, An optimal algorithm for computing census functions in message-passing "
    "systems, 1993";
constexpr std::string_view bruck =
    "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications in "
    "Multiport Message-Passing Systems, 1997, §2";
constexpr std::string_view two_tree =
    "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009";

constexpr std::string_view both_at_once =
    "No algorithm has fewer rounds or less volume, and this one has the least of both at once. The bound is the "
    "greater of their times; that their sum is needed is not proved.";
constexpr std::string_view segments_alike =
    "No schedule of S equal segments has fewer rounds than S - 1 + ceil(log2 p), which n-block has. The bound is the "
    "greater of rounds and volume; whether unequal segments come nearer is not known.";

constexpr std::array questions{
    OpenQuestion{broadcast, "time", segments_alike, traff},
    OpenQuestion{reduce, "time", segments_alike, johnsson_ho},
    OpenQuestion{all_reduce, "rounds",
                 "Sums in ceil(log2 p) rounds are known for every p, but ranks bracket them differently, and differ in "
                 "their last bits. With the same bits on all ranks nobody knows how, unless p is a power of two.",
                 census},
    OpenQuestion{all_reduce, "time",
                 "With the least volume 2 ceil(log2 p) rounds are the fewest known; the bound has half as many. Short "
                 "messages: as for rounds.",
                 traff},
    OpenQuestion{
        scan, "time",
        "In segments along a chain the volume is the least, but its rounds grow with p; in ceil(log2 p) rounds "
        "the message is sent in each. By halving it is about 2 m bytes and 2 log2 p rounds where p is a power of "
        "two; for other p 2 m bytes and 4 log2 p rounds, with segments in two trees. Less of both at once nobody "
        "knows.",
        two_tree},
    OpenQuestion{exclusive_scan, "time", "As for scan.", two_tree},
    OpenQuestion{scatter, "time", both_at_once, bruck},
    OpenQuestion{gather, "time", both_at_once, bruck},
    OpenQuestion{all_gather, "time", both_at_once, bruck},
    OpenQuestion{reduce_scatter, "time", both_at_once, bruck},
    OpenQuestion{all_to_all, "time",
                 "Proved: an algorithm of ceil(log2 p) rounds moves about m p/2 log2 p bytes, and one of the least "
                 "volume needs p - 1 rounds. Between these ends nobody knows the least time.",
                 bruck},
};

}  // namespace

Optimality optimality(Collective collective, int ranks, std::int64_t bytes, const Machine& machine) {
  Optimality found{.ranks = ranks, .bytes = bytes, .rounds = {}, .volume = {}, .time = {}};
  const TopologyPtr topology = full_topology(ranks);
  const Problem asked{
      .collective = collective, .ranks = ranks, .count = collective == Collective::barrier ? 0 : bytes, .distance = 1};
  std::vector<Problem> problems{asked};
  // Forms of algorithms that cut the message into p blocks ask that p divides it; no block is larger than those of the
  // next larger message that p divides.
  if (!has_blocks(collective) && asked.count % ranks != 0) {
    problems.push_back(asked);
    problems.back().count = ceil_divide<std::int64_t>(bytes, ranks) * ranks;
  }
  const Bounds bounds = bounds_of(asked, *topology, machine);
  for (const Problem& problem : problems) {
    OptimalitySearch search(problem, bounds, *topology, machine, found);
    for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) search.look_at(*algorithm);
  }
  return found;
}

std::vector<int> telling_ranks(int most) {
  std::vector<int> found;
  for (int power = 2; power <= most; power *= 2) {
    for (const int ranks : {power - 1, power, power + 1}) {
      if (ranks >= 2 && ranks <= most) found.push_back(ranks);
    }
    const int between = power > 2 ? largest_prime_below(power + power / 2) : 0;
    if (between > power + 1 && between <= most) found.push_back(between);
    if (power > most / 2) break;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::span<const OpenQuestion> open_questions() { return questions; }

}  // namespace tutti
