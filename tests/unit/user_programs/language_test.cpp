/// @file
/// The language of programs: what its statements do, and what is said of texts that cannot be read or run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tutti/error.hpp"
#include "user_programs/user_program.hpp"

namespace tutti {
namespace {

using Kind = ProofFailure::Kind;
using testing::HasSubstr;

UserProgram program(const std::string& text, int ranks = 4, bool patch = false) {
  return program_of_text(text, "text", {.ranks = ranks, .bytes = 8, .patch = patch});
}

// Returns what rank 0 prints.
std::vector<std::string> printed(const std::string& text, int ranks = 4) {
  std::vector<std::string> values;
  for (const PrintedRow& row : program(text + "\nwait", ranks).trace.printed) values.push_back(row.values.front());
  return values;
}

std::string refusal(const std::string& text, int ranks = 4) {
  try {
    (void)program(text, ranks);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(Language, CalculatesAsTheSourcesDo) {
  const std::pair<const char*, const char*> values[] = {
      {"2^3 + 1", "9"},       {"6 ^ 3", "5"},           {"6 XOR 3", "5"},    {"6 & 3", "2"},
      {"(0 - 1) mod 4", "3"}, {"-1 mod 4", "3"},        {"7 / 2", "3"},      {"1 << 4", "16"},
      {"sqrt 17", "4"},       {"log 9", "4"},           {"min(3, 5)", "3"},  {"max(3, 5)", "5"},
      {"5 AND 4 = 4", "1"},   {"1 < 2 and 2 < 1", "0"}, {"not 0 or 0", "1"}, {"2 + 3 * 4", "14"},
      {"rank + p + d", "6"},  {"√16 ≠ 4", "0"},         {"4 OR 1", "5"},     {"12 >> 2", "3"},
  };
  for (const auto& [expression, value] : values)
    EXPECT_THAT(printed(std::string("print(") + expression + ")"), testing::ElementsAre(value)) << expression;
}

TEST(Language, RefusesWhatWouldBeLost) {
  const std::pair<const char*, const char*> texts[] = {
      {"print(1)\nelse print(2)", "line 2, column 1: no 'if' is left for this 'else'"},
      {"if rank = 0 then print(1) else print(2) else print(3)", "no 'if' is left for this 'else'"},
      {"if rank = 0 then print(1)\nelse print(2) else print(3)", "line 2, column 15: no 'if' is left for this 'else'"},
      {"ranks 4; print(1)", "line 1, column 8: ';' follows the number of ranks"},
      {"ranks 4 3\nprint(1)", "'3' follows the number of ranks"},
      {"print(1)\n  /* open\nprint(2)", "line 2, column 3: the comment that begins here has no end"},
      {"computes shift by 1: x -> x\ncomputes broadcast: x -> x\nwait", "stands in an earlier line, too"},
      {"0: send 1 4kib", "line 1, column 11: '4kib' is not a size"},
  };
  for (const auto& [text, words] : texts) EXPECT_THAT(refusal(text), testing::HasSubstr(words)) << text;
  EXPECT_THAT(printed("print(1) # not a comment: /*\nprint(2) /* one */"), testing::ElementsAre("1", "2"));
  EXPECT_THAT(printed("\xEF\xBB\xBFprint(1)"), testing::ElementsAre("1"));
  EXPECT_THAT(printed("if rank = 1 then print(1) else if rank = 0 then print(2) else print(3)"),
              testing::ElementsAre("2"));
}

TEST(Language, RefusesWhatIsNestedTooDeep) {
  const auto many = [](int times, const std::string& words) {
    std::string text;
    for (int k = 0; k < times; ++k) text += words;
    return text;
  };
  EXPECT_THAT(printed("print(" + many(90, "(") + "1" + many(90, ")") + ")"), testing::ElementsAre("1"));
  for (const char* words : {"(", "-", "not "})
    EXPECT_THAT(refusal("x := " + many(100000, words) + "1"), testing::HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(refusal("x := 1" + many(100000, "+1")), testing::HasSubstr("more than 1000 operators"));
  EXPECT_THAT(refusal(many(100000, "if 1 then ") + "print(1)"), testing::HasSubstr("nested more than 100 deep"));
}

// A variable is one buffer, whatever it holds: a message reads it until the wait.
TEST(Language, RefusesWritesToWhatIsBeingSent) {
  const std::string shift = "computes shift by 1: x -> y\nsendAsync(x -> (rank + 1) mod p)\n";
  const std::string receive = "recvAsync(y <- (rank - 1 + p) mod p)\nwait(*)";
  EXPECT_FALSE(failure_of(program(shift + receive)));
  for (const char* write : {"clear x\n", "x := 1\n", "recvAsync(x <- (rank - 1 + p) mod p)\n"}) {
    const auto failure = failure_of(program(shift + write + receive));
    ASSERT_TRUE(failure) << write;
    EXPECT_EQ(failure->kind, ProofFailure::Kind::conflict) << write;
    EXPECT_THAT(failure->reason, testing::HasSubstr("x, which a message reads until the wait")) << write;
  }
}

TEST(Language, LoopsAndBranches) {
  EXPECT_THAT(printed("for i := 1 to 3 do print(i)"), testing::ElementsAre("1", "2", "3"));
  EXPECT_THAT(printed("for i := 3 downto 2 do print i"), testing::ElementsAre("3", "2"));
  EXPECT_THAT(printed("for i in [1, 3) do print(i)"), testing::ElementsAre("1", "2"));
  EXPECT_THAT(printed("for i in [1, 3] do print(i)"), testing::ElementsAre("1", "2", "3"));
  EXPECT_THAT(printed("for i in 1..2 do print(i)"), testing::ElementsAre("1", "2"));
  EXPECT_THAT(printed("for i <> 2 do print(i)"), testing::ElementsAre("0", "1", "3"));
  EXPECT_THAT(printed("for k = 1; k < 9; k <<= 1 do print(k)"), testing::ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(printed("x := 0\nwhile x < 2 do\n  x += 1\n  print(x)"), testing::ElementsAre("1", "2"));
  EXPECT_THAT(printed("x := 1\nrepeat 3 times x := x + x; print(x)"), testing::ElementsAre("2", "4", "8"));
  EXPECT_THAT(printed("while 1 do\n  if rank = 0 then break\n  else break\nprint(7)"), testing::ElementsAre("7"));
  EXPECT_THAT(printed("x := 2\nif x = 1 then\n  print(1)\nelse if x = 2 then\n  print(2)\nelse\n  print(3)"),
              testing::ElementsAre("2"));
  EXPECT_THAT(printed("if 0 then print(1) else print(2)"), testing::ElementsAre("2"));
  EXPECT_THAT(printed("begin\nprint(1)\nendfor\n# nothing\nprint(2) /* or\n little */\nend"),
              testing::ElementsAre("1", "2"));
  EXPECT_THAT(printed("A[2] := 5\nprint(A[1 + 1])"), testing::ElementsAre("5"));
}

TEST(Language, SaysWhatRanksOfAPrefixDo) {
  const UserProgram told = program("all: x := 0\n1..2: x := 1\nodd:\n  x := x + 2\n0,3: x := x + 4\nprint(x)\nwait");
  EXPECT_THAT(told.trace.printed.front().values, testing::ElementsAre("4", "3", "1", "6"));
}

TEST(Language, MessagesWithoutDataMayHavePeersThatAreComputed) {
  const Traffic traffic =
      traffic_of(program("for i := 0 to d - 1 do\n  send rank XOR 2^i 4KiB; receive rank XOR 2^i; wait", 8).schedule);
  EXPECT_EQ(traffic.messages, 24);
  EXPECT_EQ(traffic.elements, 24 * 4096);
  EXPECT_EQ(traffic.rounds, 3);
}

const std::string exchange = "computes all-reduce: x -> x\nsendAsync(x -> 1 - rank)\nrecvAsync(y <- 1 - rank)\n";

TEST(Language, ProvesWhatIsComputed) {
  const std::string sum = exchange + "wait(*)\nif rank = 0 then x := x + y\nelse x := y + x\n";
  const UserProgram right = program("values 6 2\n" + sum + "x := x / p", 2);
  EXPECT_FALSE(failure_of(right));
  EXPECT_THAT(right.trace.outcome, testing::Each("4"));
  EXPECT_EQ(right.schedule.problem.collective, Collective::all_reduce);
  EXPECT_THAT(program(sum, 2).trace.outcome, testing::Each("x0 + x1"));
  const auto forgotten = failure_of(program(exchange + "wait(*)", 2));
  ASSERT_TRUE(forgotten);
  EXPECT_EQ(forgotten->kind, Kind::wrong_result);
}

TEST(Language, NamesTheLineWhereARunGoesWrong) {
  const auto reason = [](const std::string& text, int ranks = 2) {
    const auto failure = failure_of(program(text, ranks));
    return failure ? failure->reason : "right";
  };
  EXPECT_THAT(reason(exchange + "x := x + y\nwait(*)"), HasSubstr("line 4: reads y, for which a message is under way"));
  EXPECT_THAT(reason(exchange + "y := x\nwait(*)"), HasSubstr("line 4: writes y, for which a message is under way"));
  EXPECT_THAT(reason("computes broadcast from 0: X -> X\nif rank = 1 then send X to 0\nelse receive X from 1"),
              HasSubstr("line 2: reads X, which nothing has filled"));
  EXPECT_THAT(reason("computes all-to-all: S -> R\nR[0] := S[5]"), HasSubstr("line 2: reads S[5]"));
  EXPECT_THAT(reason("computes broadcast from 0: X -> X\nif rank = 0 then send X to p"),
              HasSubstr("line 2: 'send X to p' is to rank 2, and there are ranks 0 to 1"));
}

// A send that is under way reads what the program then writes: the proof finds that, as in any schedule.
TEST(Language, WritesOfWhatIsSentAreConflicts) {
  const auto failure = failure_of(
      program("computes all-reduce: x -> x\ny := x\nsendAsync(y -> 1 - rank)\ny := x\nrecvAsync(z <- 1 - rank)\n"
              "wait(*)\nx := x + z",
              2));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::conflict);
}

TEST(Language, SendsThatAllRanksBeginWithAreACircleWithItsLines) {
  const UserProgram told =
      program("computes shift by 1: x -> y\nsend x to (rank + 1) mod p\nreceive y from (rank - 1) mod p", 3);
  const auto failure = failure_of(told);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::deadlock);
  EXPECT_THAT(failure->cycle, testing::SizeIs(3));
  EXPECT_EQ(told.trace.lines.at(0).at(0), 2);
}

// A rank that waits for what is sent only after it has gone on.
TEST(Language, ReceivesThatAllRanksBeginWithAreACircle) {
  const auto failure = failure_of(
      program("computes shift by 1: x -> y\nreceive y from (rank - 1) mod p\nsend x to (rank + 1) mod p", 3));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::deadlock);
}

TEST(Language, RefusesWhatCannotBeReadWithLineAndColumn) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"for i := 1 to 3 do", "text, line 1, column 1: nothing is indented below"},
      {"wait\n  wait", "line 2, column 3: the line is indented deeper"},
      {"  wait\nwait", "line 2, column 1: the line is indented less"},
      {"x := (1 + 2", "line 1, column 12: 'the end of the line' stands after the expression in brackets, where ')'"},
      {"x := 1 $ 2", "line 1, column 8: '$' begins nothing that a program has"},
      {"print(x)", "line 1, column 7: x has no value here; give it one"},
      {"x := 1 / 0", "line 1, column 8: no quotient comes of 1 and 0"},
      {"while 1 do x := 1", "statements and to no end; mend the loop"},
      {"break", "line 1, column 1: no loop is around 'break'"},
      {"send X to 1", "line 1, column 1: variables are sent, and no line says what is computed"},
      {"computes all-gather: x -> y\nsend 1", "line 2, column 1: the message carries no variable"},
      {"computes allgater: x -> y\nwait", "line 1, column 10: there is no collective 'allgater'"},
      {"computes all-gather: x -> y\nif x then wait", "data stands where a number belongs"},
      {"computes all-reduce: x -> y\ny := x + x * x", "another operator combined data before"},
      {"computes all-reduce: x -> y\ny := x + 1", "data and a number do not combine"},
      {"computes all-gather: x -> y\ny := x union x", "block [0] is in both sets"},
      {"needs 3 ranks\nwait", "'3 ranks' is no need; write 'needs 2^d ranks'"},
      {"x := 'a", "the text that begins here has no end"},
      {"compute -1", "'compute' takes a number from 0, not -1"},
      {"wait wait", "line 1, column 6: 'wait' follows what is said; put ';'"},
  };
  for (const auto& [text, answer] : mistakes) EXPECT_THAT(refusal(text), HasSubstr(answer)) << text;
}

}  // namespace
}  // namespace tutti
