/// @file
/// `tutti explain`: what a collective or an algorithm is, when to use it, what it costs, and its steps.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "app/cheapest.hpp"
#include "app/commands.hpp"
#include "app/meaning.hpp"
#include "app/nodes.hpp"
#include "app/options.hpp"
#include "app/order.hpp"
#include "app/output_file.hpp"
#include "app/procedures.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "draw/chart.hpp"
#include "draw/frames.hpp"
#include "schedule/collective_aliases.hpp"
#include "schedule/listing.hpp"
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
  return fmt::format("{}\n{}{}\n{}\nFor one of them: tutti explain {} --algorithm {}\n", name_of(collective),
                     screen_text(meaning_of(collective)), screen_text(also_called(collective)), screen_table(rows),
                     name_of(collective), rows.back().front());
}

Json collective_json(Collective collective) {
  Json algorithms = Json::array();
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) algorithms.push_back(json_of(*algorithm));
  return Json{{"collective", name_of(collective)},
              {"aliases", aliases_of(collective)},
              {"meaning", meaning_of(collective)},
              {"algorithms", algorithms}};
}

// An algorithm for a problem of ranks that are somewhere: what a schedule is recorded from.
struct Asked {
  Problem problem;
  Choice choice;
  Layout layout;
  std::string why = {};  // the algorithm is taken, where nobody named it
};

Json problem_json(const Problem& problem) {
  Json fields{{"ranks", problem.ranks}, {"count", problem.count}};
  if (has_root(problem.collective)) fields["root"] = problem.root;
  if (problem.collective == Collective::shift) fields["distance"] = problem.distance;
  return fields;
}

// Calls `see(rank, program)` for all ranks. One program is held at a time: those of many ranks would fill the memory.
template <typename See>
void for_each_program(const Asked& asked, const See& see) {
  Program program;
  for (int rank = 0; rank < asked.problem.ranks; ++rank) {
    record_rank(asked.choice, asked.problem, rank, program, asked.layout);
    see(rank, program);
  }
}

NodeTraffic node_traffic(const Asked& asked) {
  NodeTraffic traffic(asked.layout);
  for_each_program(asked, [&](int rank, const Program& program) { traffic.add(rank, program); });
  return traffic;
}

// The list of a rank's steps, each the list of its operations in words.
Json steps_json(const Program& program) {
  Json steps = Json::array();
  for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
    Json step = Json::array();
    for (std::size_t k = begin; k < program.step_end(begin); ++k) step.push_back(text_of(program, program.ops[k]));
    steps.push_back(step);
  }
  return steps;
}

// The rank's pruned sends, the steps numbered from 1.
Json pruned_json(const Program& program) {
  Json sends = Json::array();
  int step = 1;
  auto next = program.pruned.begin();
  for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin), ++step) {
    for (; next != program.pruned.end() && next->op < program.step_end(begin); ++next)
      sends.push_back({{"step", step}, {"to", next->to}});
  }
  return sends;
}

// The text so indented that it may stand `levels` deep in another.
std::string nested(const std::string& text, std::size_t levels) {
  std::string result;
  for (const char each : text) {
    result += each;
    if (each == '\n') result.append(2 * levels, ' ');
  }
  return result;
}

// To standard output, because it may be too long to be held.
void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    fail(ErrorCode::invalid_argument, "the output could not be written");
}

// Prints a list of what `of` makes of each rank's program.
template <typename Of>
void print_list(const Asked& asked, const Of& of) {
  print("[");
  for_each_program(asked, [&](int rank, const Program& program) {
    print(rank == 0 ? "\n    " : ",\n    ");
    print(nested(of(program).dump(2), 2));
  });
  print("\n  ]");
}

