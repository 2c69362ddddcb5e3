/// @file
/// End of a job before its program's: by tutti::finalize(), and with the program's own MPI.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti {
namespace {

using test::Ran;
using testing::HasSubstr;

constexpr int ranks = 3;

/// A way to start ranks, and the program that is started so.
struct Engine {
  std::string name;
  std::string start;  // the words before the program
  std::string program;
  bool has_mpi = false;
};

void PrintTo(const Engine& engine, std::ostream* stream) { *stream << engine.name; }

std::vector<Engine> engines() {
  const std::string n = " -n " + std::to_string(ranks) + " ";
  std::vector<Engine> all = {{"alone", "", TUTTI_FINALIZING_RANKS},
                             {"processes", TUTTI_COMMAND " run" + n, TUTTI_FINALIZING_RANKS}};
  [[maybe_unused]] const auto add_mpi = [&](const std::string& mpi, const std::string& start, const char* program) {
    all.push_back({mpi, "TUTTI_SHARED_MEMORY=0 " + start + n, program, true});
    all.push_back({mpi + "_host", "TUTTI_SHARED_MEMORY=1 " + start + n, program, true});
  };
#ifdef TUTTI_FINALIZING_RANKS_OPENMPI
  add_mpi("openmpi", "mpirun.openmpi --allow-run-as-root --oversubscribe", TUTTI_FINALIZING_RANKS_OPENMPI);
#endif
#ifdef TUTTI_FINALIZING_RANKS_MPICH
  add_mpi("mpich", "mpirun.mpich", TUTTI_FINALIZING_RANKS_MPICH);
#endif
  return all;
}

class Finalize : public testing::TestWithParam<Engine> {
 protected:
  Ran end_by(const std::string& way) const {
    return test::run_command("/usr/bin/env", test::words_of(GetParam().start + " " + GetParam().program + " " + way));
  }

  void SetUp() override {
    if (!GetParam().has_mpi) return;
    const std::string mpirun = test::words_of(GetParam().start).at(1);
    if (test::run_command("/usr/bin/which", {mpirun}).status != 0) GTEST_SKIP() << "there is no " << mpirun;
  }

  /// Every rank comes to its end, and finds what it expects.
  void expect_success(const std::string& way) const {
    const Ran ran = end_by(way);
    EXPECT_EQ(ran.status, 0) << way << ": " << ran.out << ran.err;
    EXPECT_EQ(times_as_expected(ran), GetParam().name == "alone" ? 1 : ranks) << way << ": " << ran.out << ran.err;
    EXPECT_EQ(ran.err, "") << way;
  }

  static int times_as_expected(const Ran& ran) {
    int times = 0;
    const std::string words = "as expected";
    for (std::size_t at = ran.out.find(words); at != std::string::npos; at = ran.out.find(words, at + 1)) ++times;
    return times;
  }

  /// A program that may start MPI itself does; in the last of the ways tutti does.
  std::vector<std::string> levels() const {
    if (!GetParam().has_mpi) return {""};
    return {"plain", "single", "funneled", "serialized", "multiple"};
  }
};

TEST_P(Finalize, TheJobEndsBeforeTheProgram) {
  for (const char* const way : {"finalized", "kept", "early", "alone", "outstanding"})
    expect_success(std::string(way) + (GetParam().has_mpi ? " plain" : ""));
}

TEST_P(Finalize, AnyLevelOfThreadsWillDo) {
  for (const std::string& level : levels()) expect_success("used " + level);
}

TEST_P(Finalize, AProgramMayNotUseTheWorld) {
  expect_success(GetParam().has_mpi ? "unused plain" : "unused");
  expect_success(GetParam().has_mpi ? "finalized_unused plain" : "finalized_unused");
}

TEST_P(Finalize, AProgramMayEndTheMpiThatTuttiStarted) {
  if (GetParam().has_mpi) expect_success("used");
}

TEST_P(Finalize, AnErrorThatNobodyCatchesIsTold) {
  const Ran ran = end_by(GetParam().has_mpi ? "outstanding_untold plain" : "outstanding_untold");
  if (GetParam().name == "alone") return;  // one rank's barrier is done at once
  EXPECT_NE(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("without waiting for its barrier"));
}

INSTANTIATE_TEST_SUITE_P(Engines, Finalize, testing::ValuesIn(engines()),
                         [](const testing::TestParamInfo<Engine>& engine) { return engine.param.name; });

}  // namespace
}  // namespace tutti
