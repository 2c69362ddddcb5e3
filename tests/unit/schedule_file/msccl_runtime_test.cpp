/// @file
/// Files that MSCCL's runtime takes and other synthesizers write: copies before the first step, thread blocks that
/// share a connection or have none, custom collectives, scratch behind the output.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/integers.hpp"
#include "unit/schedule_file/msccl_text.hpp"
#include "verify/observe.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string copy(int input, int output) { return fmt::format(R"(<copy i_off="{}" o_off="{}"/>)", input, output); }

// An all-gather or all-to-all in which every rank sends to all others, its own chunks by `own`.
std::string file_of_pairs(const std::string& collective, int p, const std::function<std::string(int)>& own) {
  const bool gathers = collective == "allgather";
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    std::string blocks;
    for (int k = 0; k + 1 < p; ++k) {
      const int peer = (r + k + 1) % p;
      blocks += block(k, peer, peer, step(0, "s", 'i', gathers ? 0 : peer, 'o', r) + step(1, "r", 'i', 0, 'o', peer));
    }
    gpus += gpu(r, 0, own(r) + blocks);
  }
  return algorithm(collective, p, p, false, gpus);
}

std::string why_unproved(const Schedule& schedule) {
  const Proof proof = verify(schedule);
  return proof.failure ? describe(*proof.failure) : "";
}

TEST(MscclCopies, StandBeforeTheFirstStep) {
  for (int p = 2; p <= 6; ++p) {
    for (const std::string collective : {"allgather", "alltoall"}) {
      const int chunk = collective == "allgather" ? 0 : -1;
      const auto copies = [&](int r) { return copy(chunk == 0 ? 0 : r, r); };
      for (const std::int64_t count : {0, 3 * p}) {
        const MscclFile file = read_msccl_file(file_of_pairs(collective, p, copies), "mine.xml", count);
        EXPECT_EQ(why_unproved(file.schedule), "") << collective << " " << p;
        EXPECT_THAT(file.notes, testing::ElementsAre(HasSubstr("mine.xml: its <copy> come before the first step")));
      }
      EXPECT_THAT(why_unproved(read_msccl(file_of_pairs(collective, p, [](int) { return ""; }), "mine.xml", 0)),
                  HasSubstr("rank 0"))
          << "without them the own chunk is missing";
    }
  }
}

// Rank 0 sends on what its copy has put into the output.
TEST(MscclCopies, AreReadByTheFirstStep) {
  std::string gpus;
  for (int r = 0; r < 2; ++r)
    gpus +=
        gpu(r, 0, copy(0, r) + block(0, 1 - r, 1 - r, step(0, "s", 'o', r, 'o', r) + step(1, "r", 'i', 0, 'o', 1 - r)));
  EXPECT_EQ(why_unproved(read_msccl(algorithm("allgather", 2, 2, false, gpus), "mine.xml", 4)), "");
  // In place the chunk is there already, and nobody has to be told.
  const MscclFile in_place = read_msccl_file(algorithm("allgather", 2, 2, true, gpus), "mine.xml", 4);
  EXPECT_EQ(why_unproved(in_place.schedule), "");
  EXPECT_THAT(in_place.notes, IsEmpty());
}

TEST(MscclCopies, AreRefusedOutsideOfTheirBuffers) {
  const auto with = [](const std::string& own) {
    return complaint_about(file_of_pairs("allgather", 2, [&](int) { return own; }));
  };
  EXPECT_THAT(with(copy(1, 0)), HasSubstr("mine.xml: rank 0: i_off of <copy> is 1, and there are 1 chunk"));
  EXPECT_THAT(with(copy(0, 2)), HasSubstr("mine.xml: rank 0: o_off of <copy> is 2, and there are 2 chunks"));
  EXPECT_THAT(with("<copy i_off='0'/>"), HasSubstr("<copy> needs an attribute o_off"));
  EXPECT_THAT(complaint_about("<algo coll='allgather' ngpus='1' nchunksperloop='1'><copy i_off='0' o_off='0'/>"),
              HasSubstr("a <copy> stands outside of <gpu>"));
}

