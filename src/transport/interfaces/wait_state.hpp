/// @file
/// Wait state of a rank that waits for long: what it has under way, and what it needs of whom. All ranks are told, so
/// that ranks which wait for one another in a cycle can find it (progress/deadlock.hpp). Plain bytes: other processes
/// read it, and it is sent.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/digest.hpp"

namespace tutti::runtime {

/// Identity of one rank's part in a collective, a send or a receive: all ranks compute the same one. Identities of
/// different operations differ but by a chance of 2^-64.
using OperationId = std::uint64_t;

inline OperationId operation_id(std::uint64_t kind, std::uint64_t communicator, std::uint64_t number, int from = 0,
                                int to = 0) {
  std::uint64_t hash = digest_of_nothing;
  for (const std::uint64_t value :
       {kind, communicator, number, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)}) {
    hash = mixed(hash, value);
  }
  return hash;
}
inline OperationId collective_id(std::uint64_t communicator, std::uint64_t number) {
  return operation_id(1, communicator, number);
}
inline OperationId send_id(std::uint64_t communicator, std::uint64_t number, int from, int to) {
  return operation_id(2, communicator, number, from, to);
}
inline OperationId receive_id(std::uint64_t communicator, std::uint64_t number, int from, int to) {
  return operation_id(3, communicator, number, from, to);
}
inline OperationId settling_id(std::uint64_t communicator, std::uint64_t number) {
  return operation_id(4, communicator, number);
}

/// Dependency of an operation: it cannot go on without this.
struct Dependency {
  enum class Kind : std::uint32_t {
    begin,    ///< the rank is to begin the operation
    message,  ///< the rank, in the operation, is to send this rank a message that it has not offered
    reading,  ///< the rank, in the operation, is to read a message that this rank has offered
  };
  OperationId operation = 0;
  std::int32_t rank = 0;  ///< rank of the run that is to act
  Kind kind = Kind::begin;
};

/// Operation under way, and the dependencies of the step that it is at. It leaves the step only when all of them are
/// met, or one of them where that suffices.
struct PendingOperation {
  OperationId id = 0;
  std::uint16_t first_dependency = 0;
  std::uint16_t dependencies = 0;
  bool is_doubtful = false;   ///< whether it may go on by other means than its dependencies say
  bool is_cut = false;        ///< whether it has more dependencies than are told
  bool any_suffices = false;  ///< whether it leaves the step once one of its dependencies is met
};

/// Operations of a rank that waits, and their dependencies.
struct WaitState {
  static constexpr std::size_t most_operations = 12;
  static constexpr std::size_t most_dependencies = 40;

  std::uint32_t operations =
      0;  ///< the first are what the rank waits for; none: it does not wait, or has too much under way
  std::uint32_t dependencies = 0;
  std::uint32_t awaited =
      1;  ///< number of operations that it waits for: its wait ends with the first of them that ends
  std::uint32_t unused = 0;
  std::array<PendingOperation, most_operations> operation = {};
  std::array<Dependency, most_dependencies> dependency = {};

  /// Adds an operation, whose dependencies follow. False where there is no room.
  bool begin(OperationId id) {
    if (operations == most_operations) return false;
    operation[operations] = {id, static_cast<std::uint16_t>(dependencies), 0, false, false};
    ++operations;
    return true;
  }
  void add(const Dependency& next) {
    PendingOperation& latest = operation[operations - 1];
    if (dependencies == most_dependencies) {
      latest.is_cut = true;
      return;
    }
    dependency[dependencies++] = next;
    ++latest.dependencies;
  }
  /// One dependency of the latest operation is enough.
  void let_any_suffice() { operation[operations - 1].any_suffices = true; }
  void doubt() { operation[operations - 1].is_doubtful = true; }
};

static_assert(std::is_trivially_copyable_v<WaitState>);
static_assert(sizeof(WaitState) % sizeof(std::uint64_t) == 0, "records hold it as words");

/// Waits of ranks, as they announce them.
class WaitBoard {
 public:
  WaitBoard() = default;
  WaitBoard(const WaitBoard&) = delete;
  WaitBoard& operator=(const WaitBoard&) = delete;

  /// Rank `rank` waits, and all that it has done is told to those whom it concerns.
  virtual void announce(int rank, std::string_view text, const WaitState& wait_state) = 0;
  /// Withdraws the wait: the rank does not wait any more, or something has moved.
  virtual void withdraw(int rank) = 0;
  /// A point in time: the wait states that this rank knows of are from before it.
  virtual std::uint64_t moment() = 0;
  /// Rank `rank` has looked, from `moment` on, for anything that could move, and found nothing since it was announced.
  virtual void note_quiet(int rank, std::uint64_t moment) = 0;
  /// Lets those know of it who suspect that they wait for ever.
  virtual void tell_quiet(int rank) = 0;
  /// Whether all of these ranks still stand as they did, and each has looked since it knew that the others did.
  struct Stand {
    int rank = 0;
    std::uint64_t stamp = 0;
  };
  virtual bool were_quiet(std::span<const Stand> stands) const = 0;

  /// Whether this rank is to tell the user, at `now` of the steady clock, that ranks wait for rank `rank`: no other one
  /// of its host has within `gap` or, where ranks share no memory, this rank has not.
  virtual bool claim_telling(int rank, std::chrono::nanoseconds now, std::chrono::nanoseconds gap) = 0;
  /// Whether what claim_telling() says holds for all ranks of the host.
  virtual bool tells_once() const = 0;

 protected:
  ~WaitBoard() = default;
};

}  // namespace tutti::runtime
