#include "app/network_model.hpp"

#include <fmt/format.h>

#include <limits>

namespace tutti::app {

double NetworkModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  const Offer offer = prices_.offer(*choice.algorithm, problem.count * element_size);
  return offer.basis == Basis::none ? std::numeric_limits<double>::infinity() : offer.seconds;
}

double NetworkModel::bound(const Problem& problem, std::int64_t element_size) const {
  return prices_.bound(problem.count * element_size).seconds;
}

std::string NetworkModel::describe() const {
  return fmt::format("{}, {}", prices_.question().topology->name(), costs_in_words(prices_.question()));
}

}  // namespace tutti::app
