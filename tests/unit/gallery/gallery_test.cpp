/// @file
/// The gallery: each mistake is refused for its reason, and can be drawn up to it.

#include "gallery/gallery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "draw/steps/frames.hpp"
#include "gallery/beginning.hpp"
#include "topology/formats/named.hpp"
#include "verify/observe.hpp"
#include "verify/verify.hpp"

namespace tutti::gallery {
namespace {

using Kind = ProofFailure::Kind;

const std::map<std::string_view, Kind> reasons{
    {"bruck-as-printed", Kind::wrong_result},      {"n-block-of-two-minds", Kind::wrong_result},
    {"ring-overwritten", Kind::counted_twice},     {"own-contribution-first", Kind::not_identical},
    {"order-lost", Kind::wrong_operands},          {"send-before-receive", Kind::deadlock},
    {"operands-awaited-in-order", Kind::deadlock}, {"scratch-used-again", Kind::conflict},
};

Schedule schedule_of(const Exhibit& exhibit) { return record_all(exhibit.record, exhibit.problem); }

TEST(Gallery, RefusesEachMistakeForItsReason) {
  ASSERT_EQ(exhibits().size(), reasons.size());
  for (const Exhibit& exhibit : exhibits()) {
    const Proof proof = verify(schedule_of(exhibit));
    ASSERT_FALSE(proof.proved()) << exhibit.name;
    EXPECT_EQ(name_of(proof.failure->kind), name_of(reasons.at(exhibit.name)))
        << exhibit.name << ": " << describe(*proof.failure);
    EXPECT_EQ(find_exhibit(exhibit.name), &exhibit);
    EXPECT_EQ(proof.failure->cycle.empty(), proof.failure->kind != Kind::deadlock) << exhibit.name;
  }
  EXPECT_EQ(find_exhibit("bruck"), nullptr);
}

// The mistake is the schedule's and not the problem's: commuting operators, or inputs of their own, make some right.
TEST(Gallery, MistakesAreOfTheirCircumstances) {
  const auto proved = [](std::string_view name, auto&& change) {
    Exhibit exhibit = *find_exhibit(name);
    change(exhibit.problem);
    return verify(schedule_of(exhibit)).proved();
  };
  EXPECT_TRUE(proved("order-lost", [](Problem& problem) { problem.commutative = true; }));
  EXPECT_TRUE(proved("ring-overwritten", [](Problem& problem) { problem.in_place = false; }));
  EXPECT_TRUE(proved("own-contribution-first", [](Problem& problem) { problem.ranks = 2; }));
  EXPECT_TRUE(proved("n-block-of-two-minds", [](Problem& problem) { problem.ranks = 29; }));
}

class NobodyLooks final : public proof::Observer {
 public:
  void run_begins(const proof::Execution&) override {}
  void message_passes(proof::OpPosition, proof::OpPosition, std::span<const proof::Piece>) override {}
  void step_ends(int, std::size_t) override {}
};

// The beginning before a mistake can be run; it ends with the step that goes wrong, as far as that has messages.
TEST(Gallery, WhatComesBeforeAMistakeCanBeRun) {
  for (const Exhibit& exhibit : exhibits()) {
    const Schedule schedule = schedule_of(exhibit);
    const ProofFailure failure = *verify(schedule).failure;
    if (failure.step < 0 || failure.kind == Kind::deadlock) continue;
    const Schedule beginning = beginning_of(schedule, failure.step);
    NobodyLooks nobody;
    const auto flaw = proof::observe(beginning, nobody);
    EXPECT_FALSE(flaw.has_value()) << exhibit.name << ": " << describe(*flaw);
    EXPECT_FALSE(draw::frames_of(beginning, *full_topology(exhibit.problem.ranks)).shown.empty()) << exhibit.name;
  }
}

}  // namespace
}  // namespace tutti::gallery
