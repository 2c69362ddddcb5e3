/// @file
/// Searches of the command: `tutti price --search`, and the links that schedules wait for; and its views of procedures
/// and of messages hop by hop.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "algorithms/catalogue.hpp"
#include "app/options/machine_options.hpp"
#include "schedule/model/choice.hpp"
#include "support/command_json.hpp"
#include "user_programs/procedures.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

// Whatever the search leaves open was among what it tried, and what it names takes that time in a simulation.
TEST(PriceSearch, FindsNothingThatIsSlowerThanWhatWasThere) {
  for (const std::string line :
       {"broadcast --topology mesh:2x4 --switching store-and-forward", "all-gather --topology hypercube:3",
        "all-to-all --topology clos:2x3x2", "scatter --topology linear:6 --switching cut-through --th 50ns"}) {
    const Json plain = json("price " + line + " --bytes 4KiB --json")["sizes"][0]["algorithms"][0];
    const Json best = json("price " + line + " --bytes 4KiB --search --json")["sizes"][0]["ways"][0];
    EXPECT_LE(best["seconds"].get<double>(), plain["seconds"].get<double>() * (1 + 1e-9)) << line;
    std::string again = "simulate " + line + " --bytes 4KiB --json --algorithm " + best["algorithm"].get<std::string>();
    if (!best["segments"].is_null()) again += " --segments " + std::to_string(best["segments"].get<int>());
    if (!best["radix"].is_null()) again += " --radix " + std::to_string(best["radix"].get<int>());
    if (!best["embedding"].is_null()) again += " --embedding " + best["embedding"].get<std::string>();
    if (line.find("all-") == std::string::npos) again += " --root " + std::to_string(best["root"].get<int>());
    if (!best["grid"].is_null()) continue;
    EXPECT_NEAR(json(again)["seconds"].get<double>(), best["seconds"].get<double>(),
                1e-9 * best["seconds"].get<double>())
        << again;
  }
}

// The middle of a line is nearer to its ends than an end is.
TEST(PriceSearch, FindsTheRootInTheMiddle) {
  const Json best = json(
      "price broadcast --algorithm binomial --topology linear:7 --switching store-and-forward --bytes 64KiB --search "
      "--json")["sizes"][0]["ways"][0];
  EXPECT_GT(best["root"].get<int>(), 0);
  EXPECT_LT(best["root"].get<int>(), 6);
}

TEST(PriceSearch, HasARowForEachSizeOfARange) {
  const Json found = json("price all-reduce --topology torus:2x3 --bytes 1KiB..8KiB --search --json");
  ASSERT_EQ(found["sizes"].size(), 4u);
  EXPECT_EQ(found["sizes"][3]["bytes"], 8192);
}

TEST(Price, TakesCountsOfEachRank) {
  const Json priced = json("price all-gather --ranks 4 --counts 1000,0,0,5000 --json");
  ASSERT_EQ(priced["sizes"].size(), 1u);
  EXPECT_EQ(priced["sizes"][0]["bytes"], 6000);
  const Json best = priced["sizes"][0]["algorithms"][0];
  const std::string name = best["algorithm"];
  // The price is of the number of segments that it names.
  const std::string segments =
      best["segments"].is_null() ? "" : " --segments " + std::to_string(best["segments"].get<int>());
  EXPECT_EQ(best["seconds"], json("simulate all-gather --ranks 4 --counts 1000,0,0,5000 --json --algorithm " + name +
                                  segments)["seconds"]);
  EXPECT_EQ(tutti("price all-gather --ranks 2 --counts 1,2 --bytes 8").status, 2);
  EXPECT_EQ(json("price all-gather --counts 1000,0,0,5000 --json"), priced)
      << "the counts say how many ranks there are";
  EXPECT_EQ(json("price all-to-all --counts 1,2,3,4 --json"),
            json("price all-to-all --ranks 2 --counts 1,2,3,4 --json"));
  EXPECT_THAT(tutti("price all-to-all --counts 1,2,3").err, testing::HasSubstr("as many as ranks times ranks, not 3"));
  EXPECT_THAT(tutti("price broadcast --counts 1,2").err, testing::HasSubstr("broadcast has one count for all ranks"));
}

