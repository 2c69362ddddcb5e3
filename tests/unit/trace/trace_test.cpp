/// @file
/// TUTTI_TRACE: what ranks record.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/command.hpp"
#include "timeline/analysis.hpp"
#include "tutti/tutti.hpp"
#include "unit/trace/traced.hpp"

namespace tutti::runtime {
namespace {

using Json = nlohmann::json;
using test::kinds_of;
using test::Trace;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;
using timeline::Timeline;

// Every send has met its receive, and flows in the file come in pairs.
void expect_matched(const Timeline& timeline, const std::string& text) {
  std::size_t sends = 0;
  std::size_t receives = 0;
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane) {
      if (span.kind == SpanKind::send) ++sends;
      if (span.kind == SpanKind::receive) ++receives;
      if (span.kind == SpanKind::send || span.kind == SpanKind::receive) {
        EXPECT_GT(span.message, 0U);
      }
      EXPECT_LE(span.begin, span.end);
    }
  }
  EXPECT_EQ(sends, timeline.messages.size());
  EXPECT_EQ(receives, timeline.messages.size());
  std::map<std::string, int> flows;
  for (const Json& event : Json::parse(text)) {
    if (event["ph"] == "s") ++flows[event["id"]];
    if (event["ph"] == "f") --flows[event["id"]];
  }
  for (const auto& [id, open] : flows) EXPECT_EQ(open, 0) << id;
}

