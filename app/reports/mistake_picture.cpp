#include "app/reports/mistake_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "base/text/table.hpp"
#include "draw/steps/deadlock_picture.hpp"
#include "draw/steps/steps.hpp"
#include "gallery/beginning.hpp"

namespace tutti::app {
namespace {

// Returns the wait of each rank of a cycle, in the order of the reason.
std::vector<std::string> waits_in_lines(const ProofFailure& failure) {
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
bool is_silent(const Schedule& schedule, const ProofFailure& failure) {
  const Program& program = schedule.programs[static_cast<std::size_t>(failure.rank)];
  std::size_t begin = 0;
  for (int step = 1; step < failure.step; ++step) begin = program.step_end(begin);
  return std::none_of(program.ops.begin() + static_cast<std::ptrdiff_t>(begin),
                      program.ops.begin() + static_cast<std::ptrdiff_t>(program.step_end(begin)),
                      [](const Op& op) { return op.communicates(); });
}

// A step without messages: ranks hold what they held before it.
draw::Frame still_frame(const draw::Frame& before, const std::string& told) {
  draw::Frame frame;
  frame.event = told;
  for (const draw::RankFrame& rank : before.ranks)
    frame.ranks.push_back({.before = rank.after, .after = rank.after, .operations = {}, .sent = {}});
  return frame;
}

void mark_block(draw::ScheduleFrames& frames, const ProofFailure& failure) {
  if (failure.rank < 0 || failure.rank >= frames.shown_ranks) return;
  frames.shown.back().wrong = draw::WrongPlace{
      failure.rank, failure.slice.empty() ? "its program is wrong" : fmt::format("{} is wrong", failure.slice)};
}

// Marks the block that is wrong in the last step drawn, and says there that this is the one.
void mark_mistake(draw::ScheduleFrames& frames, const Schedule& schedule, const ProofFailure& failure) {
  if (frames.shown.empty()) return;
  if (failure.step < 0) {
    mark_block(frames, failure);
    return;
  }
  const std::string told = fmt::format("rank {} goes wrong", failure.rank);
  if (is_silent(schedule, failure)) {
    frames.shown.push_back(still_frame(frames.shown.back(), told));
    ++frames.steps;
  } else {
    frames.shown.back().phase = told;
  }
  mark_block(frames, failure);
}

}  // namespace

std::string mistake_picture(const std::string& name, const Schedule& schedule, const ProofFailure& failure,
                            const Topology& topology) {
  const std::string title = fmt::format("{}: refused as {}", name, name_of(failure.kind));
  if (!failure.cycle.empty()) return draw::svg_of_waits(title, failure.cycle, waits_in_lines(failure));
  const Schedule drawn = failure.step < 0 ? schedule : gallery::beginning_of(schedule, failure.step);
  draw::ScheduleFrames frames = draw::frames_of(drawn, topology);
  mark_mistake(frames, schedule, failure);
  if (failure.step > frames.steps) frames.notes.emplace_back("Steps without messages are not drawn, nor counted.");
  frames.title = title;
  constexpr int letters_a_line = 110;
  for (std::string& line : folded(describe(failure), letters_a_line)) frames.notes.push_back(std::move(line));
  return draw::svg_of(frames, draw::arrangement_of(topology));
}

}  // namespace tutti::app
