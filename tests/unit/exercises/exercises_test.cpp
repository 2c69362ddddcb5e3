/// @file
/// The course: every exercise's solution is accepted, and what is typically wrong is refused with a sentence on why.

#include "exercises/exercises.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "exercises/chapter_reader.hpp"
#include "exercises/checking.hpp"
#include "exercises/knowledge.hpp"
#include "tutti/error.hpp"

namespace tutti::exercises {
namespace {

std::vector<const Exercise*> all_exercises() {
  std::vector<const Exercise*> all;
  for (const Chapter& chapter : chapters()) {
    for (const Exercise& exercise : chapter.exercises) all.push_back(&exercise);
  }
  return all;
}

Exercise made(std::string_view text) { return read_chapter(text, 1).exercises.front(); }

TEST(Course, HasEightyExercisesOfEveryKind) {
  std::map<ExerciseKind, int> kinds;
  std::set<std::string> titles;
  for (const Exercise* exercise : all_exercises()) {
    ++kinds[exercise->kind];
    EXPECT_EQ(find_exercise(exercise->number), exercise);
  }
  EXPECT_GE(all_exercises().size(), 80U);
  EXPECT_EQ(kinds.size(), 6U);
  for (const auto& [kind, number] : kinds) EXPECT_GE(number, 5) << name_of(kind);
  EXPECT_EQ(find_exercise("99.1"), nullptr);
}

TEST(Course, AcceptsEverySolution) {
  for (const Exercise* exercise : all_exercises()) {
    for (const unsigned seed : {1U, 7U, 20261129U}) {
      const AnswerCheck check = check_answer(*exercise, exercise->answer, seed);
      EXPECT_TRUE(check.is_right) << exercise->number << ": " << check.sentence;
    }
  }
}

// The sentence on a typical mistake is the exercise's own, or has the words that it names.
TEST(Course, RefusesWhatIsTypicallyWrongAndSaysWhy) {
  for (const Exercise* exercise : all_exercises()) {
    EXPECT_GE(wrong_answers(*exercise).size(), 2U) << exercise->number;
    for (const std::string& answer : wrong_answers(*exercise)) {
      const AnswerCheck check = check_answer(*exercise, answer);
      EXPECT_FALSE(check.is_right) << exercise->number << ": " << answer;
      EXPECT_GE(check.sentence.size(), 16U) << exercise->number << ": " << answer;
    }
    for (const TypicalMistake& mistake : exercise->mistakes) {
      EXPECT_FALSE(mistake.sentence.empty()) << exercise->number;
      EXPECT_THAT(check_answer(*exercise, mistake.answer).sentence, testing::HasSubstr(mistake.sentence))
          << exercise->number << ": " << mistake.answer;
    }
  }
}

TEST(Course, LeavesSomethingToDoInEveryProgram) {
  for (const Exercise* exercise : all_exercises()) {
    if (exercise->program.empty()) continue;
    EXPECT_FALSE(check_answer(*exercise, exercise->program).is_right) << exercise->number;
  }
}

TEST(Course, NeverThrowsForWhatCannotBeRead) {
  for (const Exercise* exercise : all_exercises()) {
    for (const char* answer :
         {"", "   ", "???", "((", "tw m +", "0: send", "zz", "1e999", "-1", "99999999999: send 1"}) {
      const AnswerCheck check = check_answer(*exercise, answer);
      EXPECT_FALSE(check.is_right) << exercise->number << ": " << answer;
      EXPECT_FALSE(check.sentence.empty()) << exercise->number << ": " << answer;
    }
  }
}

TEST(FormulaAnswer, IsComparedByValue) {
  const Exercise exercise = made(
      "chapter A\nexercise formula\ntitle T\ntext T\nsolution S\nsymbols ts tw m p=2^\nanswer ts log2 p + tw m (p - "
      "1)\n");
  for (const char* right : {"tw*m*(p-1) + ts*log(p)", "T = t_s log p + t_w m p - tw m", "alpha log2 P + β m (P − 1)",
                            "(p - 1) m tw + lg(p) ts", "αlog p + βm(p - 1)"})
    EXPECT_TRUE(check_answer(exercise, right).is_right) << right << ": " << check_answer(exercise, right).sentence;
  EXPECT_THAT(check_answer(exercise, "ts log2 p + tw m p").sentence,
              testing::AllOf(testing::HasSubstr("the term in tw is wrong: at m = "),
                             testing::HasSubstr("that in ts is right")));
  EXPECT_THAT(check_answer(exercise, "ts log2 p + tw k (p - 1)").sentence, testing::HasSubstr("no symbol 'k'"));
}

TEST(NumberAnswer, IsTakenWithItsUnitAndToItsDigits) {
  const auto number = [](const std::string& fields) {
    return made("chapter A\nexercise number\ntitle T\ntext T\nsolution S\n" + fields);
  };
  const Exercise time = number("unit s\nanswer 2.024us\n");
  for (const char* right : {"2.024us", "2.024 us", "2024ns", "2.024e-6"})
    EXPECT_TRUE(check_answer(time, right).is_right) << right;
  EXPECT_THAT(check_answer(time, "4.048us").sentence, testing::HasSubstr("twice as large"));
  EXPECT_THAT(check_answer(time, "2.024ns").sentence, testing::HasSubstr("look at the units"));
  const Exercise rough = number("digits 2\nanswer 1.4e6\n");
  for (const char* right : {"1,400,000", "1396983", "1.4e6", "10^13 * 24 * 100 / 2^34"})
    EXPECT_TRUE(check_answer(rough, right).is_right) << right;
  EXPECT_FALSE(check_answer(rough, "1.5e6").is_right);
  for (const char* comma : {"1,4e6", "1,95", "1,4000"})
    EXPECT_THAT(check_answer(rough, comma).sentence, testing::HasSubstr("a comma parts thousands")) << comma;
  EXPECT_THAT(check_answer(time, "2,02 us").sentence, testing::HasSubstr("a comma parts thousands"));
  const Exercise bytes = number("unit B\nanswer 4KiB\n");
  for (const char* right : {"4096", "4KiB", "4 KiB", "4,096B", "4096 bytes", "min(4096, 5000)"})
    EXPECT_TRUE(check_answer(bytes, right).is_right) << right;
}

TEST(ChoiceAnswer, NamesWhatDoesNotHoldAndWhatIsMissing) {
  const Exercise exercise = made(
      "chapter A\nexercise choice\ntitle T\ntext T\nsolution S\nright one\nwhy W1.\noption two\nwhy Not so.\n"
      "right three\nwhy W3.\n");
  EXPECT_EQ(exercise.answer, "a, b") << "turned by two places";
  EXPECT_TRUE(check_answer(exercise, "B a").is_right);
  EXPECT_EQ(check_answer(exercise, "a,c").sentence, "c does not hold: Not so.");
  EXPECT_THAT(check_answer(exercise, "a").sentence, testing::HasSubstr("one of the others does, too"));
  EXPECT_THAT(check_answer(exercise, "d").sentence, testing::HasSubstr("from a to c"));
}

// A message carries what its sender had when its step began.
TEST(ProgramAnswer, PassesOnWhatHasComeInEarlierSteps) {
  const auto goal = [](const std::string& words, const std::string& program) {
    Exercise exercise = made("chapter A\nexercise program\ntitle T\ntext T\nsolution S\nranks 3\ngoal " + words +
                             "\nanswer\n  all: wait\n");
    return check_answer(exercise, program).sentence;
  };
  EXPECT_EQ(goal("broadcast 0", "0: send 1\n1: receive 0; wait; send 2\n2: receive 1"), "");
  EXPECT_EQ(goal("broadcast 0", "0: send 1\n1: receive 0; send 2\n2: receive 1"), "rank 2 never gets what rank 0 had");
  EXPECT_EQ(goal("all-reduce", "all: send +1; receive -1; send +2; receive -2"), "");
  EXPECT_THAT(goal("reduce 0", "0: receive 1; wait; receive 2\n1: send 0; wait; send 2\n2: receive 1; wait; send 0"),
              testing::HasSubstr("the part of rank 1 more than once"));
  EXPECT_THAT(goal("scan", "all: send +1; receive -1"), testing::HasSubstr("which comes behind it"));
  EXPECT_EQ(goal("shift 1", "all: send +1; receive -1"), "");
  EXPECT_EQ(goal("gather 2", "0..1: send 2\n2: receive 0; receive 1"), "");
  EXPECT_EQ(goal("ends", "all: wait"), "");
}

// Peers that the text names are asked for, step by step.
TEST(ProgramAnswer, SendsToThePeersThatAreNamed) {
  const auto found = [](const std::string& peers, const std::string& program) {
    return check_answer(
        made("chapter A\nexercise program\ntitle T\ntext T\nsolution S\nranks 4\ngoal all-gather\npeers " + peers +
             "\nanswer\n  all: wait\n"),
        program);
  };
  const std::string ring = "all: send +1; receive -1; wait\nall: send +1; receive -1; wait\nall: send +1; receive -1";
  const std::string direct = "all: send +1; receive -1; send +2; receive -2; send +3; receive -3";
  const std::string cube = "even: send +1; receive +1; wait\nodd: send -1; receive -1; wait\nall: send +2; receive -2";
  EXPECT_TRUE(found("+1", ring).is_right);
  EXPECT_TRUE(found("-1 or +1", ring).is_right);
  EXPECT_EQ(found("+1", direct).sentence, "rank 0 sends to rank 2 in its step 1; messages to +1 are asked for");
  EXPECT_TRUE(found("xor 1, xor 2", cube).is_right);
  EXPECT_EQ(found("xor 2, xor 1", cube).sentence,
            "rank 0 sends to rank 1 in its step 1; messages to xor 2 are asked for");
  EXPECT_FALSE(found("xor 1, xor 2", ring).is_right);
}

TEST(ChapterText, IsRefusedWithItsLine) {
  const auto refusal = [](std::string_view text) -> std::string {
    try {
      read_chapter(text, 3);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("chapter A\nexercise riddle\n"), testing::HasSubstr("chapter 3 of the exercises, line 2: "));
  EXPECT_THAT(refusal("chapter A\nexercise number\ntitel T\n"), testing::HasSubstr("line 3: there is no such field"));
  EXPECT_THAT(refusal("chapter A\nexercise number\ntitle T\ntext T\nanswer 1\n"), testing::HasSubstr("3.1 lacks"));
  EXPECT_THAT(refusal("title T\n"), testing::HasSubstr("line 1"));
}

}  // namespace
}  // namespace tutti::exercises
