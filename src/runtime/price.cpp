#include "runtime/price.hpp"

namespace tutti::runtime {

Price price_of(const LinkCosts& costs) {
  return [costs](const Algorithm& algorithm, const Problem& problem, std::int64_t element_size) {
    const Claims claims = algorithm.claims(problem);
    const double bytes = static_cast<double>(claims.elements) / problem.ranks * static_cast<double>(element_size);
    return costs.alpha * static_cast<double>(claims.rounds) + costs.beta * bytes;
  };
}

}  // namespace tutti::runtime
