/// @file
/// Patterns that are kept of texts of alike ranks, and their memory, held against the same texts with nothing kept.

#include "schedule/record/pattern_cache.hpp"

#include <gtest/gtest.h>

#include "algorithms/catalogue.hpp"
#include "schedule/model/parameter_values.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {
namespace {

Problem problem_for(const Algorithm& algorithm, int ranks, std::int64_t count) {
  return {.collective = algorithm.collective, .ranks = ranks, .count = count, .distance = 1};
}

void expect_same(const Choice& choice, const Problem& problem) {
  const std::string programs = text_of(record_all(choice, problem));
  const UsedParameters looked = used_parameters(choice, problem, {});
  RecordingContext context(RecordingContext::Patterns::kept);
  for (const bool is_kept : {false, true}) {
    EXPECT_EQ(text_of(record_all(context, choice, problem)), programs)
        << choice.algorithm->name << ", kept: " << is_kept;
    const UsedParameters here = used_parameters(context, choice, problem, {});
    EXPECT_EQ(here.segments, looked.segments) << choice.algorithm->name << ", kept: " << is_kept;
    EXPECT_EQ(here.radix, looked.radix) << choice.algorithm->name << ", kept: " << is_kept;
    EXPECT_EQ(here.grid, looked.grid) << choice.algorithm->name << ", kept: " << is_kept;
  }
}

TEST(PatternCache, ChangeNeitherProgramsNorWhatIsLookedAt) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : {4, 6, 8, 12}) {
      for (const std::int64_t count : {3, 40}) {
        Problem problem = problem_for(*algorithm, ranks, count);
        if (problem.collective == Collective::barrier) problem.count = 0;
        if (!unmet_need(*algorithm, problem)) expect_same(*algorithm, problem);
      }
    }
  }
}

TEST(PatternCache, AreThoseOfTheirParameters) {
  for (const std::string_view name : {"pat", "mesh-pat"}) {
    const Algorithm* const algorithm = algorithms::find(Collective::all_gather, name);
    ASSERT_NE(algorithm, nullptr) << name;
    const Problem problem = problem_for(*algorithm, 64, 5);
    const auto text_by = [&](RecordingContext& context, int radix) {
      Parameters parameters;
      parameters.radix = radix;
      return text_of(record_all(context, Choice(*algorithm, parameters), problem));
    };
    RecordingContext fresh;
    const std::string by_2 = text_by(fresh, 2);
    const std::string by_4 = text_by(fresh, 4);
    EXPECT_NE(by_2, by_4) << name;
    RecordingContext context(RecordingContext::Patterns::kept);
    EXPECT_EQ(text_by(context, 2), by_2) << name;
    EXPECT_EQ(text_by(context, 4), by_4) << name;
  }
}

}  // namespace
}  // namespace tutti
