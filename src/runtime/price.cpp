#include "runtime/price.hpp"

namespace tutti::runtime {

Price price_of(const LinkCosts& costs) {
  return [costs](const Algorithm& algorithm, const Problem& problem, std::int64_t element_size) {
    const Claims claims = algorithm.claims(problem);
    if (claims.messages == 0) return 0.0;
    const double mean = static_cast<double>(claims.elements) / static_cast<double>(claims.messages);
    return static_cast<double>(claims.rounds) * (costs.alpha + costs.beta * mean * static_cast<double>(element_size));
  };
}

}  // namespace tutti::runtime
