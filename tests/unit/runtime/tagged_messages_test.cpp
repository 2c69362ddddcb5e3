/// @file
/// Messages with tags, receives from any rank, probes, and waiting for one of several.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using testing::outcomes_of;
using testing::possible;

constexpr Duration never = std::chrono::hours(1);

/// Returns message `number` of rank `from`: as many elements as it says, all of them telling its sender.
std::vector<int> message(int from, int number, std::size_t count) {
  return std::vector<int>(count, 1000 * from + number);
}

class TaggedMessages : public ::testing::TestWithParam<int> {};

// Each size is another way for the bytes: beside the flag, through rings, read in place.
TEST_P(TaggedMessages, AreReceivedInAnyOrderOfTags) {
  on_ranks(GetParam(), [](Communicator& comm) {
    const int to = (comm.rank() + 1) % comm.size();
    const int from = (comm.rank() + comm.size() - 1) % comm.size();
    for (const std::size_t count : {0, 1, 3'000, 200'000}) {
      constexpr int many = 6;
      std::vector<std::vector<int>> sent;
      for (int tag = 0; tag < many; ++tag) sent.push_back(message(comm.rank(), tag, count));
      std::vector<Handle> sends;
      for (int tag = 0; tag < many; ++tag)
        sends.push_back(comm.send_async(sent[static_cast<std::size_t>(tag)], to, {.tag = tag}));
      for (int tag = many - 1; tag >= 0; --tag) {
        std::vector<int> received(count, -1);
        const Envelope envelope = comm.receive(received, from, {.tag = tag});
        EXPECT_EQ(envelope, (Envelope{from, tag, static_cast<std::int64_t>(count)}));
        EXPECT_EQ(received, message(from, tag, count));
      }
      comm.wait(sends);
    }
  });
}

// Every rank sends to every other under tags drawn by lot, and receives tag by tag: those of one sender under one tag
// come in the order in which they were sent.
TEST_P(TaggedMessages, OfOneRankUnderOneTagStayInOrder) {
  on_ranks(GetParam(), [](Communicator& comm) {
    // Each process of an mpirun has a seed of its own.
    const auto seed = comm.broadcast(static_cast<unsigned>(::testing::UnitTest::GetInstance()->random_seed()));
    constexpr int many = 40;
    constexpr int tags = 3;
    const int p = comm.size();
    const auto tags_of = [&](int rank) {
      std::minstd_rand random(seed + static_cast<unsigned>(rank));
      std::vector<int> drawn;
      for (int k = 0; k < many; ++k) drawn.push_back(static_cast<int>(random() % tags));
      return drawn;
    };
    std::vector<int> numbers(many);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<Handle> sends;
    const std::vector<int> mine = tags_of(comm.rank());
    for (int k = 0; k < many; ++k) {
      for (int to = 0; to < p; ++to) {
        const auto at = static_cast<std::size_t>(k);
        sends.push_back(comm.send_async(std::span(&numbers[at], 1), to, {.tag = mine[at]}));
      }
    }
    std::minstd_rand random(seed + 77 + static_cast<unsigned>(comm.rank()));
    std::vector<std::pair<int, int>> lines;  // senders and tags
    for (int from = 0; from < p; ++from) {
      for (const int tag : tags_of(from)) lines.emplace_back(from, tag);
    }
    std::shuffle(lines.begin(), lines.end(), random);
    std::map<std::pair<int, int>, int> latest;
    for (const auto& [from, tag] : lines) {
      const int number = comm.receive<int>(from, {.tag = tag});
      EXPECT_EQ(tags_of(from)[static_cast<std::size_t>(number)], tag);
      const auto [before, is_first] = latest.try_emplace({from, tag}, number);
      EXPECT_TRUE(is_first || before->second < number) << "rank " << from << " tag " << tag << " seed " << seed;
      before->second = number;
    }
    comm.wait(sends);
  });
}

