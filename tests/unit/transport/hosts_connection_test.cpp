/// @file
/// Ranks of several hosts: which way a message goes, when a place in shared memory is free, who learns of a failure.
/// Ranks 1 and 3 of four share memory, and the MPI is a network of fakes.

#include "transport/mpi/hosts_connection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/fake_network.hpp"
#include "transport/shared/shared_world.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

/// Two ranks, as a host has them.
class TwoHere final : public SharedWorld {
 public:
  using SharedWorld::ground;
  using SharedWorld::SharedWorld;
};

/// A channel around another, which counts how often it was to hear.
class HearingChannel final : public Channel {
 public:
  explicit HearingChannel(Channel& channel) : channel_(channel) {}
  PostResult post(const Route& route, const Outgoing& message) override { return channel_.post(route, message); }
  bool delivered(const Route& route) override { return channel_.delivered(route); }
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override {
    return channel_.arrived(route, landing, arrival);
  }
  void release(const Route& route) override { channel_.release(route); }
  void hear() override { ++heard; }

  int heard = 0;

 private:
  Channel& channel_;
};

struct HearingParts {
  explicit HearingParts(std::unique_ptr<Connection> around)
      : connection(std::move(around)), hearing(connection->channel()) {}
  std::unique_ptr<Connection> connection;
  HearingChannel hearing;
};

class HearingConnection final : public HearingParts, public Connection {
 public:
  explicit HearingConnection(std::unique_ptr<Connection> around)
      : HearingParts(std::move(around)),
        Connection(connection->agreement(), hearing, connection->folding(), connection->failure()) {}
};

class HostsConnectionTest : public ::testing::Test {
 protected:
  HostsConnectionTest() {
    auto memory = std::make_unique<ThreadsMemory>(records_);
    control_.emplace(memory->allocate(ControlSegment::bytes(2)), 2);
    here_.emplace(records_, *control_, std::move(memory), Transport::threads, 2, Layout(),
                  SharedWorld::Waking::by_clock);
    for (std::size_t k = 0; k < 2; ++k) {
      auto mpi = std::make_unique<HearingConnection>(network_.connect(k == 0 ? 1 : 3));
      hearing_[k] = &mpi->hearing;
      ranks_[k] = std::make_unique<HostsConnection>(
          std::move(mpi), SharedPlace{*control_, static_cast<int>(k), {0, 1}, Leftovers::Owner::other},
          RankNames({1, 3}, {11, 13}), here_->ground(), HereNumbers{-1, 0, -1, 1});
    }
    for (const int rank : {0, 2}) others_.push_back(network_.connect(rank));
  }

  Connection& first() { return *ranks_[0]; }   // rank 1
  Connection& second() { return *ranks_[1]; }  // rank 3
  Connection& other() { return *others_[0]; }  // rank 0

  /// Returns a message with `text`, which may not be buffered.
  Outgoing message(const std::string& text, bool may_buffer = true) {
    bindings_.base[0] = reinterpret_cast<std::byte*>(const_cast<char*>(text.data()));
    slice_ = {Buffer::input, 0, static_cast<std::int64_t>(text.size())};
    return {{&slice_, 1}, &bindings_, slice_.count, 7, {}, 0, may_buffer};
  }
  static std::string text_of(const Arrival& arrival) {
    std::string text;
    for (const MemoryRange& each : arrival.ranges)
      text.append(reinterpret_cast<const char*>(each.pointer()), static_cast<std::size_t>(each.bytes));
    return text;
  }

  testing::FakeNetwork network_{4, 1, {}};
  std::vector<RankRecord> records_ = std::vector<RankRecord>(2);
  std::optional<ControlSegment> control_;
  std::optional<TwoHere> here_;
  std::array<HearingChannel*, 2> hearing_ = {};
  std::array<std::unique_ptr<HostsConnection>, 2> ranks_;
  std::vector<std::unique_ptr<Connection>> others_;
  Bindings bindings_;
  Slice slice_;
};

TEST_F(HostsConnectionTest, APairOfOneHostHasSharedMemory) {
  const std::string text = "within";
  EXPECT_EQ(first().channel().post({3, 0, 8, 0, true}, message(text)), PostResult::delivered);
  Arrival arrival;
  // Nothing has come by MPI.
  EXPECT_FALSE(hearing_[1]->arrived({1, 0, 8, 0, true}, {}, arrival));
  ASSERT_TRUE(second().channel().arrived({1, 0, 8, 0, true}, {}, arrival));
  EXPECT_EQ(text_of(arrival), text);
  second().channel().release({1, 0, 8, 0, true});
}

TEST_F(HostsConnectionTest, APairOfTwoHostsHasMpi) {
  const std::string text = "across";
  EXPECT_EQ(first().channel().post({0, 0, 8, 0, true}, message(text)), PostResult::offered);
  Arrival arrival;
  ASSERT_TRUE(other().channel().arrived({1, 0, 8, 0, true}, {}, arrival));
  EXPECT_EQ(text_of(arrival), text);
  other().channel().release({1, 0, 8, 0, true});
  EXPECT_TRUE(first().channel().delivered({0, 0, 8, 0, true}));
}

