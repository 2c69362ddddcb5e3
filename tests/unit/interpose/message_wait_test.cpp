/// @file
/// Waits for messages, of ranks of one thread whose time the test turns: which of them ends with an error, and when.

#include "interpose/message_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/fake_world.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::interpose {
namespace {

using Side = Message::Side;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::TurnedClock;

Message from(int rank) { return {Side::received, rank, 1, 0}; }
Message to(int rank) { return {Side::sent, rank, 1, 0}; }

/// Ranks of one host, numbers 0, 10, 20, … of their job, of which some wait.
class Ranks {
 public:
  explicit Ranks(int n) : world_(runtime::threads_world(n)) {
    for (int place = 0; place < n; ++place) numbers_.push_back(10 * place);
    for (int place = 0; place < n; ++place) here_.push_back({world_.get(), numbers_, place, &clock_, seconds(2)});
    waits_.resize(here_.size());
    awaited_.resize(here_.size());
  }

  void wait(int place, const Message& message, const std::string& text) { wait_for_any(place, {message}, text); }
  void wait_for_any(int place, const std::vector<Message>& messages, const std::string& text) {
    waits_[at(place)] = std::make_unique<MessageWait>(here_[at(place)]);
    awaited_[at(place)] = {messages, messages.size() > 1, {}, text, std::nullopt};
  }
  /// In the first collective of all ranks.
  void meet(int place) {
    waits_[at(place)] = std::make_unique<MessageWait>(here_[at(place)]);
    awaited_[at(place)] = {{}, false, {}, "all", meeting_of(place)};
  }
  std::optional<Hang> overdue(int place) const {
    return waits_[at(place)]->is_overdue() ? waits_[at(place)]->overdue(meeting_of(place), "all") : std::nullopt;
  }
  void let_tell(bool (*may_tell)()) {
    for (HostRanks& each : here_) each.may_tell = may_tell;
  }
  void end_wait(int place) { waits_[at(place)].reset(); }
  MessageWait& wait_of(int place) { return *waits_[at(place)]; }
  void end(int place) { tell_the_end(here_[at(place)], {}); }
  /// Ranks that wait look in turn for so long, but for one that looks no more.
  void pass(runtime::Clock::Duration time, int stopped = -1) {
    const auto end = clock_.now() + time;
    while (clock_.now() < end) {
      for (std::size_t place = 0; place < waits_.size(); ++place) {
        if (waits_[place] && static_cast<int>(place) != stopped) look(place);
      }
    }
  }
  /// From here on a nap lasts for a microsecond.
  void hardly_nap() {
    clock_.meanwhile = [this] { clock_.jump(microseconds(1) - microseconds(50)); };
  }
  const std::vector<std::string>& told() const { return told_; }
  std::string record(int place) const { return world_->record(place).waiting(); }

 private:
  Meeting meeting_of(int place) const {
    Meeting meeting{9, {}};
    for (int other = 0; other < static_cast<int>(here_.size()); ++other) {
      if (other != place) meeting.others.push_back(other);
    }
    return meeting;
  }
  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  void look(std::size_t place) {
    const auto hang = waits_[place]->pass_time([&] { return awaited_[place]; });
    if (hang) told_.push_back(std::to_string(place) + ": " + hang->text);
  }

  std::shared_ptr<runtime::World> world_;
  TurnedClock clock_;
  std::vector<int> numbers_;
  std::vector<HostRanks> here_;
  std::vector<std::unique_ptr<MessageWait>> waits_;
  std::vector<AwaitedMessages> awaited_;
  std::vector<std::string> told_;
};

TEST(MessageWait, OfACircleEndsAfterTheTimeoutOnItsFirstRank) {
  Ranks ranks(3);
  ranks.wait(2, from(1), "what 10 sends");
  ranks.wait(1, from(2), "what 20 sends");
  ranks.wait(0, from(1), "what 10 sends as well");
  ranks.pass(seconds(1));
  EXPECT_EQ(ranks.record(1), "what 20 sends");
  EXPECT_THAT(ranks.told(), IsEmpty());
  ranks.pass(seconds(3));
  ASSERT_FALSE(ranks.told().empty());
  for (const std::string& told : ranks.told()) {
    EXPECT_EQ(
        told,
        "1: ranks wait for one another, for ever: rank 10 waits for what 20 sends; rank 20 waits for what 10 sends");
  }
}

TEST(MessageWait, IsLongWhereARankComputesAndWhereBothHaveBegun) {
  Ranks ranks(4);
  ranks.wait(0, from(1), "");
  ranks.wait(2, to(3), "");
  ranks.wait(3, from(2), "");
  ranks.pass(seconds(30));
  EXPECT_THAT(ranks.told(), IsEmpty());
}

TEST(MessageWait, ForOneThatHasEndedEnds) {
  Ranks ranks(2);
  ranks.wait(1, to(0), "what 0 takes");
  ranks.end(0);
  ranks.pass(seconds(4));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "1: ranks wait for ever for one that has ended: rank 10 waits for what 0 takes; rank 0 has come to "
            "MPI_Finalize");
}

