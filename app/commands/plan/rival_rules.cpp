#include "app/commands/plan/rival_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "algorithms/catalogue.hpp"
#include "app/options/values.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/text/embedded.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"

namespace tutti::app {

extern const std::span<const EmbeddedFile> rival_rule_files;

namespace {

bool holds(RivalCondition condition, const Problem& problem) {
  switch (condition) {
    case RivalCondition::power_of_two:
      return is_power_of_two(problem.ranks);
    case RivalCondition::no_power_of_two:
      return !is_power_of_two(problem.ranks);
    case RivalCondition::odd_ranks:
      return problem.ranks % 2 != 0;
    case RivalCondition::few_elements:
      return problem.count < floor_power_of_two(problem.ranks);
    case RivalCondition::fewer_elements_than_ranks:
      return problem.count < problem.ranks;
    case RivalCondition::always:
    case RivalCondition::built_in_operator:
      break;
  }
  return true;
}

RivalCondition condition_named(std::string_view name) {
  constexpr std::array<std::string_view, 7> names{"always",           "power-of-two", "no-power-of-two",
                                                  "odd-ranks",        "few-elements", "fewer-elements-than-ranks",
                                                  "built-in-operator"};
  const auto found = std::find(names.begin(), names.end(), name);
  require(found != names.end(), "'{}' is no condition of a rule; see bench/rivals/rules", name);
  return static_cast<RivalCondition>(found - names.begin());
}

int ranks_in(std::string_view word) {
  return word == "any" ? any_ranks : parse_small_integer(word, "a number of ranks", 1, any_ranks);
}

std::int64_t bytes_in(std::string_view word) {
  return word == "any" ? any_bytes : parse_integer(word, "a number of bytes", 1, any_bytes);
}

void read_line(std::string_view line, RivalRules& rules) {
  const std::vector<std::string_view> words = split(line, ' ');
  const std::string_view kind = words.front();
  const std::string_view rest = line.substr(std::min(kind.size() + 1, line.size()));
  if (kind == "library") {
    rules.library = rest;
  } else if (kind == "source") {
    rules.source = rest;
  } else if (kind == "counts") {
    rules.counts_all_blocks = rest == "all-blocks";
  } else if (kind == "rule" && words.size() >= 6 && words.size() % 2 == 0) {
    RivalRow row{parse_collective(words[1]), ranks_in(words[2]), condition_named(words[3])};
    for (std::size_t k = 4; k < words.size(); k += 2) row.steps.push_back({bytes_in(words[k]), words[k + 1]});
    rules.rows.push_back(std::move(row));
  } else if (kind == "runs" && words.size() == 5) {
    rules.substitutions.push_back(
        {parse_collective(words[1]), words[2], words[3] == "-" ? "" : words[3], condition_named(words[4])});
  } else if (kind == "equal" && words.size() == 8) {
    const auto number = [&](std::size_t k) { return parse_small_integer(words[k], "a number of Open MPI", 0, 255); };
    rules.counterparts.push_back(
        {parse_collective(words[1]), words[2], words[3], words[4], number(5), number(6), condition_named(words[7])});
  } else {
    fail(ErrorCode::invalid_argument, "'{}' is no line of rules; see the head of bench/rivals/rules/openmpi.rules",
         line);
  }
}

}  // namespace

RivalRules read_rival_rules(std::string_view text) {
  RivalRules rules;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty() && line.front() != '#') read_line(line, rules);
  }
  return rules;
}

std::span<const RivalRules> rival_rules() {
  static const std::array<RivalRules, 2> all{read_rival_rules(embedded_text(rival_rule_files, "openmpi.rules")),
                                             read_rival_rules(embedded_text(rival_rule_files, "mpich.rules"))};
  return all;
}

std::span<const Counterpart> openmpi_counterparts() { return rival_rules()[0].counterparts; }
std::span<const Counterpart> mpich_counterparts() { return rival_rules()[1].counterparts; }

const Counterpart* counterpart_of(std::span<const Counterpart> counterparts, const Algorithm& algorithm, int ranks) {
  const Problem problem{.collective = algorithm.collective, .ranks = ranks};
  const auto found = std::find_if(counterparts.begin(), counterparts.end(), [&](const Counterpart& each) {
    return each.collective == algorithm.collective && each.algorithm == algorithm.name &&
           holds(each.condition, problem);
  });
  return found == counterparts.end() ? nullptr : &*found;
}

std::string_view taken_by(const RivalRules& rules, const Problem& problem, std::int64_t element_size) {
  const bool all_blocks =
      rules.counts_all_blocks && has_blocks(problem.collective) && problem.collective != Collective::all_to_all;
  const std::int64_t bytes = problem.count * element_size * (all_blocks ? problem.ranks : 1);
  const auto row = std::find_if(rules.rows.begin(), rules.rows.end(), [&](const RivalRow& each) {
    return each.collective == problem.collective && problem.ranks < each.below_ranks && holds(each.condition, problem);
  });
  if (row == rules.rows.end()) return {};
  const auto step =
      std::find_if(row->steps.begin(), row->steps.end(), [&](const RivalStep& each) { return bytes < each.below; });
  return step == row->steps.end() ? std::string_view() : step->algorithm;
}

const Algorithm* equal_of(const RivalRules& rules, const Problem& problem, std::string_view taken) {
  for (const Substitution& each : rules.substitutions) {
    if (each.collective == problem.collective && each.function == taken && holds(each.condition, problem))
      return each.algorithm.empty() ? nullptr : algorithms::find(each.collective, each.algorithm);
  }
  for (const Counterpart& each : rules.counterparts) {
    if (each.collective != problem.collective || each.name != taken || !holds(each.condition, problem)) continue;
    const Algorithm* const equal = algorithms::find(each.collective, each.algorithm);
    if (equal != nullptr && !unmet_need(*equal, problem)) return equal;
  }
  return nullptr;
}

}  // namespace tutti::app
