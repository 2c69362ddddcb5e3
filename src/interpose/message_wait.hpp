/// @file
/// A wait for messages of an MPI program that is checked, and how one that never ends is found.
///
/// A rank that has waited for long tells so in its record, which all ranks of its host read, as a rank that waits in a
/// collective does (Announcement), and looks for a circle of ranks that wait for one another. MPI carries the messages,
/// and says of none where it is: what a rank sees by one look may have been there for others before. So what counts as
/// one look of World::were_quiet() is a round of many, which take some tens of milliseconds at least, and a circle is
/// looked for when nothing has come for the whole time that a rank waits in a collective.
///
/// Nothing is concluded of a rank that does not tell that it waits: it computes, or is in a function of MPI that is not
/// watched. Nothing is concluded either of a message that both ranks have begun, however long it takes. Where the job
/// is on several hosts, ranks that wait in collectives tell MPI's world so, and not the host's: circles through
/// messages and collectives are not found there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/waiting_time.hpp"
#include "interpose/message_standing.hpp"
#include "progress/circle.hpp"
#include "progress/clock.hpp"
#include "transport/world.hpp"

namespace tutti::interpose {

/// What helps where a wait was too long: a program of MPI knows of no option.
inline constexpr std::string_view longer_wait_of_mpi = "TUTTI_TIMEOUT allows more";

/// The ranks of this host, as those who wait for messages see them.
struct HostRanks {
  runtime::World* world = nullptr;  ///< of these ranks alone
  std::vector<int> ranks;           ///< their numbers in the job, ascending
  int place = 0;                    ///< this rank's, here and in the world
  runtime::Clock* clock = nullptr;
  std::chrono::duration<double> timeout{};  ///< how long a wait is no hang
  /// Whether this rank may tell now what it waits for; null: always. It may not where another thread of its program
  /// could go on meanwhile.
  bool (*may_tell)() = nullptr;

  /// Where that rank of the job stands among them; Message::other_host where it is not there.
  int place_of(int rank) const;
};

/// The first collective of a communicator, and the other ranks of this host that are to come to it.
struct Meeting {
  std::uint32_t communicator = 0;
  std::vector<int> others;
};

/// What a wait is for, at this moment: messages, or a meeting.
struct AwaitedMessages {
  std::vector<Message> awaited;
  bool any_suffices = false;  ///< the first of them that comes ends the wait
  Beside beside;
  std::string text;  ///< as it follows "rank 3 waits for"
  std::optional<Meeting> meeting;
};

/// "what called from …", with as many callers as a rank's record has room for.
std::string with_call_site(const std::string& what);

/// A wait that never ends.
struct Hang {
  std::string text;         ///< a sentence that names its ranks
  std::vector<int> to_ask;  ///< of those, by their places, the ranks that have not said from where they called
};

class MessageWait {
 public:
  explicit MessageWait(const HostRanks& here) : here_(here), idle_(here.clock->now()) {}
  MessageWait(const MessageWait&) = delete;
  MessageWait& operator=(const MessageWait&) = delete;
  ~MessageWait() { withdraw(); }

  /// To be called again and again while nothing has come: lets other threads run, or naps. Asks `awaited` what the wait
  /// is for once it is a long one. Returns what is known of it where it never ends.
  std::optional<Hang> pass_time(const std::function<AwaitedMessages()>& awaited);
  /// Whether the wait has lasted for so much longer than the timeout that one which never ends would be known.
  bool is_overdue() const { return waited_ >= here_.timeout + before_overdue; }
  /// What is known of a meeting that is overdue, and that may end; `text` is what this rank waits for. Nothing where
  /// another rank is to tell it first.
  std::optional<Hang> overdue(const Meeting& meeting, const std::string& text) const;
  /// Some of the messages have come, and others have not: what was told holds no more.
  void begin_anew();

 private:
  static constexpr std::chrono::seconds before_overdue{3};

  bool may_tell();
  void tell(const AwaitedMessages& what);
  void withdraw();
  std::optional<Hang> hang() const;

  const HostRanks& here_;
  WaitingTime idle_;
  WaitingTime::Duration waited_{0};
  int looks_ = 0;  // of this round
  WaitingTime::Duration round_began_{0};
  bool naps_ = false;
  bool is_told_ = false;
  std::optional<bool> may_tell_;  // once the wait is a long one
  std::uint64_t moment_ = 0;      // when this round began
};

/// This rank's program has come to its end: it sends and receives nothing any more but what it has under way.
void tell_the_end(const HostRanks& here, const Beside& beside);

}  // namespace tutti::interpose