// A flat tree's root sends everything over its own cable: all of the time is that cable's, and half goes if it is twice
// as fast.
TEST(Bottleneck, IsTheCableOfTheRoot) {
  const Json found =
      json("simulate scatter --algorithm linear --topology star:5 --bytes 1MiB --ts 0s --bottleneck --json");
  const Json& bound = found["bottleneck"];
  ASSERT_EQ(bound["links"].size(), 1u);
  const Json& links = bound["links"][0];
  EXPECT_EQ(links["count"], 10);
  EXPECT_EQ(links["busiest"]["from"], 0);
  EXPECT_EQ(links["busiest"]["bytes"], 4 << 20);
  const double seconds = found["seconds"];
  EXPECT_NEAR(links["busy_seconds"].get<double>(), seconds, 1e-9 * seconds);
  EXPECT_NEAR(links["seconds_with_faster"].get<double>(), seconds / 2, 1e-9 * seconds);
  EXPECT_NEAR(bound["seconds_with_half"]["tw"].get<double>(), seconds / 2, 1e-9 * seconds);
}

// The kind of links that gains most comes first: network cards, not NVSwitches.
TEST(Bottleneck, NamesTheLinksThatGain) {
  const Json bound = json("simulate all-to-all --topology rails:4x2 --bytes 1MiB --bottleneck --json")["bottleneck"];
  ASSERT_EQ(bound["links"].size(), 2u);
  EXPECT_EQ(bound["links"][0]["lanes"], 2);
  EXPECT_LT(bound["links"][0]["seconds_with_faster"].get<double>(), bound["seconds"].get<double>());
  EXPECT_LE(bound["links"][0]["seconds_with_faster"], bound["links"][1]["seconds_with_faster"]);
}

using Messages = std::map<std::pair<int, int>, std::vector<std::int64_t>>;  // by sender and receiver, in order

Messages messages_of(const Schedule& schedule) {
  Messages messages;
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
    for (const Op& op : program.ops) {
      if (op.kind == OpKind::send) messages[{rank, op.peer}].push_back(Slices(program.slices(op)).elements());
    }
  }
  return messages;
}

Messages messages_of(const Algorithm& algorithm, int ranks) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 1};
  if (algorithm.collective == Collective::shift) problem.distance = 1;
  return messages_of(record(algorithm, problem));
}

UserProgram program_of(const Procedure& procedure, int ranks) {
  const std::string_view text = procedure.mended.empty() ? procedure.printed : procedure.mended;
  return program_of_text(text, std::string(procedure.name), {.ranks = ranks});
}

// A procedure and the algorithm of that name send the same messages, in the same order for each pair of ranks.
TEST(Procedures, SendWhatTheirAlgorithmsSend) {
  for (const Procedure& procedure : procedures()) {
    for (const int ranks : {1, 2, 4, 5, 8, 9, 16}) {
      const UserProgram program = program_of(procedure, ranks);
      if (!program.trace.fits) continue;
      const Algorithm* algorithm = algorithms::find(procedure.collective, procedure.algorithm);
      ASSERT_NE(algorithm, nullptr) << procedure.name;
      Messages theirs = messages_of(*algorithm, ranks);
      if (procedure.name == "procedure-13") {
        for (auto& [pair, blocks] : theirs) blocks.assign(static_cast<std::size_t>(ranks), 1);
      }
      if (procedure.name == "procedure-13" && ranks == 1) continue;
      Messages ours = messages_of(program.schedule);
      // The catalogue's scan leaves out what nobody needs.
      if (procedure.collective == Collective::scan)
        std::erase_if(ours, [&](const auto& sent) {
          return sent.first.first > sent.first.second && !theirs.contains(sent.first);
        });
      EXPECT_EQ(ours, theirs) << procedure.name << " over " << ranks;
    }
  }
}

