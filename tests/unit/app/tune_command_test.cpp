/// @file
/// `tutti tune`: what it keeps is what programs choose by from then on. No test depends on what is measured.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "algorithms/catalogue.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"
#include "predict/profile/stored_profile.hpp"
#include "schedule/model/problem.hpp"
#include "support/command.hpp"

namespace tutti::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Tune : public testing::Test {
 protected:
  ~Tune() override { fs::remove_all(folder_); }

  // With the test's own folder for configuration.
  Ran command(const std::string& line) const {
    return run_command("/usr/bin/env", words_of("-u TUTTI_PROFILE XDG_CONFIG_HOME=" + folder_.string() + " " + line));
  }
  // Other work may keep a short budget from what it needs: then the command says what would do.
  Ran tuned(const std::string& options) const {
    const std::string advice = "allow more: --budget ";
    std::string budget = "2s";
    for (int attempt = 1;; ++attempt) {
      const Ran ran = command(TUTTI_COMMAND " tune --ranks 2 --budget " + budget + options);
      if (ran.status == 0 || attempt == 5) return ran;
      EXPECT_THAT(ran.err, HasSubstr(advice));
      budget = ran.err.substr(ran.err.find(advice) + advice.size());
      budget.resize(budget.find('s') + 1);
    }
  }
  /// Puts a profile where programs look for it, as if it had been measured: what messages cost has no part in the test.
  void keep(const StoredProfile& stored) const {
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    unsetenv("TUTTI_PROFILE");
    fs::create_directories(folder_ / "tutti");
    std::ofstream(own_profile_file()) << text_of(stored);
    setenv("TUTTI_PROFILE", "built-in", 1);
  }
  static StoredProfile empty_profile() { return {.machine = machine_identity(), .tutti = "0.0.1"}; }
  Json kept() const {
    std::ifstream stream(profile());
    return Json::parse(stream);
  }
  // A lock may lie beside it.
  fs::path profile() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "tutti")) {
      if (entry.path().extension() == ".json") return entry.path();
    }
    return {};
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("tutti-tune-" + std::to_string(getpid()));
};

class TuneOf : public Tune, public testing::WithParamInterface<const char*> {};

TEST_P(TuneOf, KeepsWhatProgramsThenChooseBy) {
  StoredProfile before = empty_profile();
  const bool of_threads = GetParam() == std::string("threads");
  (of_threads ? before.measured[Transport::processes] : before.measured[Transport::threads]) =
      MeasuredCosts{.observations = 77};
  keep(before);
  const std::string options = std::string(" --transport ") + GetParam();
  const std::string plan = TUTTI_COMMAND " plan all-reduce --ranks 2 --bytes 64 --json" + options;
  EXPECT_THAT(Json::parse(command(plan).out)["costs"].get<std::string>(), HasSubstr("built-in costs"));
  const Ran ran = tuned(options);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Kept in " + profile().string()));
  EXPECT_THAT(ran.out, testing::StartsWith(GetParam()));
  EXPECT_THAT(Json::parse(command(plan).out)["costs"].get<std::string>(),
              HasSubstr("costs measured here (" + profile().string()));
  const Ran told =
      command("TUTTI_EXPLAIN=1 " TUTTI_COMMAND " bench reduce --ranks 2 --bytes 64 --seconds 1ms" + options);
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.err, HasSubstr("costs measured here (" + profile().string()));
  EXPECT_GT(kept()[GetParam()]["observations"], 0);
  EXPECT_GT(kept()[GetParam()]["costs"]["latency"], 0);
  EXPECT_EQ(kept()[of_threads ? "processes" : "threads"]["observations"], 77) << "what was measured before stays";
}

INSTANTIATE_TEST_SUITE_P(Transports, TuneOf, testing::Values("threads", "processes"));

/// Returns how many ranks took part in each measurement that the command prints.
std::set<int> ranks_measured(const Ran& ran) {
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::set<int> ranks;
  for (const Json& each : Json::parse(ran.out)) {
    const auto collective = collective_named(each["collective"].get<std::string>());
    EXPECT_TRUE(collective && algorithms::find(*collective, each["algorithm"].get<std::string>())) << each;
    EXPECT_GT(each["seconds"], 0);
    EXPECT_GT(each["count"], 0);
    ranks.insert(each["ranks"].get<int>());
  }
  return ranks;
}

