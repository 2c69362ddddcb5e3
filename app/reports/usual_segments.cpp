#include "app/reports/usual_segments.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "schedule/model/parameter_values.hpp"

namespace tutti::app {

std::string usual_segments_in_words(const PricingRequest& request) {
  const Algorithm& algorithm = *request.algorithms.front();
  const std::int64_t bytes = request.problem.count;
  const Choice choice(algorithm, request.parameters);
  if (request.parameters.segments != 0 || !used_parameters(choice, request.problem, request.layout).segments) return {};
  const int usual = request.parameters.segments_for(bytes);
  std::string words = fmt::format("{}, the usual number", usual);
  Prices prices(request, {bytes}, 0, {.shown = 0});
  if (request.beyond_forms || !prices.has_exact_form(algorithm, bytes)) return words + "; --segments changes it";
  const PricedAlgorithm best = prices.price_of(algorithm, bytes);
  const int segments = best.parameters.segments;
  if (segments == 0 || segments == usual) return words;
  return fmt::format("{}; with --segments {} it would take {}, the least by the closed form", words, segments,
                     text_of(Seconds{best.seconds}));
}

}  // namespace tutti::app