// Prints the fields, and three more, each a list with an entry for each rank: `steps`, its steps in words,
// `operations`, the same as data, and `pruned`, the sends that its steps leave out.
void print_with_steps(const Json& fields, const Asked& asked) {
  const std::string text = fields.dump(2);
  print(std::string_view(text).substr(0, text.size() - 2));
  print(",\n  \"steps\": ");
  print_list(asked, steps_json);
  print(",\n  \"operations\": ");
  print_list(asked, operations_json);
  print(",\n  \"pruned\": ");
  print_list(asked, pruned_json);
  print("\n}\n");
}

std::string elements_in_words(std::int64_t elements) {
  return fmt::format("{} element{}", elements, elements == 1 ? "" : "s");
}

// Empty where nothing is said of nodes.
std::string nodes_text(const Asked& asked) {
  if (asked.layout.size() == 0) return {};
  return '\n' + text_of(node_traffic(asked), asked.layout, asked.problem.ranks, elements_in_words);
}

// How many sends of the algorithm's pattern are left out, where so few are made that recording them takes no time.
std::int64_t pruned_sends(const Asked& asked) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 16;
  std::int64_t sends = 0;
  if (asked.choice.claims(asked.problem, asked.layout).messages > most_messages) return sends;
  for_each_program(asked,
                   [&](int, const Program& program) { sends += static_cast<std::int64_t>(program.pruned.size()); });
  return sends;
}

std::string algorithm_text(const Asked& asked) {
  const auto& [problem, choice, layout, why] = asked;
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
  line("Traffic", fmt::format("{} rounds, {} messages, {} elements, for {}", claims.rounds, claims.messages,
                              claims.elements, describe(problem)));
  const std::int64_t pruned = pruned_sends(asked);
  if (pruned > 0)
    line("Pruned", fmt::format("{} send{} that the pattern has and nobody needs; --steps says which", pruned,
                               pruned == 1 ? "" : "s"));
  return text;
}

Json algorithm_json(const Asked& asked) {
  const auto& [problem, choice, layout, why] = asked;
  const Claims claims = choice.claims(problem, layout);
  Json fields = json_of(*choice.algorithm);
  fields["problem"] = problem_json(problem);
  fields["claims"] = {{"rounds", claims.rounds}, {"messages", claims.messages}, {"elements", claims.elements}};
  if (layout.size() > 0) fields["nodes"] = json_of(node_traffic(asked), layout, problem.ranks, "elements");
  return fields;
}

// Where nobody sees a terminal, lines of 100 letters are still read easily.
int chart_columns() { return line_width() > 0 ? line_width() : 100; }
constexpr draw::Limits chart_limits{.ranks = draw::most_ranks_charted, .last = 32};

draw::Ink ink_of_output() { return output_has_colors() ? draw::Ink::terminal : draw::Ink::plain; }

// The steps as a chart, or a sentence where they are too many for one.
std::string chart_text(const Asked& asked) {
  const auto& [problem, choice, layout, why] = asked;
  if (problem.ranks <= chart_limits.ranks) {
    // Charts show no routes, so any network will do.
    const draw::Frames frames =
        draw::frames_of(record(choice, problem, layout), *full_topology(problem.ranks), chart_limits);
    if (const auto chart = draw::chart_of(frames, chart_columns(), ink_of_output()))
      return frames.legend.empty() || frames.shown.empty() ? *chart : fmt::format("{}\n{}\n", *chart, frames.legend);
  }
  return fmt::format(
      "The steps over {} ranks need more than {} columns; ask for fewer ranks, or for a picture: tutti draw {} "
      "--algorithm {} -o steps.svg\n",
      problem.ranks, chart_columns(), name_of(problem.collective), choice.algorithm->name);
}

// Prints what every rank does. A rank counts its own steps; the chart's are those of all ranks together.
void print_listing(const Asked& asked) {
  print('\n' + describe(asked.problem) + ", each rank with its own steps\n");
  for_each_program(asked, [&](int rank, const Program& program) { print(text_of_rank(rank, program, asked.layout)); });
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
  const Asked asked{problem, choice, layout, taken.why};
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

Outcome explain_text(const ExplainRequest& request) {
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