TEST(MscclChannels, AreNoneWhereABlockNeitherSendsNorReceives) {
  for (int p = 2; p <= 4; ++p) {
    std::string gpus;
    for (int r = 0; r < p; ++r) {
      std::string blocks = block(0, -1, -1, step(0, "cpy", 'i', 0, 'o', r), -1);
      for (int k = 1; k < p; ++k) {
        const int peer = (r + k) % p;
        blocks += block(k, peer, peer, step(0, "s", 'i', 0, 'o', r) + step(1, "r", 'i', 0, 'o', peer));
      }
      gpus += gpu(r, 0, blocks);
    }
    EXPECT_EQ(why_unproved(read_msccl(algorithm("allgather", p, p, false, gpus), "mine.xml", 0)), "");
  }
  EXPECT_THAT(complaint_about(algorithm("broadcast", 2, 1, false, gpu(0, 0, block(0, 1, -1, "", -1)) + gpu(1, 0, ""))),
              HasSubstr("thread block 0 has a peer and channel -1; give it a channel from 0 on"));
}

// Rank 0 broadcasts chunks by `senders` thread blocks, which rank 1 takes in by `receivers`; all have one channel.
std::string shared(int chunks, int senders, int receivers, bool chained) {
  const auto part = [&](int blocks, const std::function<std::string(int, int, Wait)>& step_of, int send, int receive) {
    std::string text;
    std::vector<int> done(static_cast<std::size_t>(blocks));
    for (int b = 0; b < blocks; ++b) {
      std::string steps;
      for (int chunk = b; chunk < chunks; chunk += blocks) {
        const Wait wait = chained && chunk > 0 ? Wait{(chunk - 1) % blocks, (chunk - 1) / blocks} : Wait{};
        steps += step_of(done[static_cast<std::size_t>(b)]++, chunk, blocks > 1 ? wait : Wait{});
      }
      text += block(b, send, receive, steps);
    }
    return text;
  };
  const std::string sends = part(
      senders, [](int n, int chunk, Wait wait) { return step(n, "s", 'i', chunk, 'o', chunk, wait); }, 1, -1);
  const std::string receives = part(
      receivers, [](int n, int chunk, Wait wait) { return step(n, "r", 'i', chunk, 'o', chunk, wait); }, -1, 0);
  return algorithm("broadcast", 2, chunks, false, gpu(0, 0, sends) + gpu(1, 0, receives));
}

TEST(MscclConnections, AreSharedByPartnersInTheirOrder) {
  for (int blocks = 2; blocks <= 4; ++blocks) {
    for (const int each : {1, 3}) {
      const MscclFile file = read_msccl_file(shared(blocks * each, blocks, blocks, false), "mine.xml", 0);
      EXPECT_EQ(why_unproved(file.schedule), "") << blocks;
      EXPECT_THAT(file.notes,
                  testing::ElementsAre("mine.xml: thread blocks 0 and 1 of rank 0 send to rank 1 on channel 0, which "
                                       "MSCCL's runtime takes and does not order; the first that sends is read as the "
                                       "partner of the first that receives, and so on"));
    }
  }
}

// The first thread block sends last: its partner waits for it, and takes no message of the other.
TEST(MscclConnections, PartPartnersWhoeverIsReadyFirst) {
  for (int late = 1; late <= 4; ++late) {
    std::string steps;
    for (int k = 0; k < late; ++k) steps += step(k, "cpy", 'i', 0, 's', 0);
    const std::string sends =
        block(0, 1, -1, steps + step(late, "s", 'i', 0, 'o', 0)) + block(1, 1, -1, step(0, "s", 'i', 1, 'o', 1));
    const std::string receives =
        block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0)) + block(1, -1, 0, step(0, "r", 'i', 1, 'o', 1));
    EXPECT_EQ(why_unproved(read_msccl(algorithm("broadcast", 2, 2, false, gpu(0, 1, sends) + gpu(1, 0, receives)),
                                      "mine.xml", 0)),
              "")
        << late;
  }
}

