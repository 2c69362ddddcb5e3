#include "plan/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/text/short_file.hpp"
#include "schedule/model/planning.hpp"

namespace tutti {
namespace {

std::int64_t bytes_of(const Problem& problem, std::int64_t element_size) {
  std::int64_t count = problem.count;
  for (const std::int64_t each : problem.counts) count = std::max(count, each);
  return count * element_size;
}

/// The first rule that holds for a problem and whose algorithm is a candidate for it, and those that hold before it.
struct RuleSearch {
  const Rule* found = nullptr;
  std::vector<const Rule*> passed_over;
};

RuleSearch search(const Rules& rules, const Problem& problem, std::int64_t element_size, const Layout& layout) {
  RuleSearch result;
  if (rules.list.empty()) return result;
  // Ranks that each know their own counts alone know no bytes alike, and must come to the same rule.
  const bool knows_bytes = problem.known_to < 0;
  const std::int64_t bytes = bytes_of(problem, element_size);
  const std::int64_t ranks_per_node = layout.on_fullest_node(problem.ranks);
  const std::vector<const Algorithm*> candidates = candidates_for(problem, layout);
  for (const Rule& rule : rules.list) {
    const bool fits_bytes = knows_bytes ? rule.bytes.holds(bytes) : rule.bytes == Interval();
    const bool holds = rule.algorithm->collective == problem.collective && fits_bytes &&
                       rule.ranks.holds(problem.ranks) && rule.ranks_per_node.holds(ranks_per_node);
    if (!holds) continue;
    const bool fits = std::find(candidates.begin(), candidates.end(), rule.algorithm) != candidates.end();
    if (fits) return {&rule, result.passed_over};
    result.passed_over.push_back(&rule);
  }
  return result;
}

/// Why the algorithm that the rule names is no candidate for the problem.
std::string misfit(const Rule& rule, const Problem& problem, const Layout& layout) {
  if (const auto need = unmet_need(*rule.algorithm, problem, layout)) return fmt::format("needs {}", describe(*need));
  if (rule.algorithm->for_several_nodes && layout.nodes() <= 1) return "is for ranks on several nodes";
  return "needs counts that all ranks know";
}

std::string own_rules_file() {
  const std::string folder = own_configuration();
  return folder.empty() ? folder : folder + "/rules";
}

/// Returns who named the algorithm, if somebody did. A call may have been given the name in the environment.
std::string who_named(const ChoiceRequest& request, Collective collective) {
  const std::string_view there = algorithm_in_environment(collective);
  const bool by_environment =
      !there.empty() && (request.algorithm.empty() ||
                         algorithms::find(collective, there) == algorithms::find(collective, request.algorithm));
  return by_environment ? algorithm_variable(collective) : "the call";
}

FoundRules held(const std::string& file) {
  try {
    return {parse_rules(short_file(file), file), {}};
  } catch (const Error& error) {
    return {{}, fmt::format("{}; no rule of this file holds", error.what())};
  }
}

}  // namespace

FoundRules find_rules(const std::string& administrator) {
  const std::string named = text_in_environment("TUTTI_RULES");
  if (named == "none") return {};
  if (!named.empty()) {
    FoundRules found = held(named);
    if (!found.complaint.empty()) found.complaint.insert(0, "TUTTI_RULES=");
    return found;
  }
  std::error_code none;
  for (const std::string& file : {own_rules_file(), administrator}) {
    if (!file.empty() && std::filesystem::exists(file, none)) return held(file);
  }
  return {};
}

const Rule* rule_for(const Rules& rules, const Problem& problem, std::int64_t element_size, const Layout& layout) {
  return search(rules, problem, element_size, layout).found;
}

std::vector<std::string> passed_over(const Rules& rules, const Problem& problem, std::int64_t element_size,
                                     const Layout& layout) {
  std::vector<std::string> words;
  for (const Rule* rule : search(rules, problem, element_size, layout).passed_over) {
    words.push_back(fmt::format("{} holds for this call, but {} {}.", origin_of(*rule, rules), rule->algorithm->name,
                                misfit(*rule, problem, layout)));
  }
  return words;
}

std::string origin_of(const Rule& rule, const Rules& rules) {
  return fmt::format("line {} of {}", rule.line, rules.file);
}

Decision decide(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model,
                const Rules& rules) {
  const Rule* const rule = rule_for(rules, problem, element_size, model.layout());
  if (rule == nullptr) return {choose(problem, parameters, element_size, model)};
  Parameters with = parameters;
  if (with.segments == 0) with.segments = rule->parameters.segments;
  if (with.radix == 0) with.radix = rule->parameters.radix;
  if (with.grid.empty()) with.grid = rule->parameters.grid;
  return {{*rule->algorithm, std::move(with)}, origin_of(*rule, rules)};
}

Decision decide(const Problem& problem, const ChoiceRequest& request, std::int64_t element_size, const CostModel& model,
                const Rules& rules) {
  check(request.parameters, problem.ranks);
  if (const Algorithm* const named = named_algorithm(problem, request.algorithm, model.layout()))
    return {{*named, request.parameters}, who_named(request, problem.collective)};
  return decide(problem, request.parameters, element_size, model, rules);
}

}  // namespace tutti
