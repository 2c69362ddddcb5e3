/// @file
/// Schedules of MSCCL: the published examples' patterns, written here for any number of ranks, are proved once they are
/// read; what is wrong is refused where it stands.

#include "schedule_file/msccl.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/integers.hpp"
#include "unit/schedule_file/msccl_text.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;

// Every rank's first step is a send, its second a receive: buffered sends alone bring it to its end.
std::string ring_all_reduce(int p, bool in_place) {
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    const auto chunk = [&](int k) { return modulo(r - k, p); };
    std::string steps = step(0, "s", 'i', chunk(0), 'i', chunk(0));
    for (int k = 1; k < p - 1; ++k) steps += step(k, "rrs", 'i', chunk(k), 'i', chunk(k));
    steps += step(p - 1, "rrcs", 'i', chunk(p - 1), 'o', chunk(p - 1));
    for (int k = p; k < 2 * p - 2; ++k) steps += step(k, "rcs", 'i', 0, 'o', chunk(k));
    steps += step(2 * p - 2, "r", 'i', 0, 'o', chunk(2 * p - 2));
    gpus += gpu(r, 0, block(0, (r + 1) % p, (r + p - 1) % p, steps));
  }
  return algorithm("allreduce", p, p, in_place, gpus);
}

// Contributions to a rank's chunk come to its scratch, a block of its own adds them up as they are there, and the sum
// goes to all.
std::string all_pairs_all_reduce(int p) {
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    std::string blocks;
    std::string sums;
    for (int k = 0; k + 1 < p; ++k) {
      const int peer = (r + k + 1) % p;
      blocks += block(k, peer, peer,
                      step(0, "s", 'i', peer, 's', 0) + step(1, "r", 'i', 0, 's', k) +
                          step(2, "s", 'i', r, 'i', r, {p - 1, p - 2}) + step(3, "r", 'i', 0, 'i', peer));
      sums += step(k, "re", 's', k, 'i', r, {k, 1});
    }
    gpus += gpu(r, p - 1, blocks + block(p - 1, -1, -1, sums));
  }
  return algorithm("allreduce", p, p, true, gpus);
}

// Every rank sends its blocks to all others; in place, they lie where they belong from the start.
std::string all_pairs(const std::string& collective, int p, bool in_place) {
  const bool gathers = collective == "allgather";
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    std::string blocks;
    for (int k = 0; k + 1 < p; ++k) {
      const int peer = (r + k + 1) % p;
      blocks += block(k, peer, peer, step(0, "s", 'i', gathers ? 0 : peer, 'o', r) + step(1, "r", 'i', 0, 'o', peer));
    }
    if (!in_place) blocks += block(p - 1, -1, -1, step(0, "cpy", 'i', gathers ? 0 : r, 'o', r));
    gpus += gpu(r, 0, blocks);
  }
  return algorithm(collective, p, p, in_place, gpus);
}

std::string ring_reduce_scatter(int p, bool in_place) {
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    std::string steps = step(0, "s", 'i', modulo(r - 1, p), 'i', 0);
    for (int k = 1; k < p - 1; ++k) steps += step(k, "rrs", 'i', modulo(r - 1 - k, p), 'i', 0);
    steps += step(p - 1, "rrc", 'i', r, 'o', 0);
    gpus += gpu(r, 0, block(0, (r + 1) % p, (r + p - 1) % p, steps));
  }
  return algorithm("reduce_scatter", p, p, in_place, gpus);
}

void expect_proved(const std::string& text, int p) {
  for (const std::int64_t count : {0, p, 5 * p}) {
    const Schedule schedule = read_msccl(text, "mine.xml", count);
    const Proof proof = verify(schedule);
    EXPECT_TRUE(proof.proved()) << describe(schedule.problem) << ": " << (proof.failure ? describe(*proof.failure) : "")
                                << '\n'
                                << text_of(schedule);
  }
}

TEST(Msccl, PatternsOfItsExamplesAreProved) {
  for (int p = 2; p <= 6; ++p) {
    for (const bool in_place : {false, true}) {
      expect_proved(ring_all_reduce(p, in_place), p);
      expect_proved(ring_reduce_scatter(p, in_place), p);
      expect_proved(all_pairs("allgather", p, in_place), p);
    }
    expect_proved(all_pairs("alltoall", p, false), p);
    expect_proved(all_pairs_all_reduce(p), p);
  }
}

