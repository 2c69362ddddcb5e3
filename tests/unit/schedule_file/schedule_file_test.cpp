/// @file
/// Schedules as files: what is written is read again, and what is wrong is refused where it stands.

#include "schedule_file/schedule_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "tutti/error.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;

// Returns the text without what the file does not say: names of phases, and parts that a text leaves out.
std::string plain_text_of(Schedule schedule) {
  for (Program& program : schedule.programs) {
    program.phases.clear();
    program.pruned.clear();
  }
  return text_of(schedule);
}

TEST(ScheduleFile, SaysAllOfEveryAlgorithm) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    Problem problem{.collective = algorithm->collective, .ranks = 4, .count = 5, .root = 2, .distance = -3};
    if (!has_root(problem.collective)) problem.root = 0;
    if (problem.collective != Collective::shift) problem.distance = 0;
    problem.commutative = unmet_need(*algorithm, problem).has_value() || !reduces(problem.collective);
    if (allows_in_place(problem.collective)) problem.in_place = true;
    if (problem.collective == Collective::all_gather) problem.counts = {0, 3, 1, 7};
    if (problem.collective == Collective::barrier) problem.count = 0;
    if (unmet_need(*algorithm, problem)) problem.commutative = true;
    const Schedule schedule = record_all(*algorithm, problem);
    const Schedule again = read_schedule(file_of(schedule), "again.json");
    EXPECT_EQ(again.problem, schedule.problem) << algorithm->name;
    EXPECT_EQ(plain_text_of(again), plain_text_of(schedule)) << algorithm->name;
    EXPECT_TRUE(verify(again).proved()) << describe(problem) << ", " << algorithm->name;
  }
}

std::string refusal_of(const std::string& text) {
  try {
    read_schedule(text, "mine.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    return error.what();
  }
  return "nothing wrong";
}

std::string with_operations(const std::string& operations) {
  return R"({"tutti_schedule": 1, "collective": "broadcast", "ranks": 2, "count": 8, "operations": [)" + operations +
         "]}";
}

TEST(ScheduleFile, SaysWhereSomethingIsWrong) {
  const std::string send = R"({"kind": "send", "peer": 1, "slices": [{"buffer": "output", "first": 0, "count": 8}]})";
  EXPECT_EQ(refusal_of(with_operations("[[" + send + "]], []")), "nothing wrong");
  EXPECT_THAT(refusal_of("{}"), HasSubstr("mine.json: this is no schedule"));
  EXPECT_THAT(refusal_of("[1"), HasSubstr("mine.json: "));
  EXPECT_THAT(refusal_of(R"({"tutti_schedule": 2})"), HasSubstr("version 1 are read, not of version 2"));
  EXPECT_THAT(refusal_of(R"({"tutti_schedule": 1, "collectiv": "scan"})"), HasSubstr("\"collectiv\""));
  EXPECT_THAT(refusal_of(with_operations("[]")), HasSubstr("lists for 1 rank, not for 2"));
  EXPECT_THAT(refusal_of(R"({"tutti_schedule": 1, "collective": "scatter", "ranks": 2, "counts": [1]})"),
              HasSubstr("mine.json: scatter over 2 ranks needs 2 per-rank counts"));
  const auto second = [&](const std::string& op) {
    return refusal_of(with_operations("[], [[" + send + "],[" + op + "]]"));
  };
  EXPECT_THAT(second(R"({"kind": "sned", "peer": 1, "slices": []})"),
              HasSubstr("mine.json: rank 1, step 2: there is no kind 'sned'; the nearest is 'send'"));
  EXPECT_THAT(second(R"({"kind": "send", "slices": []})"), HasSubstr("rank 1, step 2: a number \"peer\" is needed"));
  EXPECT_THAT(second(R"({"kind": "send", "peer": -1, "slices": []})"), HasSubstr("rank 1, step 2: \"peer\" is -1"));
  EXPECT_THAT(second(R"({"kind": "copy", "slices": []})"), HasSubstr("rank 1, step 2: a list \"operand\" is needed"));
  EXPECT_THAT(second(R"({"kind": "send", "peer": 0, "slices": [{"buffer": "heap", "first": 0, "count": 1}]})"),
              HasSubstr("rank 1, step 2: there is no buffer 'heap'"));
  EXPECT_THAT(second(R"({"kind": "send", "peer": 0, "slices": [{"buffer": "input", "first": 0, "count": 1e99}]})"),
              HasSubstr("rank 1, step 2: \"count\" is 1e+99, not one of 0 to"));
  EXPECT_THAT(second(R"({"kind": "send", "peer": 0.5, "slices": []})"), HasSubstr("rank 1, step 2: \"peer\" is 0.5"));
  EXPECT_THAT(second(R"({"kind": "send", "peer": "0", "slices": []})"),
              HasSubstr("rank 1, step 2: a number \"peer\" is needed"));
  EXPECT_THAT(
      second(
          R"({"kind": "send", "peer": 0, "slices": [{"buffer": "input", "first": 18446744073709551615, "count": 1}]})"),
      HasSubstr("rank 1, step 2: \"first\" is 18446744073709551615"));
  EXPECT_THAT(second(R"({"kind": "receive", "peer": 0, "slices": [], "chained": true})"),
              HasSubstr("rank 1, step 2: its first operation"));
}

// Fields that mean nothing in their place were meant otherwise.
TEST(ScheduleFile, RefusesFieldsThatMeanNothing) {
  const auto with = [](const std::string& fields) {
    return refusal_of(with_operations("[[{" + fields + R"(, "slices": []}]], [])"));
  };
  EXPECT_EQ(with(R"("kind": "send", "peer": 1)"), "nothing wrong");
  const std::string at = "mine.json: rank 0, step 1: a ";
  EXPECT_EQ(with(R"("kind": "send", "peer": 1, "operand": [])"), at + "send has no \"operand\"; leave it out");
  EXPECT_EQ(with(R"("kind": "receive", "peer": 1, "second": [])"), at + "receive has no \"second\"; leave it out");
  EXPECT_EQ(with(R"("kind": "receive", "peer": 1, "received_first": true)"),
            at + "receive has no \"received_first\"; leave it out");
  EXPECT_EQ(with(R"("kind": "copy", "peer": 1, "operand": [])"), at + "copy has no \"peer\"; leave it out");
  const auto of = [](const std::string& collective, const std::string& fields) {
    return refusal_of(R"({"tutti_schedule": 1, "collective": ")" + collective +
                      R"(", "ranks": 2, "operations": [[], []], )" + fields + "}");
  };
  EXPECT_EQ(of("all-gather", R"("root": 0, "distance": 0)"), "nothing wrong");
  EXPECT_EQ(of("all-gather", R"("root": 1)"), "mine.json: all-gather has no root; leave \"root\" out");
  EXPECT_EQ(of("scatter", R"("distance": -2)"), "mine.json: scatter goes no distance; leave \"distance\" out");
  EXPECT_EQ(of("barrier", R"("count": 2)"), "mine.json: a barrier moves no data; leave \"count\" out");
}

