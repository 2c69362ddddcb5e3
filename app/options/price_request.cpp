#include "app/options/price_request.hpp"

#include <numeric>

#include "algorithms/catalogue.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/node_options.hpp"
#include "base/check.hpp"
#include "base/text/split.hpp"
#include "textbook/tables.hpp"

namespace tutti::app {
namespace {

std::vector<const Algorithm*> algorithms_asked(const PriceRequest& request, const PricingRequest& pricing) {
  std::vector<const Algorithm*> found;
  for (const std::string& name : request.compared)
    found.push_back(&algorithms::fitting(pricing.problem, name, pricing.layout));
  if (request.algorithm) found.push_back(&algorithms::fitting(pricing.problem, *request.algorithm, pricing.layout));
  if (!found.empty()) return found;
  found = fitting_algorithms(pricing.problem, pricing.layout);
  if (!request.textbook) return found;
  std::erase_if(found, [](const Algorithm* algorithm) { return !textbook::has_row(*algorithm); });
  require(!found.empty(), "the textbook has no algorithm for {}; leave --textbook out", describe(pricing.problem));
  return found;
}

}  // namespace

void set_algorithms(PriceRequest& request, const std::string& text) {
  for (const std::string_view name : split(text, ',')) request.compared.emplace_back(name);
  if (request.compared.size() > 1) return;
  request.algorithm = text;
  request.compared.clear();
}

void set_distances(PriceRequest& request, const std::string& text) {
  const DistanceRange range = parse_distances(text);
  if (range.least == range.most) {
    request.distance = range.least;
  } else {
    request.distances = range;
  }
}

PricingRequest pricing_of(const PriceRequest& request) {
  require(request.collective.has_value(),
          "price needs a collective, such as: tutti price all-reduce --ranks 64 --bytes 1MiB");
  PricingRequest pricing{.problem = {},
                         .topology = network_of(request),
                         .machine = request.machine,
                         .algorithms = {},
                         .parameters = parameters_of(request),
                         .layout = layout_of(request),
                         .traffic = options_of(request.traffic),
                         .beyond_forms = !beyond_forms(request.traffic).empty()};
  if (request.names_node_links) pricing.node_links = request.node_links;
  check(pricing.machine);
  Request sized = request;
  if (*request.collective != Collective::barrier && !request.counts) sized.count = 1;
  pricing.problem = problem_of(sized, *request.collective, pricing.topology->ranks());
  pricing.algorithms = algorithms_asked(request, pricing);
  pricing.named = request.algorithm || !request.compared.empty();
  return pricing;
}

SizeRange asked_sizes(const PriceRequest& request, const Problem& problem) {
  if (!problem.counts.empty()) {
    require(!request.sizes && !request.plot, "--counts says how much each rank has; leave --bytes and --plot out");
    const std::int64_t all = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
    return {all, all};
  }
  const bool barrier = problem.collective == Collective::barrier;
  require(barrier || request.sizes, "price needs a size, such as --bytes 64KiB or --bytes 1KiB..1MiB");
  require(!barrier || !request.sizes, "a barrier moves no data; leave --bytes out");
  require(!barrier || !request.plot, "a barrier has no sizes to draw its time against; leave --plot out");
  return barrier ? SizeRange{0, 0} : *request.sizes;
}

}  // namespace tutti::app
