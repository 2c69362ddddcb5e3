#include "app/commands/plan/network_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.hpp"
#include "predict/model/bound.hpp"
#include "pricing/pricing_in_words.hpp"
#include "pricing/uneven.hpp"

namespace tutti::app {

double NetworkModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  // A price has the best parameters, and the choice its own.
  if (const auto exact = prices_.exact_seconds(choice, problem.count * element_size)) return *exact;
  const PricedAlgorithm priced = prices_.price_of(*choice.algorithm, problem.count * element_size);
  return priced.basis == Basis::none ? std::numeric_limits<double>::infinity() : priced.seconds;
}

Choice NetworkModel::completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  Choice found = choice;
  if (found.parameters.segments == 0)
    found.parameters.segments = prices_.price_of(*choice.algorithm, problem.count * element_size).parameters.segments;
  return found;
}

double NetworkModel::bound(const Problem& problem, std::int64_t element_size) const {
  return prices_.bound(problem.count * element_size).seconds;
}

std::string NetworkModel::describe() const {
  return fmt::format("{}, {}", request().topology->name(), costs_in_words(request()));
}

double UnevenNetworkModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  const PricingRequest& pricing = request();
  Problem sized = problem;
  sized.count *= element_size;
  SimulationOptions options = pricing.traffic;
  options.engine = Engine::flows;
  options.skew = skews_;
  return simulated_unevenly(choice, sized, *pricing.topology, pricing.machine, pricing.layout, options);
}

double UnevenNetworkModel::bound(const Problem& problem, std::int64_t element_size) const {
  const double even = NetworkModel::bound(problem, element_size);
  // The last rank to come is done no sooner than it comes, if each rank takes part.
  if (moves_nothing(problem)) return even;
  return std::max(even, std::max_element(skews_.begin(), skews_.end(), [](const Skew& a, const Skew& b) {
                          return a.start < b.start;
                        })->start);
}

std::string UnevenNetworkModel::describe() const {
  std::string words = NetworkModel::describe() + "; one call";
  for (std::size_t rank = 0; rank < skews_.size(); ++rank) {
    if (skews_[rank].start > 0)
      words += fmt::format(", rank {} comes after {}", rank, text_of(Seconds{skews_[rank].start}));
    if (skews_[rank].slowness != 1)
      words += fmt::format(", rank {} combines {} times slower", rank, skews_[rank].slowness);
  }
  return words;
}

}  // namespace tutti::app
