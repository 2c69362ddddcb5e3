/// @file
/// Messages and programs of one's own: the textbook's scenarios, deadlocks and their cures, and bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

class Own : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string program(const std::string& text) const {
    std::ofstream(path("program.txt")) << text;
    return "program " + path("program.txt");
  }
  std::string content_of(const std::string& name) const {
    std::ifstream stream(path(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("tutti_own_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

// The lecture's scenarios, as rows of the textbook and as messages of one's own.
TEST_F(Own, MessagesTakeWhatTheTextbookSays) {
  const auto row = [](const std::string& id) {
    return json("textbook --row " + id + " --bytes 4096 --json")[0]["simulated_seconds"].get<double>();
  };
  const auto seconds = [](const std::string& line) {
    return json("simulate messages " + line + " --json")["seconds"].get<double>();
  };
  EXPECT_NEAR(seconds("0-2 6-3 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.1"), 1e-15);
  EXPECT_NEAR(seconds("1-6 7-4 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.2"), 1e-15);
  EXPECT_NEAR(seconds("1-6 4-7 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.3"), 1e-15);
  EXPECT_NEAR(seconds("0-8 4-6 --topology mesh:3x3 --bytes 4KiB --routing minimal-adaptive"), row("p2p.scenario.4"),
              1e-15);
}

TEST_F(Own, MessagesBeginWhenTheyAreTold) {
  const Json run = json("simulate messages 0-1:1000 2-3@5us:1000 3-2@1us:1000 --topology full:4 --json");
  ASSERT_EQ(run["messages"].size(), 3u);
  const std::vector<std::pair<int, double>> begins{{0, 0}, {3, 1e-6}, {2, 5e-6}};
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const Json& message = run["messages"][k];
    EXPECT_EQ(message["from"], begins[k].first);
    EXPECT_NEAR(message["begin"].get<double>(), begins[k].second, 1e-15);
    EXPECT_NEAR(message["send_posted"].get<double>(), begins[k].second, 1e-15);
    EXPECT_NEAR(message["end"].get<double>(), begins[k].second + 2e-6, 1e-15);
  }
  EXPECT_NEAR(run["seconds"].get<double>(), 7e-6, 1e-15);
}

// Two messages over one link share it for as long as both are there.
TEST_F(Own, MessagesShareLinksForAsLongAsTheyMeet) {
  const Json run = json("simulate messages 0-2:1000 1-3@0.5us:1000 --topology linear:4 --ts 0s --json");
  EXPECT_EQ(run["most_shared"], 2);
  EXPECT_EQ(run["messages"][0]["way"], Json({0, 1, 2}));
  // Half of the first goes alone, then each goes at half the rate until the first is there.
  EXPECT_NEAR(run["messages"][0]["end"].get<double>(), 1.5e-6, 1e-15);
  EXPECT_NEAR(run["messages"][1]["end"].get<double>(), 2e-6, 1e-15);
  EXPECT_EQ(json("simulate messages 0-2:1000 1-3@1us:1000 --topology linear:4 --ts 0s --json")["most_shared"], 1);
}

TEST_F(Own, PacketsAreToldHopByHop) {
  const std::string text =
      tutti("simulate messages 0-3:400 --topology linear:4 --switching store-and-forward --packet 100 --ts 1us").out;
  EXPECT_THAT(text, HasSubstr("PACKET  0-1    1-2    2-3\n1       1.1us  1.2us  1.3us\n2       1.2us  1.3us  1.4us\n"));
  EXPECT_THAT(text, HasSubstr("\n4       1.4us  1.5us  1.6us\n"));
  const Json run =
      json("simulate messages 0-3:400 --topology linear:4 --switching store-and-forward --packet 100 --ts 1us --json");
  EXPECT_NEAR(run["seconds"].get<double>(), 1.6e-6, 1e-15);
}

TEST_F(Own, ADeadlockIsFoundAndDrawnAndItsCureIsProved) {
  const std::string stuck = program("0: send 1 4KiB; wait; receive 1\n1: send 0 4KiB; wait; receive 0\n");
  const Json verdict = json("verify " + stuck + " --json", 1);
  EXPECT_EQ(verdict["proved"], false);
  EXPECT_EQ(verdict["failure"]["kind"], "deadlock");
  EXPECT_THAT(verdict["failure"]["cycle"].get<std::vector<int>>(), testing::UnorderedElementsAre(0, 1));
  EXPECT_THAT(tutti("verify " + stuck).out, HasSubstr("  rank 0: send 1 4KiB; wait; receive 1\n"));
  const Ran drawn = tutti("draw " + stuck + " -o " + path("circle.svg"));
  EXPECT_EQ(drawn.status, 1);
  EXPECT_THAT(content_of("circle.svg"), HasSubstr("a deadlock"));
  const std::string cured = program("0: send 1 4KiB; receive 1\n1: send 0 4KiB; receive 0\n");
  EXPECT_EQ(json("verify " + cured + " --json")["proved"], true);
  EXPECT_NEAR(json("simulate " + cured + " --json")["seconds"].get<double>(), 1e-6 + 4096e-9, 1e-15);
  EXPECT_EQ(tutti("draw " + cured + " -o " + path("cured.svg")).status, 0);
  EXPECT_THAT(content_of("cured.svg"), HasSubstr("Step 1: 2 messages of 4KiB"));
  EXPECT_EQ(tutti("draw " + cured + " --timeline -o " + path("time.svg")).status, 0);
  EXPECT_EQ(tutti("draw " + cured + " -o " + path("page.html")).status, 0);
}

// The first of two sends of a step is over when the second begins.
TEST_F(Own, RoundsAreThoseOfTheMessages) {
  const std::string two = program("0: send 1; send 1\n1: receive 0; wait; receive 0\n");
  EXPECT_THAT(tutti("verify " + two).out, HasSubstr("; 2 rounds, 2 messages,"));
}

// On a circle of any size, and not where one rank receives first.
TEST_F(Own, CirclesOfAnySizeAreFound) {
  for (const int ranks : {2, 3, 5, 8, 33}) {
    const std::string p = "ranks " + std::to_string(ranks) + "\n";
    const Json verdict = json("verify " + program(p + "all: send +1; wait; receive -1\n") + " --json", 1);
    EXPECT_EQ(verdict["failure"]["cycle"].size(), static_cast<std::size_t>(ranks));
    EXPECT_EQ(tutti("draw " + program(p + "all: send +1; wait; receive -1") + " -o " + path("circle.svg")).status, 1);
    const std::string others = "1.." + std::to_string(ranks - 1);
    EXPECT_EQ(
        json("verify " + program(p + "0: receive -1; wait; send +1\n" + others + ": send +1; wait; receive -1\n") +
             " --json")["proved"],
        true);
  }
}

TEST_F(Own, ProgramsThatDoNotMeetAreRefusedWithTheReason) {
  const auto kind = [&](const std::string& text) {
    return json("verify " + program(text) + " --json", 1)["failure"]["kind"].get<std::string>();
  };
  EXPECT_EQ(kind("0: send 1\n"), "unmatched");
  EXPECT_EQ(kind("0: receive 1\n"), "unmatched");
  EXPECT_EQ(kind("0: send 1 8\n1: receive 0 16\n"), "size-mismatch");
}

TEST_F(Own, TheExamplesDoWhatTheySay) {
  const std::string examples = TUTTI_PROJECT_DIR "/examples/programs/";
  EXPECT_EQ(json("verify program " + examples + "deadlock.txt --json", 1)["failure"]["kind"], "deadlock");
  EXPECT_EQ(json("verify program " + examples + "circle.txt --json", 1)["failure"]["cycle"].size(), 8u);
  EXPECT_EQ(json("verify program " + examples + "exchange.txt --json")["proved"], true);
  EXPECT_EQ(json("verify program " + examples + "even-odd.txt --json")["proved"], true);
  EXPECT_NEAR(json("simulate program " + examples + "even-odd.txt --topology ring:8 --json")["seconds"].get<double>(),
              2 * (1e-6 + 65536e-9), 1e-15);
}

// What simulate gives a time is drawn with that time, and not as a circle.
TEST_F(Own, TimelinesOfBufferedSendsAreDrawn) {
  const std::string deadlock = program("0: send 1 4KiB; wait; receive 1\n1: send 0 4KiB; wait; receive 0");
  EXPECT_EQ(tutti("draw " + deadlock + " --timeline -o " + path("circle.svg")).status, 1);
  for (const std::string& name : {path("eager.svg"), path("eager.html"), path("eager.json")}) {
    const Ran ran = tutti("draw " + deadlock + " --timeline --eager 1MiB -o " + name);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, testing::Not(HasSubstr("deadlock")));
  }
}

TEST_F(Own, BadInputGetsOneLine) {
  const auto refuses = [](const std::string& line, const std::string& answer) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_THAT(ran.err, HasSubstr(answer)) << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line;
  };
  refuses("simulate messages --ranks 4", "there are no messages");
  refuses("simulate messages 1-2", "a network is needed");
  refuses("simulate messages 0-1:2048PiB --ranks 2", "a message over 2 ranks has at most 1024PiB, not 2048PiB");
  refuses("simulate messages 0-1:1024PiB 0-1:1024PiB 0-1:1024PiB --ranks 2",
          "messages over 2 ranks have at most 2048PiB in all; send fewer or smaller ones");
  refuses("simulate messages 1-9 --ranks 4", "not '9'");
  refuses("simulate messages 1-1 --ranks 4", "goes nowhere");
  refuses("simulate messages 12 --ranks 4", "'12' is no message");
  refuses("simulate messages 0-1:0 --ranks 4", "at least one byte");
  refuses("simulate messages 0-1@soon --ranks 4", "'soon'");
  refuses("simulate messages 0-1@1us --ranks 4 --engine rounds", "needs the engine 'flows'");
  refuses("simulate messages 0-1 --ranks 4 --algorithm ring", "leave --algorithm out");
  refuses("simulate broadcast 0-1 --ranks 4", "'0-1' was not expected");
  refuses("verify program", "a program is one file");
  refuses("verify program /no/such/file.txt", "cannot be read");
  refuses("verify " + program(""), "has no line");
  refuses("verify " + program("0: sned 1"), "line 1: 'sned 1' is nothing that a rank does");
  refuses("verify " + program("0: send 0"), "rank 0 cannot send to itself");
  refuses("verify " + program("hello"), "line 1: 'hello' is no line of a program");
  refuses("verify " + program("\nx: wait"), "line 2: 'x' is no rank");
  refuses("verify " + program("1: wait\n0: send 7") + " --ranks 4",
          "line 2: it speaks of rank 7, and there are ranks 0 to 3");
  refuses("verify " + program("3..1: wait"), "line 1: '3..1' names no rank; write the smaller one first");
  refuses("verify " + program("ranks 3\nranks 4\n0: wait"), "line 2: the number of ranks stands in an earlier line");
  refuses("simulate messages 0-1 --ranks 3 --timeline F.json", "'tutti draw' has it for messages");
  refuses("simulate messages 0-1 --ranks 3 --counts 1,2,3", "leave them out");
  refuses("simulate messages 0-1 --ranks 3 --bottleneck", "--bottleneck is of collectives");
  const std::string deadlock = program("0: send 1; wait; receive 1\n1: send 0; wait; receive 0");
  refuses("simulate " + deadlock, "deadlock");
  refuses("draw " + deadlock + " -o " + path("circle.html"), "the circle is drawn as FILE.svg alone");
}

// What explain writes, the readers take; the same schedule with an operation less is refused.
TEST_F(Own, SchedulesAreFiles) {
  const std::string file = path("ring.json");
  ASSERT_EQ(tutti("explain all-reduce --algorithm ring --ranks 5 --count 10 -o " + file).status, 0);
  EXPECT_THAT(tutti("verify schedule " + file).out,
              HasSubstr("all-reduce of 10 elements over 5 ranks: proved, also where no send is buffered; 8 rounds, 40 "
                        "messages"));
  EXPECT_EQ(json("verify schedule " + file + " --json")["proved"], true);
  const double seconds = json("simulate schedule " + file + " --topology ring:5 --json")["seconds"].get<double>();
  EXPECT_GT(seconds, 0);
  EXPECT_EQ(tutti("draw schedule " + file + " -o " + path("ring.svg")).status, 0);
  Json schedule = Json::parse(content_of("ring.json"));
  schedule["operations"][3].erase(schedule["operations"][3].size() - 1);
  std::ofstream(file) << schedule;
  const Ran broken = tutti("verify schedule " + file);
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("rank "));
  EXPECT_EQ(tutti("verify schedule " + file + " --count 3").status, 2);
  EXPECT_EQ(tutti("simulate schedule " + file + " --ranks 7").status, 2);
}

