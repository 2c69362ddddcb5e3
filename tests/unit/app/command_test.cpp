/// @file
/// The command: the JSON fields that docs/reference promises, and the printed documentation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algorithms/catalogue.hpp"
#include "app/options/request.hpp"
#include "support/command_json.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

TEST(List, NamesEveryAlgorithm) {
  const Json rows = json("list --json");
  ASSERT_EQ(rows.size(), algorithms::catalogue().size());
  const std::string text = tutti("list").out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_THAT(keys_of(rows[k]), testing::UnorderedElementsAre("collective", "name", "aliases", "needs", "summary",
                                                                "when", "time", "source"));
    EXPECT_EQ(rows[k]["name"], algorithms::catalogue()[k]->name);
    EXPECT_THAT(text, testing::HasSubstr(rows[k]["name"].get<std::string>()));
  }
  for (const Json& row : json("list scan --json")) EXPECT_EQ(row["collective"], "scan");
}

TEST(List, NamesEveryTopologyWithAnExampleThatWorks) {
  const Json rows = json("list --topologies --json");
  EXPECT_GE(rows.size(), 10u);
  for (const Json& row : rows) {
    EXPECT_EQ(tutti("simulate barrier --topology " + row["example"].get<std::string>()).status, 0) << row["example"];
    EXPECT_THAT(tutti("list --topologies").out, testing::HasSubstr(row["name"].get<std::string>()));
  }
}

std::string project_file(const std::string& path) {
  std::ifstream file(TUTTI_PROJECT_DIR "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(List, PrintsTheDocumentation) {
  EXPECT_EQ(tutti("list --markdown").out, project_file("docs/algorithms.md"))
      << "run: tutti list --markdown > docs/algorithms.md";
}

TEST(Gallery, PrintsTheDocumentation) {
  EXPECT_EQ(tutti("gallery --markdown").out, project_file("docs/gallery.md"))
      << "run: tutti gallery --markdown > docs/gallery.md";
}

TEST(Gallery, SaysOfEachMistakeWhereItGoesWrong) {
  const std::string table = tutti("gallery").out;
  for (const Json& row : json("gallery --json")) {
    const std::string name = row["name"].get<std::string>();
    EXPECT_THAT(table, testing::HasSubstr(name));
    EXPECT_THAT(tutti("gallery " + name).out, testing::HasSubstr(row["reason"].get<std::string>()));
  }
  EXPECT_EQ(tutti("gallery ring-overwriten").err,
            "tutti: the gallery has no 'ring-overwriten'; the nearest is 'ring-overwritten'\n");
  EXPECT_EQ(tutti("gallery -o all.svg").status, 2);
}

// The step that goes wrong is drawn, too, if a rank only computes in it, as in ring-overwritten.
TEST(Gallery, DrawsTheStepThatGoesWrong) {
  const std::string file = testing::TempDir() + "mistake.svg";
  for (const Json& row : json("gallery --json")) {
    const std::string name = row["name"].get<std::string>();
    ASSERT_EQ(tutti("gallery " + name + " -o " + file).status, 0);
    std::ifstream stream(file);
    const std::string picture(std::istreambuf_iterator<char>(stream), {});
    EXPECT_THAT(picture, testing::HasSubstr(name + ": refused as " + row["kind"].get<std::string>()));
    for (const Json& rank : row["cycle"])
      EXPECT_THAT(picture, testing::HasSubstr("rank " + std::to_string(rank.get<int>()) + " waits in step "));
    if (row["cycle"].empty() && row["step"].get<int>() > 0) {
      EXPECT_THAT(picture, testing::HasSubstr("rank " + std::to_string(row["rank"].get<int>()) + " goes wrong"))
          << name;
    }
  }
  std::filesystem::remove(file);
}

TEST(Readme, ShowsProgramsThatAreBuilt) {
  EXPECT_THAT(project_file("docs/guide/cpp.md"),
              testing::HasSubstr("```cpp\n" + project_file("examples/hello.cpp") + "```"));
  EXPECT_THAT(project_file("docs/guide/c.md"),
              testing::AllOf(testing::HasSubstr("```c\n" + project_file("examples/c/hello.c") + "```"),
                             testing::HasSubstr("```fortran\n" + project_file("examples/fortran/hello.f90") + "```")));
}

TEST(Explain, KnowsEveryAlgorithm) {
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (!sample.takes_next()) continue;
    const std::string words =
        std::string(name_of(algorithm->collective)) + " --algorithm " + std::string(algorithm->name);
    const Json fields = json("explain " + words + " --json --steps");
    EXPECT_THAT(keys_of(fields["claims"]), testing::UnorderedElementsAre("rounds", "messages", "elements"));
    EXPECT_EQ(fields["steps"].size(), 8U);
    const Problem problem = app::problem_of({}, algorithm->collective, 8);
    EXPECT_EQ(fields["claims"]["messages"], algorithm->claims(problem).messages);
    EXPECT_THAT(tutti("explain " + words).out, testing::HasSubstr(std::string(algorithm->source)));
  }
}