// A ring's all-reduce in as many steps as the ring has, although its sends come before its receives.
TEST(Msccl, SendsAreBuffered) {
  const Schedule schedule = read_msccl(ring_all_reduce(5, true), "ring.xml", 0);
  EXPECT_EQ(traffic_of(schedule).rounds, 8);
  EXPECT_EQ(traffic_of(schedule).messages, 40);
}

// Rank 0 sends what it has put into its scratch and takes in there, meanwhile, what rank 1 has sent; rank 1 comes to
// its receive later.
TEST(Msccl, WhatWasSentMayBeOverwrittenBeforeItIsReceived) {
  for (const int late : {0, 1, 2, 5}) {
    const std::string first = block(0, 1, 1,
                                    step(0, "cpy", 'i', 1, 's', 0) + step(1, "s", 's', 0, 'o', 0) +
                                        step(2, "r", 'i', 0, 's', 0) + step(3, "cpy", 's', 0, 'o', 1)) +
                              block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', 0));
    std::string second = step(0, "s", 'i', 0, 's', 0);
    for (int k = 0; k <= late; ++k) second += step(k + 1, "cpy", 'i', 1, 'o', 1);
    second += step(late + 2, "r", 's', 0, 'o', 0);
    expect_proved(algorithm("alltoall", 2, 2, false, gpu(0, 1, first) + gpu(1, 0, block(0, 0, 0, second))), 2);
  }
}

// A file that is for both ways of calling is read as one for two buffers.
TEST(Msccl, IsReadOutOfPlaceWhereItMayBe) {
  std::string text = ring_all_reduce(3, true);
  EXPECT_TRUE(read_msccl(text, "mine.xml", 3).problem.in_place);
  const std::string no = "outofplace=\"0\"";
  text.replace(text.find(no), no.size(), "outofplace=\"1\"");
  EXPECT_FALSE(read_msccl(text, "mine.xml", 3).problem.in_place);
  expect_proved(text, 3);
}

// The two chunks of a rank go over channels that its peer looks at in the other order.
TEST(Msccl, ChannelsKeepMessagesApart) {
  std::string gpus;
  for (int r = 0; r < 2; ++r) {
    const int peer = 1 - r;
    const auto own = [&](int chunk) { return step(0, "s", 'i', chunk, 'o', 2 * r + chunk); };
    const auto others = [&](int number, int chunk) { return step(number, "r", 'i', chunk, 'o', 2 * peer + chunk); };
    const std::string blocks =
        r == 0 ? block(0, peer, peer, own(0) + others(1, 0), 0) + block(1, peer, peer, own(1) + others(1, 1), 1)
               : block(0, peer, peer, own(1) + others(1, 1), 1) + block(1, peer, peer, own(0) + others(1, 0), 0);
    gpus += gpu(r, 0,
                blocks + block(2, -1, -1, step(0, "cpy", 'i', 0, 'o', 2 * r) + step(1, "cpy", 'i', 1, 'o', 2 * r + 1)));
  }
  expect_proved(algorithm("allgather", 2, 4, false, gpus), 2);
}

std::string two_gpus(const std::string& first, const std::string& second) {
  return algorithm("broadcast", 2, 1, false, gpu(0, 0, first) + gpu(1, 0, second));
}