TEST_F(Own, SchedulesMadeForANetworkAreReadByAll) {
  const std::string options = " --topology nvlink:4 --ts 0.1us";
  const Json made =
      json("synthesize all-reduce --bytes 64KiB --segments 2 -o " + path("made.json") + " --json" + options);
  EXPECT_LE(made["optimum_seconds"], made["seconds"]);
  EXPECT_GE(made["catalogue"]["candidates"], 5);
  const std::string schedule = "schedule " + path("made.json");
  EXPECT_EQ(json("verify " + schedule + " --json")["proved"], true);
  EXPECT_NEAR(json("simulate " + schedule + " --ports multiple --json" + options)["seconds"].get<double>(),
              made["seconds"].get<double>(), 1e-15);
  const Json priced = json("price " + schedule + " --ports multiple --json" + options);
  EXPECT_NEAR(priced["seconds"].get<double>(), made["seconds"].get<double>(), 1e-15);
  EXPECT_EQ(priced["catalogue"]["algorithm"], made["catalogue"]["algorithm"]);
  EXPECT_EQ(tutti("draw " + schedule + " -o " + path("made.svg")).status, 0);
  EXPECT_THAT(tutti("synthesize broadcast --topology tree:8 --root 3").out, HasSubstr("TIMES THE OPTIMUM"));
  EXPECT_THAT(tutti("price " + schedule + options).out, HasSubstr("TIMES THE BOUND"));
}

