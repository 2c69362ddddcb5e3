#include "predict/first_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tutti {
namespace {

constexpr double tolerable = 0.25;
constexpr double undisturbed = 0.9;

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_error(const MachineCosts& costs, std::span<const Observation> observations) {
  std::vector<double> errors = predictions(costs, observations);
  for (std::size_t k = 0; k < errors.size(); ++k) errors[k] = std::abs(errors[k] / observations[k].seconds - 1);
  return middle_of(std::move(errors));
}

}  // namespace

FirstLook first_look(const MachineCosts& built_in, std::span<const Observation> observations,
                     std::span<const double> again, double had_cores) {
  std::vector<Observation> shorter(observations.begin(), observations.end());
  std::vector<double> ratios;
  for (std::size_t k = 0; k < shorter.size(); ++k) {
    const double longer = std::max(shorter[k].seconds, again[k]);
    shorter[k].seconds = std::min(shorter[k].seconds, again[k]);
    ratios.push_back(longer / shorter[k].seconds);
  }
  const FirstLook disturbed{std::nullopt, "because other work disturbed its first use; tutti tune measures it"};
  if (had_cores < undisturbed || middle_of(std::move(ratios)) > 1 + tolerable) return disturbed;
  const double error = median_error(built_in, shorter);
  if (error <= tolerable) {
    return {std::nullopt,
            fmt::format("which fit this machine: at its first use half of {} calls took what they predict, "
                        "within {:.0f} %",
                        shorter.size(), 100 * error)};
  }
  MeasuredCosts found = fit(built_in, shorter);
  if (found.median_error > tolerable) return disturbed;
  return {std::move(found)};
}

}  // namespace tutti
