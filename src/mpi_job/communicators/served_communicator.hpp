/// @file
/// Communicator of MPI that the library serves.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "mpi_job/communicators/peers.hpp"
#include "mpi_job/datatypes/operators.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/fallback_table.hpp"
#include "tutti/communicator.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

struct CallData;
class CommunicatorFounding;

/// The state of one communicator of the program, which hangs on an attribute of it and goes with it.
class ServedCommunicator {
 public:
  /// While it lives, this thread is in a call of a communicator that is served.
  class Calling {
   public:
    explicit Calling(const ServedCommunicator& on) : outer_(std::exchange(current, on.identity_)) {}
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;
    ~Calling() { current = outer_; }
    /// Leaves the library: what follows on this thread is the program's own, which may never return to the call.
    static void leave() { current = 0; }
    /// Whether this thread is on that identity. May be called by a signal's handler.
    static bool is_on(std::uintptr_t identity) { return current != 0 && current == identity; }

   private:
    static inline thread_local std::uintptr_t current = 0;
    std::uintptr_t outer_;
  };

  /// While it lives, this thread is in a collective of that communicator, in a program that is checked: MPI wants no
  /// other one of its rank there.
  class Alone {
   public:
    explicit Alone(ServedCommunicator& on);
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    ~Alone();
    bool is_so() const { return is_so_; }
    /// Returns the error of a call of `function` while another thread is there, too.
    Error error(std::string_view function) const;

   private:
    ServedCommunicator& on_;
    bool is_noted_ = false;
    bool is_so_ = true;
  };

  /// By what call a communicator came to be that all of its ranks have made of another one: they know it by the same
  /// number, and copies of one by others.
  struct Origin {
    std::uint64_t number = 0;  ///< 0: not known, as MPI_COMM_WORLD's
    std::string words;         ///< "number 2 made of MPI_COMM_WORLD"
  };

  /// Call that the program makes: its function, and its data where they are compared.
  struct Described {
    const char* function = nullptr;
    const CallData* data = nullptr;
  };
  /// While it lives, a call of that description is under way.
  class Describing {
   public:
    Describing(ServedCommunicator& on, const Described& what) : on_(on), outer_(std::exchange(on.described_, what)) {}
    Describing(const Describing&) = delete;
    Describing& operator=(const Describing&) = delete;
    ~Describing() { on_.described_ = outer_; }

   private:
    ServedCommunicator& on_;
    Described outer_;
  };

