/// @file
/// The example programs as a user runs them: each checks itself and says so by its exit status.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/command.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

Ran example(const std::string& line) {
  std::vector<std::string> words = words_of(line);
  const std::string program = std::string(TUTTI_EXAMPLES) + "/example_" + words.front();
  words.erase(words.begin());
  return run_command(program, words);
}

class Succeeds : public testing::TestWithParam<const char*> {};

TEST_P(Succeeds, AndSaysSo) {
  const Ran ran = example(GetParam());
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    MatrixVector, Succeeds,
    testing::Values("matrix_vector", "matrix_vector --rows 1 --columns 1", "matrix_vector --rows 1 --columns 2 --n 101",
                    "matrix_vector --rows 3 --columns 1 --n 101", "matrix_vector --rows 2 --columns 2 --n 101",
                    "matrix_vector --rows 1 --columns 5 --n 101", "matrix_vector --rows 5 --columns 1 --n 101",
                    "matrix_vector --rows 2 --columns 3 --n 101", "matrix_vector --rows 3 --columns 2 --n 7",
                    "matrix_vector --rows 3 --columns 3 --n 2", "matrix_vector --rows 2 --columns 2 --n 0"));
INSTANTIATE_TEST_SUITE_P(
    Transpose, Succeeds,
    testing::Values("transpose", "transpose --ranks 1", "transpose --ranks 2 --rows 64 --columns 32",
                    "transpose --ranks 3 --rows 64 --columns 32", "transpose --ranks 3 --rows 9 --columns 6",
                    "transpose --ranks 4 --rows 63 --columns 33", "transpose --ranks 5 --rows 3 --columns 7",
                    "transpose --ranks 5 --rows 0 --columns 7"));
INSTANTIATE_TEST_SUITE_P(Train, Succeeds,
                         testing::Values("train --ranks 1", "train --ranks 2 --epochs 10",
                                         "train --ranks 3 --epochs 10 --batch 50",
                                         "train --ranks 5 --epochs 10 --seed 3"));

INSTANTIATE_TEST_SUITE_P(Reproducible, Succeeds, testing::Values("reproducible"));

#ifdef TUTTI_OWN_ALGORITHM
TEST(OwnAlgorithm, IsProvedPricedDrawnAndRun) {
  const Ran ran = test::run_command(TUTTI_OWN_ALGORITHM, {});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("proved for 1 to 12 ranks: yes"));
  EXPECT_THAT(ran.out, HasSubstr("there-and-back"));
  EXPECT_THAT(ran.out, HasSubstr("the sum is 10"));
}
#endif

TEST(Hello, PrintsOneLine) { EXPECT_EQ(example("hello").out, "4 ranks: the sums are 6, 60 and 4, the scale is 0.5\n"); }

TEST(Train, KeepsItsPromisesOnFourRanks) {
  const Ran ran = example("train --ranks 4");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("epoch  30 of 30"));
  EXPECT_THAT(ran.out, HasSubstr("rank   computing   communicating"));
  EXPECT_THAT(ran.out, HasSubstr("ok      accuracy: 9"));
  EXPECT_THAT(ran.out, HasSubstr("ok      weights: the same bits on 4 ranks after 690 of 690 steps"));
  EXPECT_THAT(ran.out, HasSubstr("ok      losses: within"));
  EXPECT_LE(std::count(ran.out.begin(), ran.out.end(), '\n'), 20) << "little is printed where no terminal is";
}

TEST(Train, ABrokenPromiseIsStatusOne) {
  const Ran ran = example("train --ranks 2 --epochs 1 --batch 1438");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("BROKEN  accuracy"));
  EXPECT_THAT(ran.out, HasSubstr("ok      weights"));
}

