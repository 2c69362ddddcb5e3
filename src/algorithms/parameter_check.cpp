#include "algorithms/parameter_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"

namespace tutti::algorithms {
namespace {

struct Parameter {
  std::string_view name;
  std::string_view one;  ///< with its article
  bool UsedParameters::*looked_at;
  bool (*is_asked)(const Parameters& parameters);
};
constexpr std::array<Parameter, 3> all_parameters{
    {{"segments", "segments", &UsedParameters::segments, [](const Parameters& asked) { return asked.segments != 0; }},
     {"radix", "a radix", &UsedParameters::radix, [](const Parameters& asked) { return asked.radix != 0; }},
     {"grid", "a grid", &UsedParameters::grid, [](const Parameters& asked) { return !asked.grid.empty(); }}}};

std::string parameters_in_words(const UsedParameters& had) {
  std::vector<std::string_view> names;
  for (const Parameter& each : all_parameters) {
    if (had.*each.looked_at) names.push_back(each.name);
  }
  return names.empty() ? "no parameters" : fmt::format("{} alone", fmt::join(names, " and "));
}

/// The algorithms for the collective that have the parameter.
std::vector<std::string_view> owners_of(const Parameter& parameter, Collective collective) {
  std::vector<std::string_view> owners;
  for (const Algorithm* algorithm : algorithms_for(collective)) {
    if (parameters_of(*algorithm).*parameter.looked_at) owners.push_back(algorithm->name);
  }
  return owners;
}

/// The parameters of an algorithm, a bit each, once they are known.
class KnownParameters {
 public:
  UsedParameters of(const Algorithm& algorithm) {
    int bits = bits_.load(std::memory_order_relaxed);
    if (bits == unknown) {
      bits = 0;
      const UsedParameters had = parameters_used_by(algorithm);
      for (std::size_t k = 0; k < all_parameters.size(); ++k) bits |= (had.*all_parameters[k].looked_at ? 1 : 0) << k;
      bits_.store(bits, std::memory_order_relaxed);
    }
    UsedParameters looked;
    for (std::size_t k = 0; k < all_parameters.size(); ++k) looked.*all_parameters[k].looked_at = (bits >> k & 1) != 0;
    return looked;
  }

 private:
  static constexpr int unknown = -1;
  std::atomic<int> bits_ = unknown;
};

}  // namespace

UsedParameters parameters_of(const Algorithm& algorithm) {
  static std::vector<KnownParameters> known(catalogue().size());
  const auto found = std::find(catalogue().begin(), catalogue().end(), &algorithm);
  if (found == catalogue().end()) return {.segments = true, .radix = true, .grid = true};
  return known[static_cast<std::size_t>(found - catalogue().begin())].of(algorithm);
}

void check_parameters(const Parameters& parameters, const Algorithm& algorithm) {
  const Collective collective = algorithm.collective;
  for (const Parameter& each : all_parameters) {
    if (!each.is_asked(parameters)) continue;
    const UsedParameters had = parameters_of(algorithm);
    if (had.*each.looked_at) continue;
    const std::vector<std::string_view> owners = owners_of(each, collective);
    fail(ErrorCode::invalid_argument, "{} by {} has {}, not {}; leave {} out{}", name_of(collective), algorithm.name,
         parameters_in_words(had), each.one, each.name,
         owners.empty() ? "" : fmt::format(", or take {}", fmt::join(owners, " or ")));
  }
}

void check_parameters(const Parameters& parameters, Collective collective, std::string_view algorithm) {
  if (!algorithm.empty()) {
    if (const Algorithm* const named = find(collective, algorithm)) check_parameters(parameters, *named);
    return;
  }
  for (const Parameter& each : all_parameters) {
    if (!each.is_asked(parameters) || !owners_of(each, collective).empty()) continue;
    fail(ErrorCode::invalid_argument, "no algorithm for {} has {}; leave {} out", name_of(collective), each.one,
         each.name);
  }
}

}  // namespace tutti::algorithms
