/// @file
/// `tutti gallery`: mistakes that were published or shipped, each refused for its reason; as a table, as JSON, as
/// docs/gallery.md and as pictures.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/mistake_picture.hpp"
#include "app/reports/proof_report.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/table.hpp"
#include "gallery/gallery.hpp"
#include "topology/formats/named.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

using gallery::Exhibit;

struct GalleryRequest : Request {
  std::optional<std::string> name;
  std::optional<std::string> output;
  bool markdown = false;
};

/// A mistake, and what the proof says of it.
struct ShownMistake {
  const Exhibit* exhibit = nullptr;
  Schedule schedule;
  ProofFailure failure;
};

ShownMistake shown_mistake(const Exhibit& exhibit) {
  ShownMistake result{&exhibit, record_all(exhibit.record, exhibit.problem), {}};
  const Proof proof = verify(result.schedule);
  if (proof.proved()) fail(ErrorCode::internal, "the mistake {} was proved correct", exhibit.name);
  result.failure = *proof.failure;
  return result;
}

// The program of the rank that fails; of ranks that wait for one another each of theirs.
std::string mistake_listing(const ShownMistake& mistake) {
  std::vector<int> ranks = mistake.failure.cycle;
  if (ranks.empty()) ranks.push_back(mistake.failure.rank);
  std::sort(ranks.begin(), ranks.end());
  std::string text;
  for (const int rank : ranks) text += text_of_rank(rank, mistake.schedule.programs[static_cast<std::size_t>(rank)]);
  return text;
}

std::string one_mistake(const ShownMistake& mistake) {
  const Exhibit& exhibit = *mistake.exhibit;
  constexpr std::size_t title_width = 10;
  return titled("Mistake", exhibit.mistake, title_width) + titled("Source", exhibit.source, title_width) +
         titled("Restated", describe(exhibit.problem), title_width) +
         titled("Refused", describe(mistake.failure), title_width) + '\n' + screen_listing(mistake_listing(mistake));
}

std::string mistakes_table(const std::vector<ShownMistake>& mistakes) {
  std::vector<std::vector<std::string>> rows{{"MISTAKE", "COLLECTIVE", "RANKS", "REFUSED AS", "WHERE AND WHY"}};
  for (const ShownMistake& each : mistakes) {
    const Problem& problem = each.exhibit->problem;
    rows.push_back({std::string(each.exhibit->name), std::string(name_of(problem.collective)),
                    fmt::format("{}", problem.ranks), std::string(name_of(each.failure.kind)), describe(each.failure)});
  }
  std::string text = screen_table(rows, {2, 1}) + "\nWhat no schedule can say:\n";
  for (const gallery::Inexpressible& each : gallery::inexpressible())
    text += screen_text(fmt::format("{}: {}.", each.mistake, each.why));
  return text;
}

Json mistake_json(const ShownMistake& mistake) {
  const Exhibit& exhibit = *mistake.exhibit;
  return {{"name", exhibit.name},           {"mistake", exhibit.mistake},
          {"source", exhibit.source},       {"collective", name_of(exhibit.problem.collective)},
          {"ranks", exhibit.problem.ranks}, {"kind", name_of(mistake.failure.kind)},
          {"rank", mistake.failure.rank},   {"step", mistake.failure.step},
          {"slice", mistake.failure.slice}, {"reason", mistake.failure.reason},
          {"cycle", mistake.failure.cycle}};
}

std::string mistakes_json(const std::vector<ShownMistake>& mistakes) {
  Json all = Json::array();
  for (const ShownMistake& each : mistakes) all.push_back(mistake_json(each));
  return all.dump(2) + '\n';
}

std::string mistakes_page(const std::vector<ShownMistake>& mistakes) {
  std::string text =
      "# The gallery of mistakes\n\n"
      "Printed by `tutti gallery --markdown`; a test compares this file with what the command prints.\n\n"
      "Schedules that were published or shipped and are wrong, restated for few ranks. Each is refused by the proof "
      "that "
      "the\nalgorithms of the catalogue pass. A listing shows the steps of the rank that the reason names, or those of "
      "all ranks that wait for one\nanother; `tutti gallery NAME -o FILE.svg` draws the steps up to the one that goes "
      "wrong.\n";
  for (const ShownMistake& each : mistakes) {
    const Exhibit& exhibit = *each.exhibit;
    text += fmt::format("\n## {}\n\n{}\n\n- Source: {}.\n- Restated: {}.\n- Refused: {}.\n\n```\n{}```\n", exhibit.name,
                        exhibit.mistake, exhibit.source, describe(exhibit.problem), describe(each.failure),
                        mistake_listing(each));
  }
  text += "\n## What no schedule can say\n\n";
  for (const gallery::Inexpressible& each : gallery::inexpressible())
    text += fmt::format("- {}: {}.\n", each.mistake, each.why);
  return text;
}

std::string picture_of(const ShownMistake& mistake) {
  const int ranks = mistake.exhibit->problem.ranks;
  return mistake_picture(std::string(mistake.exhibit->name), mistake.schedule, mistake.failure, *full_topology(ranks));
}

const Exhibit& named_mistake(const std::string& name) {
  if (const Exhibit* found = gallery::find_exhibit(name)) return *found;
  std::vector<std::string_view> names;
  for (const Exhibit& each : gallery::exhibits()) names.push_back(each.name);
  fail(ErrorCode::invalid_argument, "the gallery has no '{}'; {}", name, nearest_in_words(name, names));
}

Outcome show_gallery(const GalleryRequest& request) {
  require(!request.output || request.name, "a picture shows one mistake; name it: tutti gallery NAME -o FILE.svg");
  if (request.output) check_picture_file(*request.output);
  std::vector<ShownMistake> mistakes;
  for (const Exhibit& each : gallery::exhibits()) {
    if (!request.name || &each == &named_mistake(*request.name)) mistakes.push_back(shown_mistake(each));
  }
  if (request.output) write_picture(*request.output, picture_of(mistakes.front()));
  if (request.json) return {mistakes_json(mistakes)};
  if (request.markdown) return {mistakes_page(mistakes)};
  return {request.name ? one_mistake(mistakes.front()) : mistakes_table(mistakes)};
}

}  // namespace

void add_gallery(Command command, Chosen& chosen) {
  const auto request = std::make_shared<GalleryRequest>();
  command.add_text("NAME", "", "One of them, with what its ranks do; all in a table otherwise",
                   [r = request.get()](const std::string& name) { r->name = name; });
  command.add_flag("--json", request->json, "Print JSON; the command's reference names its fields");
  command.add_flag("--markdown", request->markdown, "Print the page docs/gallery.md");
  command.exclude("--markdown", "--json");
  command.exclude("--markdown", "NAME");
  add_value(command, *request, "-o,--output", "FILE",
            "Draw the steps up to the one that goes wrong: FILE.svg, .pdf, .png or .tex",
            [r = request.get()](const std::string& text) { r->output = text; });
  command.set_footer(
      "Examples:\n  tutti gallery\n  tutti gallery ring-overwritten\n"
      "  tutti gallery send-before-receive -o circle.svg\n  tutti gallery --json");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return show_gallery(*request);
    };
  });
}

}  // namespace tutti::app