TEST(Train, SavesTheLossCurve) {
  const std::string path = testing::TempDir() + "loss_curve.csv";
  ASSERT_EQ(example("train --ranks 2 --epochs 10 --loss-curve " + path).status, 0);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(line, "step,loss,loss_of_one_rank");
  int steps = 0;
  for (; std::getline(file, line); ++steps) {
    std::istringstream fields(line);
    int step = 0;
    double loss = 0;
    double reference = -1;
    char comma = ' ';
    fields >> step >> comma >> loss >> comma >> reference;
    EXPECT_EQ(step, steps + 1);
    EXPECT_NEAR(loss, reference, 1e-4);
  }
  EXPECT_EQ(steps, 230);
  std::filesystem::remove(path);
}

TEST(Train, NamesTheProofsThatItRestsOn) {
  const Ran ran = example("train --ranks 6 --proofs");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("all-reduce --algorithm ring --ranks 6 --count 4811\n"));
  EXPECT_THAT(ran.out, HasSubstr("broadcast --algorithm binomial --ranks 6 --count 1797\n"));
}

/// Environment of an mpirun for a program, while it lives.
class Environment {
 public:
  explicit Environment(std::vector<std::pair<const char*, std::string>> variables) : variables_(std::move(variables)) {
    for (const auto& [name, value] : variables_) setenv(name, value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : variables_) unsetenv(name);
  }

 private:
  std::vector<std::pair<const char*, std::string>> variables_;
};

/// Returns the complaint of a program that MPICH's mpirun starts, with that path as tutti's library for MPICH.
std::string complaint_about(const std::string& library) {
  const Environment environment({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}, {"TUTTI_MPI_LIBRARY", library}});
  const Ran ran = example("transpose");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  return ran.err;
}

TEST(UnderMpi, ALibraryThatCannotBeUsedIsNamed) {
  const std::string remedy = ": set TUTTI_MPI_LIBRARY to the path of libtutti_mpi_mpich.so, or not at all\n";
  EXPECT_THAT(complaint_about("/no/such/library.so"),
              AllOf(HasSubstr("/no/such/library.so cannot be loaded"), EndsWith(remedy)));
  EXPECT_THAT(complaint_about(TUTTI_EXAMPLES "/example_hello"),
              AllOf(HasSubstr("example_hello cannot be loaded"), EndsWith(remedy)));
  EXPECT_THAT(complaint_about("libz.so.1"), EndsWith("libz.so.1 is no library of tutti for an MPI" + remedy));
}

#ifdef TUTTI_OPENMPI_PLUGIN
TEST(UnderMpi, ALibraryForAnotherMpiIsNamed) {
  EXPECT_THAT(complaint_about(TUTTI_OPENMPI_PLUGIN),
              AllOf(HasSubstr("is for openmpi"), HasSubstr("but MPICH started")));
}
#endif

struct Mistake {
  const char* line;
  const char* answer;  // part of the expected sentence
};

void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.line; }

class BadInput : public testing::TestWithParam<Mistake> {};

TEST_P(BadInput, GetsOneLineAndStatusTwo) {
  const Ran ran = example(GetParam().line);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(Examples, BadInput,
                         testing::Values(Mistake{"train --ranks 0", "--ranks"}, Mistake{"train --ranks two", "--ranks"},
                                         Mistake{"train --epochs -1", "--epochs"},
                                         Mistake{"train --epoch 3", "--epoch"},
                                         Mistake{"train --data /no/such/file", "/no/such/file: cannot be read"},
                                         Mistake{"train --data " TUTTI_EXAMPLES "/example_hello",
                                                 "example_hello:1: expected 64 grey values"},
                                         Mistake{"train --loss-curve /no/such/folder/curve", "cannot be written"},
                                         Mistake{"train --seed -1", "--seed"}, Mistake{"train spare", "spare"},
                                         Mistake{"matrix_vector --rows 0", "--rows"},
                                         Mistake{"matrix_vector --n -1", "--n"},
                                         Mistake{"transpose --columns x", "--columns"}));

}  // namespace
}  // namespace tutti::test
