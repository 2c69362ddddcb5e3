/// @file
/// Environment of MPI programs that nobody has changed: it may differ between ranks, and mean nothing.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Settings : public Unchanged {};

// Rank 0's profile and rules hold for all ranks, and what is wrong with them is said once.
TEST_P(Settings, GoesByProfileAndRules) {
  const std::string rules = testing::TempDir() + "/unchanged-rules-" + std::to_string(getpid());
  std::ofstream(rules) << "all-reduce -> reduce-broadcast\n";
  const Ran ruled =
      run(3, program("conforming") + " 2 6", {"TUTTI_MPI_CHECK=1", "TUTTI_EXPLAIN=1", "TUTTI_RULES=" + rules});
  EXPECT_EQ(ruled.status, 0) << ruled.err;
  EXPECT_THAT(ruled.err, HasSubstr("reduce-broadcast is what line 1 of " + rules + " names"));
  // Values that mean nothing leave others as they are.
  const Ran unplanned = run(2, program("beside") + " 20 plain", {"TUTTI_PLAN=soon", "TUTTI_RULES=/no/such/rules"});
  EXPECT_THAT(unplanned.err, AllOf(HasSubstr("TUTTI_PLAN"), HasSubstr("/no/such/rules"))) << unplanned.out;
  std::filesystem::remove(rules);
  const Ran wrong = run(3, program("beside") + " 20 plain", {"TUTTI_PROFILE=/no/such/profile"});
  EXPECT_EQ(wrong.status, 0) << wrong.err;
  const std::string told = "/no/such/profile: there is no such file";
  const std::size_t first = wrong.err.find(told);
  ASSERT_NE(first, std::string::npos) << wrong.err;
  EXPECT_EQ(wrong.err.find(told, first + 1), std::string::npos) << wrong.err;
}

TEST_P(Settings, GetsALineForSettingsThatMeanNothing) {
  for (const char* const setting :
       {"TUTTI_MPI_CHECK=maybe", "TUTTI_MPI_MEASURE=2", "TUTTI_TIMEOUT=soon", "TUTTI_LATE_AFTER=soon",
        "TUTTI_ALGORITHM_ALL_REDUCE=wings", "TUTTI_EXPLAIN=why", "TUTTI_PLAN=soon", "TUTTI_PEER_READS=some",
        "TUTTI_MPI_TABLE=/tmp", "TUTTI_MPI_TABLE=/no/such/table"}) {
    const Ran ran = run(3, program("beside") + " 20 plain", {setting});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected"));
    const std::string name(setting, std::string_view(setting).find('='));
    EXPECT_THAT(ran.err, AllOf(HasSubstr("tutti: " + name), HasSubstr("the default holds: "))) << setting;
    EXPECT_EQ(times(ran.err, "the default holds"), 1) << ran.err;
  }
  const Ran timeout = run(2, program("beside") + " 20 plain", {"TUTTI_TIMEOUT=soon"});
  EXPECT_THAT(timeout.err, HasSubstr("not \"soon\"; the default holds: no limit\n"));
}

TEST_P(Settings, GetsALineForATraceThatThreadsLeaveNone) {
  const std::string trace = testing::TempDir() + "/unchanged-trace-" + std::to_string(getpid());
  const Ran ran = run(3, program("hazards") + " threads 3", {"TUTTI_TRACE=" + trace});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(times(ran.err, "tutti: TUTTI_TRACE traces no program that asks for MPI_THREAD_MULTIPLE"), 1) << ran.err;
}

TEST_P(Settings, GetsALineForFilesThatCannotBeWritten) {
  const Ran report = run(3, program("beside") + " 20 plain", {"TUTTI_MPI_REPORT=/no/such/report"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_EQ(times(report.err,
                  "tutti: TUTTI_MPI_REPORT=/no/such/report cannot be written (No such file or directory): name another "
                  "file; the table of rank 0 follows\n"),
            1)
      << report.err;
  EXPECT_EQ(times(report.err, "collectives as rank 0 of 3 saw them"), 1) << report.err;
  const Ran trace = run(3, program("beside") + " 20 plain", {"TUTTI_TRACE=/no/such/trace", all_served()});
  EXPECT_EQ(trace.status, 0) << trace.err;
  EXPECT_EQ(times(trace.err, "tutti: no trace is written: TUTTI_TRACE=/no/such/trace cannot be written"), 1)
      << trace.err;
  EXPECT_EQ(times(trace.err, "TUTTI_TRACE"), 1) << trace.err;
}

// A file that is no table is somebody's, however long it is.
TEST_P(Settings, KeepsFilesThatAreNoTables) {
  const std::string file = testing::TempDir() + "/unchanged-table-" + std::to_string(getpid());
  for (const std::size_t length : {100U, 2U << 20}) {
    std::ofstream(file) << std::string(length, 'x');
    const Ran ran = run(2, program("beside") + " 20 plain", {"TUTTI_MPI_MEASURE=1", "TUTTI_MPI_TABLE=" + file});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(times(ran.err, "TUTTI_MPI_TABLE=" + file + " is no table, and stays as it is: name another file"), 1)
        << ran.err;
    EXPECT_EQ(std::filesystem::file_size(file), length);
  }
  std::filesystem::remove(file);
}

// Ranks of one job may have been told different things. What holds is said once, however many of them differ.
TEST_P(Settings, GoesByTheAlgorithmsOfItsFirstRank) {
  const auto run_told = [](const std::string& first, const std::string& others) {
    const std::string plain = program("beside") + " 20 plain";
    return run(1, "env " + first + " " + plain + " : -n 2 env " + others + " " + plain,
               {"TUTTI_MPI_REPORT=1", all_served()});
  };
  const std::string variable = "TUTTI_ALGORITHM_ALL_REDUCE";
  const Ran other = run_told(variable + "=ring", variable + "=flat");
  EXPECT_EQ(other.status, 0) << other.out << other.err;
  EXPECT_EQ(times(other.err, variable + " is \"flat\" on rank 1, but \"ring\" on rank 0, which holds for all"), 1)
      << other.err;
  EXPECT_EQ(times(other.err, variable), 1) << other.err;
  EXPECT_THAT(other.err, ContainsRegex("MPI_Allreduce .* tutti: ring"));
  const Ran none = run_told("TUTTI_MPI=1", variable + "=ring");
  EXPECT_EQ(none.status, 0) << none.out << none.err;
  EXPECT_EQ(times(none.err, variable + " is \"ring\" on rank 1, but not set on rank 0"), 1) << none.err;
  EXPECT_THAT(none.err, Not(HasSubstr("tutti: ring")));
  const Ran left = run_told(variable + "=mpi", variable + "=nonsense");
  EXPECT_EQ(left.status, 0) << left.out << left.err;
  EXPECT_EQ(times(left.err, variable), 1) << left.err;
  EXPECT_THAT(left.err, Not(ContainsRegex("MPI_Allreduce .* tutti: ")));
}

INSTANTIATE_TEST_SUITE_P(Mpis, Settings, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