/// At least one call is measured of any number of ranks, however short the time is.
TEST_F(Tune, MeasuresWorldsOfEachSize) {
  for (const std::string transport : {"threads", "processes", "system-copies"}) {
    const Ran ran = command(TUTTI_COMMAND " tune --measurements --ranks 5 --budget 1us --transport " + transport);
    std::set<int> expected{2, 5};
    if (measure::cores() > 2 && measure::cores() < 5) expected.insert(measure::cores());
    EXPECT_EQ(ranks_measured(ran), expected) << transport;
    EXPECT_FALSE(fs::exists(folder_)) << "nothing is kept";
  }
}

TEST_F(Tune, MeasuresALaunchersRanksTogether) {
  const Ran ran = command(TUTTI_COMMAND " run -n 3 " TUTTI_COMMAND " tune --measurements --budget 1us");
  EXPECT_EQ(ranks_measured(ran), std::set<int>{3});
}

// A complaint of its ranks is told, once, and no profile is made of the rest.
TEST_F(Tune, SaysThatItsRanksCannotBeStarted) {
  const Ran ran = run_command("/bin/bash",
                              {"-c", "ulimit -n 8; exec " TUTTI_COMMAND " tune --transport processes --budget 1us -o " +
                                         folder_.string() + ".json"});
  EXPECT_NE(ran.status, 0);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("ulimit -n"));
  EXPECT_FALSE(fs::exists(folder_.string() + ".json"));
}

TEST_F(Tune, ABriefLookMakesNobodyForgetALongOne) {
  StoredProfile before = empty_profile();
  before.measured[Transport::threads] = before.measured[Transport::processes] = MeasuredCosts{.observations = 77};
  keep(before);
  const Ran brief = command(TUTTI_COMMAND " tune --brief --json");
  ASSERT_EQ(brief.status, 0) << brief.err;
  for (const char* transport : {"threads", "processes"}) EXPECT_TRUE(Json::parse(brief.out).contains(transport));
}

TEST_F(Tune, HasPlansSayARangeWhereItsCostsPredictBadly) {
  StoredProfile profile = empty_profile();
  const std::string plan = TUTTI_COMMAND " plan broadcast --ranks 2 --cores 2 --bytes 1MiB";
  const auto told = [&](double error) {
    profile.measured[Transport::threads] =
        MeasuredCosts{.costs = threads_costs, .median_error = 0.1, .worst_error = error, .observations = 77};
    keep(profile);
    return command(plan).out;
  };
  EXPECT_THAT(told(0.25), testing::Not(HasSubstr("Nine in ten")));
  const Json planned = Json::parse(command(plan + " --json").out)["sizes"][0]["algorithms"][0];
  const double seconds = planned["predicted_seconds"];
  const std::string name = planned["algorithm"];
  EXPECT_THAT(told(0.5), HasSubstr("off by at most 50 %: expect " + text_of(Seconds{seconds / 1.5}) + " to " +
                                   text_of(Seconds{seconds / 0.5}) + " of " + name + "."));
  EXPECT_THAT(told(3), HasSubstr("off by at most 300 %: expect " + text_of(Seconds{seconds / 4}) + " or more of"));
}

// Rank 0's profile holds for all ranks, whatever the others would find.
TEST_F(Tune, IsAgreedOnByAllRanks) {
  StoredProfile measured = empty_profile();
  measured.measured[Transport::processes] = MeasuredCosts{.costs = processes_costs};
  keep(measured);
  const std::string corrupt = (folder_ / "corrupt.json").string();
  std::ofstream(corrupt) << "{";
  const std::string rank = "if [ $TUTTI_RANK != 0 ]; then export TUTTI_PROFILE=" + corrupt +
                           "; fi; exec " TUTTI_COMMAND " bench all-reduce --bytes 8..64KiB --seconds 1ms";
  const Ran ran =
      run_command("/usr/bin/env", {"-u", "TUTTI_PROFILE", "XDG_CONFIG_HOME=" + folder_.string(), "TUTTI_EXPLAIN=1",
                                   TUTTI_COMMAND, "run", "-n", "3", "/bin/sh", "-c", rank});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("costs measured here"));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("corrupt.json"))) << "nobody but rank 0 looks for one";
}