TEST(Procedures, HaveLinesThatTheirRanksComeTo) {
  for (const Procedure& procedure : procedures()) {
    const std::string name(procedure.name);
    const ProgramTrace trace = program_of(procedure, procedure.needs.starts_with("a square") ? 9 : 8).trace;
    int visits = 0;
    for (const std::vector<LineVisit>& mine : trace.visits) {
      for (const LineVisit& visit : mine) {
        ++visits;
        ASSERT_GE(visit.line, 1) << name;
        ASSERT_LE(visit.line, static_cast<int>(trace.text.size())) << name;
        const std::string& line = trace.text[static_cast<std::size_t>(visit.line) - 1];
        if (visit.what.find("to ") != std::string::npos) {
          EXPECT_THAT(line, HasSubstr("send")) << name;
        } else if (visit.what.starts_with("from ")) {
          EXPECT_THAT(line, HasSubstr("rec")) << name;
        }
      }
    }
    EXPECT_GT(visits, 8) << name;
  }
}

TEST(Procedures, AreExplainedVerifiedAndSimulated) {
  const std::string text = tutti("explain procedure-5 --ranks 4").out;
  EXPECT_THAT(text, HasSubstr("send result to partner"));
  EXPECT_THAT(text, HasSubstr("to 1; 2 m to 2"));
  EXPECT_THAT(tutti("explain procedures").out, HasSubstr("procedure-13"));
  EXPECT_THAT(tutti("explain procedure-99").err, HasSubstr("procedure-13"));
  EXPECT_THAT(
      tutti("explain procedure-1 --ranks 6").out,
      testing::AllOf(HasSubstr("is to rank 6, and there are ranks 0 to 5"), HasSubstr("a power of two of ranks")));
  EXPECT_THAT(tutti("explain procedure-12").out, HasSubstr("tutti gallery bruck-as-printed"));
  EXPECT_THAT(tutti("explain procedure-12-mended").out, HasSubstr("as mended"));
  EXPECT_EQ(json("verify program procedure-12 --ranks 4 --json", 1)["failure"]["kind"], "wrong-result");
  EXPECT_EQ(json("verify program procedure-12-mended --ranks 5 --json")["proved"], true);
  // Ranks that send to one another before they receive never end, unless their sends are buffered.
  EXPECT_EQ(json("verify program procedure-5 --ranks 4 --json", 1)["failure"]["kind"], "deadlock");
  const std::string buffered =
      "simulate program procedure-5 --ranks 4 --bytes 1KiB --ts 1us --tw 1ns --eager 1MiB --json";
  EXPECT_NEAR(json(buffered)["seconds"].get<double>(), 2 * 1e-6 + 3 * 1024e-9, 1e-12);
  EXPECT_EQ(json("verify program procedure-10-mended --ranks 5 --json")["proved"], true);
  EXPECT_EQ(json("verify program procedure-10 --ranks 6 --patch --json")["proved"], true);
  EXPECT_EQ(json("verify program procedure-2 --ranks 1..17 --json")["ranks"], Json({1, 2, 4, 8, 16}));
}

TEST(Packets, AreDrawnHopByHop) {
  const std::string line =
      "simulate messages 0-4:4KiB --topology linear:5 --switching store-and-forward --packet 1KiB --th 50ns --packets ";
  const std::string chart = tutti(line + "-").out;
  // Four links of 4.096us each after 1us; packets follow one another; cut through, header by header.
  EXPECT_THAT(chart, HasSubstr("store-and-forward, whole: 17.38us"));
  EXPECT_THAT(chart, HasSubstr("store-and-forward, packets of 1KiB: 8.168us"));
  EXPECT_THAT(chart, HasSubstr("cut-through: 5.296us"));
  const std::string file = std::filesystem::temp_directory_path() / "tutti-packets.svg";
  EXPECT_EQ(tutti(line + file).status, 0);
  EXPECT_TRUE(std::filesystem::exists(file));
  std::filesystem::remove(file);
  EXPECT_EQ(tutti(line + "packets.gif").status, 2);
  EXPECT_EQ(tutti("simulate barrier --ranks 4 --packets -").status, 2);
}

}  // namespace
}  // namespace tutti::test