TEST(Msccl, SaysWhereSomethingIsWrong) {
  const std::string send = block(0, 1, -1, step(0, "s", 'i', 0, 'o', 0));
  const std::string receive = block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0));
  EXPECT_EQ(complaint_about(two_gpus(send, receive)), "nothing wrong");
  EXPECT_THAT(complaint_about("<system/>"), HasSubstr("mine.xml: there is no <system>"));
  EXPECT_THAT(complaint_about(""), HasSubstr("this is no schedule of MSCCL"));
  EXPECT_THAT(complaint_about("<algo coll='allredce' ngpus='2' nchunksperloop='2'"), HasSubstr("ends within a tag"));
  EXPECT_THAT(complaint_about("<algo coll='allredce' ngpus='2' nchunksperloop='2'>"),
              HasSubstr("nearest is 'allreduce'"));
  EXPECT_THAT(complaint_about("<algo coll='allreduce' ngpus='2'>"), HasSubstr("nchunksperloop"));
  EXPECT_THAT(complaint_about(algorithm("broadcast", 2, 1, false, gpu(0, 0, send))), HasSubstr("it has 1 of 2 GPUs"));
  const std::string whole = two_gpus(send, receive);
  EXPECT_THAT(complaint_about(whole.substr(0, whole.find("</algo>"))), HasSubstr("it ends before its </algo>"));
  EXPECT_THAT(complaint_about(algorithm("allgather", 2, 3, false, "")), HasSubstr("not shared evenly among 2 ranks"));
  const std::string at = "mine.xml: rank 1, thread block 0, step 0: ";
  const auto second = [&](const std::string& steps) { return complaint_about(two_gpus(send, block(0, -1, 0, steps))); };
  EXPECT_THAT(second(step(0, "rrx", 'i', 0, 'o', 0)), HasSubstr(at + "there is no type 'rrx'"));
  EXPECT_THAT(second(step(0, "s", 'i', 0, 'o', 0)), HasSubstr(at + "'s' sends"));
  EXPECT_THAT(second(step(0, "r", 'i', 0, 'q', 0)), HasSubstr(at + "there is no buffer 'q'"));
  EXPECT_THAT(second(step(0, "r", 'i', 0, 'o', 1)), HasSubstr(at + "chunks 1 to 1 of 'o', which has 1"));
  EXPECT_THAT(second(step(1, "r", 'i', 0, 'o', 0)), HasSubstr(at + "it comes as step 1"));
  const auto counted = [&](const std::string& count) {
    return second(R"(<step s="0" type="r" dstbuf="o" dstoff="0" )" + count + " />");
  };
  EXPECT_EQ(counted("cnt = '1'"), "nothing wrong");
  for (const char* count : {"cnt=1", "cnt=212", "cnt", "cnt '1'", "cnt="})
    EXPECT_THAT(counted(count), HasSubstr(at + "an attribute of <step> has no value between quotes")) << count;
  EXPECT_THAT(second(step(0, "r", 'i', 0, 'o', 0, {3, 0})), HasSubstr(at + "it waits for step 0 of thread block 3"));
  EXPECT_THAT(second(step(0, "r", 'i', 0, 'o', 0, {0, 0})), HasSubstr(at + "'r' waits for ever for step 0"));
  const std::string waits = block(0, 1, -1, step(0, "s", 'i', 0, 'o', 0, {0, 0}));
  EXPECT_THAT(complaint_about(two_gpus(waits, block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0)))),
              HasSubstr("rank 0, thread block 0, step 0: 's' waits for ever for step 0 of its own"));
  EXPECT_THAT(second(step(0, "r", 'i', 0, 'o', 0) + step(1, "r", 'i', 0, 'o', 0)),
              HasSubstr("rank 1, thread block 0, step 1: 'r' waits for ever for a message from rank 0"));
  EXPECT_THAT(second(""), HasSubstr("mine.xml: rank 0, thread block 0, step 0: rank 1 never receives"));
  EXPECT_THAT(complaint_about(algorithm("broadcast", 2, 2, false,
                                        gpu(0, 0, send) + gpu(1, 0,
                                                              R"(<tb id="0" send="-1" recv="0"><step s="0" type="r" )"
                                                              R"(dstbuf="o" dstoff="0" cnt="2"/></tb>)"))),
              HasSubstr(at + "it receives 2 elements of a message of 1, which rank 0 sends in thread block 0, step 0"));
  EXPECT_THAT(complaint_about(two_gpus(block(0, 0, -1, ""), receive)), HasSubstr("its own rank"));
  EXPECT_THAT(complaint_about(ring_all_reduce(4, true), 6), HasSubstr("6 elements are no multiple of that, and 8 are"));
  const auto scratch = [&](int chunks) {
    return algorithm("broadcast", 2, 1, false, gpu(0, chunks, send) + gpu(1, chunks, receive));
  };
  EXPECT_EQ(complaint_about(scratch(1 << 20), 1 << 20), "nothing wrong");
  EXPECT_THAT(complaint_about(scratch(1 << 20), std::int64_t{1} << 50), HasSubstr("hold more than 2^62"));
  EXPECT_THAT(complaint_about(scratch(0), std::numeric_limits<std::int64_t>::max()), HasSubstr("take fewer"));
}

