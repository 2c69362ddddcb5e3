#include "plan/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text/table.hpp"
#include "base/units.hpp"

namespace tutti {
namespace {

std::string bytes_in_words(std::int64_t count, std::int64_t element_size) {
  std::int64_t bytes = 0;
  if (!__builtin_mul_overflow(count, element_size, &bytes)) return text_of(Bytes{bytes});
  constexpr double exbibyte = 0x1p60;
  return fmt::format("{:.3g}EiB", static_cast<double>(count) * static_cast<double>(element_size) / exbibyte);
}

/// Returns the counts in which the faster one claims less, such as "2 rounds instead of 6".
std::string savings(const Choice& fast, const Choice& slow, const Problem& problem, std::int64_t element_size,
                    const Layout& layout) {
  const Claims less = fast.claims(problem, layout);
  const Claims more = slow.claims(problem, layout);
  std::vector<std::string> saved;
  saved.reserve(3);
  if (less.rounds < more.rounds)
    saved.push_back(fmt::format("{} instead of {}", counted(less.rounds, "round"), more.rounds));
  if (less.messages < more.messages)
    saved.push_back(fmt::format("{} instead of {}", counted(less.messages, "message"), more.messages));
  if (less.elements < more.elements) {
    saved.push_back(fmt::format("{} sent instead of {}", bytes_in_words(less.elements, element_size),
                                bytes_in_words(more.elements, element_size)));
  }
  if (saved.empty()) return "it sends as much, but its ranks spend less time waiting and combining";
  return fmt::format("{}", fmt::join(saved, ", "));
}

std::string factor_in_words(double slow, double fast) {
  if (!(fast > 0 && std::isfinite(slow))) return "faster than";
  if (!is_cheaper(fast, slow)) return "as fast as";
  const double factor = slow / fast;
  constexpr double hardly = 1.01;
  if (factor < hardly) return "less than 1 % faster than";
  return fmt::format("{:.3g} times as fast as", factor);
}

/// "ring would win up to 64B and from 4MiB on".
std::string where_in_words(const Choice& other, const Crossover& found, const Problem& problem,
                           std::int64_t element_size) {
  const auto size = [&](std::int64_t count) { return bytes_in_words(count, element_size); };
  std::string words = fmt::format("{} would win ", other.algorithm->name);
  if (found.at_most) words += fmt::format("up to {}", size(*found.at_most));
  if (found.at_most && found.at_least) words += ", and ";
  if (found.at_least) words += fmt::format("from {} on", size(*found.at_least));
  if (!found.at_most && !found.at_least) words += "at no size";
  if (has_blocks(problem.collective) && (found.at_most || found.at_least)) words += " a block";
  return words;
}

/// Explains an algorithm that somebody has named.
std::string why_named(const Explanation& told, const CostModel& model) {
  const Layout& layout = model.layout();
  const Priced& first = told.ranking.front();
  const std::string_view name = told.chosen.algorithm->name;
  const std::string asked = parameters_in_words(told.chosen, told.problem, layout);
  const std::string best = parameters_in_words(first.choice, told.problem, layout);
  const bool is_first = first.choice.algorithm == told.chosen.algorithm;
  if (is_first && asked == best)
    return fmt::format("{} is what {} names; the model would take it, too.", name, told.by);
  const std::string factor =
      factor_in_words(model.seconds(told.chosen, told.problem, told.element_size), first.seconds);
  if (is_first) {
    return fmt::format("{} is what {} names; with {} it is predicted to be {} with {}.", name, told.by, best, factor,
                       asked);
  }
  return fmt::format("{} is what {} names; {} is predicted to be {} it: {}.", name, told.by,
                     first.choice.algorithm->name, factor,
                     savings(first.choice, told.chosen, told.problem, told.element_size, layout));
}

std::string why(const Explanation& told, const CostModel& model, CrossoverSearch search) {
  const Layout& layout = model.layout();
  const Priced& first = told.ranking.front();
  const std::string_view name = told.chosen.algorithm->name;
  if (!told.by.empty()) return why_named(told, model);
  if (told.ranking.size() == 1) return fmt::format("{} is the only algorithm that fits.", name);
  const Priced& second = told.ranking[1];
  if (!is_cheaper(first.seconds, second.seconds)) {
    return fmt::format("{} and {} are predicted to take equally long; {} comes first in the catalogue.", name,
                       second.choice.algorithm->name, name);
  }
  std::string words = fmt::format("{} wins: it is predicted to be {} {}, the runner-up: {}.", name,
                                  factor_in_words(second.seconds, first.seconds), second.choice.algorithm->name,
                                  savings(first.choice, second.choice, told.problem, told.element_size, layout));
  const bool has_sizes = told.problem.collective != Collective::barrier && told.problem.counts.empty();
  if (search == CrossoverSearch::this_size || !has_sizes) return words;
  const Crossover found = crossover(first.choice, second.choice, told.problem, told.element_size, model);
  return words + ' ' + where_in_words(second.choice, found, told.problem, told.element_size) + '.';
}

}  // namespace

Explanation explain(const Problem& problem, const Choice& chosen, std::string by, const Parameters& asked,
                    std::int64_t element_size, const CostModel& model, CrossoverSearch search) {
  const Parameters& compared = by.empty() ? asked : chosen.parameters;
  Explanation told{.problem = model.essence(problem),
                   .element_size = element_size,
                   .chosen = chosen,
                   .by = std::move(by),
                   .ranking = ranking_of(problem, compared, element_size, model),
                   .bound = model.bound(problem, element_size),
                   .costs = model.describe(),
                   .why = {}};
  told.why = why(told, model, search);
  return told;
}

std::string call_in_words(const Problem& problem, std::int64_t element_size) {
  const std::string words = describe(problem);
  if (problem.collective == Collective::barrier || !problem.counts.empty()) return words;
  return fmt::format("{} ({}{})", words, bytes_in_words(problem.count, element_size),
                     has_blocks(problem.collective) ? " a block" : "");
}

std::string ratio_in_words(double seconds, double bound) {
  if (!(bound > 0 && std::isfinite(seconds))) return "-";
  constexpr double most_digits = 1e6;
  const double ratio = seconds / bound;
  return ratio < most_digits ? fmt::format("{:.2f}", ratio) : fmt::format("{:.3g}", ratio);
}

std::string text_of(const Explanation& explanation, const Layout& layout) {
  std::vector<std::vector<std::string>> rows{
      {"ALGORITHM", "PARAMETERS", "NEEDS", "PREDICTED", "ONE CALL", "TIMES THE BOUND"}};
  for (const Priced& each : explanation.ranking) {
    const std::string parameters = parameters_in_words(each.choice, explanation.problem, layout);
    rows.push_back({std::string(each.choice.algorithm->name), parameters.empty() ? "-" : parameters,
                    needs_in_words(*each.choice.algorithm), text_of(Seconds{each.seconds}), text_of(Seconds{each.once}),
                    ratio_in_words(each.seconds, explanation.bound)});
  }
  return fmt::format("{}; {}\n{}{}\n", call_in_words(explanation.problem, explanation.element_size), explanation.costs,
                     table_of(rows), explanation.why);
}

}  // namespace tutti
