/// @file
/// A choice that must be proved, and cost what it claims.
#pragma once

#include <gtest/gtest.h>

#include "schedule/model/choice.hpp"
#include "verify/verify.hpp"

namespace tutti::algorithms {

inline void expect_proved_as_claimed(const Choice& choice, const Problem& problem) {
  const Schedule schedule = record(choice, problem);
  const Proof proof = verify(schedule);
  const std::string what =
      std::string(choice.algorithm->name) + ", " + describe(choice.parameters) + ", " + describe(problem);
  ASSERT_TRUE(proof.proved()) << what << ": " << describe(*proof.failure);
  EXPECT_EQ(traffic_of(schedule), choice.claims(problem)) << what;
}

}  // namespace tutti::algorithms