// What a network's file says of its traffic holds for what is synthesized, too.
TEST_F(Own, SynthesizedSchedulesMeetTheTrafficOfTheirNetwork) {
  const auto write = [&](const std::string& traffic) {
    std::ofstream(path("net.json")) << "{" << traffic
                                    << R"("ranks": 3, "links": [{"from": 0, "to": 1}, {"from": 1, "to": 2},
                                          {"from": 2, "to": 0}]})";
  };
  const std::string line = "synthesize all-gather --bytes 64KiB --topology " + path("net.json");
  write("");
  const Json alone = json(line + " --json");
  EXPECT_TRUE(alone["traffic"].is_null() && alone["injection_bound_seconds"].is_null());
  EXPECT_EQ(tutti(line).out.find("\nTraffic "), std::string::npos);
  const std::string options = " --injection 9ns --background 4 --eager 1KiB --routing ecmp:7";
  const Json asked = json(line + options + " --json");
  EXPECT_GE(asked["seconds"], asked["injection_bound_seconds"]);
  EXPECT_GT(asked["injection_bound_seconds"], alone["seconds"]);
  EXPECT_GT(asked["catalogue"]["seconds"], alone["catalogue"]["seconds"]);
  EXPECT_GT(asked["optimum_seconds"], alone["optimum_seconds"]);
  EXPECT_LE(asked["optimum_seconds"], asked["seconds"]);
  EXPECT_EQ(json(line + " --background 4 --json")["optimum_seconds"], alone["optimum_seconds"]);
  write(R"("injection": "9ns", "background": 4, "eager": "1KiB", "routing": "ecmp:7", )");
  EXPECT_EQ(json(line + " --json"), asked) << "a file says the same as options";
  EXPECT_THAT(
      tutti(line).out,
      HasSubstr("\nTraffic   routing ecmp, 4 messages in the background, 9ns a byte at each rank, sends of up to 1KiB "
                "buffered: "));
}