TEST(Explain, KnowsEveryCollective) {
  for (const Collective collective : all_collectives()) {
    const std::string name(name_of(collective));
    const Json fields = json("explain " + name + " --json");
    EXPECT_EQ(fields["collective"], name);
    EXPECT_EQ(fields["algorithms"].size(), algorithms::algorithms_for(collective).size());
    EXPECT_THAT(tutti("explain " + name).out, testing::HasSubstr(fields["meaning"].get<std::string>()));
  }
}

TEST(Explain, PrintsTheSteps) {
  const Ran ran = tutti("explain broadcast --algorithm linear --ranks 3 --root 1 --count 5 --steps");
  EXPECT_THAT(ran.out, testing::HasSubstr("send output[0..5) to 2"));
  EXPECT_THAT(ran.out, testing::HasSubstr("receive output[0..5) from 1"));
  EXPECT_THAT(ran.out, testing::HasSubstr("rank 1\n  step 1  send output[0..5) to "));
  EXPECT_THAT(ran.out, testing::Not(testing::HasSubstr("step 0")));
}

// The listing as JSON is written piece by piece, and is what a library would print.
TEST(Explain, PrintsTheStepsAsJson) {
  for (const char* words : {"all-gather --algorithm ring --ranks 5", "broadcast --algorithm linear --ranks 3",
                            "barrier --algorithm tree --ranks 1", "all-reduce --algorithm flat --ranks 4"}) {
    const Ran ran = tutti(std::string("explain ") + words + " --json --steps");
    EXPECT_EQ(nlohmann::ordered_json::parse(ran.out).dump(2) + "\n", ran.out) << words;
  }
  const Json explained = json("explain all-gather --algorithm ring --ranks 3 --json --steps");
  const Json& steps = explained["steps"];
  // JSON has these operations as data.
  ASSERT_EQ(explained["operations"].size(), steps.size());
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    ASSERT_EQ(explained["operations"][rank].size(), steps[rank].size());
    for (std::size_t step = 0; step < steps[rank].size(); ++step) {
      ASSERT_EQ(explained["operations"][rank][step].size(), steps[rank][step].size());
      for (std::size_t k = 0; k < steps[rank][step].size(); ++k) {
        const Json& operation = explained["operations"][rank][step][k];
        const std::string words = steps[rank][step][k];
        EXPECT_TRUE(words.starts_with(operation["kind"].get<std::string>())) << words;
        EXPECT_EQ(operation["slices"][0]["count"], 1);
        if (operation.contains("peer")) {
          EXPECT_TRUE(words.ends_with(" " + std::to_string(operation["peer"].get<int>()))) << words;
        }
      }
    }
  }
  EXPECT_EQ(steps[1][0],
            Json({"copy output[1..2) = input[0..1)", "send input[0..1) to 2", "receive output[0..1) from 0"}));
  EXPECT_EQ(steps[1].size(), 2U);
}

TEST(Explain, NeedsLittleMemoryForManySteps) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  for (const char* form : {"", " --json"}) {
    const std::string line =
        std::string(TUTTI_COMMAND) + " explain all-gather --algorithm ring --ranks 768 --steps" + form;
    EXPECT_EQ(run_command("/bin/sh", {"-c", "ulimit -v 200000; " + line + " > /dev/null"}).status, 0) << line;
  }
}

// Claims count messages without elements, which nobody sends.
TEST(Explain, SaysThatEmptyPartsMakeLessTraffic) {
  const auto traffic = [](const std::string& words) {
    const std::string text = tutti("explain " + words).out;
    const std::size_t at = text.find("\nTraffic ") + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::string ring = "all-reduce --algorithm ring --ranks 4 --count ";
  EXPECT_THAT(traffic(ring + "4"), testing::StartsWith("Traffic    6 rounds, 24 messages"));
  EXPECT_THAT(traffic(ring + "3"), testing::StartsWith("Traffic    at most 6 rounds, 24 messages"));
  EXPECT_THAT(traffic("gather --algorithm binomial --counts 2,0,1"), testing::HasSubstr("at most"));
  EXPECT_THAT(traffic("gather --algorithm binomial --counts 2,3,1"), testing::Not(testing::HasSubstr("at most")));
}

std::string chart_of(const std::string& words) {
  const Ran ran = tutti("explain " + words);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out.find('\033'), std::string::npos) << "what is no terminal gets no colors";
  return ran.out.substr(ran.out.find("\n\n", ran.out.find("Traffic")) + 2);
}

