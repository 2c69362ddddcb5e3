/// @file
/// What an MPI communicator becomes when the library serves it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "interpose/mpi/job.hpp"
#include "interpose/mpi/operators.hpp"
#include "interpose/report.hpp"
#include "interpose/table.hpp"
#include "tutti/communicator.hpp"

namespace tutti::interpose {

/// The state of one communicator of the program, which hangs on an attribute of it and goes with it.
class Taken {
 public:
  explicit Taken(MPI_Comm handle);
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// To be called first in each collective that may be served. Whether it is: the same on all ranks, because it depends
  /// on what they have agreed on, and on how many such calls the communicator has seen. May communicate once.
  bool serves() {
    if (stands_ != Stands::open) return stands_ == Stands::served;
    return decide();
  }
  /// Whether MPI is the faster one for such a call, with blocks of so many bytes: the same on all ranks.
  bool leaves(TakenOver collective, std::int64_t bytes) const {
    const bool is_left = Table::is_left(row_, collective, bytes);
    if (is_left) CountedCall::set_reason("it is faster");
    return is_left;
  }
  Communicator& ranks() { return *ranks_; }
  MPI_Comm handle() const { return handle_; }
  /// Where its ranks stand among those of the job; nothing where one of them is not there. Of ranks of one host all see
  /// the same: those of other hosts that one of them is missing here, which is one of them.
  std::optional<std::vector<int>> places() const;
  /// The row of the table that is its own.
  std::size_t row() const;
  /// Why it is not served.
  const char* why_forwarded() const { return why_forwarded_; }
  /// Of the call that is under way.
  Handles& handles() { return handles_; }
  /// Numbers for the call under way, which the next one writes over.
  std::vector<std::int64_t>& numbers(std::size_t which) { return numbers_[which]; }

 private:
  enum class Stands : std::uint8_t { open, served, forwarded };

  bool decide();
  const char* found();

  MPI_Comm handle_;
  int rank_ = 0;
  int size_ = 0;
  int calls_ = 0;
  Stands stands_ = Stands::open;
  const char* why_forwarded_ = "the communicator is new";
  std::optional<Communicator> ranks_;
  Table::Row row_ = {};
  Handles handles_;
  std::vector<std::int64_t> numbers_[4];
};

/// The state of a communicator that may be served; null where it is not, and inside of MPI's and of our own functions.
Taken* taken(MPI_Comm handle);

/// The state of the communicator, made where it has none; null where MPI has no room for it.
Taken* state_of(MPI_Comm handle);
/// What MPI calls when the communicator goes.
int drop_state(MPI_Comm, int, void* state, void*);

/// What has gone wrong on a communicator of a program that is checked: this rank says from where it called, and so does
/// every other of its ranks on this host, wherever it is. Leaves them time to do so, because what follows may end them
/// all.
void say_where_all_are(const Taken& on);

}  // namespace tutti::interpose