TEST_F(Own, SchedulesOfMscclAreRead) {
  std::ofstream(path("pair.xml")) << R"(<algo coll="allgather" ngpus="2" nchunksperloop="2" inplace="1">
<gpu id="0" s_chunks="0"><tb id="0" send="1" recv="1">
<step s="0" type="s" srcbuf="i" srcoff="0" cnt="1"/><step s="1" type="r" dstbuf="o" dstoff="1" cnt="1"/></tb></gpu>
<gpu id="1" s_chunks="0"><tb id="0" send="0" recv="0">
<step s="0" type="s" srcbuf="i" srcoff="0" cnt="1"/><step s="1" type="r" dstbuf="o" dstoff="0" cnt="1"/></tb></gpu></algo>)";
  EXPECT_EQ(json("verify schedule " + path("pair.xml") + " --json")["proved"], true);
  const Json run = json("simulate schedule " + path("pair.xml") + " --bytes 1000 --json");
  EXPECT_NEAR(run["seconds"].get<double>(), 2e-6, 1e-15);
}

// Whatever a file holds, its refusal fits a screen and is text.
TEST_F(Own, RefusalsQuoteNoWholeFile) {
  std::ofstream(path("long.json")) << R"({"tutti_schedule": ")" << std::string(1'000'000, 'x') << "\"}";
  const Ran ran = tutti("verify schedule " + path("long.json"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_LT(ran.err.size(), 3000U);
  EXPECT_THAT(ran.err, HasSubstr("long.json: schedules of version 1 are read, not of version"));
  std::ofstream(path("latin.xml")) << "<algo coll=\"all\xffgather\" ngpus=\"2\" nchunksperloop=\"2\" inplace=\"1\"/>";
  EXPECT_THAT(tutti("verify schedule " + path("latin.xml")).err, HasSubstr("there is no collective 'all\\xffgather'"));
}

TEST_F(Own, SchedulesThatCannotBeMadeAreRefused) {
  const auto refusal = [](const std::string& line) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    return ran.err;
  };
  EXPECT_THAT(refusal("synthesize all-gather"), HasSubstr("synthesize needs a collective and a network"));
  EXPECT_THAT(refusal("synthesize scan --topology ring:4"), HasSubstr("not for scan"));
  EXPECT_THAT(refusal("synthesize all-gather --topology ring:4 --root 1"), HasSubstr("all-gather has no root"));
  EXPECT_THAT(refusal("synthesize broadcast --topology ring:4 --root 4"), HasSubstr("root"));
  EXPECT_THAT(refusal("price messages 0-1 --ranks 2"), HasSubstr("tutti price schedule FILE.json"));
}

}  // namespace
}  // namespace tutti::test