TEST_P(TaggedMessages, FromAnyRankComeWithTheirEnvelopes) {
  on_ranks(GetParam(), [](Communicator& comm) {
    constexpr int many = 20;
    if (comm.rank() != 0) {
      for (int k = 0; k < many; ++k) comm.send(message(comm.rank(), k, 3), 0, {.tag = k});
      return;
    }
    std::vector<int> next(static_cast<std::size_t>(comm.size()), 0);
    for (int k = 0; k < many * (comm.size() - 1); ++k) {
      std::vector<int> data(3);
      const Envelope envelope = comm.receive(data, any_rank, {.tag = any_tag});
      ASSERT_GT(envelope.rank, 0);
      EXPECT_EQ(envelope.tag, next[static_cast<std::size_t>(envelope.rank)]++);
      EXPECT_EQ(data, message(envelope.rank, envelope.tag, 3));
    }
  });
}

// The message that is wanted stands behind others, from each rank.
TEST_P(TaggedMessages, FromAnyRankUnderOneTagPassTheOthers) {
  on_ranks(GetParam(), [](Communicator& comm) {
    for (const std::size_t count : {2, 100'000}) {
      if (comm.rank() != 0) {
        const std::vector<int> first = message(comm.rank(), 1, count);
        const std::vector<int> second = message(comm.rank(), 2, count);
        Handle sending = comm.send_async(first, 0, {.tag = 1});
        comm.send(second, 0, {.tag = 2});
        sending.wait();
      } else {
        for (const int tag : {2, 1}) {
          for (int k = 1; k < comm.size(); ++k) {
            std::vector<int> data(count);
            const Envelope envelope = comm.receive(data, any_rank, {.tag = tag});
            EXPECT_EQ(envelope.tag, tag);
            EXPECT_EQ(data, message(envelope.rank, tag, count));
          }
        }
      }
      comm.barrier();
    }
  });
}

TEST_P(TaggedMessages, GoToTheReceiveThatWasPostedFirst) {
  on_ranks(GetParam(), [](Communicator& comm) {
    const int to = (comm.rank() + 1) % comm.size();
    const int from = (comm.rank() + comm.size() - 1) % comm.size();
    int any = -1;
    int tagged = -1;
    int last = -1;
    Handle first = comm.receive_async(any, any_rank, {.tag = any_tag});
    Handle second = comm.receive_async(tagged, from, {.tag = 5});
    Handle third = comm.receive_async(last, from, {.tag = any_tag});
    const std::array<int, 3> sent{10, 20, 30};
    std::vector<Handle> sends;
    for (std::size_t k = 0; k < 3; ++k) sends.push_back(comm.send_async(std::span(&sent[k], 1), to, {.tag = 5}));
    comm.wait(first, second, third);
    comm.wait(sends);
    EXPECT_EQ(any, 10);
    EXPECT_EQ(tagged, 20);
    EXPECT_EQ(last, 30);
    EXPECT_EQ(first.envelope(), (Envelope{from, 5, 1}));
  });
}

TEST_P(TaggedMessages, AreProbedForBeforeTheyAreReceived) {
  on_ranks(GetParam(), [](Communicator& comm) {
    const int to = (comm.rank() + 1) % comm.size();
    const int from = (comm.rank() + comm.size() - 1) % comm.size();
    const std::vector<int> long_one = message(comm.rank(), 1, 7'000 + static_cast<std::size_t>(comm.rank()));
    const std::vector<int> short_one = message(comm.rank(), 2, 3);
    EXPECT_EQ(comm.test_probe(), std::nullopt);
    comm.barrier();
    Handle first = comm.send_async(long_one, to, {.tag = 1});
    Handle second = comm.send_async(short_one, to, {.tag = 2});
    const Envelope behind = comm.probe(from, {.tag = 2});
    EXPECT_EQ(behind, (Envelope{from, 2, 3}));
    EXPECT_EQ(comm.probe(from, {.tag = 2}), behind) << "a probe leaves the message where it is";
    const Envelope next = comm.probe();
    EXPECT_EQ(next, (Envelope{from, 1, 7'000 + from})) << "messages are found in the order in which they came";
    std::vector<int> data(static_cast<std::size_t>(next.count));
    comm.receive(data, next.rank, {.tag = next.tag});
    EXPECT_EQ(data, message(from, 1, data.size()));
    std::optional<Envelope> found;
    while (!(found = comm.test_probe(any_rank, {.tag = 2}))) std::this_thread::yield();
    data.resize(3);
    comm.receive(data, found->rank, {.tag = found->tag});
    EXPECT_EQ(data, message(from, 2, 3));
    comm.wait(first, second);
    EXPECT_EQ(comm.test_probe(), std::nullopt);
  });
}

TEST_P(TaggedMessages, AreExchangedUnderTheirTag) {
  on_ranks(GetParam(), [](Communicator& comm) {
    const int to = (comm.rank() + 1) % comm.size();
    const int from = (comm.rank() + comm.size() - 1) % comm.size();
    const int other = 99;
    Handle in_the_way = comm.send_async(other, to, {.tag = 4});
    EXPECT_EQ(comm.send_receive(comm.rank(), to, from, {.tag = 3}), from);
    EXPECT_EQ(comm.receive<int>(from, {.tag = 4}), 99);
    in_the_way.wait();
  });
}

TEST(WaitingForOne, ComesToEachOnce) {
  on_ranks(3, [](Communicator& comm) {
    constexpr std::size_t many = 8;
    std::vector<int> received(many, -1);
    const std::vector<int> sent{1, 2, 3};
    std::vector<Handle> handles(1);  // a handle of nothing is passed over
    const int to = (comm.rank() + 1) % 3;
    const int from = (comm.rank() + 2) % 3;
    for (std::size_t k = 0; k < many; ++k)
      handles.push_back(comm.receive_async(received[k], from, {.tag = static_cast<int>(k)}));
    std::vector<int> tags(many);
    std::iota(tags.begin(), tags.end(), 0);
    std::shuffle(tags.begin(), tags.end(), std::minstd_rand(static_cast<unsigned>(comm.rank())));
    std::vector<Handle> sends;
    for (const int tag : tags) sends.push_back(comm.send_async(sent[0], to, {.tag = tag}));
    std::vector<int> seen(handles.size(), 0);
    while (const auto done = comm.wait_any(handles)) {
      EXPECT_TRUE(handles[*done].test());
      ++seen[*done];
    }
    EXPECT_EQ(seen.front(), 0);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(many));
    while (!comm.test_all(sends)) std::this_thread::yield();
    EXPECT_TRUE(comm.test_all(handles));
    comm.wait_all();
  });
}

// ---- What goes wrong

TEST(WaitingForOne, ComesToTheHandlesBehindOneThatHasFailed) {
  on_ranks(2, [](Communicator& comm) {
    Communicator other = comm.duplicate();
    const int number = 7;
    int received = 0;
    const std::vector<int> three(3);
    std::vector<int> two(2);
    std::vector<Handle> handles(2);
    if (comm.rank() == 0) {
      handles[0] = other.receive_async(two, 1);
      handles[1] = comm.receive_async(received, 1);
      EXPECT_THROW(comm.wait_any(handles), Error);
      EXPECT_EQ(comm.wait_any(handles), 1U);
      EXPECT_EQ(received, number);
      EXPECT_EQ(comm.wait_any(handles), std::nullopt);
    } else {
      EXPECT_THROW(
          {
            other.send(three, 0);
            other.barrier();
          },
          Error);
      comm.send(number, 0);
    }
  });
}

TEST(TaggedMessagesErrors, ProbesThatDoNotWaitHearOfARankThatIsLost) {
  if (testing::engine() == testing::Engine::world) GTEST_SKIP() << "no rank is lost, but goes on to the next test";
  const auto outcomes = outcomes_of(2, [](Communicator& comm) {
    if (comm.rank() == 1) throw std::runtime_error("rank 1 gives up");
    while (!comm.test_probe(1)) std::this_thread::yield();
  });
  EXPECT_EQ(outcomes[0].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[0].message, HasSubstr("rank 1 gives up"));
}

// The operator waits in one communicator while that of its own call fails: the call is ended when the operator returns.
TEST(TaggedMessagesErrors, ACallThatFailsWithinItsOperatorIsEndedAfterIt) {
  const auto outcomes = outcomes_of(2, [](Communicator& comm) {
    Communicator inner = comm.duplicate();
    Communicator last = comm.duplicate();
    const int rank = comm.rank();
    const auto add = [&inner, rank](int a, int b) {
      if (rank == 1) {
        inner.receive<int>(0);  // rank 0 is in its operator
        throw std::runtime_error("no sum");
      }
      inner.send(1, 1);
      return a + b + inner.receive<int>(1);
    };
    std::vector<int> numbers{1};
    // Nobody keeps the handle: the engine alone holds the operation.
    static_cast<void>(comm.all_reduce_async(numbers, add, {.algorithm = "recursive-doubling"}));
    if (rank == 1) {
      EXPECT_THROW(comm.wait_all(), std::exception);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // rank 0 learns of it within its operator
      inner.send(5, 0);
      last.send(5, 0);
    } else {
      EXPECT_EQ(last.receive<int>(1), 5);
    }
  });
  EXPECT_THAT(outcomes[0].message, HasSubstr("no sum"));
}

TEST(TaggedMessagesErrors, ATypeThatDiffersIsToldOfAReceiveFromAnyRank) {
  for (const auto& outcome : outcomes_of(3, [](Communicator& comm) {
         if (comm.rank() == 2) comm.send(1.5, 0, {.tag = 3});
         int value = 0;
         if (comm.rank() == 0) comm.receive(value, any_rank, {.tag = any_tag});
         comm.barrier();
       })) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_EQ(outcome.message, "rank 2 sends 1 double to rank 0, which receives 1 int32");
  }
}

TEST(TaggedMessagesErrors, TagsBelowZeroAreRefused) {
  on_ranks(2, [](Communicator& comm) {
    int value = 0;
    EXPECT_THROW(comm.send(1, 0, {.tag = -1}), Error);
    EXPECT_THROW(comm.receive(value, 0, {.tag = -2}), Error);
    EXPECT_THROW(comm.receive(value, -2), Error);
    EXPECT_THROW(comm.send(value, any_rank), Error);
  });
}

// Whoever receives from any rank waits for all of them: they must all wait for it.
TEST_P(TaggedMessages, ReceivesFromAnyRankInACircleAreTold) {
  const int p = GetParam();
  for (const auto& outcome : outcomes_of(
           p,
           [p](Communicator& comm) {
             int value = 0;
             if (comm.rank() == p - 1) comm.receive(value, any_rank, {.tag = 8});
             comm.barrier();
           },
           never)) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout) << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr("for ever: "));
    EXPECT_THAT(outcome.message, HasSubstr("waits for any rank to send 1 int32 with tag 8"));
  }
}

