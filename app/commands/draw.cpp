/// @file
/// `tutti draw`: the steps of an algorithm, or what ranks do when, as a picture or a page.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/draw_book.hpp"
#include "app/commands/draw_timeline.hpp"
#include "app/commands/drawn_steps.hpp"
#include "app/commands/subcommands.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/node_options.hpp"
#include "app/options/setting_options.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/page/page.hpp"

namespace tutti::app {
namespace {

constexpr int most_steps_drawn = 64;

Drawn with_places(Drawn drawn, const SimulationRequest& simulation) {
  const Shape& grid = drawn.choice.parameters.grid;
  drawn.topology = placed(simulation, drawn.topology, grid.empty() ? std::nullopt : std::optional(grid));
  return drawn;
}

Outcome draw_trace(const DrawRequest& request, const std::string& output) {
  require(!request.collective, "a trace already names what ran; leave {} out", name_of(*request.collective));
  require(!request.nodes, "a trace already names what ran; leave --nodes out");
  const timeline::Timeline timeline = traced_timeline(*request.trace);
  if (!output.ends_with(".html")) return draw_timeline(timeline, output);
  write_file(output, draw::html_of(timeline));
  return {fmt::format("{}: {}\n", output, timeline.title)};
}

Outcome draw_page(const DrawRequest& request, const Drawn& drawn, const std::string& output) {
  const Drawn there = with_places(drawn, request.simulation);
  const draw::ScheduleFrames frames = steps_of(there, limits_of(request));
  const draw::Arrangement arrangement = draw::arrangement_of(*there.topology, there.layout);
  if (!request.timeline) return written(output, draw::html_of(frames, arrangement), frames);
  const timeline::Timeline timeline = simulated_timeline(drawn, request.simulation);
  return written(output, draw::html_of(frames, arrangement, &timeline), frames);
}

Outcome draw_as_asked(const DrawRequest& request, const Drawn& drawn, const std::string& output) {
  if (output.ends_with(".html")) return draw_page(request, drawn, output);
  if (request.book) return draw_book(request, with_places(drawn, request.simulation), output);
  if (request.timeline) return draw_timeline(simulated_timeline(drawn, request.simulation), output);
  const StepsDrawing drawing = draw_steps(with_places(drawn, request.simulation), limits_of(request), request.columns);
  return written(output, drawing.svg, drawing.frames);
}

// Draws shifts of several distances beside one another, each in the one step of the algorithm `direct`.
Outcome draw_distances(const DrawRequest& request, const std::string& output) {
  require(request.book && !request.dual && !request.steps,
          "several distances stand side by side in one figure: add --style book, and leave --dual and --steps out");
  require(!request.algorithm || *request.algorithm == "direct",
          "several distances are drawn by the algorithm direct, in one step each; leave --algorithm out");
  DrawRequest direct = request;
  direct.algorithm = "direct";
  return draw_as_asked(direct, drawn_of(direct), output);
}

Outcome draw_all(const DrawRequest& request) {
  require(request.output.has_value(), "draw needs a file to write: -o out.svg");
  check_switching(request.simulation.machine);
  const std::string& output = *request.output;
  const bool timed = request.timeline || request.trace;
  const bool is_page = output.ends_with(".html");
  require(request.columns == 0 || !is_page, "a page shows one step at a time; leave --columns out");
  require(!request.book || !is_page, "a figure of the style book is printed; write FILE.svg, FILE.pdf or FILE.tex");
  timed ? check_picture_file(output, {".html", ".json"}) : check_picture_file(output, {".html"});
  if (request.figure) return draw_named_figure(request, output);
  if (request.trace) return draw_trace(request, output);
  if (request.user_kind != UserKind::none) return draw_user_program(request, output);
  require(request.collective.has_value(), "draw needs a collective, such as: tutti draw broadcast -o out.svg");
  if (request.distances) return draw_distances(request, output);
  const Drawn drawn = drawn_of(request);
  Outcome outcome = draw_as_asked(request, drawn, output);
  if (!drawn.why.empty()) outcome.text += screen_text(drawn.why);
  return outcome;
}

}  // namespace

// "3..9", or "5" for one step.
RankRange parse_steps(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;
  const std::size_t dots = text.find("..");
  RankRange steps;
  steps.first = static_cast<int>(parse_integer(text.substr(0, dots), "a step, as in 3..9,", 1, most));
  steps.last = dots == std::string_view::npos
                   ? steps.first
                   : static_cast<int>(parse_integer(text.substr(dots + 2), "the last step", 1, most));
  require(steps.first <= steps.last, "the range of steps {} is empty; write the smaller number first", text);
  require(steps.last - steps.first < most_steps_drawn, "a picture has {} steps at most, not {}", most_steps_drawn,
          steps.last - steps.first + 1);
  return steps;
}

// A distance, or several for the style of books.
void set_distances(DrawRequest& request, const std::string& text) {
  const DistanceRange range = parse_distances(text);
  request.distance = range.least;
  if (range.least == range.most) return;
  require(range.most - range.least < most_steps_drawn, "a figure has {} distances at most, not {}", most_steps_drawn,
          range.most - range.least + 1);
  request.distances = range;
}

void add_panels(Command& command, DrawRequest& request) {
  add_value(command, request, "--steps", "A..B", "Draw these steps alone, 64 at most (the first 64)",
            [&request](const std::string& text) { request.steps = parse_steps(text); });
  add_value(command, request, "--columns", "N", "Panels side by side in FILE.svg (as many as fit a screen)",
            [&request](const std::string& text) {
              request.columns = static_cast<int>(parse_integer(text, "a number of columns", 1, most_steps_drawn + 1));
            });
  for (const char* name : {"--steps", "--columns"}) {
    command.exclude(name, "--timeline");
    command.exclude(name, "--trace");
  }
}

void add_book(Command& command, DrawRequest& request) {
  add_value(command, request, "--style", "steps|book",
            "A panel a step with colors (steps, the default), or black on white as textbooks print it (book)",
            [&request](const std::string& text) {
              require(text == "steps" || text == "book", "a style is steps or book, not '{}'", text);
              request.book = text == "book";
            });
  command.add_flag("--dual", request.dual, "With --style book: the dual beside it, reduce beside broadcast");
  command.add_flag("--whole", request.whole, "With --style book: one picture, also where it is larger than a page");
  add_value(command, request, "--figure", "NAME",
            fmt::format("A figure by itself, for print: {}", fmt::join(named_figures(), ", ")),
            [&request](const std::string& text) { request.figure = text; });
  command.let_need("--dual", "--style");
  for (const char* name : {"--style", "--figure"}) {
    command.exclude(name, "--timeline");
    command.exclude(name, "--trace");
    command.exclude(name, "--columns");
  }
  command.exclude("--figure", "--style");
}

// Options that say how time passes mean nothing where none is drawn.
void add_timeline(Command& command, DrawRequest& request) {
  command.add_flag("--timeline", request.timeline,
                   "Draw a simulation as a timeline, what each rank does when; also as FILE.json");
  add_value(command, request, "--trace", "FILE", "Draw a run that wrote TUTTI_TRACE=FILE; no collective then",
            [&request](const std::string& text) { request.trace = text; });
  command.exclude("--trace", "--timeline");
  add_simulation(command, request, request.simulation);
  take_settings(request, request.simulation.machine, NetworkSetting::ignored);
  request.take_settings = [&request, take = request.take_settings] {
    if (request.timeline) take();
  };
  for (const char* name :
       {"--switching", "--ts", "--tw", "--ts-inside", "--tw-inside", "--ts-outside", "--tw-outside", "--th", "--tc",
        "--packet", "--ports", "--engine", "--routing", "--background", "--injection", "--eager", "--skew"})
    command.let_need(name, "--timeline");
}

void add_draw(Command command, Chosen& chosen) {
  const auto request = std::make_shared<DrawRequest>();
  add_collective(command, *request);
  add_user_words(command, *request, "After 'messages': 1-6 4-7@2us:64KiB …; after 'program' or 'schedule': its file");
  add_patch(command, *request);
  command.remove_option("--json");
  add_problem(command, *request);
  command.remove_option("--distance");
  add_value(command, *request, "--distance", "Q|A..B",
            "How far a shift goes, either way; with --style book also several distances, side by side",
            [r = request.get()](const std::string& text) { set_distances(*r, text); });
  add_nodes(command, *request,
            "One color for each node; without --topology each node has a switch, and one switch joins them");
  add_timeline(command, *request);
  add_panels(command, *request);
  add_book(command, *request);
  add_value(command, *request, "-o,--output", "FILE",
            "Where to write: FILE.svg, .pdf, .png, .tex, or FILE.html, which plays the steps",
            [r = request.get()](const std::string& text) { r->output = text; });
  command.set_footer(
      "Examples:\n  tutti draw broadcast --algorithm binomial --topology ring:8 -o broadcast.svg\n"
      "  tutti draw all-gather --algorithm mesh --topology mesh:3x3 -o all-gather.svg\n"
      "  tutti draw all-reduce --algorithm ring --ranks 8 --steps 8..14 --columns 4 -o all-gather-half.svg\n"
      "  tutti draw shift --distance 5 --algorithm gray-code --ranks 8 -o shift.html\n"
      "  tutti draw all-gather --algorithm ring --nodes 3+5+1 -o nodes.svg\n"
      "  tutti draw broadcast --algorithm binomial --topology hypercube:3 --style book --dual -o duals.pdf\n"
      "  tutti draw shift --distance 1..7 --topology ring:8 --style book -o shifts.svg\n"
      "  tutti draw --figure matrix-vector -o figure.tex\n"
      "  tutti draw program exchange.txt --topology ring:8 -o exchange.svg\n"
      "  tutti draw all-reduce --topology ring:8 --bytes 1MiB --timeline -o timeline.svg\n"
      "  TUTTI_TRACE=run.json ./program && tutti draw --trace run.json -o run.svg");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return with_notes(draw_all(*request), request->notes);
    };
  });
}

}  // namespace tutti::app