// Receivers that alone share a connection get one message each, the one that has waited longest first: also where
// messages come one by one, while several wait.
TEST(MscclConnections, GiveEachMessageToOneReceiver) {
  for (int receivers = 2; receivers <= 4; ++receivers) {
    for (int chunks = receivers; chunks <= 3 * receivers; ++chunks) {
      const std::string fast = shared(chunks, 1, receivers, false);
      EXPECT_EQ(why_unproved(read_msccl(fast, "mine.xml", 0)), "") << receivers << " " << chunks;
      std::string steps;
      for (int chunk = 0; chunk < chunks; ++chunk)
        steps += step(2 * chunk, "cpy", 'i', chunk, 's', 0) + step(2 * chunk + 1, "s", 's', 0, 'o', chunk);
      const std::string slow = gpu(0, 1, block(0, 1, -1, steps)) + fast.substr(fast.find("<gpu id=\"1\""));
      const std::string head = fast.substr(0, fast.find("<gpu"));
      EXPECT_EQ(why_unproved(read_msccl(head + slow, "mine.xml", 0)), "") << receivers << " " << chunks;
    }
  }
}

// Blocks that do not come out even send, and so receive, in the order of depid and deps.
TEST(MscclConnections, PassMessagesInTheOrderInWhichTheyAreReady) {
  for (int chunks = 2; chunks <= 6; ++chunks) {
    for (int senders = 1; senders <= 3; ++senders) {
      for (int receivers = 1; receivers <= 3; ++receivers) {
        if (std::min(senders, chunks) == std::min(receivers, chunks)) continue;
        const MscclFile file = read_msccl_file(shared(chunks, senders, receivers, true), "mine.xml", 0);
        EXPECT_EQ(why_unproved(file.schedule), "") << chunks << " " << senders << " " << receivers;
        ASSERT_EQ(file.notes.size(), 1U);
        EXPECT_THAT(file.notes[0], HasSubstr(senders > 1 ? "rank 0 send to rank 1" : "rank 1 receive from rank 0"));
        EXPECT_THAT(file.notes[0], HasSubstr("in the order in which they are ready"));
      }
    }
  }
}

TEST(MscclConnections, AreNotSharedByABlockThatSendsNothingThere) {
  const std::string send = block(0, 1, -1, step(0, "s", 'i', 0, 'o', 0)) + block(1, 1, -1, "");
  const MscclFile file = read_msccl_file(
      algorithm("broadcast", 2, 1, false, gpu(0, 0, send) + gpu(1, 0, block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0)))),
      "mine.xml", 0);
  EXPECT_EQ(why_unproved(file.schedule), "");
  EXPECT_THAT(file.notes, IsEmpty());
}

std::string custom_gpu(int id, int input, int output, int scratch, const std::string& blocks) {
  return fmt::format("<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">{}</gpu>", id, input, output,
                     scratch, blocks);
}

// Every rank sends its chunks to the next one; the first receives nothing, and has no output.
std::string all_to_next(int p, int chunks, bool ends) {
  std::string gpus;
  for (int r = 0; r < p; ++r) {
    std::string sends;
    std::string receives;
    for (int k = 0; k < chunks; ++k) {
      sends += step(k, "s", 'i', k, 'o', k);
      receives += step(k, "r", 'i', k, 'o', k);
    }
    std::string blocks = r + 1 < p ? block(0, r + 1, -1, sends) : block(0, -1, -1, "");
    if (r > 0 && (ends || r + 1 < p)) blocks += block(1, -1, r - 1, receives);
    gpus += custom_gpu(r, chunks, r == 0 ? 0 : chunks, 0, blocks);
  }
  return algorithm("custom", p, chunks, true, gpus);
}

class NobodyLooks final : public proof::Observer {
 public:
  void run_begins(const proof::Execution&) override {}
  void message_passes(proof::OpPosition, proof::OpPosition, std::span<const proof::Piece>) override {}
  void step_ends(int, std::size_t) override {}
};

