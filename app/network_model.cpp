#include "app/network_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/uneven.hpp"
#include "base/units.hpp"
#include "predict/bound.hpp"

namespace tutti::app {

double NetworkModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  // An offer has the best parameters, and the choice its own.
  if (const auto exact = prices_.exact_seconds(choice, problem.count * element_size)) return *exact;
  const Offer offer = prices_.offer(*choice.algorithm, problem.count * element_size);
  return offer.basis == Basis::none ? std::numeric_limits<double>::infinity() : offer.seconds;
}

Choice NetworkModel::completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  Choice found = choice;
  if (found.parameters.segments == 0)
    found.parameters.segments = prices_.offer(*choice.algorithm, problem.count * element_size).parameters.segments;
  return found;
}

double NetworkModel::bound(const Problem& problem, std::int64_t element_size) const {
  return prices_.bound(problem.count * element_size).seconds;
}

std::string NetworkModel::describe() const {
  return fmt::format("{}, {}", prices_.question().topology->name(), costs_in_words(prices_.question()));
}

double UnevenNetworkModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  const Question& question = prices_.question();
  Problem sized = problem;
  sized.count *= element_size;
  SimulationOptions options = question.traffic;
  options.engine = Engine::flows;
  options.skew = skews_;
  return simulated_unevenly(choice, sized, *question.topology, question.machine, question.layout, options);
}

Choice UnevenNetworkModel::completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  return NetworkModel(prices_).completed(choice, problem, element_size);
}

double UnevenNetworkModel::bound(const Problem& problem, std::int64_t element_size) const {
  const double even = prices_.bound(problem.count * element_size).seconds;
  // Where each rank takes part, the last one to come is done no sooner than it comes.
  if (moves_nothing(problem)) return even;
  return std::max(even, std::max_element(skews_.begin(), skews_.end(), [](const Skew& a, const Skew& b) {
                          return a.start < b.start;
                        })->start);
}

std::string UnevenNetworkModel::describe() const {
  std::string words = NetworkModel(prices_).describe() + "; one call";
  for (std::size_t rank = 0; rank < skews_.size(); ++rank) {
    if (skews_[rank].start > 0)
      words += fmt::format(", rank {} comes after {}", rank, text_of(Seconds{skews_[rank].start}));
    if (skews_[rank].slowness != 1)
      words += fmt::format(", rank {} combines {} times slower", rank, skews_[rank].slowness);
  }
  return words;
}

}  // namespace tutti::app
