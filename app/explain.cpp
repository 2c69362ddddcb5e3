/// @file
/// `tutti explain`: what a collective or an algorithm is, when to use it, what it costs, and its steps.

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "algorithms/catalogue.hpp"
#include "app/commands.hpp"
#include "app/meaning.hpp"
#include "app/options.hpp"
#include "base/check.hpp"
#include "base/environment.hpp"
#include "draw/chart.hpp"
#include "draw/frames.hpp"

namespace tutti::app {
namespace {

struct ExplainRequest : Request {
  bool steps = false;
};

// Fits the needs of every algorithm.
constexpr int default_ranks = 8;

Problem asked_problem(const ExplainRequest& request) {
  const RankRange ranks = request.ranks.value_or(RankRange{default_ranks, default_ranks});
  require(ranks.first == ranks.last, "explain looks at one number of ranks, not a range");
  return problem_of(request, *request.collective, ranks.first);
}

std::string collective_text(Collective collective) {
  std::vector<std::vector<std::string>> rows{{"ALGORITHM", "TIME", "WHEN TO USE IT"}};
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
    rows.push_back({std::string(algorithm->name), std::string(formula_of(*algorithm)), std::string(algorithm->when)});
  }
  return fmt::format("{}\n{}\n\n{}\nFor one of them: tutti explain {} --algorithm {}\n", name_of(collective),
                     meaning_of(collective), table_of(rows), name_of(collective), rows.back().front());
}

Json collective_json(Collective collective) {
  Json algorithms = Json::array();
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) algorithms.push_back(json_of(*algorithm));
  return Json{{"collective", name_of(collective)}, {"meaning", meaning_of(collective)}, {"algorithms", algorithms}};
}

std::string algorithm_text(const Algorithm& algorithm, const Problem& problem) {
  const Claims claims = algorithm.claims(problem);
  const std::string aliases = aliases_in_words(algorithm);
  std::string text = fmt::format("{} by {}\n\n", name_of(algorithm.collective), algorithm.name);
  const auto line = [&](std::string_view title, std::string_view words) {
    text += fmt::format("{:<10} {}\n", title, words);
  };
  line("Collective", meaning_of(algorithm.collective));
  line("What", algorithm.summary);
  line("When", algorithm.when);
  line("Time", formula_of(algorithm));
  line("Needs", needs_in_words(algorithm));
  if (!aliases.empty()) line("Also", aliases);
  line("Source", algorithm.source);
  line("Traffic", fmt::format("{} rounds, {} messages, {} elements, for {}", claims.rounds, claims.messages,
                              claims.elements, describe(problem)));
  return text;
}

Json problem_json(const Problem& problem) {
  Json fields{{"ranks", problem.ranks}, {"count", problem.count}};
  if (has_root(problem.collective)) fields["root"] = problem.root;
  if (problem.collective == Collective::shift) fields["distance"] = problem.distance;
  return fields;
}

// For each rank the list of its steps, each the list of its operations in words.
Json steps_json(const Schedule& schedule) {
  Json ranks = Json::array();
  for (const Program& program : schedule.programs) {
    Json steps = Json::array();
    for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
      Json step = Json::array();
      for (std::size_t k = begin; k < program.step_end(begin); ++k) step.push_back(text_of(program, program.ops[k]));
      steps.push_back(step);
    }
    ranks.push_back(steps);
  }
  return ranks;
}

Json algorithm_json(const Algorithm& algorithm, const Problem& problem) {
  const Claims claims = algorithm.claims(problem);
  Json fields = json_of(algorithm);
  fields["problem"] = problem_json(problem);
  fields["claims"] = {{"rounds", claims.rounds}, {"messages", claims.messages}, {"elements", claims.elements}};
  return fields;
}

constexpr int chart_columns = 100;
constexpr draw::Limits chart_limits{.ranks = draw::most_ranks_charted, .steps = 32};

draw::Ink ink_of_output() {
  return isatty(STDOUT_FILENO) != 0 && environment_variable("NO_COLOR") == nullptr ? draw::Ink::terminal
                                                                                   : draw::Ink::plain;
}

// The steps as a chart, or a sentence where they are too many for one.
std::string chart_text(const Algorithm& algorithm, const Problem& problem) {
  if (problem.ranks <= chart_limits.ranks) {
    // Charts show no routes, so any network will do.
    const draw::Frames frames =
        draw::frames_of(record(algorithm, problem), *full_topology(problem.ranks), chart_limits);
    if (const auto chart = draw::chart_of(frames, chart_columns, ink_of_output()))
      return frames.legend.empty() || frames.shown.empty() ? *chart : fmt::format("{}\n{}\n", *chart, frames.legend);
  }
  return fmt::format(
      "The steps over {} ranks need more than {} columns; ask for fewer ranks, or for a picture: tutti draw {} "
      "--algorithm {} -o steps.svg\n",
      problem.ranks, chart_columns, name_of(algorithm.collective), algorithm.name);
}

Outcome explain_algorithm(const ExplainRequest& request) {
  const Problem problem = asked_problem(request);
  const Algorithm& algorithm = algorithms::fitting(problem, *request.algorithm);
  if (request.json) {
    Json fields = algorithm_json(algorithm, problem);
    if (request.steps) fields["steps"] = steps_json(record(algorithm, problem));
    return {fields.dump(2) + '\n'};
  }
  std::string text = algorithm_text(algorithm, problem) + '\n' + chart_text(algorithm, problem);
  if (request.steps) text += '\n' + text_of(record(algorithm, problem));
  return {text};
}

Outcome explain(const ExplainRequest& request) {
  require(request.collective.has_value(), "explain needs a collective, such as: tutti explain broadcast");
  if (request.algorithm) return explain_algorithm(request);
  require(!request.steps, "the steps are an algorithm's; add --algorithm NAME");
  check_options(request, *request.collective);
  if (request.json) return {collective_json(*request.collective).dump(2) + '\n'};
  return {collective_text(*request.collective)};
}

}  // namespace

void add_explain(CLI::App& app, Chosen& chosen) {
  const auto request = std::make_shared<ExplainRequest>();
  CLI::App* command =
      app.add_subcommand("explain", "What a collective or an algorithm is, when to use it, its cost and steps");
  add_collective(*command, *request);
  add_problem(*command, *request);
  command->add_flag("--steps", request->steps, "Print what every rank does, step by step");
  command->footer(
      "Examples:\n  tutti explain all-reduce\n  tutti explain broadcast --algorithm binomial --ranks 6 --root 2 "
      "--steps\n"
      "  tutti explain all-to-all --algorithm mesh --topology mesh:3x3 --json");
  command->callback([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return explain(*request);
    };
  });
}

}  // namespace tutti::app