TEST(MscclCustom, EndsWhateverItIsToDo) {
  NobodyLooks nobody;
  for (int p = 2; p <= 5; ++p) {
    for (const int chunks : {1, 3, 16}) {
      const MscclFile file = read_msccl_file(all_to_next(p, chunks, true), "mine.xml", 4 * chunks);
      EXPECT_TRUE(file.is_custom);
      EXPECT_THAT(file.notes, testing::ElementsAre(HasSubstr("the collective is custom")));
      EXPECT_FALSE(proof::observe(file.schedule, nobody).has_value());
      EXPECT_EQ(traffic_of(file.schedule).elements, (p - 1) * 4 * chunks) << "all chunks have four elements";
      EXPECT_THAT(complaint_about(all_to_next(p, chunks, false)), HasSubstr("never receives"));
    }
  }
  EXPECT_FALSE(read_msccl_file(shared(2, 1, 1, false), "mine.xml", 0).is_custom);
  EXPECT_THAT(complaint_about(all_to_next(3, 2, true), 3), HasSubstr("2 chunks; 3 elements are no multiple"));
  EXPECT_THAT(complaint_about(algorithm("custom", 1, 1, false,
                                        custom_gpu(0, 1, 1, 0, block(0, -1, -1, step(0, "cpy", 'i', 1, 'o', 0))))),
              HasSubstr("chunks 1 to 1 of 'i', which has 1"));
  EXPECT_THAT(complaint_about("<algo coll='custom' ngpus='1' nchunksperloop='1'><gpu id='0'></gpu></algo>"),
              HasSubstr("<gpu> needs an attribute i_chunks"));
}

// A custom collective may write its input, which a schedule may not.
TEST(MscclCustom, MayWriteItsInput) {
  NobodyLooks nobody;
  const std::string blocks = block(0, -1, -1, step(0, "cpy", 'i', 0, 'i', 1) + step(1, "cpy", 'i', 1, 'o', 0));
  for (int p = 1; p <= 3; ++p) {
    std::string gpus;
    for (int r = 0; r < p; ++r) gpus += custom_gpu(r, 5, 1, 0, blocks);
    const MscclFile file = read_msccl_file(algorithm("custom", p, 5, false, gpus), "mine.xml", 10);
    const auto failure = proof::observe(file.schedule, nobody);
    EXPECT_FALSE(failure.has_value()) << (failure ? describe(*failure) : "");
  }
}

// Rank 0 sends by way of its scratch, which the file has behind its output.
TEST(MscclScratch, MayStandBehindTheOutput) {
  const std::string first = block(0, 1, -1, step(0, "cpy", 'i', 0, 'o', 1) + step(1, "s", 'o', 1, 'o', 0));
  const std::string second = block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0));
  const MscclFile file =
      read_msccl_file(algorithm("broadcast", 2, 1, false, gpu(0, 1, first) + gpu(1, 0, second)), "mine.xml", 0);
  EXPECT_EQ(why_unproved(file.schedule), "");
  EXPECT_THAT(file.notes, testing::ElementsAre(HasSubstr("read as scratch")));
  EXPECT_THAT(complaint_about(algorithm("broadcast", 2, 1, false, gpu(0, 0, first) + gpu(1, 0, second))),
              HasSubstr("chunks 1 to 1 of 'o', which has 1"));
}

TEST(Msccl, SaysWhatAnotherFileSeemsToBe) {
  EXPECT_EQ(
      complaint_about("<platform version=\"4.1\"/>"),
      "mine.xml: there is no <platform> in it; it seems to be a platform of SimGrid: describe its links as FILE.json");
  EXPECT_THAT(complaint_about("<topology><object type=\"Machine\"/></topology>"),
              HasSubstr("a machine in hwloc's XML"));
  EXPECT_THAT(complaint_about(""), HasSubstr("this is no schedule of MSCCL: it has no <algo>; it seems to be empty"));
  EXPECT_THAT(complaint_about("{\"tutti_schedule\": 1}"), HasSubstr("a schedule of tutti"));
}

}  // namespace
}  // namespace tutti
