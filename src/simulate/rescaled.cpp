#include "simulate/rescaled.hpp"

#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

namespace tutti {
namespace {

// What the links of a network say of themselves.
struct OwnCosts {
  std::set<double> times;
  std::int64_t lanes = 1;  // a multiple of all links' whole lanes, unless it would be too great
};

OwnCosts own_costs(const Topology& topology) {
  constexpr std::int64_t most_lanes = std::int64_t{1} << 20;
  OwnCosts own;
  if (topology.uniform()) return own;
  std::set<double> lanes;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const LinkCost cost = topology.link(id).cost;
    lanes.insert(cost.lanes);
    for (const auto& time : {cost.ts, cost.tw, cost.th}) {
      if (time) own.times.insert(*time);
    }
  }
  for (const double count : lanes) {
    if (count > static_cast<double>(most_lanes) || count != std::floor(count)) continue;
    const std::int64_t multiple = std::lcm(own.lanes, static_cast<std::int64_t>(count));
    if (multiple <= most_lanes) own.lanes = multiple;
  }
  return own;
}

std::vector<double> times_of(const OwnCosts& own, const Machine& machine, const SimulationOptions& options) {
  std::vector<double> times(own.times.begin(), own.times.end());
  for (const double time : {machine.ts, machine.tw, machine.th, machine.tc, options.injection}) times.push_back(time);
  for (const Skew& skew : options.skew) {
    if (skew.start > 0) times.push_back(skew.start);
  }
  for (const Release& release : options.releases) {
    if (release.start > 0) times.push_back(release.start);
  }
  return times;
}

/// A network with its links' own times in another unit.
class LinksInUnits final : public Topology {
 public:
  LinksInUnits(const Topology& network, const std::set<double>& times, const TimeUnit& unit) : network_(network) {
    for (const double time : times) in_units_.emplace(time, unit.in_units(time));
  }

  std::string name() const override { return network_.name(); }
  int ranks() const override { return network_.ranks(); }
  int nodes() const override { return network_.nodes(); }
  LinkId links() const override { return network_.links(); }
  Link link(LinkId id) const override {
    Link link = network_.link(id);
    for (std::optional<double>* time : {&link.cost.ts, &link.cost.tw, &link.cost.th}) {
      if (*time) *time = in_units_.at(**time);
    }
    return link;
  }
  void route(int from, int to, std::vector<LinkId>& path) const override { network_.route(from, to, path); }
  int distance(int from, int to) const override { return network_.distance(from, to); }
  void choices(int at, int to, std::vector<LinkId>& links) const override { network_.choices(at, to, links); }
  bool uniform() const override { return false; }
  bool dedicated() const override { return network_.dedicated(); }

 private:
  const Topology& network_;
  std::unordered_map<double, double> in_units_;
};

}  // namespace

Rescaled::Rescaled(const Topology& topology, const Machine& machine, const SimulationOptions& options)
    : topology_(topology), machine_(machine), options_(options), unit_({}) {
  const OwnCosts own = own_costs(topology);
  unit_ = TimeUnit(times_of(own, machine, options), own.lanes);
  for (double* time : {&machine_.ts, &machine_.tw, &machine_.th, &machine_.tc}) *time = unit_.in_units(*time);
  options_.injection = unit_.in_units(options_.injection);
  // This limit is no parameter and seldom a whole multiple.
  if (options_.until) options_.until = *options_.until / unit_.seconds(1);
  for (Skew& skew : options_.skew) skew.start = unit_.in_units(skew.start);
  for (Release& release : options_.releases) release.start = unit_.in_units(release.start);
  if (!own.times.empty()) links_ = std::make_unique<LinksInUnits>(topology, own.times, unit_);
}

void Rescaled::to_seconds(Simulation& result) const {
  const auto convert = [&](double& time) { time = unit_.seconds(time); };
  convert(result.seconds);
  for (double& time : result.finished) convert(time);
  for (TimelineMessage& m : result.timeline) {
    for (double* time : {&m.send_posted, &m.receive_posted, &m.begin, &m.end, &m.released}) convert(*time);
  }
  for (TimelineCombination& combination : result.combinations) {
    convert(combination.begin);
    convert(combination.end);
  }
  for (TimelinePhase& phase : result.phases) convert(phase.begin);
}

}  // namespace tutti
