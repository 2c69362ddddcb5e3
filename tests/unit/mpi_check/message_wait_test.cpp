/// @file
/// Waits for messages, of ranks of one thread whose time the test turns: which of them ends with an error, and when.

#include "mpi_check/waits/message_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/fake_world.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::interpose {
namespace {

using Side = PendingMessage::Side;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::TurnedClock;

PendingMessage from(int rank, int tag = 1) { return {Side::received, rank, tag, 0}; }
PendingMessage to(int rank) { return {Side::sent, rank, 1, 0}; }

/// Ranks of one host, numbers 0, 10, 20, … of their job, of which some wait.
class Ranks {
 public:
  explicit Ranks(int n) : world_(runtime::threads_world(n)) {
    for (int place = 0; place < n; ++place) numbers_.push_back(10 * place);
    for (int place = 0; place < n; ++place) here_.push_back({world_.get(), numbers_, place, &clock_, seconds(2)});
    waits_.resize(here_.size());
    awaited_.resize(here_.size());
  }

  /// Waits say so after that time, and have that limit.
  void limit(std::chrono::duration<double> late_after, std::chrono::duration<double> timeout = runtime::no_limit) {
    for (HostRanks& each : here_) {
      each.late_after = late_after;
      each.timeout = timeout;
    }
  }
  void wait(int place, const PendingMessage& message, const std::string& text) { wait_for_any(place, {message}, text); }
  void wait_for_any(int place, const std::vector<PendingMessage>& messages, const std::string& text) {
    waits_[at(place)] = std::make_unique<MessageWait>(here_[at(place)]);
    awaited_[at(place)] = {messages, messages.size() > 1, {}, {}, text, std::nullopt};
    polls_.erase(at(place));
  }
  /// Polls, and counts as waiting by now; looks 200 times between two looks of the others.
  void poll(int place, const PendingMessage& message, const std::string& text) {
    waits_[at(place)] = std::make_unique<MessageWait>(here_[at(place)], MessageWait::Manner::polling);
    awaited_[at(place)] = {{message}, true, {}, {}, text, std::nullopt};
    polls_.insert(at(place));
  }
  /// Polls for that message, and for all of the others together.
  void poll_for_either(int place, const PendingMessage& message, const std::vector<PendingMessage>& all,
                       const std::string& text) {
    poll(place, message, text);
    awaited_[at(place)].or_all_of.push_back(all);
  }
  /// In the first collective of all ranks.
  void meet(int place) {
    waits_[at(place)] = std::make_unique<MessageWait>(here_[at(place)]);
    awaited_[at(place)] = {{}, false, {}, {}, "all", meeting_of(place)};
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
  AwaitedMeeting meeting_of(int place) const {
    AwaitedMeeting meeting{9, {}};
    for (int other = 0; other < static_cast<int>(here_.size()); ++other) {
      if (other != place) meeting.others.push_back(other);
    }
    return meeting;
  }
  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  void look(std::size_t place) {
    const auto awaited = [&] { return awaited_[place]; };
    const auto hang =
        polls_.contains(place) ? waits_[place]->note_looks(200, awaited) : waits_[place]->pass_time(awaited);
    if (hang) told_.push_back(std::to_string(place) + ": " + hang->text);
  }

  std::shared_ptr<runtime::World> world_;
  TurnedClock clock_;
  std::vector<int> numbers_;
  std::vector<HostRanks> here_;
  std::vector<std::unique_ptr<MessageWait>> waits_;
  std::vector<AwaitedMessages> awaited_;
  std::set<std::size_t> polls_;
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

// Whoever sets no limit hears of it soon all the same.
TEST(MessageWait, OfACircleEndsWithoutATimeout) {
  Ranks ranks(2);
  ranks.limit(seconds(30));
  ranks.wait(0, from(1), "what 10 sends");
  ranks.wait(1, from(0), "what 0 sends");
  ranks.pass(seconds(9));
  EXPECT_THAT(ranks.told(), IsEmpty());
  ranks.pass(seconds(2));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_THAT(ranks.told().front(), StartsWith("0: ranks wait for one another, for ever: rank 0 waits for"));
}

// One rank tells it, after 30, 60 and 120 s; they wait on.
TEST(MessageWait, ForARankThatComputesIsToldAtGrowingDistances) {
  Ranks ranks(3);
  ranks.limit(seconds(30));
  ranks.wait(1, from(0), "what 0 sends");
  ranks.wait(2, from(1), "what 10 sends");
  ::testing::internal::CaptureStderr();
  ranks.pass(seconds(200));
  std::istringstream told(::testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(told, line);) lines.push_back(line);
  EXPECT_THAT(ranks.told(), IsEmpty());
  ASSERT_EQ(lines.size(), 3U);
  for (const char* const time : {"30", "60", "120"}) {
    EXPECT_THAT(lines.front(), StartsWith("tutti: no progress for " + std::string(time)));
    EXPECT_THAT(lines.front(),
                ::testing::HasSubstr(" s: rank 10 waits for what 0 sends; rank 20 waits for what 10 sends; "
                                     "rank 0 "));
    EXPECT_THAT(lines.front(), ::testing::HasSubstr("; the wait goes on ("));
    lines.erase(lines.begin());
  }
}

TEST(MessageWait, IsNotToldWhereThatIsNotWanted) {
  Ranks ranks(2);
  ranks.limit(runtime::no_limit);
  ranks.wait(1, from(0), "what 0 sends");
  ::testing::internal::CaptureStderr();
  ranks.pass(seconds(100));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(MessageWait, OfAMeetingHasALimitOnlyWhereThereIsATimeout) {
  Ranks ranks(2);
  ranks.limit(runtime::no_limit);
  ranks.meet(0);
  ranks.pass(seconds(100));
  EXPECT_FALSE(ranks.overdue(0));
  Ranks limited(2);
  limited.limit(seconds(30), seconds(60));
  limited.meet(0);
  ::testing::internal::CaptureStderr();
  limited.pass(seconds(58));
  EXPECT_FALSE(limited.overdue(0));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::HasSubstr("; the wait goes on until it has lasted 60 s"));
  limited.pass(seconds(10));
  ASSERT_TRUE(limited.overdue(0));
  EXPECT_THAT(limited.overdue(0)->text, StartsWith("no progress for 60 s (TUTTI_TIMEOUT allows more)"));
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

// A message that has left another rank's hands takes its time also if this one looks all the time.
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

// A rank that polls has waited for as long as it takes before it counts as waiting.
TEST(MessageWait, OfOneThatPollsEndsOnceThatIsTold) {
  Ranks ranks(3);
  ranks.poll(0, from(1), "what 10 sends");
  ranks.wait(1, from(0), "what 0 sends");
  ranks.pass(seconds(1));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "0: ranks wait for one another, for ever: rank 0 waits for what 10 sends; rank 10 waits for what 0 sends");
}

// Nobody learns at once that a rank has left the loop in which it polled.
TEST(MessageWait, ForOneThatPolledGoesOn) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "");
  ranks.poll(1, from(0), "");
  ranks.pass(milliseconds(1900));
  ranks.pass(seconds(30), 1);
  EXPECT_THAT(ranks.told(), IsEmpty());
}

TEST(MessageWait, ForOneThatPollsEndsWhereItLooksOn) {
  Ranks ranks(2);
  ranks.wait(0, from(1), "what 10 sends");
  ranks.poll(1, from(0), "what 0 sends");
  ranks.pass(seconds(4));
  ASSERT_FALSE(ranks.told().empty());
  EXPECT_EQ(ranks.told().front(),
            "0: ranks wait for one another, for ever: rank 0 waits for what 10 sends; rank 10 waits for what 0 sends");
}

TEST(MessageWait, ForEitherOfSeveralThingsEndsWhereNoneComes) {
  for (const bool is_third_late : {false, true}) {
    Ranks ranks(3);
    ranks.poll_for_either(0, from(1), {from(1, 2), from(2, 2)}, "either");
    ranks.wait(1, from(0), "what 0 sends");
    if (!is_third_late) ranks.end(2);
    ranks.pass(seconds(1));
    EXPECT_FALSE(ranks.told().empty()) << "rank 1 never sends";
  }
  Ranks ranks(3);
  ranks.poll_for_either(0, from(1), {from(2, 2)}, "either");
  ranks.wait(1, from(0), "what 0 sends");
  ranks.pass(seconds(30));
  EXPECT_THAT(ranks.told(), IsEmpty()) << "rank 2 computes";
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

// Another rank tells, later, of a circle whose first rank does not.
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
