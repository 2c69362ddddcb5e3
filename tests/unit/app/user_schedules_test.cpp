/// @file
/// Schedules as files: made, read, and refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "unit/app/user_files.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

class UserSchedules : public UserFiles {};

// The readers take the files that explain writes; the same schedule with an operation less is refused.
TEST_F(UserSchedules, AreFiles) {
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
  EXPECT_EQ(tutti("draw schedule " + file + " -o " + path("broken.svg")).status, 1);
  EXPECT_THAT(content_of("broken.svg"), HasSubstr("refused as"));
  EXPECT_THAT(tutti("draw schedule " + file + " -o " + path("broken.html")).err, HasSubstr("drawn as FILE.svg"));
  EXPECT_EQ(tutti("verify schedule " + file + " --count 3").status, 2);
  EXPECT_EQ(tutti("simulate schedule " + file + " --ranks 7").status, 2);
}

TEST_F(UserSchedules, MadeForANetworkAreReadByAll) {
  const std::string options = " --topology nvlink:4 --ts 0.1us";
  const Json made =
      json("synthesize all-reduce --bytes 64KiB --segments 2 -o " + path("made.json") + " --json" + options);
  EXPECT_LE(made["bound_seconds"], made["phases_seconds"]);
  EXPECT_LE(made["phases_seconds"], made["seconds"]);
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

// Traffic in a network's file holds for synthesized schedules, too.
TEST_F(UserSchedules, SynthesizedSchedulesMeetTheTrafficOfTheirNetwork) {
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

TEST_F(UserSchedules, OfMscclAreRead) {
  std::ofstream(path("pair.xml")) << R"(<algo coll="allgather" ngpus="2" nchunksperloop="2" inplace="1">
<gpu id="0" s_chunks="0"><tb id="0" send="1" recv="1">
<step s="0" type="s" srcbuf="i" srcoff="0" cnt="1"/><step s="1" type="r" dstbuf="o" dstoff="1" cnt="1"/></tb></gpu>
<gpu id="1" s_chunks="0"><tb id="0" send="0" recv="0">
<step s="0" type="s" srcbuf="i" srcoff="0" cnt="1"/><step s="1" type="r" dstbuf="o" dstoff="0" cnt="1"/></tb></gpu></algo>)";
  EXPECT_EQ(json("verify schedule " + path("pair.xml") + " --json")["proved"], true);
  const Json run = json("simulate schedule " + path("pair.xml") + " --bytes 1000 --json");
  EXPECT_NEAR(run["seconds"].get<double>(), 2e-6, 1e-15);
}

// Each of `p` ranks gets all others' chunks and adds them up, its own first: ranks add in different orders.
std::string one_pass(int p, bool wrong) {
  std::string text = "<algo coll=\"allreduce\" ngpus=\"" + std::to_string(p) +
                     "\" nchunksperloop=\"1\" inplace=\"0\" outofplace=\"1\">\n";
  for (int r = 0; r < p; ++r) {
    std::string sums = "<step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\"/>";
    text += "<gpu id=\"" + std::to_string(r) + "\" s_chunks=\"" + std::to_string(p) + "\">";
    for (int k = 1; k < p; ++k) {
      const std::string peer = std::to_string((r + k) % p);
      const std::string from = std::to_string(k - 1);
      text += "<tb id=\"" + from + "\" send=\"" + peer + "\" recv=\"" + peer + "\" chan=\"0\">";
      text += "<step s=\"0\" type=\"s\" srcbuf=\"i\" srcoff=\"0\" cnt=\"1\"/>";
      text += "<step s=\"1\" type=\"r\" dstbuf=\"s\" dstoff=\"" + from + "\" cnt=\"1\"/></tb>";
      const std::string added = wrong && r == p - 1 ? "0" : from;
      sums += "<step s=\"" + std::to_string(k) + "\" type=\"re\" srcbuf=\"s\" srcoff=\"" + added +
              "\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"" + added + "\" deps=\"1\"/>";
    }
    text += "<tb id=\"" + std::to_string(p - 1) + "\" send=\"-1\" recv=\"-1\" chan=\"-1\">" + sums + "</tb></gpu>\n";
  }
  return text + "</algo>\n";
}

TEST_F(UserSchedules, WhoseBitsMayDifferHaveATime) {
  const std::string bits = "bits.xml: rank 1 combines output[0..";
  for (int p = 3; p <= 6; ++p) {
    std::ofstream(path("bits.xml")) << one_pass(p, false);
    const std::string file = "schedule " + path("bits.xml");
    EXPECT_EQ(json("verify " + file + " --json", 1)["failure"]["kind"], "not-identical");
    const Json run = json("simulate " + file + " --bytes 1000 --ports multiple --json");
    EXPECT_NEAR(run["seconds"].get<double>(), 2e-6, 1e-15) << p;
    EXPECT_THAT(run["notes"][0].get<std::string>(), HasSubstr(bits));
    const Json price = json("price " + file + " --bytes 1000 --ports multiple --json");
    EXPECT_NEAR(price["seconds"].get<double>(), 2e-6, 1e-15) << p;
    EXPECT_THAT(price["notes"][0].get<std::string>(), HasSubstr(bits));
  }
  const std::string file = "schedule " + path("bits.xml");
  for (const char* command : {"simulate ", "price "}) {
    const Ran ran = tutti(command + file);
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, HasSubstr("Note: "));
    EXPECT_THAT(ran.out, HasSubstr("bits may differ"));
  }
  EXPECT_THAT(tutti("draw " + file + " --timeline -o " + path("bits.svg")).out, HasSubstr("bits may differ"));
  EXPECT_THAT(tutti("draw " + file + " -o " + path("bits.svg")).out, HasSubstr("bits may differ"));
  std::ofstream(path("wrong.xml")) << one_pass(4, true);
  for (const char* command : {"simulate schedule ", "price schedule "}) {
    const Ran ran = tutti(command + path("wrong.xml"));
    EXPECT_EQ(ran.status, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("rank 3, step")) << command;
  }
}

