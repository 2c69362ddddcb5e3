/// @file
/// `tutti list`: the catalogue as a table, as JSON, and as docs/algorithms.md.

#include <fmt/format.h>

#include <memory>

#include "algorithms/catalogue.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/explain/words_explained.hpp"
#include "app/reports/optimality.hpp"
#include "base/check.hpp"
#include "schedule/model/collective_names.hpp"
#include "topology/formats/named.hpp"
#include "verify/text.hpp"

namespace tutti::app {
namespace {

struct ListRequest : Request {
  bool markdown = false;
  bool topologies = false;
  bool collectives = false;
  bool words = false;
  bool optimality = false;
  bool every = false;
  std::optional<std::string> plot;
};

using Listed = std::vector<const Algorithm*>;

Listed listed(const ListRequest& request) {
  if (request.collective) return algorithms::algorithms_for(*request.collective);
  const auto all = algorithms::catalogue();
  return {all.begin(), all.end()};
}

std::string as_table(const Listed& algorithms) {
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "ALGORITHM", "NEEDS", "ALSO CALLED", "WHAT IT DOES"}};
  for (const Algorithm* algorithm : algorithms) {
    rows.push_back({std::string(name_of(algorithm->collective)), std::string(algorithm->name),
                    needs_in_words(*algorithm), aliases_in_words(*algorithm), std::string(algorithm->summary)});
  }
  return screen_table(rows, {3, 2});
}

std::string as_json(const Listed& algorithms) {
  Json rows = Json::array();
  for (const Algorithm* algorithm : algorithms) rows.push_back(json_of(*algorithm));
  return rows.dump(2) + '\n';
}

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

// Returns how `tutti verify` proves it over more ranks than it runs one by one: looked up for numbers of ranks of every
// kind.
std::string_view way_of_proof(const Algorithm& algorithm) {
  int alike = 0;
  int others = 0;
  for (const int ranks : {65, 66, 81, 96, 128}) {
    const Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 2 * ranks + 1};
    if (unmet_need(algorithm, problem)) continue;
    ++(verify_by_symmetry(algorithm, problem) ? alike : others);
  }
  if (alike == 0) return "rank by rank";
  return others == 0 ? "by symmetry" : "by symmetry for some p";
}

std::string markdown_row(const Algorithm& algorithm) {
  const std::string aliases =
      algorithm.aliases.empty() ? "" : fmt::format(" (also `{}`)", fmt::join(algorithm.aliases, "`, `"));
  return fmt::format("| `{}`{} | {} {} | {} | {} | {} | {} |\n", algorithm.name, aliases, cell(algorithm.summary),
                     cell(algorithm.when), cell(formula_of(algorithm)), needs_in_words(algorithm),
                     way_of_proof(algorithm), cell(algorithm.source));
}

std::string as_markdown(const Listed& algorithms) {
  std::string text =
      "# The catalogue of algorithms\n\n"
      "Printed by `tutti list --markdown`; a test compares this file with what the command prints.\n\n"
      "Times are for p fully connected ranks and a message of m bytes: ts seconds a message, tw seconds a byte. What m "
      "is, each\n"
      "collective's first line says. Names and aliases work on the command line and in programs.\n\n"
      "Over more than 64 ranks some proofs are made by symmetry: `tutti verify` runs one rank for all, and compares "
      "the\n"
      "programs of the others with its own. Of other algorithms it runs every rank, and of an all-to-all whose blocks "
      "differ.\n";
  const Algorithm* previous = nullptr;
  for (const Algorithm* algorithm : algorithms) {
    if (!previous || previous->collective != algorithm->collective) {
      text += fmt::format(
          "\n## {}\n\n{} {}\n\n| algorithm | what it does, and when to use it | time | needs | proof "
          "| source |\n|---|---|---|---|---|---|\n",
          name_of(algorithm->collective), meaning_of(algorithm->collective), also_called(algorithm->collective));
    }
    text += markdown_row(*algorithm);
    previous = algorithm;
  }
  return text;
}

// The collectives and their other names.
Outcome list_collectives(const ListRequest& request) {
  Json objects = Json::array();
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "ALSO CALLED", "WHAT IT DOES"}};
  for (const Collective collective : all_collectives()) {
    if (request.collective && *request.collective != collective) continue;
    const std::vector<std::string_view> aliases = aliases_of(collective);
    rows.push_back({std::string(name_of(collective)), fmt::format("{}", fmt::join(aliases, ", ")),
                    std::string(meaning_of(collective))});
    objects.push_back({{"name", name_of(collective)}, {"aliases", aliases}, {"meaning", meaning_of(collective)}});
  }
  return {request.json ? objects.dump(2) + '\n' : screen_table(rows)};
}

// The networks that --topology names.
Outcome list_topologies(const ListRequest& request) {
  require(!request.collective, "networks belong to no collective; leave it out");
  Json objects = Json::array();
  std::vector<std::vector<std::string>> rows{{"TOPOLOGY", "FOR EXAMPLE", "WHAT IT IS"}};
  for (const TopologyFamily& family : topology_families()) {
    rows.push_back({std::string(family.name), std::string(family.example), std::string(family.meaning)});
    objects.push_back({{"name", family.name}, {"example", family.example}, {"meaning", family.meaning}});
  }
  return {request.json ? objects.dump(2) + '\n' : screen_table(rows)};
}

Outcome list(const ListRequest& request) {
  if (request.topologies) return list_topologies(request);
  if (request.collectives) return list_collectives(request);
  if (request.words) {
    require(!request.collective, "words belong to no collective; leave it out");
    return list_words(request.json, request.markdown);
  }
  if (request.optimality) {
    return list_optimality(
        {.collective = request.collective, .every = request.every, .plot = request.plot, .json = request.json});
  }
  const Listed algorithms = listed(request);
  if (request.json) return {as_json(algorithms)};
  return {request.markdown ? as_markdown(algorithms) : as_table(algorithms)};
}

}  // namespace

void add_list(Command command, Chosen& chosen) {
  const auto request = std::make_shared<ListRequest>();
  add_collective(command, *request);
  command.add_flag("--markdown", request->markdown,
                   "Print the page docs/algorithms.md, or with --words docs/glossary.md");
  command.exclude("--markdown", "--json");
  command.add_flag("--topologies", request->topologies, "The networks that --topology names, instead");
  command.exclude("--topologies", "--markdown");
  command.add_flag("--collectives", request->collectives, "The collectives and their other names, instead");
  command.exclude("--collectives", "--markdown");
  command.exclude("--collectives", "--topologies");
  command.add_flag("--words", request->words, "The words that explain knows, instead");
  for (const char* other : {"--topologies", "--collectives"}) command.exclude("--words", other);
  command.add_flag("--optimality", request->optimality,
                   "How far the best algorithms stand above the lower bounds, instead");
  for (const char* other : {"--markdown", "--topologies", "--collectives", "--words"})
    command.exclude("--optimality", other);
  command.add_flag("--every", request->every, "With --optimality: for every number of ranks from 2 to 1024");
  add_value(command, *request, "--plot", "FILE", "With --optimality: draw it, too, as FILE.svg, .pdf, .png or .tex",
            [r = request.get()](const std::string& text) { r->plot = text; });
  command.let_need("--every", "--optimality");
  command.let_need("--plot", "--optimality");
  command.set_footer(
      "Examples:\n  tutti list\n  tutti list all-to-all\n  tutti list --json\n  tutti list --topologies\n  "
      "tutti list --collectives\n  tutti list --words\n  tutti list --optimality --plot optimality.svg");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return list(*request);
    };
  });
}

}  // namespace tutti::app