// No sum over the operations overflows.
TEST(ScheduleFile, RefusesMoreElementsThanCanBeCounted) {
  const std::string slice = R"({"buffer": "input", "first": 0, "count": 9007199254740992})";  // 2^53
  std::string slices = slice;
  for (int k = 1; k < 512; ++k) slices += "," + slice;
  const auto sent = [](const std::string& all) {
    return with_operations(R"([[{"kind": "send", "peer": 1, "slices": [)" + all + "]}]], []");
  };
  EXPECT_EQ(refusal_of(sent(slices)), "nothing wrong");
  EXPECT_THAT(refusal_of(sent(slices + "," + slice)), HasSubstr("rank 0, step 1: its operations and those before"));
}

TEST(ScheduleFile, QuotesLittleOfWhatIsWrong) {
  std::string list = "[";
  for (int k = 0; k < 500; ++k) list += "1234, ";
  list += "0]";
  for (const std::string& operations : {"[[" + list + "]], []", "{\"steps\": " + list + "}, []",
                                        R"([[{"kind": "send", "peer": 1, "slices": [)" + list + "]}]], []"}) {
    const std::string refusal = refusal_of(with_operations(operations));
    EXPECT_THAT(refusal, HasSubstr("mine.json: rank 0"));
    EXPECT_LT(refusal.size(), 200U) << refusal;
  }
}

// A file that can be read need not be right: that the proof says, and names rank and step.
TEST(ScheduleFile, LeavesToTheProofWhatIsRight) {
  const Schedule schedule = read_schedule(
      with_operations(
          R"([[{"kind": "send", "peer": 7, "slices": [{"buffer": "output", "first": 0, "count": 8}]}]], [])"),
      "mine.json");
  const Proof proof = verify(schedule);
  ASSERT_FALSE(proof.proved());
  EXPECT_EQ(proof.failure->rank, 0);
  EXPECT_EQ(proof.failure->step, 1);
}

}  // namespace
}  // namespace tutti
