#include "predict/profile/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "predict/model/machine_model.hpp"

namespace tutti {
namespace {

/// Returns how far off a prediction is: the logarithm's distance, with a knee.
double penalty(double predicted, double measured) {
  constexpr double knee = 0.5;
  constexpr double slope_beyond = 0.25;
  const double distance = std::abs(std::log(predicted / measured));
  return distance <= knee ? distance : knee + (distance - knee) * slope_beyond;
}

double mean_penalty(const MachineCosts& costs, std::span<const Observation> observations) {
  const std::vector<double> predicted = predictions(costs, observations);
  double sum = 0;
  for (std::size_t k = 0; k < observations.size(); ++k) sum += penalty(predicted[k], observations[k].seconds);
  return sum / static_cast<double>(observations.size());
}

bool has_shared_cores(const Observation& observation) { return observation.problem.ranks > observation.cores; }

struct ByCores {
  explicit ByCores(std::span<const Observation> observations) {
    for (const Observation& each : observations) (has_shared_cores(each) ? on_shared : on_own).push_back(each);
  }

  std::vector<Observation> on_own = {};
  std::vector<Observation> on_shared = {};
};

/// Whether the observations can tell the cost from others. Where no ranks share a core, or all do, `alone` and the
/// prices of bytes are one.
bool is_told(const CostField& field, std::span<const Observation> observations) {
  if (field.value == &MachineCosts::link_byte) return false;
  if (field.value != &MachineCosts::alone) return true;
  const auto on_shared_cores = std::count_if(observations.begin(), observations.end(), has_shared_cores);
  return on_shared_cores > 0 && on_shared_cores < std::ssize(observations);
}

/// One coordinate, with a step of its own.
struct Coordinate {
  const CostField* field;
  double step = 2;  ///< a factor above 1
};

/// Moves one cost up or down by its factor where that is better.
bool improve(MachineCosts& costs, double& best, const MachineCosts& start, const Coordinate& coordinate,
             std::span<const Observation> observations) {
  constexpr double farthest = 100;
  for (const double factor : {coordinate.step, 1 / coordinate.step}) {
    MachineCosts tried = costs;
    double& value = tried.*coordinate.field->value;
    value *= factor;
    const double moved = value / (start.*coordinate.field->value);
    if (moved > farthest || moved < 1 / farthest || value > coordinate.field->most()) continue;
    const double found = mean_penalty(tried, observations);
    if (found >= best) continue;
    best = found;
    costs = tried;
    return true;
  }
  return false;
}

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(part * last))];
}

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

std::vector<double> predictions(const MeasuredCosts& measured, std::span<const Observation> observations) {
  const MachineCosts& on_shared_cores = measured.on_shared_cores ? *measured.on_shared_cores : measured.costs;
  std::vector<double> predicted;
  for (const Observation& each : observations) {
    const MachineCosts& costs = has_shared_cores(each) ? on_shared_cores : measured.costs;
    predicted.push_back(predictions(costs, std::span(&each, 1)).front());
  }
  return predicted;
}

std::vector<double> predictions(const MachineCosts& costs, std::span<const Observation> observations) {
  std::vector<double> predicted;
  for (const Observation& each : observations) {
    predicted.push_back(MachineModel(costs, each.cores).seconds(each.choice, each.problem, each.element_size));
  }
  return predicted;
}