TEST(Explain, DrawsSmallCasesInText) {
  EXPECT_EQ(chart_of("broadcast --algorithm binomial --ranks 6"), R"(
rank    0     1   2     3   4     5
start   M
step 1  M →4                ←0
                            M
step 2  M →2      ←0        M →5  ←4
                  M               M
step 3  M →1  ←0  M →3  ←2
              M         M

M is the message
)" + 1);
  EXPECT_EQ(chart_of("reduce --algorithm binomial --ranks 4 --root 1"), R"(
rank    0      1      2      3
start   x0     x1     x2     x3
step 1  x0 →1  ←0     x2 →3  ←2
               Σ0,1          Σ2,3
step 2         ←3            Σ2,3 →1
               Σ0..3

x0 is the contribution of rank 0, Σ0..3 the sum of those of ranks 0 to 3
)" + 1);
  EXPECT_EQ(chart_of("all-gather --algorithm ring --ranks 3"), R"(
rank    0       1       2
start   {0}     {1}     {2}
step 1  {0} →1  {1} →2  {2} →0
        ←2      ←0      ←1
        {0,2}   {0,1}   {1,2}
step 2  {2} →1  {0} →2  {1} →0
        ←2      ←0      ←1
        {0..2}  {0..2}  {0..2}

{0,1} are the blocks of ranks 0 and 1
)" + 1);
  EXPECT_EQ(chart_of("barrier --algorithm dissemination --ranks 3"), R"(
rank    0   1   2
step 1  →1  →2  →0
        ←2  ←0  ←1
step 2  →2  →0  →1
        ←1  ←2  ←0
)" + 1);
  EXPECT_EQ(chart_of("broadcast --algorithm linear --ranks 1"), "nothing is sent\n");
}

TEST(Explain, ChartsAreNoWiderThanPromised) {
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const char* ranks : {"2", "8", "16", "17"}) {
      if (!sample.takes_next()) continue;
      const Ran ran = tutti("explain " + std::string(name_of(algorithm->collective)) + " --algorithm " +
                            std::string(algorithm->name) + " --ranks " + ranks);
      if (ran.status != 0) continue;  // the algorithm does not take so many
      const std::size_t chart = ran.out.find("\nrank ");
      EXPECT_EQ(chart == std::string::npos, ran.out.find("need more than 100 columns") != std::string::npos) << ran.out;
      if (chart == std::string::npos) continue;
      std::istringstream lines(ran.out.substr(chart + 1, ran.out.find("\n\n", chart) - chart));
      for (std::string line; std::getline(lines, line);) {
        const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
        EXPECT_LE(line.size() - static_cast<std::size_t>(std::count_if(line.begin(), line.end(), continues)), 100U);
        EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
      }
    }
  }
}

TEST(Explain, TakesATopologyForRanksAndGrid) {
  const auto claims = [](const std::string& shape) {
    return json("explain broadcast --algorithm mesh --json " + shape)["claims"];
  };
  EXPECT_EQ(claims("--topology torus:2x8"), claims("--grid 2x8"));
  EXPECT_NE(claims("--topology torus:2x8"), claims("--ranks 16"));
  EXPECT_EQ(claims("--topology hypercube:4"), claims("--ranks 16"));
}

TEST(Version, IsPrinted) {
  EXPECT_THAT(tutti("--version").out, testing::StartsWith("tutti "));
  for (const std::string command : {"", "list ", "explain ", "verify "}) {
    EXPECT_THAT(tutti(command + "--help").out, testing::HasSubstr("Examples:")) << command;
  }
}

TEST(Help, IsPrintedByACommandOfThatName) {
  EXPECT_EQ(tutti("help").out, tutti("--help").out);
  EXPECT_EQ(tutti("help help").out, tutti("--help").out);
  for (const std::string command : {"list", "verify", "run", "mpi"}) {
    const Ran ran = tutti("help " + command);
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, testing::HasSubstr("tutti " + command));
    EXPECT_EQ(ran.out, tutti(command + " --help").out);
  }
}

}  // namespace
}  // namespace tutti::test