  explicit ServedCommunicator(MPI_Comm handle);
  ServedCommunicator(const ServedCommunicator&) = delete;
  ServedCommunicator& operator=(const ServedCommunicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Whether its ranks have decided who serves it.
  bool is_decided() const { return stands_ == Stands::served || stands_ == Stands::forwarded; }
  bool is_served() const { return stands_ == Stands::served; }
  /// This rank does not go on with what the communicator's ranks do together by MPI: later calls get this error, too.
  void fail(std::string sentence);
  /// The sentence by which it has failed; empty while it has not.
  const std::string& failure() const { return failure_; }
  /// Whether it has, or the collectives of its ranks have, which end with the first error of one.
  bool has_failed() const { return !failure_.empty() || (ranks_ && ranks_->has_failed()); }
  /// The latest sentence that was told of it: told once, however many calls it ends.
  std::string& told() const { return told_; }
  /// Whether MPI is the faster one for such a call, with blocks of so many bytes: the same on all ranks.
  bool leaves(ServedCollective collective, std::int64_t bytes) const {
    const bool is_left = FallbackTable::is_left(row_, collective, bytes);
    if (is_left) CountedCall::set_reason("it is faster");
    return is_left;
  }
  /// Returns the origin of the communicator that all ranks of this one are about to make of it. All of them call this
  /// together.
  Origin next_derived();
  /// Before anything asks for peers().
  void set_origin(const Origin& origin) { origin_ = origin; }
  /// Returns the peers, while JobRanks::host() is there.
  const std::shared_ptr<const Peers>& peers();
  /// Returns its name in sentences.
  std::string title() const;
  MpiCommunicator& ranks() { return *ranks_; }
  MPI_Comm handle() const { return handle_; }
  /// Returns the places of its ranks among those of the job; nothing if one of them is not there. Ranks of one host all
  /// see the same: those of other hosts that one of them is missing here, which is one of them.
  std::optional<std::vector<int>> places() const;
  /// The row of the table that is its own.
  std::size_t row() const;
  /// Returns what its ranks know it by, once they have met; 0 before.
  std::uintptr_t identity() const { return identity_; }
  bool is_founded() const { return identity_ != 0; }
  /// Whether all of its ranks count their calls, so that all can wait for one another to learn how long that takes.
  bool are_all_counted() const { return are_all_counted_; }
  /// Whether its ranks share memory.
  bool is_on_one_host() const { return is_on_one_host_; }
  /// Counts a nonblocking collective that the program has begun on it; returns how many those are.
  std::int32_t count_begun() { return ++begun_; }
  /// Returns how many those are.
  std::int32_t begun() const { return begun_; }
  /// Whether it has several ranks, which all are known to have the library: each of them sees it alike. Of an
  /// intercommunicator the ranks of both groups are on one host, too.
  bool has_all_ranks_here();
  /// Whether all of its ranks, of an intercommunicator those of both groups, have the library and are connected with
  /// this one: each of them sees it alike.
  bool has_library_on_all();
  bool is_between_groups() const { return is_between_; }
  /// Returns how many ranks it tells of what it begins: all of them, or those of the other group.
  int others() const { return others_; }
  /// The numbers in MPI_COMM_WORLD of this rank's own group.
  std::vector<int> ranks_in_job() const;
  /// Ends with this state.
  const std::shared_ptr<const void>& life() const { return life_; }
  /// Why it is not served.
  const char* why_forwarded() const { return why_forwarded_; }
  const Described& described() const { return described_; }
  /// Returns the handles of the call that is under way.
  OperatorHandles& handles() { return handles_; }
  /// Numbers for the call under way, which the next one writes over.
  std::vector<std::int64_t>& numbers(std::size_t which) { return numbers_[which]; }

 private:
  friend class CommunicatorFounding;
  enum class Stands : std::uint8_t { open, served, forwarded, failed };

  bool are_both_groups_here();

  MPI_Comm handle_;
  int rank_ = 0;
  int size_ = 0;
  int others_ = 0;
  int calls_ = 0;
  std::int32_t begun_ = 0;
  // The thread that is in a collective of it. Relaxed: it says nothing of what that thread has written.
  std::atomic<std::thread::id> in_call_ = std::thread::id();
  std::uint64_t derived_ = 0;
  Origin origin_;
  bool is_between_ = false;
  std::optional<bool> has_all_ranks_here_;
  std::optional<bool> has_library_on_all_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  Stands stands_ = Stands::open;
  const char* why_forwarded_ = "the communicator is new";
  std::string failure_;
  mutable std::string told_;
  std::uintptr_t identity_ = 0;
  bool are_all_counted_ = false;
  bool is_on_one_host_ = false;
  std::shared_ptr<const Peers> peers_;
  std::optional<MpiCommunicator> ranks_;
  FallbackTable::Row row_ = {};
  OperatorHandles handles_;
  Described described_;
  std::vector<std::int64_t> numbers_[4];
};

/// Returns the state, also if it may not be served, of any handle; quickly if this thread has asked for it before.
ServedCommunicator* state_known_of(MPI_Comm handle);

/// The state of the communicator, made where it has none; null where MPI has no room for it, or no such communicator.
ServedCommunicator* state_of(MPI_Comm handle);
/// Takes the state away, if the communicator has one.
void leave_state(MPI_Comm handle);
/// Has all threads ask anew what they know by handles.
void forget_known_states();
/// Drops the state; MPI calls this when the communicator goes.
int drop_state(MPI_Comm, int, void* state, void*);

}  // namespace tutti::interpose