TEST_P(TaggedMessages, AllReceivingFromAnyRankAreTold) {
  const int p = GetParam();
  for (const auto& outcome : outcomes_of(
           p, [](Communicator& comm) { comm.receive<int>(any_rank); }, never)) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout) << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr("for ever: "));
    EXPECT_THAT(outcome.message, HasSubstr("rank 0 waits for any rank to send 1 int32"));
  }
}

// One of the ranks is only late.
TEST_P(TaggedMessages, ReceivesFromAnyRankWaitForThoseThatAreLate) {
  const int p = GetParam();
  if (p == 1) return;
  on_ranks(p, [p](Communicator& comm) {
    if (comm.rank() == p - 1) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    if (comm.rank() == p - 1) comm.send(5, 0);
    if (comm.rank() == 0) {
      EXPECT_EQ(comm.receive<int>(any_rank), 5);
    }
    comm.barrier();
  });
}

TEST(WaitingForOne, InACircleIsTold) {
  for (const auto& outcome : outcomes_of(
           3,
           [](Communicator& comm) {
             std::array<int, 2> values{};
             const int next = (comm.rank() + 1) % 3;
             const int after = (comm.rank() + 2) % 3;
             std::vector<Handle> handles;
             handles.push_back(comm.receive_async(values[0], next));
             handles.push_back(comm.receive_async(values[1], after));
             if (comm.rank() == 0) comm.wait_any(handles);
             handles.front().wait();
           },
           never)) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout) << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr("for ever: "));
  }
}

TEST(TaggedMessagesErrors, TheEndOfAllOthersIsTold) {
  if (testing::engine() == testing::Engine::world) GTEST_SKIP() << "the other ranks go on to the next test";
  const auto outcomes = outcomes_of(3, [](Communicator& comm) {
    if (comm.rank() == 1) comm.receive<int>(any_rank, {.tag = 2});
  });
  EXPECT_EQ(outcomes[1].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[1].message, HasSubstr("all other ranks ended, but rank 1 waits for any rank to send 1 int32"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, TaggedMessages, ::testing::ValuesIn(possible({1, 2, 3, 5})));

}  // namespace
}  // namespace tutti
