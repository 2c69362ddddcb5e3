/// @file
/// `tutti explain`: what a collective, an algorithm or a word of the field is, when to use it, what it costs, its steps.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/subcommands.hpp"
#include "app/glossary/glossary.hpp"
#include "app/options/node_options.hpp"
#include "app/options/request.hpp"
#include "app/options/selected_algorithm.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/explain/combining_order.hpp"
#include "app/reports/explain/explained_steps.hpp"
#include "app/reports/explain/procedures_explained.hpp"
#include "app/reports/explain/words_explained.hpp"
#include "app/reports/node_report.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/closed_form.hpp"
#include "schedule/model/collective_names.hpp"
#include "schedule_file/schedule_file.hpp"
#include "user_programs/procedures.hpp"

namespace tutti::app {
namespace {

struct ExplainRequest : Request {
  std::vector<std::string> words;     ///< the subject as it was given
  std::string procedure;              ///< "procedure-5", or "procedures"
  std::string word;                   ///< a word of the field
  std::optional<std::string> output;  ///< the schedule as a file
  bool steps = false;
  bool order = false;
};

Problem asked_problem(const ExplainRequest& request) {
  const RankRange ranks = request.ranks.value_or(few_ranks);
  require(ranks.first == ranks.last, "explain takes one number of ranks, not a range");
  return problem_of(request, *request.collective, ranks.first);
}

std::string collective_text(Collective collective) {
  std::vector<std::vector<std::string>> rows{{"ALGORITHM", "TIME", "WHEN TO USE IT"}};
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
    rows.push_back({std::string(algorithm->name), std::string(formula_of(*algorithm)), std::string(algorithm->when)});
  }
  const std::string meaning = fmt::format("{} {}", meaning_of(collective), relations_of(collective));
  return fmt::format("{}\n{}{}\n{}\nFor one of them:\n", name_of(collective), screen_text(meaning),
                     screen_text(also_called(collective)), screen_table(rows)) +
         screen_command(fmt::format("tutti explain {} --algorithm {}", name_of(collective), rows.back().front()));
}

Json collective_json(Collective collective) {
  Json algorithms = Json::array();
  for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) algorithms.push_back(json_of(*algorithm));
  return Json{{"collective", name_of(collective)},
              {"aliases", aliases_of(collective)},
              {"meaning", meaning_of(collective)},
              {"relations", relations_of(collective)},
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
  if (const double sorted = rearranged_elements(choice, problem); sorted > 0)
    line("Locally",
         fmt::format("each rank rearranges {:g} elements in all, before its phases; free unless --tr prices it",
                     sorted));
  const std::int64_t pruned = pruned_sends(asked);
  if (pruned > 0)
    line("Pruned", counted(pruned, "send") + " of the pattern that no rank needs are left out; --steps lists them");
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

// Returns the request's network; if none is named, all ranks are joined.
TopologyPtr network_for(const ExplainRequest& request, const Problem& problem) {
  if (const TopologyPtr nodes = network_of_nodes(request)) return nodes;
  return request.topology ? request.topology : full_topology(problem.ranks);
}

// The command that draws the steps, with all options that explain was given.
std::string drawing(const ExplainRequest& request, const Asked& asked) {
  static constexpr std::string_view own[] = {"--algorithm", "--output"};
  return fmt::format("tutti draw {} --algorithm {}{} -o steps.svg", name_of(asked.problem.collective),
                     asked.choice.algorithm->name, given_options(request, own));
}

Outcome explain_algorithm(const ExplainRequest& request) {
  const Problem problem = asked_problem(request);
  const Layout layout = layout_of(request);
  const SelectedAlgorithm taken = algorithm_for(request, problem, network_for(request, problem), Machine{});
  const Choice choice(*taken.algorithm, taken.parameters);
  const Asked asked{problem, choice, layout, taken.why, request.unit};
  if (request.order) {
    const auto choice_for = [&](const Problem& other) {
      const SelectedAlgorithm best = algorithm_for(request, other, network_for(request, other), Machine{});
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
    return {.rest = [fields, asked](const Sink& write) { write_with_steps(fields, asked, write); }};
  }
  const std::string text =
      algorithm_text(asked) + nodes_text(asked) + '\n' + chart_text(asked, drawing(request, asked));
  if (!request.steps) return {text};
  return {.rest = [text, asked](const Sink& write) {
    write(text);
    write_listing(asked, write);
  }};
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
  const auto procedure = procedure_named(request.procedure);
  require(procedure.has_value(), "there is no {}; 'tutti explain procedures' lists procedure-1 to procedure-{}",
          request.procedure, procedures().size());
  return explain_procedure(*procedure, request);
}

// Takes the words for a collective, a procedure or a word of the field. An algorithm after its collective is refused
// with the command that was meant.
void take_subject(ExplainRequest& request) {
  if (request.words.empty()) return;
  const std::string all = fmt::format("{}", fmt::join(request.words, " "));
  // Some procedures have the name of a collective, in capitals and with low lines.
  const bool is_procedure = procedure_named(all).has_value();
  if (!(is_procedure && all.find('_') != std::string::npos)) request.collective = collective_called(all);
  if (request.collective) return;
  if (all.starts_with("procedure-") || all == "procedures" || is_procedure) {
    request.procedure = all;
  } else if (const auto collective = collective_called(request.words.front()); collective && request.words.size() > 1) {
    const std::string algorithm = usual_word(all.substr(request.words.front().size() + 1));
    fail(ErrorCode::invalid_argument, "an algorithm is named by --algorithm: tutti explain {} --algorithm {}",
         name_of(*collective), algorithm);
  } else {
    request.word = all;
  }
}

Outcome explain_one_word(const ExplainRequest& request) {
  require(!asks_of_algorithm(request) && !request.ranks && !request.root,
          "'tutti explain {}' takes --json alone; leave other options out", request.word);
  return explain_word(request.word, request.json);
}

Outcome explain(const ExplainRequest& request) {
  if (!request.procedure.empty()) return explain_text(request);
  if (!request.word.empty()) return explain_one_word(request);
  require(request.collective.has_value(), "explain needs a collective or a word, such as: tutti explain broadcast");
  if (request.output) check_output_file(*request.output, {".json"});
  if (asks_of_algorithm(request) || request.ranks || request.root) return explain_algorithm(request);
  if (request.json) return {collective_json(*request.collective).dump(2) + '\n'};
  return {collective_text(*request.collective)};
}

}  // namespace

void add_explain(Command command, Chosen& chosen) {
  const auto request = std::make_shared<ExplainRequest>();
  command.add_texts("WORD", "", "A collective, an algorithm, a procedure of the sources or any word of the field",
                    [r = request.get()](const std::vector<std::string>& words) { r->words = words; });
  command.add_flag("--json", request->json, "Print JSON; the command's reference names its fields");
  add_problem(command, *request);
  add_nodes(command, *request, "Prints the messages between nodes, and what each node sends and receives");
  command.add_flag("--steps", request->steps, "Print what every rank does, step by step");
  command.add_flag("--order", request->order,
                   "Of a reduction: in which order contributions are combined, and with other sizes");
  command.exclude("--order", "--steps");
  add_value(command, *request, "-o,--output", "FILE", "Write the schedule to FILE.json, too",
            [r = request.get()](const std::string& text) { r->output = text; });
  command.set_footer(
      "Examples:\n  tutti explain all-reduce\n  tutti explain dual\n  tutti explain E-cube routing\n  tutti explain "
      "broadcast --algorithm binomial --ranks 6 --root 2 "
      "--steps\n"
      "  tutti explain all-to-all --algorithm mesh --topology mesh:3x3 --json\n"
      "  tutti explain all-gather --algorithm ring --nodes 3+5+1\n"
      "  tutti explain all-reduce --algorithm ring --ranks 5 -o ring.json\n"
      "  tutti explain all-reduce --algorithm ring --ranks 4 --order\n"
      "  tutti explain procedures\n  tutti explain PREFIX_SUMS_HCUBE --ranks 8");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      take_subject(*request);
      read_values(*request);
      return with_notes(explain(*request), request->notes);
    };
  });
}

}  // namespace tutti::app