/// Findings of the first run on a machine that has no profile are made once.
TEST_F(Tune, TheFirstRunLooksAtTheMachine) {
  const auto explained = [&] {
    return command("TUTTI_EXPLAIN=1 " TUTTI_COMMAND " run -n 2 " TUTTI_COMMAND " bench barrier --seconds 1ms");
  };
  const Ran first = explained();
  EXPECT_EQ(first.status, 0) << first.err;
  if (std::thread::hardware_concurrency() < 2) return;
  ASSERT_TRUE(fs::exists(profile()));
  const Json found = kept();
  EXPECT_NE(found.contains("processes"), found.contains("first_use")) << found;
  const std::string origin = found.contains("processes")
                                 ? "costs measured here"
                                 : "built-in costs, " + found["first_use"]["processes"].get<std::string>();
  EXPECT_THAT(first.err, HasSubstr(origin));
  for (const auto& entry : fs::directory_iterator(folder_ / "tutti"))
    EXPECT_THAT(entry.path().string(), testing::AnyOf(profile().string(), profile().string() + ".lock"));
  const auto written = fs::last_write_time(profile());
  EXPECT_THAT(explained().err, HasSubstr(origin));
  EXPECT_EQ(fs::last_write_time(profile()), written);
}

// Winners of trials are kept in the profile, too; they say nothing of what messages cost.
TEST_F(Tune, TheFirstRunLooksAtTheMachineWhoseWinnersAreKept) {
  if (std::thread::hardware_concurrency() < 2) return;
  StoredProfile winners = empty_profile();
  winners.wisdom.push_back({.call = "a call", .algorithm = "ring", .seconds = 1e-6});
  keep(winners);
  EXPECT_EQ(command(TUTTI_COMMAND " run -n 2 /bin/true").status, 0);
  const Json looked_at = kept();
  EXPECT_TRUE(looked_at.contains("processes") || looked_at.contains("first_use")) << looked_at;
  EXPECT_EQ(looked_at["wisdom"][0]["call"], "a call");
  const auto written = fs::last_write_time(profile());
  EXPECT_EQ(command(TUTTI_COMMAND " run -n 2 /bin/true").status, 0);
  EXPECT_EQ(fs::last_write_time(profile()), written) << "it is looked at once";
}

// A look at one transport says nothing of another.
TEST_F(Tune, TheFirstPlanAndTheFirstBenchLookAtThreadsOnce) {
  if (std::thread::hardware_concurrency() < 2) return;
  EXPECT_EQ(command(TUTTI_COMMAND " run -n 2 /bin/true").status, 0);
  const Json before = kept();
  const fs::path place = profile();
  for (const char* use : {" plan all-reduce --ranks 4 --bytes 8", " bench barrier --seconds 1ms",
                          " plan all-reduce --ranks 2 --bytes 8 --run"}) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "tutti");
    std::ofstream(place) << before.dump();
    EXPECT_EQ(command(std::string(TUTTI_COMMAND) + use).status, 0) << use;
    const Json found = kept();
    EXPECT_TRUE(found.contains("threads") || found["first_use"].contains("threads")) << use << found;
    EXPECT_EQ(found.contains("processes"), before.contains("processes")) << use;
    const auto written = fs::last_write_time(place);
    const Ran again = command(TUTTI_COMMAND " plan all-reduce --ranks 2 --bytes 8");
    EXPECT_EQ(fs::last_write_time(place), written) << "it is looked at once";
    const std::string origin =
        found.contains("threads") ? "costs measured here" : found["first_use"]["threads"].get<std::string>();
    EXPECT_THAT(again.out, HasSubstr(origin)) << use;
  }
}

