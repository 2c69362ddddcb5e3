/// @file
/// `tutti exercise`: its list, answers, progress, page and JSON.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "exercises/exercises.hpp"
#include "support/command_json.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A home of its own, so that nobody's progress is touched.
class ExerciseCommand : public testing::Test {
 protected:
  ExerciseCommand() { setenv("XDG_DATA_HOME", folder_.c_str(), 1); }
  ~ExerciseCommand() override {
    unsetenv("XDG_DATA_HOME");
    fs::remove_all(folder_);
  }

  static Ran answer(const std::string& number, const std::string& text) {
    return run_command(TUTTI_COMMAND, {"exercise", number, "--answer", text});
  }
  static std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_ = fs::temp_directory_path() / ("tutti-exercise-" + std::to_string(::getpid()));
};

TEST_F(ExerciseCommand, ListsAllByChapter) {
  const Ran all = tutti("exercise");
  for (const exercises::Chapter& chapter : exercises::chapters()) {
    EXPECT_THAT(all.out, HasSubstr(chapter.title));
    for (const auto& exercise : chapter.exercises) EXPECT_THAT(all.out, HasSubstr("\n" + exercise.number + " "));
  }
  EXPECT_THAT(tutti("exercise 4").out, testing::AllOf(HasSubstr("\n4.1 "), Not(HasSubstr("\n5.1 "))));
}

TEST_F(ExerciseCommand, KeepsWhatWasAnswered) {
  EXPECT_EQ(answer("1.4", "2us").status, 1);
  EXPECT_THAT(tutti("exercise 1").out, HasSubstr("1 try"));
  EXPECT_EQ(answer("1.4", "2.024 us").status, 0);
  EXPECT_EQ(answer("1.4", "7us").status, 1);
  EXPECT_THAT(tutti("exercise 1").out, testing::AllOf(HasSubstr("solved\n"), HasSubstr("1 of 9 solved")));
  EXPECT_EQ(content_of(folder_ / "tutti" / "exercises"), "1.4 solved 2\n");
}

TEST_F(ExerciseCommand, AnswersWhereNothingCanBeKept) {
  setenv("XDG_DATA_HOME", "/proc/nowhere", 1);
  const Ran ran = answer("1.4", "2.024us");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::AllOf(HasSubstr("1.4: right"), HasSubstr("progress is not kept")));
}

TEST_F(ExerciseCommand, TakesAnAnswerFromAFile) {
  fs::create_directories(folder_);
  const std::string file = folder_ / "program.txt";
  std::ofstream(file) << "0: send 1; wait; receive 1\n1: receive 0; wait; send 0\n";
  EXPECT_EQ(answer("3.3", file).status, 0);
  std::ofstream(file) << "0: send 1; wait; receive 1\n1: send 0; wait; receive 0\n";
  const Ran wrong = answer("3.3", file);
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, testing::AllOf(HasSubstr("3.3: not right: "), HasSubstr("waits")));
  for (const char* end : {"\n", " \t\r\n\n"}) {
    std::ofstream(file) << "6" << end;
    EXPECT_EQ(answer("2.5", file).status, 0) << end;
  }
}

TEST_F(ExerciseCommand, ShowsQuestionsWithoutTheirAnswers) {
  EXPECT_THAT(tutti("exercise 4.5").out,
              testing::AllOf(HasSubstr("On a hypercube (formula)"), HasSubstr("p (a power of two)"),
                             HasSubstr("tutti exercise 4.5 --answer TEXT"), Not(HasSubstr("(ts + tw m) log2 p"))));
  EXPECT_THAT(tutti("exercise 4.5 --solution").out, HasSubstr("(ts + tw m) log2 p"));
  EXPECT_THAT(tutti("exercise 4.9").out, testing::AllOf(HasSubstr("every rank has what rank 0 had"),
                                                        HasSubstr("at most 3us"), HasSubstr("  0: send 4; wait")));
}

TEST_F(ExerciseCommand, PrintsJson) {
  const Json all = json("exercise --json");
  EXPECT_EQ(all.size(), exercises::chapters().size());
  EXPECT_FALSE(all[0]["exercises"][0].contains("answer"));
  EXPECT_EQ(json("exercise 1.1 --json --solution")["answer"], "1.4e6");
  const Json checked = json("exercise 1.1 --answer 14000 --json", 1);
  EXPECT_FALSE(checked["right"]);
  EXPECT_THAT(checked["sentence"].get<std::string>(), HasSubstr("one hundredth of a brain"));
}

TEST_F(ExerciseCommand, WritesATeachersPage) {
  fs::create_directories(folder_);
  const std::string file = folder_ / "all.html";
  EXPECT_EQ(tutti("exercise --export " + file).status, 0);
  const std::string page = content_of(file);
  for (const exercises::Chapter& chapter : exercises::chapters()) {
    for (const auto& exercise : chapter.exercises) EXPECT_THAT(page, HasSubstr("id=\"exercise-" + exercise.number));
  }
  EXPECT_THAT(page,
              testing::AllOf(HasSubstr("Typical mistakes"), HasSubstr("tau &lt;&lt; beta"), HasSubstr("</html>")));
}

TEST_F(ExerciseCommand, RefusesBadUsageInOneLine) {
  for (const char* line :
       {"exercise 77.1", "exercise --answer 5", "exercise 1.1 --answer 5 --solution", "exercise --export page.pdf",
        "exercise 1.1 --seed x", "exercise 4.9 --answer no-such-tree.txt", "exercise --export a.html --json"}) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ": " << ran.err;
  }
}

}  // namespace
}  // namespace tutti::test
