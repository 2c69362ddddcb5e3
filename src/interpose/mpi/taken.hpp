/// @file
/// What an MPI communicator becomes when the library serves it.
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

#include "interpose/mpi/inside.hpp"
#include "interpose/mpi/job.hpp"
#include "interpose/mpi/operators.hpp"
#include "interpose/mpi/peers.hpp"
#include "interpose/report.hpp"
#include "interpose/table.hpp"
#include "tutti/communicator.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// The state of one communicator of the program, which hangs on an attribute of it and goes with it.
class Taken {
 public:
  /// While it lives, this thread is in a call of a communicator that is served.
  class Calling {
   public:
    explicit Calling(const Taken& on) : outer_(std::exchange(current, on.identity_)) {}
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;
    ~Calling() { current = outer_; }
    /// What follows on this thread is the program's own, which may never return to the call.
    static void leave() { current = 0; }
    /// Of that identity. May be called by a signal's handler.
    static bool is_on(std::uintptr_t identity) { return current != 0 && current == identity; }

   private:
    static inline thread_local std::uintptr_t current = 0;
    std::uintptr_t outer_;
  };

  /// While it lives, this thread is in a collective of that communicator, in a program that is checked: MPI wants no
  /// other one of its rank there.
  class Alone {
   public:
    explicit Alone(Taken& on);
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    ~Alone();
    bool is_so() const { return is_so_; }
    /// What is wrong with a call of `function` where another thread is there, too.
    Error error(std::string_view function) const;

   private:
    Taken& on_;
    bool is_noted_ = false;
    bool is_so_ = true;
  };

  /// By what call a communicator came to be that all of its ranks have made of another one: they know it by the same
  /// number, and copies of one by others.
  struct Origin {
    std::uint64_t number = 0;  ///< 0: not known, as MPI_COMM_WORLD's
    std::string words;         ///< "number 2 made of MPI_COMM_WORLD"
  };

  explicit Taken(MPI_Comm handle);
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// To be called first in each collective that may be served. Whether it is: the same on all ranks, because it depends
  /// on what they have agreed on, and on how many such calls the communicator has seen. May communicate once.
  /// `function` is the one of MPI's that the program calls.
  bool serves(const char* function) {
    if (stands_ != Stands::open) return stands_ == Stands::served;
    return decide(function);
  }
  /// Whether MPI is the faster one for such a call, with blocks of so many bytes: the same on all ranks.
  bool leaves(TakenOver collective, std::int64_t bytes) const {
    const bool is_left = Table::is_left(row_, collective, bytes);
    if (is_left) CountedCall::set_reason("it is faster");
    return is_left;
  }
  /// That of the communicator that all ranks of this one are about to make of it. All of them call this together.
  Origin next_derived();
  /// Before anything asks for peers().
  void set_origin(const Origin& origin) { origin_ = origin; }
  /// Where JobRanks::host() is there.
  const std::shared_ptr<const Peers>& peers();
  /// How sentences call it.
  std::string title() const;
  MpiCommunicator& ranks() { return *ranks_; }
  MPI_Comm handle() const { return handle_; }
  /// Where its ranks stand among those of the job; nothing where one of them is not there. Of ranks of one host all see
  /// the same: those of other hosts that one of them is missing here, which is one of them.
  std::optional<std::vector<int>> places() const;
  /// The row of the table that is its own.
  std::size_t row() const;
  /// What its ranks know it by, once they have met; 0 before.
  std::uintptr_t identity() const { return identity_; }
  bool is_founded() const { return identity_ != 0; }
  /// Whether all of its ranks count their calls, so that all can wait for one another to learn how long that takes.
  bool are_all_counted() const { return are_all_counted_; }
  /// Whether its ranks share memory.
  bool is_on_one_host() const { return is_on_one_host_; }
  /// Counts a nonblocking collective that the program has begun on it; returns how many those are.
  std::int32_t count_begun() { return ++begun_; }
  /// How many those are.
  std::int32_t begun() const { return begun_; }
  /// Whether it has several ranks, which all are known to have the library: each of them sees it alike. Of an
  /// intercommunicator the ranks of both groups are on one host, too.
  bool has_all_ranks_here();
  bool is_between_groups() const { return is_between_; }
  /// How many ranks it tells of what it begins: all of them, or those of the other group.
  int others() const { return others_; }
  /// The numbers in MPI_COMM_WORLD of this rank's own group.
  std::vector<int> ranks_in_job() const;
  /// Ends with this state.
  const std::shared_ptr<const void>& life() const { return life_; }
  /// Why it is not served.
  const char* why_forwarded() const { return why_forwarded_; }
  /// Of the call that is under way.
  Handles& handles() { return handles_; }
  /// Numbers for the call under way, which the next one writes over.
  std::vector<std::int64_t>& numbers(std::size_t which) { return numbers_[which]; }

 private:
  enum class Stands : std::uint8_t { open, served, forwarded };

  struct Founding;
  bool decide(const char* function);
  bool are_both_groups_here();
  const char* found(const char* function);
  bool gather(const char* function, const Founding& mine, std::vector<Founding>& told);

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
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  Stands stands_ = Stands::open;
  const char* why_forwarded_ = "the communicator is new";
  std::uintptr_t identity_ = 0;
  bool are_all_counted_ = false;
  bool is_on_one_host_ = false;
  std::shared_ptr<const Peers> peers_;
  std::optional<MpiCommunicator> ranks_;
  Table::Row row_ = {};
  Handles handles_;
  std::vector<std::int64_t> numbers_[4];
};

/// The state of a communicator that may be served; null where it is not, and inside of MPI's and of our own functions,
/// which is known by the frame at which the call of `function` came in.
Taken* taken(MPI_Comm handle, const char* function, const void* entry);

/// The same, also where it may not be served, of any handle; quickly where this thread has asked for it before.
Taken* state_known_of(MPI_Comm handle);

/// The state of the communicator, made where it has none; null where MPI has no room for it, or no such communicator.
Taken* state_of(MPI_Comm handle);
/// Takes the state away, if the communicator has one.
void leave_state(MPI_Comm handle);
/// What MPI calls when the communicator goes.
int drop_state(MPI_Comm, int, void* state, void*);

/// While it lives, MPI frees a communicator, and calls the program's own functions, which may call collectives on it.
/// Those are MPI's: a state that was made for them would outlive the communicator, and be taken for that of another one
/// with its handle. Afterwards the calling threads ask anew what they knew by handles.
class Freeing {
 public:
  /// Of Fortran's functions of Open MPI, which returns what the program's own function has said.
  Freeing() = default;
  /// Takes the communicator's own state away first: MPICH returns what the last function that it calls for an attribute
  /// says, which is to be one of the program's.
  explicit Freeing(MPI_Comm handle);
  Freeing(const Freeing&) = delete;
  Freeing& operator=(const Freeing&) = delete;
  ~Freeing();

 private:
  Inside inside_;
};

}  // namespace tutti::interpose
