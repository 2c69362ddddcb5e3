/// @file
/// `tutti gallery`: mistakes that were published or shipped, each refused for its reason; as a table, as JSON, as
/// docs/gallery.md and as pictures.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands.hpp"
#include "app/meaning.hpp"
#include "app/options.hpp"
#include "app/output_file.hpp"
#include "app/report.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "base/table.hpp"
#include "draw/circle_of_waits.hpp"
#include "draw/steps.hpp"
#include "gallery/beginning.hpp"
#include "gallery/gallery.hpp"
#include "schedule/listing.hpp"
#include "topology/named.hpp"
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
  Failure failure;
};

ShownMistake shown_mistake(const Exhibit& exhibit) {
  ShownMistake result{&exhibit, record_all(exhibit.record, exhibit.problem), {}};
  const Proof proof = verify(result.schedule);
  if (proof.proved()) fail(ErrorCode::internal, "the mistake {} is proved to be none", exhibit.name);
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
      "the\nalgorithms of the catalogue pass. A listing has what the rank does that the reason names, or each of the "
      "ranks that wait for one\nanother; `tutti gallery NAME -o FILE.svg` draws the steps up to the one that goes "
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

// What each rank of a circle waits for, as the reason tells it one after the other.
std::vector<std::string> waits_in_lines(const Failure& failure) {
  std::vector<std::string> lines;
  std::size_t begin = failure.reason.find("rank ");
  while (begin != std::string::npos) {
    const std::size_t end = failure.reason.find(", rank ", begin);
    lines.push_back(failure.reason.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end == std::string::npos ? end : end + 2;
  }
  return lines;
}

// Whether the rank only computes in the step that goes wrong.
bool is_silent(const ShownMistake& mistake) {
  const Program& program = mistake.schedule.programs[static_cast<std::size_t>(mistake.failure.rank)];
  std::size_t begin = 0;
  for (int step = 1; step < mistake.failure.step; ++step) begin = program.step_end(begin);
  return std::none_of(program.ops.begin() + static_cast<std::ptrdiff_t>(begin),
                      program.ops.begin() + static_cast<std::ptrdiff_t>(program.step_end(begin)),
                      [](const Op& op) { return op.communicates(); });
}

// A step without messages: ranks hold what they held before it.
draw::Frame still_frame(const draw::Frame& before, const std::string& told) {
  draw::Frame frame;
  frame.told = told;
  for (const draw::RankFrame& rank : before.ranks)
    frame.ranks.push_back({.before = rank.after, .after = rank.after, .operations = {}, .sent = {}});
  return frame;
}

// Says in the last step drawn that this is the one.
void mark_step(draw::Frames& frames, const ShownMistake& mistake) {
  if (mistake.failure.step < 0 || frames.shown.empty()) return;
  const std::string told = fmt::format("rank {} goes wrong", mistake.failure.rank);
  if (is_silent(mistake)) {
    frames.shown.push_back(still_frame(frames.shown.back(), told));
    ++frames.steps;
  } else {
    frames.shown.back().phase = told;
  }
}

std::string mistake_picture(const ShownMistake& mistake) {
  const Exhibit& exhibit = *mistake.exhibit;
  const Failure& failure = mistake.failure;
  const std::string title = fmt::format("{}: refused as {}", exhibit.name, name_of(failure.kind));
  if (!failure.cycle.empty()) return draw::svg_of_waits(title, failure.cycle, waits_in_lines(failure));
  const Schedule drawn = failure.step < 0 ? mistake.schedule : gallery::beginning_of(mistake.schedule, failure.step);
  const TopologyPtr topology = full_topology(exhibit.problem.ranks);
  draw::Frames frames = draw::frames_of(drawn, *topology);
  mark_step(frames, mistake);
  if (failure.step > frames.steps) frames.notes.emplace_back("Steps without messages are not drawn, nor counted.");
  frames.title = title;
  constexpr int letters_a_line = 110;
  for (std::string& line : folded(describe(failure), letters_a_line)) frames.notes.push_back(std::move(line));
  return draw::svg_of(frames, draw::arrangement_of(*topology));
}

const Exhibit& named_mistake(const std::string& name) {
  if (const Exhibit* found = gallery::find_exhibit(name)) return *found;
  std::vector<std::string_view> names;
  for (const Exhibit& each : gallery::exhibits()) names.push_back(each.name);
  fail(ErrorCode::invalid_argument, "the gallery has no '{}'; {}", name, nearest_in_words(name, names));
}

Outcome show_gallery(const GalleryRequest& request) {
  require(!request.output || request.name, "a picture shows one mistake; name it: tutti gallery NAME -o FILE.svg");
  if (request.output) check_output_file(*request.output, {".svg"});
  std::vector<ShownMistake> mistakes;
  for (const Exhibit& each : gallery::exhibits()) {
    if (!request.name || &each == &named_mistake(*request.name)) mistakes.push_back(shown_mistake(each));
  }
  if (request.output) write_file(*request.output, mistake_picture(mistakes.front()));
  if (request.json) return {mistakes_json(mistakes)};
  if (request.markdown) return {mistakes_page(mistakes)};
  return {request.name ? one_mistake(mistakes.front()) : mistakes_table(mistakes)};
}

}  // namespace

void add_gallery(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<GalleryRequest>();
  Command command = program.add_command("gallery", "Mistakes that were published or shipped, and why each is refused");
  command.add_text("NAME", "", "One of them, with what its ranks do; all in a table otherwise",
                   [r = request.get()](const std::string& name) { r->name = name; });
  command.add_flag("--json", request->json, "Print JSON; docs/cli.md names its fields");
  command.add_flag("--markdown", request->markdown, "Print the page docs/gallery.md");
  command.exclude("--markdown", "--json");
  command.exclude("--markdown", "NAME");
  add_value(command, *request, "-o,--output", "FILE", "Draw the steps up to the one that goes wrong: FILE.svg",
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
