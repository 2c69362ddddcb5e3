/// @file
/// A group of ranks that communicate.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tutti/detail/export.hpp"
#include "tutti/detail/limits.hpp"
#include "tutti/duration.hpp"
#include "tutti/memory.hpp"
#include "tutti/messages.hpp"
#include "tutti/planning.hpp"

namespace tutti {

/// One rank's handle of a group of ranks. It belongs to the rank's thread; copies stand for the same communicator.
///
/// Ranks meet in collectives (gathering_collectives.hpp, rooted_collectives.hpp, reductions.hpp, scans.hpp) in the
/// order in which they call them: every rank of the communicator makes the same calls with the same root, counts, type,
/// operator and options. Communicators are independent of one another. Any number of operations may be outstanding;
/// several of them advance together in every wait and test. One that is outstanding takes a rank less than 1 KiB.
///
/// A rank keeps what it has prepared for calls of at most 64 shapes, and 4 MiB of what it has chosen for others, on each
/// communicator. What a communicator has taken goes back once all of its ranks have dropped it, in a later call.
///
/// Data is read where it lies: a call returns when its buffers may be used again, and peers have read what they needed.
///
/// A rank whose part in a collective needs nothing from others, like the root of a broadcast, does not wait for them:
/// it may run ahead by up to `most_collectives_ahead` collectives.
///
/// Errors. Wrong arguments that this rank can see by itself throw `Error(invalid_argument)` before anything is sent.
/// Otherwise an error ends all operations of the communicator, on every rank, now and from then on, with the same
/// sentence:
///   mismatch     ranks made different calls, or messages met that differ in type or size; names the ranks and what
///                differs. A rank that has run ahead learns of it in a later call, in wait_all() or when it returns.
///   timeout      ranks wait for one another for ever, or a rank has waited for longer than timeout() without any
///                progress; names who waits for whom
///   invalid_argument, unsupported
///                a peer's buffer cannot be read, because it is gone or its process has changed what others may do;
///                names the call, both ranks, the buffer and the system's reason
///   peer_failed  a rank ended, by an exception (whose text is in the message), by returning, or because it was killed,
///                while others needed it
class TUTTI_API Communicator : public Messages {
 public:
  using Messages::Messages;

  // Groups.

  /// Parts the ranks by `color`, and numbers those of one color by `key`, ties by the old rank. A collective call.
  /// Ranks that pass a negative color get no communicator. Errors: mismatch where other ranks make another call. Cost:
  /// all ranks tell one another color and key.
  std::optional<Communicator> split(int color, int key = 0);
  /// Parts the ranks by the machines that they run on, in their order: each gets the communicator of those on its own.
  /// A collective call. The environment's TUTTI_NODE, read when the ranks join, names a rank's node, so that one
  /// machine can stand for several. Errors and cost: as split.
  Communicator split_by_node();
  /// The ranks of a communicator of MPI; in tutti_mpi.hpp, for programs that have MPI, with its errors and cost.
  template <typename MpiCommunicator>
  static Communicator from(MpiCommunicator communicator);
  /// Returns a communicator of its own for the ranks of this one. A collective call. Errors and cost: as split.
  Communicator duplicate();

  /// Returns how long a rank waits without progress before the communicator fails; no_timeout unless RunOptions or
  /// TUTTI_TIMEOUT say otherwise: then a rank waits as long as those that it waits for live, computing, asleep or
  /// stopped. After 30 s, or TUTTI_LATE_AFTER, and again whenever it has waited twice as long, a line on standard error
  /// says who waits for whom and where the late ranks are; one rank tells it for all of its host. Ranks that wait for
  /// one another, that have ended or that make different calls are an error at once. Each rank has its own timeout; new
  /// communicators inherit it. Local; `invalid_argument` for 0 s or less. Cost: a look-up.
  Duration timeout() const;
  void set_timeout(Duration timeout);

  /// Returns how algorithms are found for calls on this communicator that do not say it themselves (CollectiveOptions);
  /// at first by TUTTI_PLAN of rank 0, or else by estimate. All ranks must set one way before the same call; a mismatch
  /// of a later call says where they do not. Local; for this communicator alone. Errors: none here. Cost: a look-up;
  /// what another way costs is in planning.hpp.
  Planning planning() const;
  void set_planning(Planning planning);

  // Waiting.

  /// Returns when all of the operations are done: wait(a, b, c). Throws what has ended one of them. All operations of
  /// this rank make progress meanwhile. Cost: as Handle::wait() for the slowest.
  template <std::same_as<Handle>... Handles>
  void wait(Handle& first, Handles&... more) {
    first.wait();
    (more.wait(), ...);
  }
  void wait(std::span<Handle> handles) {
    for (Handle& handle : handles) handle.wait();
  }
  /// Returns when one of the operations is done, and which: its place among the handles. Each is returned once, so that
  /// a loop comes to all of them; nothing where all have been, or are handles of nothing. Throws what has ended it,
  /// once: the next call goes on to the others. The handles may be of several communicators of this rank. Cost: as
  /// Handle::wait(), and a look at each handle whenever the rank looks.
  std::optional<std::size_t> wait_any(std::span<Handle> handles);
  /// Makes progress, and says whether all of the operations are done. Throws what has ended one of them. Cost: a
  /// Handle::test() each.
  bool test_all(std::span<Handle> handles);
  /// Returns when every operation that this rank has started on this communicator is done, and all ranks have come to
  /// all collectives that this rank has called. Throws mismatch if they called others. Cost: waits for the slowest
  /// rank.
  void wait_all();
  /// Makes progress, and says whether the operation is done. Errors and cost: as Handle::test().
  bool test(Handle& handle) { return handle.test(); }

  // Memory.

  /// `n` elements that the other ranks of the run reach in place: the fastest buffers where ranks are processes.
  /// A local call. Throws `Error(unsupported)` where there is no room. Cost: that of an allocation, and zeroing.
  template <typename T>
  Memory<T> allocate(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "memory that ranks share holds elements that are trivially copyable");
    static_assert(alignof(T) <= 64, "memory that ranks share is aligned to 64 bytes: the element type needs more");
    return {owner_of(allocate_bytes(n, sizeof(T))), n};
  }

  // Choice.

  /// The algorithm that a call without options would use by the estimate, which a trial of this type and operator
  /// (set_planning()) may have replaced: for `count` elements (as the collective counts them: the
  /// whole message, or one rank's block) of `element_size` bytes, root 0, and a commutative operator. A local call;
  /// throws `Error(invalid_argument)` for a negative count. Cost: for a new shape up to a millisecond, then a look-up.
  std::string_view algorithm_of(Collective collective, std::int64_t count, std::size_t element_size = 1) const;
  /// Predicts the time of such a call in a row of equal calls: the price by which algorithms are chosen. `algorithm` as
  /// in CollectiveOptions; empty: the one of algorithm_of(). A local call; throws `Error` if the algorithm does not
  /// fit. Cost: for a new shape up to a millisecond, then a look-up.
  Duration predicted_time(Collective collective, std::int64_t count, std::size_t element_size = 1,
                          std::string_view algorithm = {}) const;
};

}  // namespace tutti
