#include "app/commands/draw_book.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "draw/book/book.hpp"
#include "draw/book/gray_code_table.hpp"
#include "draw/book/matrix_vector.hpp"
#include "draw/book/network_panels.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "topology/embedding.hpp"
#include "topology/formats/named.hpp"

namespace tutti::app {
namespace {

draw::BookSubject subject_of(const Drawn& drawn, const DrawRequest& request) {
  return {.title = fmt::format("{} by {} on {}", describe(drawn.problem, drawn.unit), drawn.choice.algorithm->name,
                               drawn.topology->name()),
          .schedule = record(drawn.choice, drawn.problem, drawn.layout),
          .topology = *drawn.topology,
          .limits = limits_of(request)};
}

Drawn dual_of(const Drawn& drawn) {
  const std::string_view name = drawn.choice.algorithm->name;
  const std::string_view collective = name_of(drawn.problem.collective);
  const auto dual = tutti::dual_of(drawn.problem.collective);
  require(dual.has_value(), "{} has no dual; leave --dual out", collective);
  const Algorithm* algorithm = algorithms::find(*dual, name);
  require(algorithm != nullptr, "{} by {} has no dual among the algorithms of {}; name another with --algorithm",
          collective, name, name_of(*dual));
  Drawn other = drawn;
  other.problem.collective = *dual;
  other.choice = Choice(*algorithm, drawn.choice.parameters);
  return other;
}

Outcome written(const std::string& output, const draw::BookFigure& figure, draw::Paging paging) {
  const std::vector<std::string> files = write_pages(output, draw::pages_of(figure, paging));
  return {screen_text(fmt::format("{}: {}", fmt::join(files, ", "), figure.title))};
}

draw::Paging paging_of(const DrawRequest& request) { return request.whole ? draw::Paging::whole : draw::Paging::pages; }

// All-to-all of four ranks: rank x has row x of the matrix, and in the end column x.
draw::BookFigure transpose_figure() {
  const TopologyPtr network = topology_named("full:4");
  const Problem problem{.collective = Collective::all_to_all, .ranks = 4, .count = 1};
  const Choice choice(*algorithms::find(Collective::all_to_all, "pairwise"), {});
  return draw::book_figure_of({.title = "Transpose of a 4 x 4 matrix by an all-to-all of four ranks",
                               .schedule = record(choice, problem),
                               .topology = *network,
                               .block_text = draw::BlockText::matrix_element});
}

draw::BookFigure gray_code_figure() {
  draw::BookFigure figure{"The reflected Gray code: a ring of 8 in a hypercube", {}, {}};
  const TopologyPtr cube = embedded(topology_named("hypercube:3"), ring_in_hypercube(3));
  figure.parts = draw::gray_code_parts(*cube, draw::arrangement_of(*cube));
  figure.notes.emplace_back("Ranks that are neighbours on the ring differ in one bit.");
  return figure;
}

// Returns the most messages that a directed link of the network carries in a shift of that length.
std::int64_t most_on_a_link(const Topology& network, int distance) {
  std::vector<std::int64_t> carried(static_cast<std::size_t>(network.links()));
  std::vector<LinkId> path;
  const int ranks = network.ranks();
  for (int rank = 0; rank < ranks; ++rank) {
    path.clear();
    network.route(rank, (rank + distance % ranks + ranks) % ranks, path);
    for (const LinkId link : path) ++carried[static_cast<std::size_t>(link)];
  }
  return carried.empty() ? 0 : *std::max_element(carried.begin(), carried.end());
}

// The messages of a circular shift: along their routes where no two share a directed link, otherwise straight.
draw::NetworkPanel shift_panel(const Topology& network, int distance, std::int64_t shared) {
  const int ranks = network.ranks();
  const Problem problem{.collective = Collective::shift, .ranks = ranks, .count = 1, .distance = distance};
  const Choice choice(*algorithms::find(Collective::shift, "direct"), {});
  const draw::ScheduleFrames frames = draw::frames_of(record(choice, problem), network);
  draw::NetworkPanel panel{.caption = fmt::format("{}-shift", distance), .is_numbered = false};
  if (shared > 1) panel.caption += fmt::format(": up to {} messages on a directed link", shared);
  panel.frame.ranks.resize(static_cast<std::size_t>(ranks));
  if (!frames.shown.empty()) panel.frame.arrows = frames.shown.front().arrows;
  for (draw::Arrow& arrow : panel.frame.arrows) {
    arrow.content.clear();
    if (shared > 1) arrow.route = {arrow.from, arrow.to};
  }
  return panel;
}

// Circular shifts of each length.
draw::BookFigure shifts_figure(std::string title, const Topology& network, const DistanceRange& distances) {
  std::vector<draw::NetworkPanel> panels;
  std::int64_t most = 0;
  for (int q = distances.least; q <= distances.most; ++q) {
    const std::int64_t shared = most_on_a_link(network, q);
    panels.push_back(shift_panel(network, q, shared));
    most = std::max(most, shared);
  }
  return {std::move(title),
          draw::parts_of(std::move(panels), draw::arrangement_of(network), draw::page_area.width / 2 - 20),
          {most > 1 ? "An arrow goes straight to its receiver where messages share links on their routes."
                    : "No directed link has two messages."}};
}

draw::BookFigure hypercube_shifts_figure() {
  const TopologyPtr cube = topology_named("hypercube:3");
  return shifts_figure("Circular q-shifts on a hypercube of 8 along E-cube routes", *cube, {1, cube->ranks() - 1});
}

struct NamedFigure {
  std::string_view name;
  draw::BookFigure (*make)();
};

constexpr std::array figures{
    NamedFigure{"matrix-vector", [] { return draw::matrix_vector_figure(4); }},
    NamedFigure{"transpose", transpose_figure},
    NamedFigure{"gray-code", gray_code_figure},
    NamedFigure{"q-shifts", hypercube_shifts_figure},
};

}  // namespace

std::vector<std::string_view> named_figures() {
  std::vector<std::string_view> names;
  for (const NamedFigure& figure : figures) names.push_back(figure.name);
  return names;
}

Outcome draw_named_figure(const DrawRequest& request, const std::string& output) {
  require(!request.collective, "--figure has a subject of its own; leave {} out", name_of(*request.collective));
  const auto* found = std::find_if(figures.begin(), figures.end(),
                                   [&](const NamedFigure& figure) { return figure.name == *request.figure; });
  if (found == figures.end())
    fail(ErrorCode::invalid_argument, "no figure is called '{}'; {}", *request.figure,
         nearest_in_words(*request.figure, named_figures()));
  return written(output, found->make(), paging_of(request));
}

Outcome draw_book(const DrawRequest& request, const Drawn& drawn, const std::string& output) {
  if (request.distances) {
    std::string title = fmt::format("Circular q-shifts on {}", drawn.topology->name());
    return written(output, shifts_figure(std::move(title), *drawn.topology, *request.distances), paging_of(request));
  }
  const draw::BookSubject subject = subject_of(drawn, request);
  if (!request.dual) return written(output, draw::book_figure_of(subject), paging_of(request));
  const Drawn dual = dual_of(drawn);
  return written(output, draw::dual_figure_of(subject, subject_of(dual, request)), paging_of(request));
}

}  // namespace tutti::app
