/// @file
/// tutti's choices as files of other libraries: every name is one of theirs, the installed ones read the files, and
/// what they have not is named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algorithms/catalogue.hpp"
#include "app/commands/plan/rival_rules.hpp"
#include "support/command.hpp"

namespace tutti::app {
namespace {

using test::Ran;
using test::run_command;
using test::words_of;
using testing::HasSubstr;
namespace fs = std::filesystem;

class PlanExport : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static Ran plan(const std::string& line) { return run_command(TUTTI_COMMAND, words_of("plan " + line)); }
  static std::string contents(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("tutti-export-" + std::to_string(getpid()));
};

TEST_F(PlanExport, WritesWhereLinksLeadAndKeepsPermissions) {
  const std::string line = "all-reduce --ranks 4 --bytes 64 --openmpi-rules ";
  ASSERT_EQ(plan(line + file("plain")).status, 0);
  const std::string rules = contents(file("plain"));
  std::ofstream(file("target")) << "old";
  fs::permissions(file("target"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(file("target"), file("link"));
  EXPECT_EQ(plan(line + file("link")).status, 0);
  EXPECT_TRUE(fs::is_symlink(file("link")));
  EXPECT_EQ(contents(file("target")), rules);
  EXPECT_EQ(fs::status(file("target")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// Also where a shell has opened a regular file for it.
TEST_F(PlanExport, WritesIntoTheStandardOutputByItsName) {
  const std::string line = TUTTI_COMMAND " plan all-reduce --ranks 4 --bytes 64 --openmpi-rules ";
  ASSERT_EQ(run_command("/bin/sh", {"-c", line + file("rules")}).status, 0);
  fs::create_symlink("/proc/self/fd/1", file("output"));
  ASSERT_EQ(run_command("/bin/sh", {"-c", line + file("output") + " > " + file("both")}).status, 0);
  EXPECT_TRUE(fs::is_symlink(file("output")));
  EXPECT_THAT(contents(file("both")), HasSubstr(contents(file("rules"))));
}

TEST(Counterparts, AreOfAlgorithmsThatThereAre) {
  for (const auto counterparts : {openmpi_counterparts(), mpich_counterparts()}) {
    for (const Counterpart& each : counterparts) {
      const Algorithm* const algorithm = algorithms::find(each.collective, each.algorithm);
      ASSERT_NE(algorithm, nullptr) << each.algorithm;
      EXPECT_EQ(algorithm->name, each.algorithm) << "by its name, not an alias";
      EXPECT_FALSE(algorithm->for_several_nodes);
    }
  }
  const Algorithm& modular = *algorithms::find(Collective::all_to_all, "pairwise-modular");
  EXPECT_EQ(counterpart_of(mpich_counterparts(), modular, 8), nullptr) << "at powers of two MPICH pairs by XOR";
  EXPECT_NE(counterpart_of(mpich_counterparts(), modular, 6), nullptr);
}

/// The numbers of Open MPI's file, without its comments.
std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::int64_t number = 0; words >> number;) numbers.push_back(number);
  }
  return numbers;
}

// A pipeline wins with some number of segments, and with another one it may not.
TEST_F(PlanExport, SegmentsAreThoseWithWhichAPipelineWins) {
  const std::string tutti = "TUTTI_PROFILE=built-in " TUTTI_COMMAND " plan reduce --ranks 8 --cores 8 --bytes 4MiB ";
  const Ran planned = run_command("/usr/bin/env", words_of(tutti + "--transport mpi --json"));
  ASSERT_EQ(planned.status, 0) << planned.err;
  ASSERT_EQ(run_command("/usr/bin/env", words_of(tutti + "--openmpi-rules " + file("rules"))).status, 0);
  const std::vector<std::int64_t> numbers = numbers_in(contents(file("rules")));
  const nlohmann::json all = nlohmann::json::parse(planned.out);
  EXPECT_THAT(contents(file("rules")), HasSubstr("pipeline")) << "nothing is tested otherwise";
  std::string parameters;
  for (const nlohmann::json& row : all["sizes"][0]["algorithms"]) {
    if (row["algorithm"] == "chain") parameters = row["parameters"];
  }
  const std::int64_t segments = std::stoll(parameters);
  EXPECT_NE(segments, 8) << "the usual number, which would say nothing";
  EXPECT_THAT(numbers, testing::Contains((std::int64_t{4} << 20) / segments));
}

TEST_F(PlanExport, IsOfWhatIsPredictedWhateverTheEnvironmentNames) {
  const auto written = [&](const std::string& variables) {
    const Ran ran = run_command(
        "/usr/bin/env",
        words_of("TUTTI_PROFILE=built-in " + variables +
                 " " TUTTI_COMMAND " plan all-reduce --ranks 4 --bytes 8..64KiB --openmpi-rules " + file("rules")));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return contents(file("rules"));
  };
  EXPECT_EQ(written("TUTTI_ALGORITHM_ALL_REDUCE=ring TUTTI_PLAN=measure"), written("TUTTI_PLAN=estimate"));
}

// Collectives, numbers of ranks and sizes ascend, and each algorithm is one that its collective has.
TEST_F(PlanExport, OpenMpisFileHasTheFormOfOpenMpi) {
  const Ran ran = plan("--ranks 6 --bytes 8..1MiB --openmpi-rules " + file("rules"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::vector<std::int64_t> numbers = numbers_in(contents(file("rules")));
  std::size_t at = 0;
  const auto next = [&] { return numbers.at(at++); };
  int checked = 0;
  for (std::int64_t collectives = next(); collectives > 0; --collectives) {
    const std::int64_t collective = next();
    ASSERT_EQ(next(), 2);
    ASSERT_EQ(next(), 6);
    std::int64_t before = -1;
    for (std::int64_t sizes = next(); sizes > 0; --sizes) {
      const std::int64_t bytes = next();
      EXPECT_GT(bytes, before);
      before = bytes;
      const std::int64_t algorithm = next();
      const auto there = openmpi_counterparts();
      EXPECT_TRUE(
          std::any_of(there.begin(), there.end(),
                      [&](const Counterpart& each) { return each.number == collective && each.choice == algorithm; }))
          << collective << ": " << algorithm;
      EXPECT_EQ(next(), 0);
      EXPECT_GE(next(), 0);
      ++checked;
    }
    for (const std::int64_t expected : {7, 1, 0, 0, 0, 0})
      EXPECT_EQ(next(), expected) << "more ranks are left to Open MPI";
  }
  EXPECT_EQ(at, numbers.size());
  EXPECT_GT(checked, 9);
  EXPECT_THAT(ran.out, HasSubstr("left out: "));
  EXPECT_THAT(ran.out, HasSubstr("Kept in " + file("rules")));
}

TEST_F(PlanExport, WhatIsLeftOutIsTuttisOwnChoice) {
  const Ran ran = plan("all-reduce --ranks 4 --bytes 8KiB --transport threads --openmpi-rules " + file("rules"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran planned = plan("all-reduce --ranks 4 --bytes 8KiB --transport threads --json");
  const std::string chosen = nlohmann::json::parse(planned.out)["sizes"][0]["chosen"];
  EXPECT_THAT(ran.out, HasSubstr("8KiB to 8KiB: left out: " + chosen + ", tutti's choice, which the library has not"));
}

TEST_F(PlanExport, IsRefusedWhereItMakesNoSense) {
  for (const char* option :
       {"--run", "--rivals", "--check", "--json", "--skew 1:1us", "--rules x", "--topology ring:2"})
    EXPECT_THAT(plan("--ranks 2 --bytes 8 " + std::string(option) + " --openmpi-rules " + file("r")).err,
                HasSubstr("by the costs alone; leave --run, "))
        << option;
  EXPECT_EQ(plan("shift --ranks 2 --bytes 8 --openmpi-rules " + file("r")).err,
            "tutti: other libraries have no shift; name another collective, or none for all\n");
  EXPECT_FALSE(std::filesystem::exists(file("r")));
  EXPECT_EQ(plan("--ranks 2 --bytes 8 --mpich-json " + file("m.json") + " --mpich-defaults /tmp").err,
            "tutti: /tmp: it is a folder, not a file\n");
  EXPECT_THAT(plan("--ranks 2 --bytes 8 --mpich-defaults x").err, HasSubstr("completes --mpich-json FILE"));
  std::ofstream(file("empty.json")) << "{}";
  EXPECT_THAT(
      plan("--ranks 2 --bytes 8 --mpich-json " + file("m.json") + " --mpich-defaults " + file("empty.json")).err,
      HasSubstr("holds no tree of selections of MPICH's"));
}

#ifdef TUTTI_MPIRUN_OPENMPI
// Open MPI goes by the file: where it names an algorithm that does not exist, the call fails.
TEST_F(PlanExport, OpenMpiReadsItsFile) {
  ASSERT_EQ(plan("--ranks 3 --bytes 8..1MiB --openmpi-rules " + file("rules")).status, 0);
  const auto run = [&](const std::string& rules) {
    const std::vector<std::string> words = words_of(
        TUTTI_MPIRUN_OPENMPI " -n 3 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename " +
        rules + " " TUTTI_EXPORT_RANKS_OPENMPI);
    return run_command("/usr/bin/env", words);
  };
  const Ran ran = run(file("rules"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("all right"));
  std::ofstream(file("wrong")) << "1\n2\n1\n3\n1\n0 99 0 0\n";
  EXPECT_NE(run(file("wrong")).status, 0);
}
#endif

#ifdef TUTTI_MPIRUN_MPICH
// MPICH goes by the file: it ends the program where that names an algorithm which does not exist.
TEST_F(PlanExport, MpichReadsItsFile) {
  const std::string name = file("mpich.json");
  ASSERT_EQ(plan("--ranks 3 --bytes 8..1MiB --mpich-json " + name).status, 0);
  const auto run = [](const std::string& json) {
    return run_command("/usr/bin/env", words_of("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + json +
                                                " " TUTTI_MPIRUN_MPICH " -n 3 " TUTTI_EXPORT_RANKS_MPICH));
  };
  const Ran ran = run(name);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("all right"));
  nlohmann::ordered_json tree = nlohmann::ordered_json::parse(contents(name));
  const auto& ours = tree["collective=bcast"]["comm_type=intra"]["comm_size<=3"];
  EXPECT_THAT(ours.dump(), HasSubstr("algorithm=MPIR_Bcast_intra_"));
  EXPECT_TRUE(tree.contains("collective=ialltoallw")) << "what is not planned stays MPICH's";
  // Made again from itself: the tree is that of MPICH.
  const Ran again = plan("broadcast --ranks 3 --bytes 8 --mpich-json " + file("b.json") + " --mpich-defaults " + name);
  EXPECT_EQ(again.status, 0) << again.err;
  tree["collective=bcast"]["comm_type=intra"]["comm_size<=3"] = {
      {"algorithm=MPIR_Bcast_intra_nosuch", nlohmann::json::object()}};
  std::ofstream(file("wrong.json")) << tree.dump();
  EXPECT_NE(run(file("wrong.json")).status, 0);
}
#endif

}  // namespace
}  // namespace tutti::app
