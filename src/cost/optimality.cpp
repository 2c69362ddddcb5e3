#include "cost/optimality.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "base/alike.hpp"
#include "base/integers.hpp"
#include "cost/closed_form.hpp"
#include "cost/lower_bound.hpp"
#include "cost/segments.hpp"
#include "cost/volume.hpp"
#include "topology/families.hpp"

namespace tutti {
namespace {

// What the three measures are held against, for one size.
struct Bounds {
  double rounds = 0;
  double volume = 0;
  double seconds = 0;
};

Bounds bounds_of(const Problem& problem, const Topology& topology, const Machine& machine) {
  return {static_cast<double>(rounds_needed(problem)), port_volume(problem),
          lower_bound(problem, 1, topology, machine).seconds};
}

void take(std::optional<Standing>& best, const Standing& offered) {
  if (offered.bound <= 0) return;
  if (!best || offered.factor() * alike < best->factor()) best = offered;
}

class Search {
 public:
  Search(Problem problem, const Bounds& bounds, const Topology& topology, const Machine& machine, Optimality& found)
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
    const auto offer = [&](std::optional<Standing>& best, double least, double bound) {
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
    Search search(problem, bounds, *topology, machine, found);
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

}  // namespace tutti