// A thread block that waits for a message of one that never comes to send it is not what is wrong.
TEST(Msccl, NamesWhatKeepsTheOthersWaiting) {
  const std::string receive = block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0));
  const auto waits = [](Wait wait) { return block(0, 1, -1, step(0, "s", 'i', 0, 'o', 0, wait)); };
  const std::string copies = block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', 0, {0, 0}));
  EXPECT_EQ(
      complaint_about(two_gpus(waits({1, 0}) + copies, receive)),
      "mine.xml: rank 0, thread block 0, step 0: 's' waits for ever for step 0 of thread block 1; 2 thread blocks wait "
      "for one another");
  const auto answers = [](int peer) {
    return block(0, peer, peer, step(0, "r", 'i', 0, 'o', 0) + step(1, "s", 'i', 0, 'o', 0));
  };
  EXPECT_EQ(complaint_about(two_gpus(answers(1), answers(0))),
            "mine.xml: rank 0, thread block 0, step 0: 'r' waits for ever for a message from rank 1 on channel 0; 2 "
            "thread blocks wait for one another");
  // Rank 0 takes in what nobody sends before it sends what rank 1 waits for.
  EXPECT_EQ(complaint_about(two_gpus(waits({1, 0}) + block(1, -1, 1, step(0, "r", 'i', 0, 'o', 0)), receive)),
            "mine.xml: rank 0, thread block 1, step 0: 'r' waits for ever for a message from rank 1 on channel 0");
}

TEST(Msccl, ElementsStandInOneAnother) {
  const std::string send = step(0, "s", 'i', 0, 'o', 0);
  const std::string receive = block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0));
  const std::string whole = two_gpus(block(0, 1, -1, send), receive);
  EXPECT_EQ(complaint_about(whole), "nothing wrong");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    return complaint_about(text);
  };
  EXPECT_THAT(changed(send, "</tb>" + send + "<tb id=\"1\" send=\"-1\" recv=\"-1\">"),
              HasSubstr("rank 0, thread block 0, step 0: a <step> stands outside of <tb>"));
  EXPECT_THAT(changed("<tb", "</gpu><tb"), HasSubstr("rank 0: a <tb> stands outside of <gpu>"));
  EXPECT_THAT(changed("</tb>", "</gpu>"), HasSubstr("rank 0, thread block 0, step 1: </gpu> ends nothing"));
  EXPECT_THAT(changed("</algo>", "</algo>" + gpu(2, 0, "")), HasSubstr("a <gpu> stands outside of <algo>"));
  EXPECT_THAT(changed("</algo>", gpu(2, 0, "") + "</algo>"), HasSubstr("GPU 2 comes after all 2 of \"ngpus\""));
}

TEST(Msccl, AttributesStandInQuotes) {
  const auto with = [](const std::string& collective) {
    return complaint_about("<algo " + collective + " ngpus='1' nchunksperloop='1'><gpu id='0'></gpu></algo>");
  };
  for (const char* written :
       {"coll='broadcast'", "coll=\"broadcast\"", "coll = \t'broadcast'", "\ncoll=\n'broadcast'\n"})
    EXPECT_EQ(with(written), "nothing wrong") << written;
  for (const char* written : {"coll=broadcast", "coll=", "coll", "coll broadcast"})
    EXPECT_THAT(with(written), HasSubstr("an attribute of <algo> has no value between quotes")) << written;
  EXPECT_THAT(with("coll='broadcast' ngpus='2'"), HasSubstr("<algo> has ngpus twice; leave one of them out"));
  EXPECT_THAT(with(""), HasSubstr("<algo> needs an attribute coll=\"…\""));
  EXPECT_THAT(complaint_about(std::string("<\0a\0l\0g\0o\0", 10)), HasSubstr("write it as UTF-8"));
}

// The file's meaning may still be wrong: that the proof says.
TEST(Msccl, LeavesToTheProofWhatIsRight) {
  const std::string twice =
      algorithm("allreduce", 2, 1, true,
                gpu(0, 0, block(0, 1, 1, step(0, "s", 'i', 0, 'i', 0) + step(1, "r", 'i', 0, 'i', 0))) +
                    gpu(1, 0, block(0, 0, 0, step(0, "s", 'i', 0, 'i', 0) + step(1, "rrc", 'i', 0, 'i', 0))));
  EXPECT_FALSE(verify(read_msccl(twice, "mine.xml", 4)).proved());
}

}  // namespace
}  // namespace tutti
