/// @file
/// `tutti explain`: what a collective or an algorithm is, when to use it, what it costs, and its steps.

#include <fmt/format.h>

#include <memory>

#include "algorithms/catalogue.hpp"
#include "app/cheapest.hpp"
#include "app/commands.hpp"
#include "app/explained_steps.hpp"
#include "app/meaning.hpp"
#include "app/nodes.hpp"
#include "app/options.hpp"
#include "app/order.hpp"
#include "app/output_file.hpp"
#include "app/procedures.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule/collective_aliases.hpp"
#include "schedule_file/schedule_file.hpp"

namespace tutti::app {
namespace {

struct ExplainRequest : Request {
  std::optional<std::string> output;  ///< the schedule as a file
  bool steps = false;
  bool order = false;
};

Problem asked_problem(const ExplainRequest& request) {
  const RankRange ranks = request.ranks.value_or(few_ranks);
  require(ranks.first == ranks.last, "explain looks at one number of ranks, not a range");
  return problem_of(request, *request.collective, ranks.first);
}

std::string collective_text(Collective collective) {
  std::vector<std::vector<std::string>> rows{{"ALGORITHM", "TIME", "WHEN TO USE IT"}};
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
    rows.push_back({std::string(algorithm->name), std::string(formula_of(*algorithm)), std::string(algorithm->when)});
  }
  return fmt::format("{}\n{}{}\n{}\nFor one of them:\n", name_of(collective), screen_text(meaning_of(collective)),
                     screen_text(also_called(collective)), screen_table(rows)) +
         screen_command(fmt::format("tutti explain {} --algorithm {}", name_of(collective), rows.back().front()));
}

Json collective_json(Collective collective) {
  Json algorithms = Json::array();
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) algorithms.push_back(json_of(*algorithm));
  return Json{{"collective", name_of(collective)},
              {"aliases", aliases_of(collective)},
              {"meaning", meaning_of(collective)},
              {"algorithms", algorithms}};
}

Json problem_json(const Problem& problem) {
  Json fields{{"ranks", problem.ranks}, {"count", problem.count}};
  if (has_root(problem.collective)) fields["root"] = problem.root;
  if (problem.collective == Collective::shift) fields["distance"] = problem.distance;
  return fields;
}

NodeTraffic node_traffic(const Asked& asked) {
  NodeTraffic traffic(asked.layout);
  for_each_program(asked, [&](int rank, const Program& program) { traffic.add(rank, program); });
  return traffic;
}

std::string elements_in_words(std::int64_t elements) { return amount_of(elements, Unit::elements); }
std::string bytes_in_words(std::int64_t elements) { return amount_of(elements, Unit::bytes); }

// Empty where nothing is said of nodes.
std::string nodes_text(const Asked& asked) {
  if (asked.layout.size() == 0) return {};
  return '\n' + text_of(node_traffic(asked), asked.layout, asked.problem.ranks,
                        asked.unit == Unit::bytes ? bytes_in_words : elements_in_words);
}

// Claims count messages that have no elements, which are not sent.
bool may_have_empty_blocks(const Problem& problem, const Layout& layout) {
  if (problem.collective == Collective::barrier) return false;
  if (!problem.counts.empty())
    return std::find(problem.counts.begin(), problem.counts.end(), 0) != problem.counts.end();
  const std::int64_t parts = has_blocks(problem.collective) ? 1 : problem.ranks;
  return problem.count < parts * std::max(1, layout.nodes());
}

std::string algorithm_text(const Asked& asked) {
  const auto& [problem, choice, layout, why, unit] = asked;
  const Algorithm& algorithm = *choice.algorithm;
  const Claims claims = choice.claims(problem, layout);
  const std::string aliases = aliases_in_words(algorithm);
  std::string text = fmt::format("{} by {}\n\n", name_of(algorithm.collective), algorithm.name);
  const auto line = [&](std::string_view title, std::string_view words) { text += titled(title, words, 10); };
  if (!why.empty()) line("Taken", why);
  line("Collective", meaning_of(algorithm.collective));
  line("What", algorithm.summary);
  line("When", algorithm.when);
  line("Time", formula_of(algorithm));
  line("Needs", needs_in_words(algorithm));
  if (!aliases.empty()) line("Also", aliases);
  line("Source", algorithm.source);
  line("Traffic", fmt::format("{}{}, {}, {}, for {}", may_have_empty_blocks(problem, layout) ? "at most " : "",
                              counted(claims.rounds, "round"), counted(claims.messages, "message"),
                              amount_of(claims.elements, unit), describe(problem, unit)));
  const std::int64_t pruned = pruned_sends(asked);
  if (pruned > 0)
    line("Pruned", counted(pruned, "send") + " that the pattern has and nobody needs; --steps says which");
  return text;
}

