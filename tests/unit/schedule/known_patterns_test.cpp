/// @file
/// What is kept of texts of alike ranks, and the memory that texts are done with, held against the same texts with
/// nothing kept.

#include "schedule/known_patterns.hpp"

#include <gtest/gtest.h>

#include "algorithms/catalogue.hpp"
#include "schedule/parameter_values.hpp"
#include "schedule/spare.hpp"

namespace tutti {
namespace {

Problem problem_for(const Algorithm& algorithm, int ranks, std::int64_t count) {
  return {.collective = algorithm.collective, .ranks = ranks, .count = count, .distance = 1};
}

void expect_same(const Choice& choice, const Problem& problem) {
  const std::string programs = text_of(record_all(choice, problem));
  const LooksAt looked = looks_at(choice, problem, {});
  const KnownPatterns known;
  const Spares spares;
  for (const bool is_kept : {false, true}) {
    EXPECT_EQ(text_of(record_all(choice, problem)), programs) << choice.algorithm->name << ", kept: " << is_kept;
    const LooksAt here = looks_at(choice, problem, {});
    EXPECT_EQ(here.segments, looked.segments) << choice.algorithm->name << ", kept: " << is_kept;
    EXPECT_EQ(here.radix, looked.radix) << choice.algorithm->name << ", kept: " << is_kept;
    EXPECT_EQ(here.grid, looked.grid) << choice.algorithm->name << ", kept: " << is_kept;
  }
}

TEST(KnownPatterns, ChangeNeitherProgramsNorWhatIsLookedAt) {
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

TEST(KnownPatterns, AreThoseOfTheirParameters) {
  for (const std::string_view name : {"pat", "mesh-pat"}) {
    const Algorithm* const algorithm = algorithms::find(Collective::all_gather, name);
    ASSERT_NE(algorithm, nullptr) << name;
    const Problem problem = problem_for(*algorithm, 64, 5);
    const auto text_by = [&](int radix) {
      Parameters parameters;
      parameters.radix = radix;
      return text_of(record_all(Choice(*algorithm, parameters), problem));
    };
    const std::string by_2 = text_by(2);
    const std::string by_4 = text_by(4);
    EXPECT_NE(by_2, by_4) << name;
    const KnownPatterns known;
    EXPECT_EQ(text_by(2), by_2) << name;
    EXPECT_EQ(text_by(4), by_4) << name;
  }
}

}  // namespace
}  // namespace tutti
