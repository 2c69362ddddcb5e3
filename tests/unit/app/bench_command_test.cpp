/// @file
/// `tutti bench`: its JSON, its plot, its transports and its sentences. No test depends on what is measured.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/command_json.hpp"
#include "support/sanitizers.hpp"
#include "support/xml.hpp"

namespace tutti::test {
namespace {

Ran bench(const std::string& line) { return run_command(TUTTI_COMMAND, words_of("bench " + line)); }

Json measured(const std::string& line) {
  const Ran ran = bench(line + " --seconds 1ms --json");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "") << "nothing but a terminal gets a progress bar";
  return Json::parse(ran.out);
}

void expect_cell(const Json& cell, int bytes) {
  EXPECT_THAT(keys_of(cell), testing::UnorderedElementsAre("bytes", "algorithm", "calls", "min_us", "median_us",
                                                           "p99_us", "predicted_us", "bus_bytes_per_second", "limit_us",
                                                           "of_limit", "limit_note"));
  EXPECT_EQ(cell["limit_note"].is_null(), cell["of_limit"].is_null() || cell["of_limit"] <= 1) << cell;
  EXPECT_EQ(cell["bytes"], bytes);
  EXPECT_GT(cell["calls"], 0);
  EXPECT_GT(cell["min_us"], 0);
  EXPECT_LE(cell["min_us"], cell["median_us"]);
  EXPECT_LE(cell["median_us"], cell["p99_us"]);
}

TEST(Bench, MeasuresEveryCollective) {
  for (const char* collective : {"broadcast", "reduce", "all-reduce", "scan", "scatter", "gather", "all-gather",
                                 "reduce-scatter", "all-to-all"}) {
    for (const int ranks : {1, 3}) {
      const Json result = measured(std::string(collective) + " --bytes 8..32 --ranks " + std::to_string(ranks));
      EXPECT_THAT(keys_of(result),
                  testing::UnorderedElementsAre("collective", "ranks", "transport", "machine", "cells"));
      EXPECT_EQ(result["collective"], collective);
      EXPECT_EQ(result["ranks"], ranks);
      EXPECT_EQ(result["transport"], "threads");
      ASSERT_EQ(result["cells"].size(), 3u);
      for (std::size_t k = 0; k < 3; ++k) expect_cell(result["cells"][k], 8 << k);
    }
  }
}

TEST(Bench, MeasuresABarrierWithoutSizes) {
  const Json result = measured("barrier --ranks 2");
  ASSERT_EQ(result["cells"].size(), 1u);
  expect_cell(result["cells"][0], 0);
  EXPECT_TRUE(result["cells"][0]["bus_bytes_per_second"].is_null());
}

TEST(Bench, UsesTheAlgorithmThatIsNamed) {
  EXPECT_EQ(measured("all-reduce --ranks 2 --bytes 64 --algorithm ring")["cells"][0]["algorithm"], "ring");
}

// The loop compares every result, so a schedule that is run is one that is right.
TEST(Bench, RunsSchedulesOfFiles) {
  const std::string file = (std::filesystem::temp_directory_path() / "tutti_bench_schedule.json").string();
  for (const char* collective : {"broadcast", "all-reduce", "all-gather", "reduce-scatter"}) {
    const std::string made =
        "synthesize " + std::string(collective) + " --topology ring:3 --bytes 600 --segments 3 -o ";
    ASSERT_EQ(run_command(TUTTI_COMMAND, words_of(made + file)).status, 0);
    for (const char* transport : {"threads", "processes"}) {
      const Json result = measured("schedule " + file + " --transport " + transport);
      EXPECT_EQ(result["collective"], collective);
      EXPECT_EQ(result["ranks"], 3);
      EXPECT_EQ(result["cells"][0]["algorithm"], file);
      EXPECT_GT(result["cells"][0]["predicted_us"], 0);
    }
  }
  EXPECT_EQ(bench("schedule " + file + " --ranks 4").status, 2);
  EXPECT_THAT(bench("schedule " + file + " --bytes 600..1200").err, testing::HasSubstr("one size is needed"));
  EXPECT_THAT(bench("schedule " + file + " --bytes 4").err, testing::HasSubstr("at least 8 bytes, not 4"));
  EXPECT_EQ(bench("messages 0-1").status, 2);
  std::filesystem::remove(file);
}

TEST(Bench, StartsProcessesAndOneOfThemSpeaks) {
  for (const char* memory : {"plain", "library"}) {
    const Json result =
        measured(std::string("all-gather --ranks 3 --bytes 1KiB --transport processes --memory ") + memory);
    EXPECT_EQ(result["transport"], processes_here);
    EXPECT_EQ(result["ranks"], 3);
    expect_cell(result["cells"][0], 1024);
  }
  EXPECT_EQ(measured("broadcast --ranks 1 --bytes 8 --transport processes")["ranks"], 1);
}

TEST(Bench, IsARankWhereALauncherHasStartedIt) {
  const Ran ran = run_command(
      TUTTI_COMMAND,
      words_of("run -n 2 " TUTTI_COMMAND " bench scan --transport processes --bytes 8 --seconds 1ms --json"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["ranks"], 2);
}

// The words before the program, where its launcher has started it, and what its ranks are then called.
const std::vector<std::pair<std::string, std::string>> launchers = {
    {TUTTI_COMMAND " run -n 2 ", processes_here},
#ifdef TUTTI_MPIRUN_OPENMPI
    {TUTTI_MPIRUN_OPENMPI " -n 2 ", "mpi"},       {"TUTTI_SHARED_MEMORY=0 " TUTTI_MPIRUN_OPENMPI " -n 2 ", "mpi"},
#endif
#ifdef TUTTI_MPIRUN_MPICH
    {TUTTI_MPIRUN_MPICH " -n 2 ", "mpi"},         {"TUTTI_SHARED_MEMORY=0 " TUTTI_MPIRUN_MPICH " -n 2 ", "mpi"},
#endif
};

TEST(Bench, MeasuresTheRanksOfItsLauncherAndOneOfThemSpeaks) {
  const Json machine = measured("barrier --ranks 2")["machine"];
  for (const auto& [launcher, transport] : launchers) {
    const std::vector<std::string> words =
        words_of(launcher + TUTTI_COMMAND " bench all-reduce --bytes 8..16 --seconds 1ms --json");
    const Ran ran = run_command("/usr/bin/env", words);
    if (ran.status == 127) continue;  // there is no such mpirun
    ASSERT_EQ(ran.status, 0) << launcher << ran.err;
    const Json result = Json::parse(ran.out);
    EXPECT_EQ(result["ranks"], 2) << launcher;
    EXPECT_EQ(result["transport"], transport) << launcher;
    EXPECT_EQ(result["machine"], machine) << launcher << " binds ranks, and all of their cores count";
    ASSERT_EQ(result["cells"].size(), 2u);
    expect_cell(result["cells"][0], 8);
  }
}

TEST(Bench, RefusesWhatItsLauncherHasDecidedOnce) {
  for (const char* const option : {"--ranks 3", "--transport threads", "--algorithm no-such"}) {
    const Ran ran =
        run_command(TUTTI_COMMAND, words_of(std::string("run -n 2 " TUTTI_COMMAND " bench all-reduce ") + option));
    EXPECT_EQ(ran.status, 2) << option;
    EXPECT_EQ(ran.out, "") << option;
    const std::string value = words_of(option).back();
    const std::size_t at = ran.err.find(value);
    EXPECT_NE(at, std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("tutti: ", ran.err.find('\n', at)), std::string::npos) << ran.err;
  }
}

TEST(Bench, PrintsATable) {
  const Ran ran = bench("reduce --ranks 2 --bytes 1KiB --seconds 1ms");
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* word :
       {"reduce over 2 ranks (threads)", "MEDIAN", "P99", "PREDICTED", "BUS BANDWIDTH", "OF LIMIT", "1KiB", "GB/s"})
    EXPECT_THAT(ran.out, testing::HasSubstr(word));
}

TEST(Bench, DrawsAPlot) {
  std::string folder = std::filesystem::temp_directory_path() / "tutti-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/plot.svg";
  measured("broadcast --ranks 2 --bytes 4KiB..16KiB --plot " + file);
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  const std::vector<Element> elements = elements_of(svg);
  EXPECT_EQ(elements.front().name, "svg");
  EXPECT_EQ(std::count_if(elements.begin(), elements.end(), [](const Element& e) { return e.name == "polyline"; }), 4);
  for (const char* name : {"median", "min", "predicted", "the machine's limit"})
    EXPECT_TRUE(std::any_of(elements.begin(), elements.end(), [&](const Element& e) { return e.text == name; }))
        << name;
  std::filesystem::remove_all(folder);
  EXPECT_THAT(bench("broadcast --ranks 2 --bytes 8 --seconds 1ms --plot " + file).err,
              testing::HasSubstr("there is no folder '" + folder + "'"));
}

TEST(Bench, RefusesInOneSentence) {
  const auto refuses = [](const std::string& line, const std::string& sentence) {
    const Ran ran = bench(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_THAT(ran.err, testing::StartsWith("tutti: ")) << line;
    EXPECT_THAT(ran.err, testing::HasSubstr(sentence)) << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  refuses("", "bench needs a collective");
  refuses("all-redcue", "the nearest is 'all-reduce'");
  refuses("shift", "shift is not measured; what is: broadcast");
  refuses("exclusive-scan --ranks 2", "exclusive-scan is not measured");
  refuses("all-reduce --ranks 0", "a number of ranks");
  refuses("all-reduce --ranks 1..4", "a number of ranks");
  refuses("all-reduce --transport pigeons", "there is no transport 'pigeons'");
  refuses("all-reduce --memory mine", "memory is 'plain' or 'library', not 'mine'");
  refuses("all-reduce --bytes 1MiB..8", "is empty; write the smaller size first");
  refuses("all-reduce --bytes 0", "take sizes from 8B, not from 0B");
  refuses("all-reduce --bytes 4..64", "take sizes from 8B, not from 4B");
  refuses("all-reduce --bytes 1024TiB", "more than half of what there is here");
  refuses("all-reduce --bytes much", "much");
  refuses("all-reduce --ranks 2 --algorithm rign", "ring");
  refuses("all-to-all --ranks 3 --algorithm hypercube --bytes 8 --transport processes", "power of two");
  refuses("all-reduce --seconds soon", "soon");
  refuses("all-reduce --bites 8", "the nearest is '--bytes'");
  refuses("barrier --bytes 8", "a barrier moves no data; leave --bytes out");
  refuses("barrier --plot x.svg", "a barrier has no sizes");
  refuses("all-reduce --plot x.gif", "the file 'x.gif' should end with .svg");
}

}  // namespace
}  // namespace tutti::test