TEST_F(UserSchedules, CustomCollectivesHaveATimeAndNoBound) {
  std::ofstream(path("next.xml")) << R"(<algo coll="custom" ngpus="2" nchunksperloop="2" inplace="1">
<gpu id="0" i_chunks="2" o_chunks="0" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" cnt="2"/></tb></gpu>
<gpu id="1" i_chunks="2" o_chunks="2" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0">
<step s="0" type="r" dstbuf="o" dstoff="0" cnt="2"/></tb></gpu></algo>)";
  const std::string file = "schedule " + path("next.xml");
  EXPECT_THAT(tutti("verify " + file).out, HasSubstr("custom collective over 2 ranks: every rank comes to its end"));
  EXPECT_THAT(tutti("verify " + file).out, HasSubstr("no file says what it is to do"));
  EXPECT_NEAR(json("simulate " + file + " --bytes 1000 --json")["seconds"].get<double>(), 2e-6, 1e-15);
  const Json price = json("price " + file + " --bytes 1000 --json");
  EXPECT_NEAR(price["seconds"].get<double>(), 2e-6, 1e-15);
  EXPECT_TRUE(price["lower_bound"].is_null());
  EXPECT_THAT(tutti("price " + file).out, HasSubstr("neither a bound nor an algorithm of the catalogue"));
}

// Whatever a file holds, its refusal fits a screen and is text.
TEST_F(UserSchedules, RefusalsQuoteNoWholeFile) {
  std::ofstream(path("long.json")) << R"({"tutti_schedule": ")" << std::string(1'000'000, 'x') << "\"}";
  const Ran ran = tutti("verify schedule " + path("long.json"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_LT(ran.err.size(), 3000U);
  EXPECT_THAT(ran.err, HasSubstr("long.json: schedules of version 1 are read, not of version"));
  std::ofstream(path("latin.xml")) << "<algo coll=\"all\xffgather\" ngpus=\"2\" nchunksperloop=\"2\" inplace=\"1\"/>";
  EXPECT_THAT(tutti("verify schedule " + path("latin.xml")).err, HasSubstr("there is no collective 'all\\xffgather'"));
}

TEST_F(UserSchedules, ThatCannotBeMadeAreRefused) {
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