TEST(MessageWait, ForSeveralThatHaveEndedEnds) {
  Ranks ranks(3);
  ranks.wait_for_any(1, {from(0), from(2)}, "any rank");
  ranks.end(0);
  ranks.end(2);
  ranks.pass(seconds(4));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "1: ranks wait for ever for others that have ended: rank 10 waits for any rank; rank 0 has come to "
            "MPI_Finalize; rank 20 has come to MPI_Finalize");
}

// A rank that does not look may have what it waits for.
TEST(MessageWait, NeedsTheLooksOfAllRanksOfItsCircle) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "");
  ranks.pass(seconds(1));
  ranks.wait(1, from(0), "");
  ranks.pass(seconds(1));
  ranks.end_wait(0);
  ranks.wait(0, from(1), "");
  ranks.pass(seconds(1), 1);
  ranks.pass(seconds(30), 1);
  EXPECT_THAT(ranks.told(), IsEmpty());
  ranks.pass(seconds(4));
  EXPECT_FALSE(ranks.told().empty());
}

// What has left another rank's hands takes its time also where this one looks all the time.
TEST(MessageWait, NeedsATimeOfLooks) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "");
  ranks.wait(1, from(0), "");
  ranks.pass(seconds(1));
  ranks.wait(0, from(1), "");
  ranks.pass(seconds(4), 1);
  ranks.hardly_nap();
  ranks.pass(milliseconds(20));
  EXPECT_THAT(ranks.told(), IsEmpty());
  ranks.pass(milliseconds(500));
  EXPECT_FALSE(ranks.told().empty());
}

TEST(MessageWait, BeginsAnewWithEachMessageThatComes) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "");
  ranks.wait(1, from(0), "");
  for (int k = 0; k < 10; ++k) {
    ranks.pass(seconds(1));
    ranks.wait_of(0).begin_anew();
    ranks.wait_of(1).begin_anew();
    EXPECT_EQ(ranks.record(0), "");
  }
  EXPECT_THAT(ranks.told(), IsEmpty());
}

TEST(MessageWait, ToMeetOneThatWaitsElsewhereEnds) {
  Ranks ranks(3);
  ranks.meet(0);
  ranks.meet(1);
  ranks.wait(2, from(1), "what 10 sends");
  ranks.pass(seconds(4));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "1: ranks wait for one another, for ever: rank 10 waits for all; rank 20 waits for what 10 sends");
}

TEST(MessageWait, ToMeetOneThatHasEndedEnds) {
  Ranks ranks(3);
  ranks.meet(1);
  ranks.meet(2);
  ranks.end(0);
  ranks.pass(seconds(4));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "1: ranks wait for ever for one that has ended: rank 10 waits for all; rank 0 has come to MPI_Finalize");
}

// All have come: what they wait for is on its way. And one that has not come computes.
TEST(MessageWait, ToMeetOthersIsLongWhereAllHaveComeAndWhereOneComputes) {
  Ranks ranks(3);
  ranks.meet(1);
  ranks.meet(2);
  ranks.pass(seconds(2));
  EXPECT_FALSE(ranks.overdue(1));
  ranks.pass(seconds(30));
  ASSERT_TRUE(ranks.overdue(1));
  EXPECT_EQ(ranks.overdue(1)->text, "no progress for 2 s (TUTTI_TIMEOUT allows more): ranks 10, 20 wait for all");
  EXPECT_EQ(ranks.overdue(1)->to_ask, std::vector<int>{0});
  ranks.meet(0);
  ranks.pass(seconds(30));
  EXPECT_THAT(ranks.told(), IsEmpty());
}

TEST(MessageWait, ThatIsOverdueIsToldByTheFirstRankThatHasCome) {
  Ranks ranks(3);
  ranks.meet(1);
  ranks.meet(2);
  ranks.pass(seconds(6));
  EXPECT_TRUE(ranks.overdue(1));
  EXPECT_FALSE(ranks.overdue(2));
  ranks.pass(seconds(12));
  EXPECT_TRUE(ranks.overdue(2));
}

TEST(MessageWait, IsKeptToItselfWhereAnotherThreadMightGoOn) {
  Ranks ranks(2);
  ranks.let_tell([] { return false; });
  ranks.wait(0, from(1), "");
  ranks.wait(1, from(0), "");
  ranks.pass(seconds(30));
  EXPECT_THAT(ranks.told(), IsEmpty());
  EXPECT_EQ(ranks.record(0), "");
}

// Where the first rank of a circle does not tell, another one does, later.
TEST(MessageWait, IsToldByAnotherRankWhereTheFirstOneDoesNot) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "");
  ranks.wait(1, from(0), "");
  ranks.pass(seconds(1));
  for (int k = 0; k < 4; ++k) ranks.pass(seconds(5), 0);
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_THAT(ranks.told().front(), StartsWith("1: "));
}

}  // namespace
}  // namespace tutti::interpose
