#include "plan/guidelines.hpp"

#include <fmt/format.h>

namespace tutti {
namespace {

using enum Collective;
using enum GuidedCount;

std::vector<Guideline> comparisons() {
  return {
      {{broadcast}, {{scatter, part}, {all_gather, part}}, "the parts of the message, told to each and then to all"},
      {{broadcast}, {{all_reduce}}, "all but the root contribute a neutral message"},
      {{reduce}, {{all_reduce}}, "only the root looks at the result"},
      {{reduce}, {{reduce_scatter, part}, {gather, part}}, "the parts of the result, gathered"},
      {{reduce}, {{scan}}, "the last rank of a scan has the result"},
      {{all_reduce}, {{reduce}, {broadcast}}, "the root tells the result to all"},
      {{all_reduce}, {{reduce_scatter, part}, {all_gather, part}}, "the parts of the result, told to all"},
      {{gather}, {{all_gather}}, "only the root looks at the result"},
      {{gather}, {{reduce, times_p}}, "each contributes its block, and neutral ones for the others"},
      {{gather}, {{all_to_all}}, "all blocks but the root's are of no use"},
      {{scatter}, {{broadcast, times_p}}, "each looks at its own block alone"},
      {{scatter}, {{all_to_all}}, "all blocks but the root's are of no use"},
      {{all_gather}, {{gather}, {broadcast, times_p}}, "the root tells the blocks to all"},
      {{all_gather}, {{all_to_all}}, "each sends its block to each"},
      {{all_gather}, {{all_reduce, times_p}}, "each contributes its block, and neutral ones for the others"},
      {{reduce_scatter}, {{reduce, times_p}, {scatter}}, "the root deals the result out"},
      {{reduce_scatter}, {{all_reduce, times_p}}, "each looks at its own block alone"},
      {{exclusive_scan}, {{scan}, {shift}}, "the result of a scan, passed on to the next rank"},
      {{shift}, {{all_to_all}}, "all blocks but one are of no use"},
      {{barrier}, {{all_reduce, one}}, "nobody has the result before all have contributed"},
      {{barrier}, {{all_gather, one}}, "nobody has all blocks before all have contributed"},
  };
}

// Adds the guidelines of each collective by itself.
void add_monotony(Collective collective, std::vector<Guideline>& rows) {
  // A rank fewer may be one that an algorithm for powers of two has no use for.
  constexpr double reason_of_ranks = 0.25;
  if (collective != barrier) {
    rows.push_back({{collective}, {{collective, twice}}, "a longer message holds the shorter one"});
    rows.push_back({{collective, twice}, {{collective}, {collective}}, "a message may be sent in two halves"});
  }
  rows.push_back({{collective}, {{collective, same, 1}}, "the rank more contributes nothing", reason_of_ranks});
}

std::vector<Guideline> all_rows() {
  std::vector<Guideline> rows = comparisons();
  for (const Collective collective : all_collectives()) add_monotony(collective, rows);
  return rows;
}

std::string text_of(const GuidedCall& call) {
  static constexpr std::string_view extents[] = {"m", "m p", "m/p", "1", "2m"};
  const std::string_view extent = extents[static_cast<std::size_t>(call.extent)];
  const std::string arguments = call.collective == barrier ? std::string() : fmt::format("({})", extent);
  return fmt::format("{}{}{}", name_of(call.collective), arguments, call.more_ranks > 0 ? " over p + 1" : "");
}

}  // namespace

std::span<const Guideline> guidelines() {
  static const std::vector<Guideline> rows = all_rows();
  return rows;
}

std::string text_of(const Guideline& guideline) {
  std::string text = text_of(guideline.left) + " <=";
  for (std::size_t k = 0; k < guideline.right.size(); ++k) {
    text += fmt::format(" {}{}", k == 0 ? "" : "+ ", text_of(guideline.right[k]));
  }
  return text;
}

Problem problem_of(const GuidedCall& call, std::int64_t m, int p) {
  Problem problem{.collective = call.collective, .ranks = p + call.more_ranks};
  if (call.collective == shift) problem.distance = 1;
  switch (call.extent) {
    case same:
      problem.count = m;
      break;
    case times_p:
      problem.count = m * p;
      break;
    case part:
      problem.count = (m + p - 1) / p;
      break;
    case one:
      problem.count = 1;
      break;
    case twice:
      problem.count = 2 * m;
      break;
  }
  if (call.collective == barrier) problem.count = 0;
  return problem;
}

std::vector<Breach> breaches(const std::function<double(const Problem&)>& seconds, std::int64_t m, int p,
                             double noise) {
  constexpr double rounding = 1e-9;
  std::vector<Breach> found;
  for (const Guideline& guideline : guidelines()) {
    const double left = seconds(problem_of(guideline.left, m, p));
    double right = 0;
    for (const GuidedCall& call : guideline.right) right += seconds(problem_of(call, m, p));
    if (left > right * (1 + guideline.slack + noise + rounding)) found.push_back({&guideline, m, p, left, right});
  }
  return found;
}

}  // namespace tutti
