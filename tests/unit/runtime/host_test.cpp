/// @file
/// Ranks that an mpirun has started: those of one node share memory where all can, and send messages of MPI elsewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/launchers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Host : public ::testing::TestWithParam<Launcher> {
 protected:
  /// Returns the output of three ranks that run `script`, a shell's, and then scale_ranks.cpp. The script finds the
  /// rank's number in RANK_HERE.
  static Ran ranks_after(const std::string& script) {
    std::vector<std::string> words(GetParam().command.begin() + 1, GetParam().command.end());
    words.insert(words.end(), {"-n", "3", "/bin/sh", "-c",
                               "export RANK_HERE=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + script + " exec \"$0\"",
                               TUTTI_SCALE_RANKS});
    return run_command(GetParam().command.front(), words);
  }

  static void expect_messages(const std::string& script) {
    const Ran ran = ranks_after(script);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("split "));
    EXPECT_THAT(ran.out, Not(HasSubstr("memfd:tutti (deleted)")));
  }
};

TEST_P(Host, SharesMemory) {
  const Ran ran = ranks_after("");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("file /memfd:tutti (deleted)\n"));
}

// Slurm's srun and PRRTE's prterun tell a process no more than PMIx's own variables.
TEST_P(Host, OfALauncherThatKnowsPmixAloneSharesMemory) {
  if (GetParam().name != "openmpi_host") GTEST_SKIP() << "PMIx is Open MPI's";
  const Ran ran = ranks_after("unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_LOCAL_SIZE;");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("file /memfd:tutti (deleted)\n"));
}

TEST_P(Host, SendsMessagesWhereOneRankMayNotShare) {
  expect_messages("[ $RANK_HERE = 1 ] && export TUTTI_SHARED_MEMORY=0;");
}

TEST_P(Host, BesideOthersSharesMemory) {
  for (const char* other : {"0", "1", "2"}) {
    const Ran ran = ranks_after("[ $RANK_HERE = " + std::string(other) + " ] && export TUTTI_NODE=other;");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("file /memfd:tutti (deleted)\n"));
  }
}

TEST_P(Host, BesideOneThatCannotSendsMessages) {
  expect_messages("[ $RANK_HERE = 2 ] && export TUTTI_NODE=other; [ $RANK_HERE = 1 ] && export TUTTI_SHARED_MEMORY=0;");
}

TEST_P(Host, OfOneRankEachSendsMessages) { expect_messages("export TUTTI_NODE=$RANK_HERE;"); }

// All ranks find the same, and one says so.
TEST_P(Host, IsToldOnceOfASettingThatMeansNothing) {
  const std::pair<const char*, const char*> settings[] = {
      {"TUTTI_SHARED_MEMORY=yes", "TUTTI_SHARED_MEMORY is 'yes': 0 has ranks of one host send messages of MPI"},
      {"TUTTI_TIMEOUT=never", "TUTTI_TIMEOUT is a number of seconds above 0, such as 30, not \"never\""},
      {"TUTTI_PLAN=perhaps", "TUTTI_PLAN is 'perhaps', which is no way to plan"},
  };
  for (const auto& [setting, sentence] : settings) {
    const Ran ran = ranks_after(std::string("export ") + setting + ";");
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, HasSubstr(sentence));
    EXPECT_EQ(ran.err.find(sentence), ran.err.rfind(sentence)) << ran.err;
  }
}

// When all have been started: Open MPI's mpirun may wait for ever where one ends while it starts others.
TEST_P(Host, LosesARankToMpirun) {
  const Ran ran = ranks_after("[ $RANK_HERE = 1 ] && sleep 1 && kill -KILL $$;");
  EXPECT_NE(ran.status, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, Host, ::testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace tutti::test