TEST_F(Tune, NothingIsLookedAtWhereNobodyMayKnow) {
  EXPECT_EQ(command("TUTTI_PROFILE=built-in " TUTTI_COMMAND " run -n 2 /bin/true").status, 0);
  EXPECT_EQ(command(TUTTI_COMMAND " run -n 1 /bin/true").status, 0);
  EXPECT_EQ(command(TUTTI_COMMAND " run -n 49 /bin/true").status, 0);
  EXPECT_EQ(command(TUTTI_COMMAND " plan all-reduce --topology ring:4 --bytes 1KiB").status, 0);
  EXPECT_FALSE(fs::exists(folder_));
  std::ofstream(folder_) << "no folder";
  const Ran ran = command(TUTTI_COMMAND " run -n 2 /bin/true");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Tune, LooksBrieflyAtTwoProcessesAlone) {
  const Ran three = command(TUTTI_COMMAND " run -n 3 " TUTTI_COMMAND " tune --brief");
  EXPECT_EQ(three.status, 2);
  EXPECT_THAT(three.err, HasSubstr("--brief looks at two processes of this machine, not at 3 ranks"));
}

TEST_F(Tune, ABriefLookSaysThatProcessesShareNoHeap) {
  fs::create_directories(folder_);
  const std::string file = (folder_ / "own.json").string();
  const Ran ran = command(TUTTI_COMMAND " run --heap off -n 2 " TUTTI_COMMAND " tune --brief -o " + file);
  EXPECT_EQ(ran.status, 0) << ran.err;
  const StoredProfile profile = profile_of_this_machine(file);
  EXPECT_EQ(profile.first_use[Transport::processes], "because its processes shared no heap when it was first used");
  EXPECT_FALSE(profile.measured[Transport::processes]);
}

TEST_F(Tune, WhatCannotBeBelievedIsOneLine) {
  fs::create_directories(folder_);
  const std::string file = (folder_ / "newer.json").string();
  std::ofstream(file) << R"({"tutti_profile": 9})";
  for (const char* transport : {"threads", "processes"}) {
    const Ran ran =
        command("TUTTI_PROFILE=" + file +
                " " TUTTI_COMMAND " bench all-reduce --ranks 3 --bytes 64 --seconds 1ms --transport " + transport);
    EXPECT_EQ(ran.status, 0) << "a program runs all the same";
    EXPECT_EQ(ran.err, "tutti: TUTTI_PROFILE=" + file + ": it is of version 9, and this tutti reads " +
                           std::to_string(oldest_profile_version) + " to " + std::to_string(profile_version) +
                           "; measure again: tutti tune; the built-in costs hold\n");
  }
}

// Measuring again loses nothing that the command does not understand.
TEST_F(Tune, KeepsWhatItCannotReadBesideTheProfile) {
  fs::create_directories(folder_);
  const std::string file = (folder_ / "newer.json").string();
  const std::string newer = R"({"tutti_profile": 9})";
  std::ofstream(file) << newer;
  const Ran ran = command(TUTTI_COMMAND " tune --brief -o " + file);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "tutti: " + file + ": it is of version 9, and this tutti reads " +
                         std::to_string(oldest_profile_version) + " to " + std::to_string(profile_version) +
                         "; measure again: tutti tune; it is kept as " + file + ".old\n");
  std::ifstream old(file + ".old");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), newer);
  std::ifstream stream(file);
  EXPECT_EQ(Json::parse(stream)["tutti_profile"], profile_version);
}

// Pipes and devices, of which nobody knows whether they end.
TEST_F(Tune, RefusesAtOnceWhatIsNoRegularFile) {
  fs::create_directories(folder_);
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {pipe, std::string("/dev/full"), std::string("/dev/zero"), folder_.string()}) {
    const Ran ran =
        run_command("/usr/bin/env", words_of("TUTTI_PROFILE=" + file + " " TUTTI_COMMAND " tune --budget 1h"));
    EXPECT_EQ(ran.status, 2) << file;
    EXPECT_EQ(ran.err,
              "tutti: the profile " + file + " cannot be written: it is no regular file; name another: -o FILE.json\n");
    const Ran plan =
        run_command("/usr/bin/env", words_of("TUTTI_PROFILE=" + file + " " TUTTI_COMMAND " plan barrier --ranks 3"));
    EXPECT_EQ(plan.status, 0) << "a program runs all the same";
    EXPECT_THAT(plan.err, testing::StartsWith("tutti: TUTTI_PROFILE=" + file + ": it is a "));
    EXPECT_THAT(plan.err, testing::EndsWith("the built-in costs hold\n"));
  }
}

