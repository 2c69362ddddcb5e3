#include "schedule/model/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "schedule/record/most_recorded.hpp"

namespace tutti {

namespace {

constexpr int few_ranks = 512;

bool is_recordable(const RecordedSize& size) { return std::max(size.messages, size.slices) <= most_recorded; }

// With one element a block there are at least as many elements in messages as slices.
std::int64_t most_slices(const Choice& choice, Problem problem, const Layout& layout) {
  problem.count = 1;
  problem.counts.clear();
  problem.extra = 0;
  return choice.claims(problem, layout).elements;
}

}  // namespace

RecordedSize recorded_size(const Choice& choice, const Problem& problem, const Layout& layout) {
  constexpr std::int64_t endless = std::int64_t{1} << 30;
  constexpr std::int64_t most_of_a_rank = std::int64_t{1} << 18;
  constexpr int samples = 8;
  const std::int64_t messages = choice.claims(problem, layout).messages;
  if (problem.ranks <= few_ranks || messages > endless) return {messages, messages};
  // This collective alone has so many blocks that recording one rank may take seconds.
  if (problem.collective == Collective::all_to_all) {
    const std::int64_t slices = most_slices(choice, problem, layout);
    if (slices / problem.ranks > most_of_a_rank) return {messages, slices};
  }
  std::int64_t operations = 0;
  std::int64_t slices = 0;
  std::vector<PortLoad> ports;
  RecordingContext context(RecordingContext::Patterns::kept);
  const ProblemScope scope(context, problem);
  Program program;
  for (int k = 0; k < samples; ++k) {
    const auto rank = static_cast<int>(std::int64_t{k} * (problem.ranks - 1) / (samples - 1));
    record_rank(context, choice, problem, rank, program, layout);
    PortLoad sent;
    PortLoad received;
    for (const Op& op : program.ops) {
      if (!op.communicates()) continue;
      PortLoad& load = op.receives() ? received : sent;
      ++load.messages;
      load.elements += Slices(program.slices(op)).elements();
      if (!op.receives()) slices += op.slices;
    }
    operations += sent.messages;
    ports.insert(ports.end(), {sent, received});
  }
  const double each = operations == 0 ? 1 : static_cast<double>(slices) / static_cast<double>(operations);
  return {messages, static_cast<std::int64_t>(each * static_cast<double>(messages)), std::move(ports)};
}

bool is_recordable(const Choice& choice, const Problem& problem, const Layout& layout) {
  return !choice.algorithm->claims || is_recordable(recorded_size(choice, problem, layout));
}

int ranks_that_fit(const Choice& choice, const Problem& problem, const Layout& layout,
                   const std::function<bool(const RecordedSize& size)>& fits) {
  if (layout.size() > 0 || !problem.counts.empty()) return 0;
  Choice any_grid = choice;
  any_grid.parameters.grid = {};
  Problem smaller = problem;
  smaller.root = 0;
  smaller.distance = 0;
  for (smaller.ranks = floor_power_of_two(problem.ranks - 1); smaller.ranks >= 2; smaller.ranks /= 2) {
    const bool meets_needs = !unmet_need(*choice.algorithm, smaller, layout);
    if (meets_needs && fits(recorded_size(any_grid, smaller, layout))) return smaller.ranks;
  }
  return 0;
}

RecordedSize check_size(const Choice& choice, const Problem& problem, const Layout& layout) {
  if (!choice.algorithm->claims) return {};
  const RecordedSize size = recorded_size(choice, problem, layout);
  if (is_recordable(size)) return size;
  const std::string what =
      fmt::format("{} by {} over {} ranks", name_of(problem.collective), choice.algorithm->name, problem.ranks);
  const int ranks = ranks_that_fit(choice, problem, layout, [](const RecordedSize& one) { return is_recordable(one); });
  const std::string smaller = ranks == 0 ? "fewer ranks" : fmt::format("{} ranks", ranks);
  if (size.messages > most_recorded)
    fail(ErrorCode::unsupported, "{} takes {} messages; a schedule holds at most {}; take {}", what, size.messages,
         most_recorded, smaller);
  fail(ErrorCode::unsupported, "{} lists about {} blocks in its messages; a schedule holds at most {}; take {}", what,
       size.slices, most_recorded, smaller);
}

Schedule record(const Choice& choice, const Problem& problem, const Layout& layout) {
  const Algorithm& algorithm = *choice.algorithm;
  require(problem.collective == algorithm.collective, "{} is an algorithm for {}, not for {}", algorithm.name,
          name_of(algorithm.collective), name_of(problem.collective));
  check(problem);
  check(choice.parameters, problem.ranks);
  check(layout, problem.ranks);
  if (const auto need = unmet_need(algorithm, problem, layout)) {
    fail(ErrorCode::unsupported, "{} {} needs {}; {} does not offer it", name_of(algorithm.collective), algorithm.name,
         describe(*need), describe(problem));
  }
  check_size(choice, problem, layout);
  return record_all(choice, problem, layout);
}

Schedule record_all(RecordingContext& context, const Choice& choice, const Problem& problem, const Layout& layout) {
  return record_all(context, choice.algorithm->record, problem, choice.parameters, layout);
}

Schedule record_all(const Choice& choice, const Problem& problem, const Layout& layout) {
  RecordingContext context;
  return record_all(context, choice, problem, layout);
}

void record_rank(RecordingContext& context, const Choice& choice, const Problem& problem, int rank, Program& program,
                 const Layout& layout, Detail detail) {
  record_rank(context, choice.algorithm->record, problem, rank, program, choice.parameters, layout, detail);
}

void record_rank(const Choice& choice, const Problem& problem, int rank, Program& program, const Layout& layout,
                 Detail detail) {
  RecordingContext context;
  record_rank(context, choice, problem, rank, program, layout, detail);
}

}  // namespace tutti
