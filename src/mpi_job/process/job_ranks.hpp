/// @file
/// Ranks of a job that tutti connects, as unchanged MPI programs use them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_job/process/call_site.hpp"
#include "mpi_job/process/host_ranks.hpp"
#include "mpi_job/process/mpi_need.hpp"
#include "progress/clock.hpp"
#include "progress/progress_engine.hpp"
#include "runtime/communicator_context.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/processes/segment.hpp"
#include "tutti/communicator.hpp"

namespace tutti::interpose {

/// Conduct of these ranks, as far as it differs from a run that a tutti program knows of.
struct Conduct {
  /// Has MPI look for what it has to do. Called by the thread that waits, after some five hundred looks, and again and
  /// again: another rank may wait for a message that this rank's MPI owes it.
  void (*let_mpi_work)() noexcept = nullptr;
  /// Whether cycles of waits and long waits end a communicator. A rank that computes for an hour is no error of an MPI
  /// program.
  bool is_checked = false;
  /// Whether several threads may be in collectives of different communicators at once.
  bool has_threads = false;
  /// Whether this rank has one thread in MPI at this moment, and for as long as that waits; asked where it might have
  /// several.
  bool (*has_one_thread)() = nullptr;
};

/// A communicator whose ranks also meet for what MPI alone does.
class MpiCommunicator : public Communicator {
 public:
  using Communicator::Communicator;

  /// Returns when all ranks have come to that function of MPI's. Throws what a collective does.
  void come_to(std::string_view function) { runtime::meet_for(context(), function); }
  /// Whether an error has ended it on all ranks.
  bool has_failed() const { return context()->state().failure().failed(); }
};

/// The ranks that have the library: those of this host or, where all of the job have it, all of them. Communicators
/// are made by whoever knows how to have their ranks tell one another some words.
class JobRanks {
 public:
  /// Makes the ranks of this host, which have joined the segment in this order; `ranks` are their numbers in the job,
  /// ascending.
  static std::unique_ptr<JobRanks> of_one_host(runtime::Segment&& segment, std::vector<int> ranks,
                                               const Conduct& conduct);
  /// All ranks of a job of several hosts, numbered as in the job, of which this is number `rank`. MPI works while they
  /// wait, because it connects them; threads may not be in collectives at once.
  static std::unique_ptr<JobRanks> of_all_hosts(std::shared_ptr<runtime::World> world, int rank,
                                                const Conduct& conduct);
  JobRanks(const JobRanks&) = delete;
  JobRanks& operator=(const JobRanks&) = delete;
  ~JobRanks();

  /// Returns the places of these ranks of the job among these; nothing if one of them is not there.
  std::optional<std::vector<int>> places_of(std::span<const int> ranks) const;

  /// Returns the contribution of this rank, as rank `rank` of those at `places`, to a communicator of theirs; nothing
  /// if there is no room for it.
  std::optional<runtime::Foundation> found(const std::vector<int>& places, int rank);
  /// Returns that communicator, once `told` has the contributions of all, by rank; nothing if this process has no room
  /// for it. Sentences call it what `title` says then. To be dropped before this object.
  std::optional<MpiCommunicator> join(std::span<const runtime::Foundation> told, std::vector<int> places, int rank,
                                      runtime::Title title);
  /// Returns the communicator of all these ranks, which needs no foundation.
  Communicator whole();

  /// The ranks of this host, for those who wait for messages; null unless the program is checked.
  const HostRanks* host() const { return host_ ? &*host_ : nullptr; }
  /// From here on a rank that waits in a collective tells by `tell` what else it has under way.
  void tell_work_beside_calls(std::function<bool(runtime::WaitState&)> tell);

  /// This rank is about to call what other ranks' MPI has a part in, wherever those are: until a while afterwards the
  /// ranks of this host stay awake while they wait. Thread-safe.
  void need_mpi() noexcept { mpi_need_.note(); }

  /// This rank has packed or unpacked a piece of a message: ranks that wait for it see that it goes on. Thread-safe.
  void note_work() noexcept { world_->note_work(place_); }

  /// Whether these places are on several hosts.
  bool are_on_several_hosts(std::span<const int> places) const;

  /// Asks the ranks at these places, as far as they are on this host, to say where they are, where the program is
  /// checked: see answer_where(). The question is about that communicator.
  void ask_where(std::span<const int> places, std::uintptr_t about) const;
  /// From here on this process answers once when another rank asks where it is, if `may_answer` says so of the
  /// communicator that the question is about: it notes the calls that it is in by a signal's handler, amid anything,
  /// and a thread of its own calls `say` with them.
  static void answer_where(bool (*may_answer)(std::uintptr_t about), void (*say)(const CallFrames&));

  /// Whether it has not answered yet, and does not from here on.
  static bool take_answer();
  /// MPI is about to end, or the program: an answer that is under way is given before this returns, and no thread of
  /// this library is left, which would read the names of files that MPI closes. From here on a signal's handler
  /// answers, with those last words alone. Not in a signal's handler. May be called again.
  static void end_answers(const std::string& last_words = {});

  /// The job has ended: what is still held does nothing from here on. Where several hosts are connected, MPI still
  /// works.
  void end();

 private:
  /// `here` is the world of the ranks of this host.
  JobRanks(std::shared_ptr<runtime::World> world, runtime::World& here, std::vector<int> ranks, int place,
           const Conduct& conduct);
  std::shared_ptr<runtime::ProgressEngine> new_engine();
  MpiCommunicator communicator(runtime::Membership membership);
  void tell_work_beside_calls_of(runtime::ProgressEngine& engine) const;
  void watch_messages(runtime::World& here, std::vector<int> ranks);

  std::shared_ptr<runtime::World> world_;
  std::vector<int> ranks_;
  int place_;
  bool has_ended_ = false;
  Conduct conduct_;
  Duration timeout_;
  MpiNeed mpi_need_;
  std::unique_ptr<runtime::Clock> clock_;
  std::shared_ptr<runtime::ProgressEngine> engine_;  // engine of all communicators, unless threads use them at once
  std::mutex engines_mutex_;
  std::vector<std::shared_ptr<runtime::ProgressEngine>> engines_;  // then one a communicator; guarded by the mutex
  std::optional<HostRanks> host_;
  std::function<bool(runtime::WaitState&)> tell_work_;
};

}  // namespace tutti::interpose