TEST_F(Trace, OfThreadsHasEveryMessageOnBothSides) {
  constexpr int ranks = 4;
  run(ranks, [](Communicator& comm) {
    for (const int count : {0, 1, 1000, 100'000}) {
      std::vector<double> data(static_cast<std::size_t>(count), 1);
      comm.all_reduce(std::span(data), sum);
      comm.broadcast(std::span(data), 1);
    }
    std::optional<Communicator> half = comm.split(comm.rank() % 2, 0);
    half->barrier();
    std::vector<int> mine(10, comm.rank());
    std::vector<int> other(10);
    Handle sent = comm.send_async(std::span<const int>(mine), comm.rank() ^ 1);
    comm.receive(std::span(other), comm.rank() ^ 1);
    sent.wait();
  });
  const Timeline timeline = read();
  ASSERT_EQ(timeline.lanes.size(), std::size_t{ranks});
  expect_matched(timeline, text());
  EXPECT_GT(timeline.messages.size(), 20U);
  for (const Lane& lane : timeline.lanes) {
    EXPECT_EQ(kinds_of(lane)[SpanKind::call], 12);  // 8 collectives, the split, its barrier, a send and a receive
    std::vector<std::string> calls;
    for (const Span& span : lane) calls.push_back(span.text);
    EXPECT_THAT(calls, ::testing::Contains(HasSubstr("all_reduce of 1000 double by ")));
  }
  EXPECT_FALSE(critical_path(timeline).empty());
}

// The calls after an all-to-all whose counts travel run on the same operation, which has recorded an algorithm for that
// one alone.
TEST_F(Trace, NamesTheAlgorithmOfEachCall) {
  run(3, [](Communicator& comm) {
    const std::vector<std::int64_t> counts(3, 2);
    std::vector<int> in(6, 1);
    std::vector<int> out(6);
    Plan plan = comm.plan_all_to_all_v(std::span<const int>(in), std::span(out), counts, counts, {.algorithm = "ring"});
    for (int k = 0; k < 2; ++k) {
      comm.all_to_all_v(std::span<const int>(in), std::span(out), counts, counts, {.algorithm = "ring"});
      comm.all_reduce(std::span(out), sum, {.algorithm = "ring"});
      comm.barrier({.algorithm = "flat"});
      plan.run();
      EXPECT_EQ(plan.algorithm(), "ring");
    }
  });
  for (const Lane& lane : read().lanes) {
    std::vector<std::string> calls;
    for (const Span& span : lane) {
      if (span.kind == SpanKind::call) calls.push_back(span.text);
    }
    const std::vector<std::string> round = {"all_to_all_v", "all_reduce of 6 int32 by ring", "barrier by flat",
                                            "all_to_all_v"};
    ASSERT_EQ(calls.size(), 2 * round.size());
    for (std::size_t k = 0; k < calls.size(); ++k) EXPECT_EQ(calls[k], round[k % round.size()]);
  }
}

// Also where two calls are under way: phases of one follow one another, and messages lie within them.
TEST_F(Trace, HasThePhasesThatAlgorithmsName) {
  run(4, [](Communicator& comm) {
    std::vector<int> first(1000, 1);
    std::vector<int> second(1000, 1);
    comm.all_reduce(std::span(first), sum, {.algorithm = "ring"});
    Handle one = comm.all_reduce_async(std::span(first), sum, {.algorithm = "ring"});
    Handle other = comm.all_reduce_async(std::span(second), sum, {.algorithm = "ring"});
    one.wait();
    other.wait();
    comm.broadcast(std::span(first), 0, {.algorithm = "binomial"});
  });
  constexpr double precision = 1e-9;  // the file's
  const Timeline timeline = read();
  ASSERT_EQ(timeline.lanes.size(), 4U);
  for (const Lane& lane : timeline.lanes) {
    std::map<std::string, int> names;
    std::vector<Span> phases;
    for (const Span& span : lane) {
      if (span.kind != SpanKind::phase) continue;
      ++names[span.text];
      phases.push_back(span);
      EXPECT_TRUE(std::any_of(lane.begin(), lane.end(), [&](const Span& call) {
        return call.kind == SpanKind::call && call.begin <= span.begin + precision && span.end <= call.end + precision;
      }));
    }
    EXPECT_EQ(names, (std::map<std::string, int>{{"reduce-scatter", 3}, {"all-gather", 3}}));
    ASSERT_GE(phases.size(), 2U);
    EXPECT_EQ(phases[0].text, "reduce-scatter");
    EXPECT_EQ(phases[1].text, "all-gather");
    EXPECT_NEAR(phases[0].end, phases[1].begin, precision);
  }
}

TEST_F(Trace, OfSeveralRunsOfAProgramHasAllOfThem) {
  for (int k = 0; k < 3; ++k) {
    run(2, [](Communicator& comm) { comm.barrier(); });
    const Timeline timeline = read();
    EXPECT_EQ(kinds_of(timeline.lanes[0])[SpanKind::call], k + 1);
    expect_matched(timeline, text());
  }
}

// Viewers join the sends and receives of one number, whatever the world: arrows would lead from one to another.
TEST_F(Trace, OfSeveralWorldsHasNoNumberOfAMessageTwice) {
  std::vector<std::jthread> worlds;
  for (int k = 0; k < 3; ++k) worlds.emplace_back([] { run(2, [](Communicator& comm) { comm.barrier(); }); });
  worlds.clear();
  run(2, [](Communicator& comm) { comm.barrier(); });
  std::map<std::string, int> sends;
  for (const Json& event : Json::parse(text())) {
    if (event["ph"] == "s") ++sends[event["id"]];
  }
  EXPECT_GE(sends.size(), 4U);
  for (const auto& [id, count] : sends) EXPECT_EQ(count, 1) << id;
}

TEST_F(Trace, WithAProgressThreadIsWholeToo) {
  run(3,
      [](Communicator& comm) {
        for (int k = 0; k < 20; ++k) {
          std::vector<int> data(100, 1);
          Handle handle = comm.all_reduce_async(std::span(data), sum);
          handle.wait();
        }
      },
      {.progress_thread = true});
  expect_matched(read(), text());
}

TEST_F(Trace, IsNotWrittenUnlessAskedFor) {
  unsetenv("TUTTI_TRACE");
  run(2, [](Communicator& comm) { comm.barrier(); });
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(Trace, OfAThreadThatFailsIsThereToo) {
  EXPECT_THROW(run(3,
                   [](Communicator& comm) {
                     comm.barrier();
                     if (comm.rank() == 1) throw std::runtime_error("as asked for");
                     comm.barrier();
                   }),
               std::runtime_error);
  EXPECT_EQ(read().lanes.size(), 3U);
}

// Built where ranks may be processes.
#ifdef TUTTI_COMMAND

test::Ran run_ranks(const std::string& how) {
  return test::run_command(TUTTI_COMMAND, {"run", "-n", "4", TUTTI_TRACED_RANKS, how});
}

TEST_F(Trace, OfProcessesHasEveryMessageOnBothSides) {
  for (const char* how : {"well", "large"}) {
    const test::Ran ran = run_ranks(how);
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Timeline timeline = read();
    ASSERT_EQ(timeline.lanes.size(), 4U);
    expect_matched(timeline, text());
    for (const Lane& lane : timeline.lanes) EXPECT_EQ(kinds_of(lane)[SpanKind::call], 4);
  }
}

TEST_F(Trace, HasAMessageOnceHoweverManyPartsItComesIn) {
  setenv("TUTTI_PEER_READS", "0", 1);
  const test::Ran ran = run_ranks("large");
  unsetenv("TUTTI_PEER_READS");
  ASSERT_EQ(ran.status, 0) << ran.err;
  expect_matched(read(), text());
}

// The copy that a rank keeps of what it sends is made in parts until the receiver comes, and has spans before the
// receiver's message, after it, and once its own is read.
TEST_F(Trace, HasACopyOnceHoweverManyPartsItIsMadeIn) {
  constexpr std::size_t block = std::size_t{4} << 20;
  run(2, [](Communicator& comm) {
    const std::vector<char> own(block, 1);
    std::vector<char> all(2 * block);
    if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    comm.all_gather(std::span(own), std::span(all), {.algorithm = "linear"});
  });
  std::int64_t copied = 0;
  for (const Lane& lane : read().lanes) {
    EXPECT_LE(kinds_of(lane)[SpanKind::copy], 3);
    for (const Span& span : lane) copied += span.kind == SpanKind::copy ? span.bytes : 0;
  }
  EXPECT_LE(copied, static_cast<std::int64_t>(2 * block));
}

TEST_F(Trace, OfAnEarlierRunIsReplaced) {
  ASSERT_EQ(run_ranks("well").status, 0);
  ASSERT_EQ(run_ranks("well").status, 0);
  EXPECT_EQ(kinds_of(read().lanes.at(0))[SpanKind::call], 4);
}

TEST_F(Trace, OfAProcessThatFailsIsThereWithTheOthers) {
  EXPECT_NE(run_ranks("fails").status, 0);
  const Timeline timeline = read();
  ASSERT_EQ(timeline.lanes.size(), 4U);
  for (const Lane& lane : timeline.lanes) EXPECT_GE(kinds_of(lane)[SpanKind::call], 1);
}

TEST_F(Trace, OfTheOthersIsThereWhenOneIsKilled) {
  EXPECT_NE(run_ranks("killed").status, 0);
  const Timeline timeline = read();
  ASSERT_EQ(timeline.lanes.size(), 4U);
  EXPECT_THAT(timeline.lanes[1], IsEmpty());
  for (const int rank : {0, 2, 3})
    EXPECT_GE(kinds_of(timeline.lanes[static_cast<std::size_t>(rank)])[SpanKind::call], 1);
}

#endif

// Once, however many ranks there are.
TEST_F(Trace, ThatCannotBeWrittenIsSaidAndTheProgramGoesOn) {
  setenv("TUTTI_TRACE", (folder_ / "no" / "trace.json").c_str(), 1);
  std::vector<test::Ran> all{test::run_command(TUTTI_TRACED_RANKS, {"well"})};
#ifdef TUTTI_COMMAND
  all.push_back(run_ranks("well"));
#endif
  for (const test::Ran& ran : all) {
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.err, HasSubstr("tutti: no trace is written: TUTTI_TRACE="));
    EXPECT_THAT(ran.err, HasSubstr("(No such file or directory): name another file"));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(Trace, ThatCannotBeWrittenWhereNobodyListensLetsTheProgramGoOn) {
  setenv("TUTTI_TRACE", (folder_ / "no" / "trace.json").c_str(), 1);
  for (const std::string nobody : {" 2> /dev/full", " 2>&-"})
    EXPECT_EQ(test::run_command("/bin/sh", {"-c", TUTTI_TRACED_RANKS " well" + nobody}).status, 0) << nobody;
}

TEST_F(Trace, NeverReplacesAnotherFile) {
  std::ofstream(file()) << "a letter";
  const test::Ran ran = test::run_command(TUTTI_TRACED_RANKS, {"well"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("is a file that is no trace: name another one"));
  EXPECT_EQ(text(), "a letter");
}

}  // namespace
}  // namespace tutti::runtime
