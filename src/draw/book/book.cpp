#include "draw/book/book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "draw/book/gray_code_table.hpp"
#include "draw/book/network_panels.hpp"
#include "draw/book/prefix_sums.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {
namespace {

constexpr double half_page = page_area.width / 2 - 20;

// Names a message's two ends alone: its arrow goes straight to its receiver.
Arrow numbered(Arrow arrow, int step) {
  arrow.number = step;
  arrow.route = {arrow.from, arrow.to};
  return arrow;
}

std::vector<Arrow> all_arrows(const ScheduleFrames& frames) {
  std::vector<Arrow> arrows;
  for (std::size_t k = 0; k < frames.shown.size(); ++k) {
    for (const Arrow& arrow : frames.shown[k].arrows)
      arrows.push_back(numbered(arrow, frames.first + static_cast<int>(k)));
  }
  return arrows;
}

bool fits_one_network(const ScheduleFrames& frames) {
  constexpr int most_on_a_link = 2;
  std::map<std::pair<int, int>, int> uses;
  for (const Arrow& arrow : all_arrows(frames)) {
    if (++uses[{arrow.from, arrow.to}] > most_on_a_link) return false;
  }
  return !frames.shown.empty();
}

// All steps in one network. A message that is whole needs no name.
NetworkPanel one_network(const ScheduleFrames& frames, const Problem& problem) {
  NetworkPanel panel{.root = problem.root};
  panel.frame.arrows = all_arrows(frames);
  panel.frame.ranks.resize(static_cast<std::size_t>(frames.shown_ranks));
  const bool is_whole = !has_blocks(problem.collective);
  for (Arrow& arrow : panel.frame.arrows) {
    if (is_whole && (arrow.content == "M" || reduces(problem.collective))) arrow.content.clear();
  }
  return panel;
}

// Frames of the step's phase, or the step alone where it has none.
std::vector<const Frame*> frames_of_phase(const ScheduleFrames& frames, const Frame& frame) {
  if (frame.phase.empty()) return {&frame};
  std::vector<const Frame*> found;
  for (const Frame& other : frames.shown) {
    if (other.phase == frame.phase) found.push_back(&other);
  }
  return found;
}

std::string caption_of(const ScheduleFrames& frames, std::size_t k) {
  const int step = frames.first + static_cast<int>(k);
  const std::string phase = frames.shown[k].phase.empty() ? "" : fmt::format(" ({})", frames.shown[k].phase);
  return step == 1 ? fmt::format("at the start, with the messages of step 1{}", phase)
                   : fmt::format("before step {}, with its messages{}", step, phase);
}

// A network before each step, with its messages, and one at the end. Without contents messages go along their routes.
std::vector<NetworkPanel> network_a_step(const ScheduleFrames& frames, const Problem& problem, bool with_contents) {
  std::vector<NetworkPanel> panels;
  const int root = has_root(problem.collective) ? problem.root : -1;
  for (std::size_t k = 0; k < frames.shown.size(); ++k) {
    NetworkPanel panel{.caption = with_contents ? caption_of(frames, k) : fmt::format("step {}", frames.first + k),
                       .groups = groups_of(frames_of_phase(frames, frames.shown[k]), frames.shown_ranks),
                       .root = root,
                       .is_numbered = false};
    for (const Arrow& arrow : frames.shown[k].arrows)
      panel.frame.arrows.push_back(with_contents ? numbered(arrow, frames.first + static_cast<int>(k)) : arrow);
    for (const RankFrame& rank : frames.shown[k].ranks) {
      panel.frame.ranks.emplace_back();
      if (with_contents) panel.frame.ranks.back().before = rank.before;
    }
    for (Arrow& arrow : panel.frame.arrows) {
      const std::vector<std::string>& held = frames.shown[k].ranks[static_cast<std::size_t>(arrow.from)].before;
      // All that the sender holds needs no second name.
      if (!with_contents || held == std::vector{arrow.content}) arrow.content.clear();
    }
    panels.push_back(std::move(panel));
  }
  if (!with_contents || frames.shown.empty()) return panels;
  NetworkPanel last{.caption = "at the end", .root = root};
  for (const RankFrame& rank : frames.shown.back().ranks) {
    last.frame.ranks.emplace_back();
    last.frame.ranks.back().before = rank.after;
  }
  panels.push_back(std::move(last));
  return panels;
}

void append(std::vector<FigurePart>& parts, std::vector<FigurePart> more) {
  parts.insert(parts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool is_embedded_ring(const Topology& topology) {
  return topology.name() == fmt::format("hypercube:{} (embedded)", ceil_log2(topology.ranks()));
}

// Whether the figure names what ranks hold or messages carry: one network of whole messages has steps alone.
bool names_contents(const BookFigure& figure, const Problem& problem) {
  return problem.collective != Collective::broadcast &&
         (problem.collective != Collective::reduce || figure.parts.size() > 1);
}

std::vector<FigurePart> step_parts(const ScheduleFrames& frames, const BookSubject& subject,
                                   const Arrangement& arrangement, double width) {
  const Problem& problem = subject.schedule.problem;
  if (has_root(problem.collective) && fits_one_network(frames))
    return parts_of({one_network(frames, problem)}, arrangement, width);
  if (problem.collective == Collective::scan && is_on_hypercube(subject.schedule) && frames.shown_ranks == frames.ranks)
    return parts_of(prefix_sum_panels(problem), arrangement, width);
  const bool exchange = problem.collective == Collective::all_to_all;
  return parts_of(network_a_step(frames, problem, !exchange), arrangement, width);
}

}  // namespace

std::vector<FigurePart> gray_code_parts(const Topology& topology, const Arrangement& arrangement) {
  const int ranks = topology.ranks();
  NetworkPanel ring{.caption = "the ring in the hypercube; in a rank its code"};
  ring.frame.ranks.resize(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) ring.heavy.emplace_back(rank, (rank + 1) % ranks);
  std::vector<FigurePart> parts{gray_code_table(ceil_log2(ranks))};
  append(parts, parts_of({ring}, arrangement, half_page));
  return parts;
}

BookFigure book_figure_of(const BookSubject& subject) {
  const Problem& problem = subject.schedule.problem;
  const ScheduleFrames frames = frames_of(subject.schedule, subject.topology, subject.limits);
  const Arrangement arrangement = arrangement_of(subject.topology, subject.schedule.layout);
  BookFigure figure{subject.title, {}, frames.notes};
  if (problem.collective == Collective::shift && is_embedded_ring(subject.topology) &&
      ceil_log2(problem.ranks) <= most_dimensions_in_table)
    figure.parts = gray_code_parts(subject.topology, arrangement);
  append(figure.parts, step_parts(frames, subject, arrangement, half_page));
  if (problem.collective == Collective::all_to_all && problem.ranks <= most_ranks_in_matrix) {
    append(figure.parts, block_matrices(subject.schedule, subject.block_text));
    figure.notes.emplace_back(subject.block_text == BlockText::pair
                                  ? "x,y is the block that rank x has for rank y; gray: came in this phase."
                                  : "[x,y] is the element in row x and column y; gray: came in this phase.");
  } else if (problem.collective == Collective::scan && is_on_hypercube(subject.schedule)) {
    figure.notes.emplace_back("In brackets the sum that a rank returns, in parentheses the one that it sends next.");
  } else if (!frames.legend.empty() && names_contents(figure, problem)) {
    figure.notes.push_back(frames.legend + ".");
  }
  if (has_root(problem.collective))
    figure.notes.emplace_back(figure.parts.size() == 1 ? "A number is a step; the root has a double edge."
                                                       : "The root has a double edge.");
  return figure;
}

BookFigure dual_figure_of(const BookSubject& subject, const BookSubject& dual) {
  BookFigure first = book_figure_of(subject);
  BookFigure second = book_figure_of(dual);
  for (auto& [figure, title] :
       {std::pair<BookFigure&, const std::string&>{first, subject.title}, {second, dual.title}}) {
    for (FigurePart& part : figure.parts)
      part.caption = part.caption.empty() ? title : fmt::format("{}: {}", title, part.caption);
  }
  append(first.parts, std::move(second.parts));
  for (std::string& note : second.notes) {
    if (std::find(first.notes.begin(), first.notes.end(), note) == first.notes.end())
      first.notes.push_back(std::move(note));
  }
  first.title = "Duals: the steps in the other order, each message turned round";
  return first;
}

}  // namespace tutti::draw