// Short slots would be looked at while nobody hears MPI.
TEST_F(HostsConnectionTest, OffersWhatSharedMemoryCanDoButShortSlots) {
  const ChannelCapabilities& all = first().capabilities();
  EXPECT_EQ(all.short_slots, nullptr);
  EXPECT_LT(all.most_short_bytes, 0);
  ASSERT_NE(all.streams, nullptr);
  ASSERT_NE(all.open_places, nullptr);
  ASSERT_NE(all.receiver_copies, nullptr);
  const Route across{0, 0, 8, 0, true};
  EXPECT_FALSE(all.open_places->place_of(across).has_value());
  EXPECT_FALSE(all.receiver_copies->lends_copy(across));
  EXPECT_FALSE(all.receiver_copies->claim_copy(across, 1).has_value());
}

// The board says that the place is free if ranks agree on a board.
TEST_F(HostsConnectionTest, TheFirstMessageOfACallWaitsUntilTheLastWasTaken) {
  const std::string text = "one";
  const std::string later = "two";
  Arrival arrival;
  ASSERT_EQ(first().channel().post({3, 0, 8, 0, true}, message(text)), PostResult::delivered);
  EXPECT_EQ(first().channel().post({3, 0, 16, 0, true}, message(later)), PostResult::refused);
  ASSERT_TRUE(second().channel().arrived({1, 0, 8, 0, true}, {}, arrival));
  EXPECT_EQ(text_of(arrival), text);
  EXPECT_EQ(first().channel().post({3, 0, 16, 0, true}, message(later)), PostResult::refused);
  second().channel().release({1, 0, 8, 0, true});
  EXPECT_EQ(first().channel().post({3, 0, 16, 0, true}, message(later)), PostResult::delivered);
  ASSERT_TRUE(second().channel().arrived({1, 0, 16, 0, true}, {}, arrival));
  EXPECT_EQ(text_of(arrival), later);
}

TEST_F(HostsConnectionTest, WhoWaitsForARankOfItsHostHearsMpi) {
  Arrival arrival;
  for (int look = 0; look < 100; ++look) EXPECT_FALSE(second().channel().arrived({1, 0, 8, 0, true}, {}, arrival));
  EXPECT_GE(hearing_[1]->heard, 5);
  const std::string text = "kept";
  ASSERT_EQ(first().channel().post({3, 0, 8, 0, true}, message(text, false)), PostResult::offered);
  for (int look = 0; look < 100; ++look) EXPECT_FALSE(first().channel().delivered({3, 0, 8, 0, true}));
  EXPECT_GE(hearing_[0]->heard, 5);
}

TEST_F(HostsConnectionTest, AFailureIsToldBothWays) {
  first().failure().fail(ErrorCode::mismatch, "a reason");
  for (Connection* each : {&first(), &second(), &other()}) {
    ASSERT_TRUE(each->failure().failed());
    EXPECT_EQ(each->failure().error().code(), ErrorCode::mismatch);
    EXPECT_STREQ(each->failure().error().what(), "a reason");
  }
  EXPECT_FALSE(second().failure().begin_reading());
}

// A rank of another host has failed, and nobody here has said so in the segment: who leaves says it, so that nobody
// begins to read its memory.
TEST_F(HostsConnectionTest, WhoLeavesAfterAFailureElsewhereIsNotReadAnyMore) {
  ASSERT_TRUE(second().failure().begin_reading());
  second().failure().end_reading();
  others_[0]->failure().fail(ErrorCode::peer_failed, "elsewhere");
  ASSERT_TRUE(first().failure().failed());
  first().failure().withdraw();
  EXPECT_TRUE(network_.has_withdrawn(1));
  EXPECT_FALSE(second().failure().begin_reading());
  EXPECT_STREQ(second().failure().error().what(), "elsewhere");
}

TEST_F(HostsConnectionTest, FoldsTakeWhatHasComeHere) {
  std::array<char, 4> into{};
  const std::string one = "here";
  const MemoryRange from = MemoryRange::of(reinterpret_cast<const std::byte*>(one.data()), 4);
  const MemoryRange to = MemoryRange::of(reinterpret_cast<std::byte*>(into.data()), 4);
  ASSERT_TRUE(first().folding().carry_out({to, {&from, 1}}, {nullptr, 1}, 0));
  EXPECT_EQ(std::string(into.data(), 4), one);
}

TEST(RankNamesTest, AreThoseThatTheUserKnows) {
  const RankNames names({1, 3}, {1, 13});
  EXPECT_EQ(names.full(0), "rank 1");
  EXPECT_EQ(names.full(1), "rank 3 (rank 13 of the run)");
}

}  // namespace
}  // namespace tutti::runtime
