/// @file
/// Wait of a checked MPI program for messages: finds waits that never end.
///
/// A rank that has waited for long tells so in its record, which all ranks of its host read, as a rank that waits in a
/// collective does (Announcement), and looks for a cycle of ranks that wait for one another. MPI carries the messages,
/// and says of none where it is: what a rank sees by one look may have been there for others before. So what counts as
/// one look of World::were_quiet() is a round of many, which take some tens of milliseconds at least, and a cycle is
/// looked for when nothing has come for ten seconds, or for the timeout where that is shorter.
///
/// Nothing is concluded of a rank that does not tell that it waits: it computes, or is in a function of MPI that is not
/// watched. One line of the ranks that wait for it says so after a while, and again at growing distances. Nothing is
/// concluded either of a message that both ranks have begun, however long it takes. Where the job is on several hosts,
/// ranks that wait in collectives tell MPI's world so, and not the host's: cycles through messages and collectives are
/// not found there.
///
/// A rank that polls (MPI_Test, MPI_Iprobe) may leave its loop unseen, and then tells for a while what holds no more.
/// So a rank that finds a cycle with such a rank tells its own wait anew, and believes the cycle once each of its ranks
/// has looked for a whole round after that.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system/waiting_time.hpp"
#include "mpi_check/waits/message_dependencies.hpp"
#include "mpi_job/process/hang.hpp"
#include "mpi_job/process/host_ranks.hpp"
#include "progress/clock.hpp"
#include "progress/deadlock.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/late_after.hpp"

namespace tutti::interpose {

/// The first collective of a communicator, and the other ranks of this host that are to come to it.
struct AwaitedMeeting {
  std::uint32_t communicator = 0;
  std::vector<int> others;
};

/// Subject of a wait, at this moment: messages, or a meeting.
struct AwaitedMessages {
  std::vector<PendingMessage> awaited;
  bool any_suffices = false;  ///< the first of them that comes ends the wait
  /// Each of these ends the wait, too, once all messages of it have come.
  std::vector<std::vector<PendingMessage>> or_all_of;
  WorkUnderWay beside;
  std::string text;  ///< as it follows "rank 3 waits for"
  std::optional<AwaitedMeeting> meeting;
};

/// "what called from …", with as many callers as a rank's record has room for.
std::string with_call_site(const std::string& what);

class MessageWait {
 public:
  /// Whether the rank is in one call that waits, or in a loop of calls that do not, which has lasted so long by now
  /// that it counts as a wait.
  enum class Manner : std::uint8_t { blocked, polling };

  explicit MessageWait(const HostRanks& here, Manner manner = Manner::blocked)
      : here_(here), manner_(manner), idle_(here.clock->now()), late_(here.late_after) {}
  MessageWait(const MessageWait&) = delete;
  MessageWait& operator=(const MessageWait&) = delete;
  ~MessageWait() { withdraw(); }

  /// To be called again and again while nothing has come: lets other threads run, or naps. Asks `awaited` what the wait
  /// is for once it is a long one. Returns what is known of it where it never ends.
  std::optional<Hang> pass_time(const std::function<AwaitedMessages()>& awaited);
  /// Notes the looks of a rank that polls, which has just looked so often: the time between its looks is its program's.
  std::optional<Hang> note_looks(int looks, const std::function<AwaitedMessages()>& awaited);
  /// Whether the wait has lasted for so much longer than the timeout that one which never ends would be known.
  bool is_overdue() const { return waited_ >= here_.timeout + before_overdue; }
  /// Returns what is known of a meeting that is overdue, and that may end; `text` is this rank's wait. Nothing if
  /// another rank is to tell it first.
  std::optional<Hang> overdue(const AwaitedMeeting& meeting, const std::string& text) const;
  /// Some of the messages have come, and others have not: what was told holds no more.
  void begin_anew();

 private:
  static constexpr std::chrono::seconds before_overdue{3};

  bool may_tell();
  runtime::WaitState wait_state_of(const AwaitedMessages& what) const;
  void tell(const AwaitedMessages& what);
  void tell_lasting(const AwaitedMessages& what) const;
  void withdraw();
  std::optional<Hang> hang(const std::function<AwaitedMessages()>& awaited);
  /// Returns how long a wait lasts before a cycle is looked for.
  WaitingTime::Duration patience() const;

  const HostRanks& here_;
  Manner manner_;
  WaitingTime idle_;
  WaitingTime::Duration waited_{0};
  runtime::LateMoments late_;
  int looks_ = 0;  // looks of this round
  WaitingTime::Duration round_began_{0};
  bool naps_ = false;
  bool is_told_ = false;
  std::vector<std::uint64_t> suspected_;  // the stamps of others that poll, in the cycle for which this was told anew
  std::optional<bool> may_tell_;          // once the wait is a long one
  std::uint64_t moment_ = 0;              // when this round began
};

/// This rank's program has come to its end: it sends and receives nothing any more but what it has under way.
void tell_the_end(const HostRanks& here, const WorkUnderWay& beside);

}  // namespace tutti::interpose
