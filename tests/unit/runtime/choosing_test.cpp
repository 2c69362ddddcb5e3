/// @file
/// Ranks choose alike, whatever each of them sees by itself: its cores, its environment.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text/short_file.hpp"
#include "predict/profile/stored_profile.hpp"
#include "support/launchers.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Returns the output of ranks that run `script`, a shell's, and then choosing_ranks.cpp's `scenario`. The script finds
/// the rank's number in RANK_HERE.
Ran run_by(const Launcher& launcher, const std::string& ranks, const std::string& script, const std::string& scenario) {
  std::vector<std::string> words(launcher.command.begin() + 1, launcher.command.end());
  words.insert(words.end(),
               {"-n", ranks, "/bin/sh", "-c",
                "export RANK_HERE=${TUTTI_RANK:-${OMPI_COMM_WORLD_RANK:-$PMI_RANK}}; " + script + " exec \"$0\" \"$1\"",
                TUTTI_CHOOSING_RANKS, scenario});
  return run_command(launcher.command.front(), words);
}

/// Runs all kinds of processes.
template <typename See>
void each_launcher(const std::string& ranks, const std::string& script, const std::string& scenario, See&& see) {
  for (const Launcher& launcher : launchers_in(TUTTI_LAUNCHERS)) {
    SCOPED_TRACE(launcher.name);
    see(run_by(launcher, ranks, script, scenario));
  }
}

TEST(Choosing, DoesNotDependOnTheCoresOfOneRank) {
  each_launcher("4", "", "choices", [](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out,
                AllOf(HasSubstr("rank 0: as rank 0"), HasSubstr("rank 3: as rank 0"), Not(HasSubstr("other choices"))));
  });
}

TEST(Choosing, GoesByTheCostsOfWhatConnectsTheRanks) {
  const auto explained = [](const std::string& heap) {
    const Ran ran = run_command(TUTTI_COMMAND, {"run", "--heap", heap, "-n", "2", TUTTI_CHOOSING_RANKS, "algorithm"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out;
  };
  EXPECT_THAT(explained("off"), HasSubstr("; system-copies on "));
  EXPECT_THAT(explained("on"), HasSubstr(std::string("; ") + processes_here + " on "));
}

// One machine stands for several nodes.
TEST(Nodes, AreThoseThatTheEnvironmentNames) {
  each_launcher("5", "export TUTTI_NODE=$((RANK_HERE % 2));", "node", [](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("rank 0: 0 2 4"), HasSubstr("rank 1: 1 3"), HasSubstr("rank 2: 0 2 4"),
                               HasSubstr("rank 3: 1 3"), HasSubstr("rank 4: 0 2 4")));
  });
}

/// Matches the sentence about environments that differ: what one rank has, and what others of three have. A rank that
/// comes late need not be told of, and of two that have come either may be named first.
auto tells_of(const std::string& call, const std::string& one, const std::string& has, const std::string& others_have) {
  const std::string with = " (called " + call + " )?with ";
  return AllOf(ContainsRegex("rank " + one + with + has), ContainsRegex("ranks? [0-2](, [0-2])?" + with + others_have),
               HasSubstr("; set it alike for all ranks (call 1)"));
}

TEST(Choosing, EnvironmentsThatDifferAreNamedWithRanksAndValues) {
  struct Case {
    std::string scenario, call, variable, value;
  };
  for (const auto& [scenario, call, variable, value] :
       {Case{"all-reduce", "all_reduce", "TUTTI_ALGORITHM_ALL_REDUCE", "ring"},
        Case{"all-to-all-v", "all_to_all_v", "TUTTI_ALGORITHM_ALL_TO_ALL", "linear"}}) {
    const std::string setting = variable + "=" + value;
    each_launcher("3", "[ $RANK_HERE = 1 ] && export " + setting + ";", scenario, [&](const Ran& ran) {
      EXPECT_NE(ran.status, 0);
      EXPECT_THAT(ran.out, tells_of(call, "1", setting, variable + " not set"));
    });
  }
}

TEST(Choosing, EnvironmentsThatNameDifferentAlgorithmsAreToldSo) {
  each_launcher("3", "export TUTTI_ALGORITHM_ALL_REDUCE=ring; [ $RANK_HERE = 2 ] && TUTTI_ALGORITHM_ALL_REDUCE=flat;",
                "all-reduce", [](const Ran& ran) {
                  EXPECT_NE(ran.status, 0);
                  EXPECT_THAT(ran.out, tells_of("all_reduce", "2", "TUTTI_ALGORITHM_ALL_REDUCE=flat",
                                                "TUTTI_ALGORITHM_ALL_REDUCE=ring"));
                });
}

