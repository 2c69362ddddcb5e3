/// @file
/// Registry of the requests of a checked program: messages and collectives that it has begun.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi_check/collectives/needed_ranks.hpp"
#include "mpi_check/waits/message_dependencies.hpp"
#include "mpi_job/communicators/peers.hpp"

namespace tutti::interpose {

class CallComparison;

/// A message of the program's, or a wait for one; or its part in a nonblocking collective.
struct TrackedRequest {
  PendingMessage message;  ///< part in a collective, with no rank as its other end
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;  ///< the message's other end in MPI_COMM_WORLD, where that is one rank
  std::shared_ptr<const Peers> peers;
  const char* function = nullptr;  ///< function by which the collective was begun
  std::vector<int> needed;         ///< ranks of the communicator without which the collective does not end here
  std::shared_ptr<CallComparison> comparison;  ///< its comparison, if its ranks compare what they begin

  bool is_from_any() const { return message.peer == PendingMessage::any_rank; }
  bool is_collective() const { return message.side == PendingMessage::Side::begun; }
};

/// Nothing where MPI has something to say against it, where the message goes nowhere (MPI_PROC_NULL), and where the
/// program is not watched.
std::optional<TrackedRequest> tracked_message(PendingMessage::Side side, MPI_Comm comm, int peer, int tag);

/// Counts a nonblocking collective that `function` has begun. Nothing where it is not known whom it needs.
std::optional<TrackedRequest> begun(const char* function, MPI_Comm comm, const NeededRanks& needed,
                                    std::shared_ptr<CallComparison> comparison);

/// "rank 1 to send with tag 7", "any rank to receive its message with tag 7", "all ranks to begin MPI_Ibarrier,
/// nonblocking collective 2".
std::string words_of(const TrackedRequest& what);

/// Whether MPI has nothing more to do for a request. One look at all that MPI has to do.
bool is_done(MPI_Request request);
/// Whether a request that is waited for has ended: all ranks have told, too, what they have begun, if they do.
bool has_ended(MPI_Request request);

/// The program's requests, by their handles. For one thread at a time.
class RequestRegistry {
 public:
  static RequestRegistry& all();

  void add(MPI_Request request, const TrackedRequest& what) { known_[key(request)] = {request, what}; }
  /// Null where the request is not known.
  const TrackedRequest* find(MPI_Request request) const;
  /// The handle is gone, or gets another meaning.
  void remove(MPI_Request request) { known_.erase(key(request)); }
  /// The program gives the request up, and MPI does what it has to do for it all the same: as long as the program runs,
  /// nobody hears when.
  void abandon(MPI_Request request);

  /// This rank has begun so many collectives on a communicator of that number.
  void note_begun(std::uint32_t communicator, std::int32_t collectives);

  /// Returns what is under way, but for these requests.
  WorkUnderWay under_way(std::span<const MPI_Request> except = {}) const;

 private:
  static std::uintptr_t key(MPI_Request request);

  struct Known {
    MPI_Request request;
    TrackedRequest what;
  };

  std::unordered_map<std::uintptr_t, Known> known_;
  std::vector<PendingMessage> abandoned_;
  std::vector<BegunCollectives> begun_;
};

}  // namespace tutti::interpose