TEST_F(Tune, RefusesAtOnceWhereTheDiskIsFull) {
  fs::create_directories(folder_);
  const std::string line = "trap '' XFSZ; ulimit -f 1; exec " TUTTI_COMMAND " tune --budget 1h -o ";
  const Ran ran = run_command("/bin/bash", {"-c", line + (folder_ / "p.json").string()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("p.json cannot be written: File too large; name another"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Tune, KeepsNothingThatRestsOnTooFewMeasurements) {
  for (const char* transport : {"threads", "processes"}) {
    const std::string file = folder_.string() + ".json";
    const Ran ran = command("TUTTI_PROFILE=built-in " TUTTI_COMMAND " tune --ranks 2 --budget 1us -o " + file +
                            " --transport " + transport);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_THAT(ran.err, testing::StartsWith("tutti: within 1us only 1 of "));
    EXPECT_THAT(ran.err, testing::Not(HasSubstr("failed"))) << "rank 0 speaks for all";
    EXPECT_FALSE(fs::exists(file)) << "nothing is kept";
  }
}

// Nothing is measured for long that has no place afterwards.
TEST_F(Tune, RefusesAtOnceWhereThereIsNoPlaceForTheProfile) {
  for (const auto& [variables, answer] : std::vector<std::pair<std::string, std::string>>{
           {"TUTTI_PROFILE=built-in", "because TUTTI_PROFILE=built-in bars what is measured"},
           {"-u HOME XDG_CONFIG_HOME=here", "because neither HOME nor XDG_CONFIG_HOME names a folder from the root on"},
           {"XDG_CONFIG_HOME=/dev/null", "cannot be written: Not a directory"},
           {"XDG_CONFIG_HOME=/proc/self", "cannot be written"}}) {
    const Ran ran =
        run_command("/usr/bin/env", words_of("-u TUTTI_PROFILE " + variables + " " TUTTI_COMMAND " tune --budget 1h"));
    EXPECT_EQ(ran.status, 2) << variables;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(answer));
  }
}

TEST_F(Tune, RefusesWhatItCannotMeasure) {
  for (const auto& [line, answer] : std::vector<std::pair<std::string, std::string>>{
           {"--ranks 9", "a number of ranks is a whole number from 2 to 8"},
           {"--transport mpi", "ranks of MPI are started by an mpirun: mpirun -n "},
           {"--transport thread", "there is no transport 'thread'; the nearest is 'threads'"},
           {"--budget 0s", "a budget is more than 0 s"},
           {"-o /no/such/folder/p.json", "/no/such/folder/p.json"},
           {"--brief --transport system-copies",
            "--brief looks at processes or at threads for a quarter of a second, and "},
           {"--brief --ranks 4", "leave other transports, --ranks, --budget and --plot out"},
           {"--brief --budget 1s", "leave other transports, --ranks, --budget and --plot out"},
           {"--measurements --brief", "--measurements prints what was measured and keeps nothing; leave --json"},
           {"--measurements -o p.json", "--measurements prints what was measured and keeps nothing; leave --json"},
           {"-o p.txt", ".json"},
           {"-o /proc/p.json", "the profile /proc/p.json cannot be written: "}}) {
    const Ran ran = command(TUTTI_COMMAND " tune " + line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(answer));
  }
  EXPECT_THAT(command(TUTTI_COMMAND " run -n 2 " TUTTI_COMMAND " tune --ranks 3").err,
              HasSubstr("tutti run started this command as 2 ranks; leave --ranks 3 out\n"));
}

}  // namespace
}  // namespace tutti::test
