/// @file
/// Programs of a user: procedures end over every number of ranks that they are for, and texts say what messages say.

#include "user_programs/user_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tutti/error.hpp"
#include "user_programs/procedures.hpp"

namespace tutti {
namespace {

constexpr std::int64_t bytes = 64;

TEST(Procedures, AreFoundByTheirNamesAsPrintedAndAsMended) {
  for (const Procedure& procedure : procedures()) {
    const auto printed = procedure_named(procedure.name);
    ASSERT_TRUE(printed.has_value()) << procedure.name;
    EXPECT_EQ(printed->text(), procedure.printed);
    const auto mended = procedure_named(std::string(procedure.name) + "-mended");
    EXPECT_EQ(mended.has_value(), !procedure.mistake.empty()) << procedure.name;
    if (mended) {
      EXPECT_EQ(mended->text(), procedure.mended);
    }
  }
  EXPECT_FALSE(procedure_named("procedure-0").has_value());
}

TEST(UserProgram, TextAndMessagesGiveEqualTraffic) {
  for (int ranks = 2; ranks <= 9; ++ranks) {
    std::vector<std::string> words;
    for (int rank = 0; rank < ranks; ++rank)
      words.push_back(std::to_string(rank) + "-" + std::to_string((rank + 1) % ranks));
    const Traffic messages = traffic_of(program_of_messages(words, ranks, bytes).schedule);
    const Traffic text = traffic_of(program_of_text("all: send +1; receive -1; wait", "ring", {ranks, bytes}).schedule);
    EXPECT_EQ(messages.messages, ranks);
    EXPECT_EQ(text.messages, messages.messages);
    EXPECT_EQ(text.elements, messages.elements);
    EXPECT_EQ(text.rounds, messages.rounds);
  }
}

TEST(UserProgram, ACircleOfWaitsIsNamed) {
  for (int ranks = 2; ranks <= 9; ++ranks) {
    const UserProgram program = program_of_text("all: receive -1; wait; send +1", "circle", {ranks, bytes});
    const auto failure = failure_of(program);
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->kind, ProofFailure::Kind::deadlock);
    EXPECT_THAT(failure->cycle, testing::SizeIs(ranks));
  }
}

TEST(UserProgram, AMistakeInTheTextIsNamedWithItsLine) {
  try {
    (void)program_of_text("ranks 2\n0: send 1\n1: fetch 0", "exchange.txt", {0, bytes});
    FAIL() << "a program was made of it";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("exchange.txt, line 3, column 4: "));
  }
}

}  // namespace
}  // namespace tutti
