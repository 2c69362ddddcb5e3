/// @file
/// Worlds of ranks that a program brings together itself.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tutti/communicator.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/run.hpp"

namespace tutti {

namespace runtime {
class JoinedRank;
}  // namespace runtime

/// All-gather of bytes that a program has by other means, such as a store or a socket: every rank calls it with bytes
/// of its own and gets those of all ranks, by rank. What it throws, join() throws.
using Exchange = std::function<std::vector<std::string>(const std::string& mine)>;

/// This process as one rank of a world of its own. It belongs to the thread that has joined. Several may live at once,
/// and one may follow another; they have nothing to do with world().
class TUTTI_API JoinedWorld {
 public:
  explicit JoinedWorld(std::unique_ptr<runtime::JoinedRank> rank);
  JoinedWorld(JoinedWorld&&) noexcept;
  JoinedWorld& operator=(JoinedWorld&&) noexcept;
  JoinedWorld(const JoinedWorld&) = delete;
  JoinedWorld& operator=(const JoinedWorld&) = delete;
  /// Leaves the world without a word, unless leave() has: the others learn of what this rank has not done. No errors.
  /// Cost: to give the memory back; waits for nobody.
  ~JoinedWorld();

  /// Returns the communicator of all ranks. Throws `Error(invalid_argument)` after leave(). Cost: none.
  Communicator& communicator();
  /// Ends this rank's part: waits until the other ranks have come to all calls of this one. Every later call by the
  /// world's communicators, handles and plans is an `Error(invalid_argument)`. May be called again, and does nothing
  /// then. Throws what is found only now, and leaves all the same, as finalize() does. Cost: waits for the slowest
  /// rank.
  void leave();
  /// Ends this rank's part as a failure: the others' pending and next calls throw `Error(peer_failed)` with that text.
  /// Nothing after leave(). No errors. Cost: waits for nobody.
  void abandon(const std::string& why);

 private:
  std::unique_ptr<runtime::JoinedRank> rank_;  // null after leave()
};

/// Joins `size` processes of one machine and user, this one as rank `rank`, into a world in which they share memory.
/// Each of them calls it with the same size; returns when all have come.
///
/// Throws on all ranks or on none: `Error(invalid_argument)` where a rank cannot open the memory of rank 0, as one of
/// another user, PID namespace or build of tutti, with the cause; `Error(unsupported)` where ranks run on several
/// machines. Throws on this rank alone: `Error(invalid_argument)` for a rank that is not in [0, size), a size below 1,
/// or an exchange that returns another number of texts. Cost: two exchanges, and the memory of the segment.
TUTTI_API JoinedWorld join(int rank, int size, const Exchange& exchange, const RunOptions& options = {});

/// Ends this process's part in the job of world() as a failure, which the program is about to end with: the other
/// ranks' pending and next calls throw `Error(peer_failed)` with that text, and so do its own. Nothing where the job
/// has not begun or is over. No errors. Cost: waits for nobody.
TUTTI_API void abandon(const std::string& why);

/// From here on every wait of this process that lasts calls `look` some ten times a second, on the thread that waits. A
/// text that it returns ends the rank's part, as abandon() with that text does, and so the wait. Null: no more. For
/// languages whose interpreter has signals to look at. No errors. Cost: that of `look`, where a wait lasts.
TUTTI_API void interrupt_waits_by(std::string (*look)());

}  // namespace tutti
