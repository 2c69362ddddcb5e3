#include "simulate/rescaled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>
#include <vector>

namespace tutti {
namespace {

// Costs that the links of a network have of their own.
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

__extension__ using Wide = __int128;

constexpr int most_digits = 37;  // decimal digits of a multiple
constexpr int kept_digits = 17;

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int k = 0; k < exponent; ++k) power *= 10;
  return power;
}

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

TimeUnit::Decimal TimeUnit::decimal(double seconds) {
  const double ulp = std::nextafter(seconds, std::numeric_limits<double>::infinity()) - seconds;
  std::string text = fmt::format("{:.14e}", seconds);
  if (std::abs(std::strtod(text.c_str(), nullptr) - seconds) > 2 * ulp) text = fmt::format("{:.16e}", seconds);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  std::erase(digits, '.');
  Decimal result{std::strtoll(digits.c_str(), nullptr, 10),
                 std::atoi(text.c_str() + e + 1) + 1 - static_cast<int>(digits.size())};
  for (; result.digits % 10 == 0 && result.digits != 0; result.digits /= 10) ++result.exponent;
  return result;
}

TimeUnit::TimeUnit(std::span<const double> seconds, std::int64_t parts) : parts_(static_cast<double>(parts)) {
  std::vector<Decimal> decimals;
  for (const double time : seconds) {
    if (time > 0) decimals.push_back(decimal(time));
  }
  if (decimals.empty()) return;
  const auto smaller = [](const Decimal& a, const Decimal& b) { return a.exponent < b.exponent; };
  const auto [least, greatest] = std::minmax_element(decimals.begin(), decimals.end(), smaller);
  if (greatest->exponent - least->exponent + kept_digits > most_digits) {
    longest_ = *std::max_element(seconds.begin(), seconds.end());
    return;
  }
  exponent_ = least->exponent;
  // The divisor divides the digits of the least exponent, so that it is no greater than those.
  divisor_ = least->digits;
  for (const Decimal& time : decimals) {
    const Wide multiple = time.digits * power_of_ten(time.exponent - exponent_);
    divisor_ = std::gcd(divisor_, static_cast<std::int64_t>(multiple % divisor_));
  }
}

double TimeUnit::in_units(double seconds) const {
  if (seconds == 0) return 0;
  if (longest_ > 0) return seconds / longest_;
  const Decimal time = decimal(seconds);
  const Wide multiple = time.digits * power_of_ten(time.exponent - exponent_) / divisor_;
  return static_cast<double>(multiple) * parts_;
}

// Powers of ten up to 10^22 are exact: the one division is all that is rounded.
double TimeUnit::seconds(double units) const {
  if (longest_ > 0) return units * longest_;
  const double whole = units * static_cast<double>(divisor_);
  return exponent_ < 0 ? whole / (std::pow(10.0, -exponent_) * parts_) : whole * std::pow(10.0, exponent_) / parts_;
}

}  // namespace tutti