namespace {

MachineCosts fit_fields(const MachineCosts& start, std::span<const Observation> observations,
                        const std::function<bool(const CostField&)>& is_fitted,
                        const std::function<void(double part)>& progress) {
  constexpr int most_rounds = 40;
  constexpr double smallest_step = 1.01;
  MachineCosts costs = start;
  double best = mean_penalty(costs, observations);
  std::vector<Coordinate> coordinates;
  for (const CostField& field : cost_fields()) {
    if (is_fitted(field) && is_told(field, observations)) coordinates.push_back({&field});
  }
  for (int round = 0; round < most_rounds; ++round) {
    bool is_over = true;
    for (Coordinate& coordinate : coordinates) {
      if (!improve(costs, best, start, coordinate, observations)) coordinate.step = std::sqrt(coordinate.step);
      is_over = is_over && coordinate.step < smallest_step;
    }
    if (progress) progress(static_cast<double>(round + 1) / most_rounds);
    if (is_over) break;
  }
  if (start.link_byte > 0) costs.link_byte = costs.byte;
  return costs;
}

MeasuredCosts with_errors(MeasuredCosts measured, std::span<const Observation> observations) {
  std::vector<double> errors = predictions(measured, observations);
  for (std::size_t k = 0; k < errors.size(); ++k) errors[k] = std::abs(errors[k] / observations[k].seconds - 1);
  measured.median_error = quantile(errors, 0.5);
  measured.worst_error = quantile(errors, 0.9);
  measured.observations = static_cast<int>(observations.size());
  return measured;
}

bool fits_every_cost(const CostField&) { return true; }

}  // namespace

MeasuredCosts fit_by_cores(const MachineCosts& start, std::span<const Observation> observations,
                           const std::function<void(double part)>& progress) {
  const ByCores sorted(observations);
  const std::size_t enough = 5 * cost_fields().size();
  if (std::min(sorted.on_own.size(), sorted.on_shared.size()) < enough) return fit(start, observations, progress);
  const auto half = [&](double first) {
    return [&progress, first](double part) {
      if (progress) progress(first + part / 2);
    };
  };
  MeasuredCosts measured{.costs = fit_fields(start, sorted.on_own, fits_every_cost, half(0))};
  measured.on_shared_cores = fit_fields(measured.costs, sorted.on_shared, fits_every_cost, half(0.5));
  return with_errors(std::move(measured), observations);
}

MeasuredCosts fit(const MachineCosts& start, std::span<const Observation> observations,
                  const std::function<void(double part)>& progress) {
  return with_errors({.costs = fit_fields(start, observations, fits_every_cost, progress)}, observations);
}

MeasuredCosts fit_briefly(const MachineCosts& start, std::span<const Observation> observations) {
  const auto is_told_by_few = [](const CostField& field) {
    using enum CostField::Kind;
    return field.kind == seconds || field.kind == seconds_a_byte || field.value == &MachineCosts::near;
  };
  const auto is_turn = [](const CostField& field) { return field.value == &MachineCosts::turn; };
  const ByCores sorted(observations);
  MachineCosts costs = start;
  if (!sorted.on_own.empty()) costs = fit_fields(costs, sorted.on_own, is_told_by_few, {});
  if (!sorted.on_shared.empty()) costs = fit_fields(costs, sorted.on_shared, is_turn, {});
  return with_errors({.costs = costs}, observations);
}

QuickCalibration quick_calibration(const MachineCosts& built_in, const BriefLook& look) {
  std::vector<Observation> shorter = look.observations;
  std::vector<double> ratios;
  for (std::size_t k = 0; k < shorter.size(); ++k) {
    const double longer = std::max(shorter[k].seconds, look.again[k]);
    shorter[k].seconds = std::min(shorter[k].seconds, look.again[k]);
    ratios.push_back(longer / shorter[k].seconds);
  }
  const QuickCalibration disturbed{std::nullopt, "because other work disturbed its first use; tutti tune measures it"};
  if (look.had_cores < undisturbed || middle_of(std::move(ratios)) > 1 + tolerable) return disturbed;
  const double error = median_error(built_in, shorter);
  if (error <= tolerable) {
    return {std::nullopt, fmt::format("{}: at its first use half of {} calls took what they predict, within {:.0f} %",
                                      built_in_costs_fit, shorter.size(), 100 * error)};
  }
  MeasuredCosts found = fit_briefly(built_in, shorter);
  if (found.median_error > tolerable) return disturbed;
  return {std::move(found)};
}

}  // namespace tutti