Json algorithm_json(const Asked& asked) {
  const auto& [problem, choice, layout, why, unit] = asked;
  const Claims claims = choice.claims(problem, layout);
  Json fields = json_of(*choice.algorithm);
  fields["problem"] = problem_json(problem);
  fields["claims"] = {{"rounds", claims.rounds}, {"messages", claims.messages}, {"elements", claims.elements}};
  if (layout.size() > 0) fields["nodes"] = json_of(node_traffic(asked), layout, problem.ranks, "elements");
  return fields;
}

// Where no network is named, all ranks are joined.
TopologyPtr network_for(const ExplainRequest& request, const Problem& problem) {
  if (const TopologyPtr nodes = network_of_nodes(request)) return nodes;
  return request.topology ? request.topology : full_topology(problem.ranks);
}

Outcome explain_algorithm(const ExplainRequest& request) {
  const Problem problem = asked_problem(request);
  const Layout layout = layout_of(request);
  const Taken taken = algorithm_for(request, problem, network_for(request, problem), Machine{});
  const Choice choice(*taken.algorithm, taken.parameters);
  const Asked asked{problem, choice, layout, taken.why, request.unit};
  if (request.order) {
    const auto choice_for = [&](const Problem& other) {
      const Taken best = algorithm_for(request, other, network_for(request, other), Machine{});
      return Choice(*best.algorithm, best.parameters);
    };
    check_size(choice, problem, layout);
    return explain_order({problem, choice, layout, taken.why, choice_for}, request.json);
  }
  if (request.steps || request.nodes || request.output) check_size(choice, problem, layout);
  if (request.output) write_file(*request.output, file_of(record(choice, problem, layout)));
  if (request.json) {
    const Json fields = algorithm_json(asked);
    if (!request.steps) return {fields.dump(2) + '\n'};
    print_with_steps(fields, asked);
    return {};
  }
  const std::string text = algorithm_text(asked) + nodes_text(asked) + '\n' + chart_text(asked);
  if (!request.steps) return {text};
  print(text);
  print_listing(asked);
  return {};
}

// A procedure says itself what it does: of options only the number of ranks and the root mean anything to it.
bool asks_of_algorithm(const ExplainRequest& request) {
  return request.algorithm || request.steps || request.order || request.output || request.nodes || request.topology ||
         request.count || request.counts || request.asks_parameters || request.non_commutative || request.distance;
}

Outcome explain_text(const ExplainRequest& request) {
  require(!asks_of_algorithm(request),
          "'tutti explain {}' takes --ranks, --root and --json alone; leave other options out", request.procedure);
  if (request.procedure == "procedures") return explain_procedures(request.json);
  const Procedure* procedure = procedure_named(request.procedure);
  require(procedure != nullptr, "there is no {}; 'tutti explain procedures' lists procedure-1 to procedure-{}",
          request.procedure, procedures().size());
  return explain_procedure(*procedure, request);
}

Outcome explain(const ExplainRequest& request) {
  if (!request.procedure.empty()) return explain_text(request);
  require(request.collective.has_value(), "explain needs a collective, such as: tutti explain broadcast");
  if (request.output) check_output_file(*request.output, {".json"});
  if (request.algorithm || request.steps || request.nodes || request.output || request.order)
    return explain_algorithm(request);
  check_options(request, *request.collective);
  if (request.ranks) static_cast<void>(asked_problem(request));
  if (request.json) return {collective_json(*request.collective).dump(2) + '\n'};
  return {collective_text(*request.collective)};
}

}  // namespace

void add_explain(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<ExplainRequest>();
  Command command =
      program.add_command("explain", "What a collective or an algorithm is, when to use it, its cost and steps");
  request->takes_procedures = true;
  add_collective(command, *request);
  add_problem(command, *request);
  add_nodes(command, *request, "Says what crosses them, and what each node sends and receives");
  command.add_flag("--steps", request->steps, "Print what every rank does, step by step");
  command.add_flag("--order", request->order,
                   "Of a reduction: in which order contributions are combined, and with other sizes");
  command.exclude("--order", "--steps");
  add_value(command, *request, "-o,--output", "FILE", "Write the schedule to FILE.json, too",
            [r = request.get()](const std::string& text) { r->output = text; });
  command.set_footer(
      "Examples:\n  tutti explain all-reduce\n  tutti explain broadcast --algorithm binomial --ranks 6 --root 2 "
      "--steps\n"
      "  tutti explain all-to-all --algorithm mesh --topology mesh:3x3 --json\n"
      "  tutti explain all-gather --algorithm ring --nodes 3+5+1\n"
      "  tutti explain all-reduce --algorithm ring --ranks 5 -o ring.json\n"
      "  tutti explain all-reduce --algorithm ring --ranks 4 --order\n"
      "  tutti explain procedures\n  tutti explain procedure-5 --ranks 8");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return explain(*request);
    };
  });
}

}  // namespace tutti::app