TEST(Choosing, EnvironmentsThatAreAlikeAreObeyed) {
  each_launcher("3", "export TUTTI_ALGORITHM_ALL_REDUCE=bucket;", "all-reduce", [](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("rank 0: 3"), HasSubstr("rank 1: 3"), HasSubstr("rank 2: 3")));
  });
}

TEST(Choosing, GoesByTheRulesOfRankZeroAlone) {
  const std::string folder = testing::TempDir() + "/tutti-choosing-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/0") << "all-reduce bytes 1000 ranks 3 -> ring\n";
  for (const char* rank : {"/1", "/2"}) std::ofstream(folder + rank) << "all-reduce -> flat\n";
  each_launcher("3", "export TUTTI_RULES=" + folder + "/$RANK_HERE;", "algorithm", [&](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("rank 0: ring\n"), HasSubstr("rank 1: ring\n"), HasSubstr("rank 2: ring\n")));
    EXPECT_THAT(ran.out, HasSubstr("ring is what line 1 of " + folder + "/0 names"));
  });
  std::ofstream(folder + "/0") << "all-reduce -> rign\n";
  each_launcher("3", "export TUTTI_RULES=" + folder + "/$RANK_HERE;", "algorithm", [&](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err,
                HasSubstr("tutti: TUTTI_RULES=" + folder + "/0:1: there is no algorithm 'rign' for all-reduce"));
  });
  std::filesystem::remove_all(folder);
}

/// An estimate of all ranks goes by the winner that rank 0 knows, whoever that is: here it is another one than the
/// trial has found, and than any model would choose.
void expect_estimate_goes_by(const Launcher& launcher, const std::string& file) {
  StoredProfile profile = parse_profile(short_file(file), file);
  ASSERT_EQ(profile.wisdom.size(), 1u);
  profile.wisdom[0].algorithm = "reduce-broadcast";
  std::ofstream(file) << text_of(profile);
  const std::string script =
      "[ $RANK_HERE = 0 ] && export TUTTI_PLAN=estimate TUTTI_EXPLAIN=1 TUTTI_PROFILE=" + file + ";";
  const Ran ran = run_by(launcher, "3", script, "trial");
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const std::string& text : {ran.out, ran.err})
    EXPECT_THAT(text, HasSubstr("reduce-broadcast was found to be the fastest in an earlier run on this machine."));
  for (const char* rank : {"0", "1", "2"})
    EXPECT_THAT(ran.out, HasSubstr(std::string("rank ") + rank + " goes by reduce-broadcast\n"));
}

TEST(Choosing, AWinnerIsKeptForLaterRuns) {
  const std::string file = testing::TempDir() + "/tutti-wisdom-" + std::to_string(getpid()) + ".json";
  // The other ranks' environment is not asked.
  const std::string script =
      "[ $RANK_HERE = 0 ] && export TUTTI_PLAN=measure TUTTI_EXPLAIN=1 TUTTI_PROFILE=" + file + ";";
  for (const Launcher& launcher : launchers_in(TUTTI_LAUNCHERS)) {
    SCOPED_TRACE(launcher.name);
    const Ran first = run_by(launcher, "3", script, "trial");
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("Measured on the program's own buffers"));
    EXPECT_THAT(first.out, HasSubstr("Later runs find it in " + file));
    EXPECT_THAT(first.err, HasSubstr("Later runs find it in " + file));
    const Ran second = run_by(launcher, "3", script, "trial");
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_THAT(second.out, HasSubstr("was found to be the fastest in an earlier run on this machine."));
    EXPECT_THAT(second.err, Not(HasSubstr("Measured on")));
    expect_estimate_goes_by(launcher, file);
    std::filesystem::remove(file);
    std::filesystem::remove(file + ".lock");
  }
}

/// Messages that tutti sends by itself before the elements take no algorithm from the environment, in which ranks may
/// differ.
TEST(Choosing, CountsTravelWhateverTheEnvironmentNamesForTheirCollective) {
  each_launcher("3",
                "export TUTTI_ALGORITHM_ALL_TO_ALL=bruck; [ $RANK_HERE = 1 ] && export "
                "TUTTI_ALGORITHM_ALL_GATHER=linear || export "
                "TUTTI_ALGORITHM_ALL_GATHER=ring;",
                "all-to-all-v", [](const Ran& ran) {
                  EXPECT_EQ(ran.status, 0) << ran.err;
                  EXPECT_THAT(ran.out, AllOf(HasSubstr("rank 0: 3"), HasSubstr("rank 1: 3"), HasSubstr("rank 2: 3")));
                });
}

}  // namespace
}  // namespace tutti::test
