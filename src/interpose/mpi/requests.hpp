/// @file
/// The messages that the program has begun, as far as this library has seen them begin.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "interpose/message_standing.hpp"
#include "interpose/mpi/peers.hpp"

namespace tutti::interpose {

class Comparison;

/// A message of the program's, or a wait for one; or its part in a nonblocking collective.
struct Posted {
  Message message;  ///< of a collective, with no rank as its other end
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;  ///< the message's other end in MPI_COMM_WORLD, where that is one rank
  std::shared_ptr<const Peers> peers;
  const char* function = nullptr;          ///< that the collective was begun by
  std::vector<int> needed;                 ///< ranks of the communicator without which the collective does not end here
  std::shared_ptr<Comparison> comparison;  ///< of it, where its ranks compare what they begin

  bool is_from_any() const { return message.peer == Message::any_rank; }
  bool is_collective() const { return message.side == Message::Side::begun; }
};

/// Of which other ranks each is to begin a nonblocking collective before it ends on this one.
struct Needed {
  enum class Of : std::uint8_t {
    all,
    lower,    ///< those of lower numbers
    root,     ///< the root; the root itself may need none
    by_root,  ///< the root needs all, and others may need none
    unknown,  ///< that hangs on counts, or on who is whose neighbor; there may be a root
  };
  static constexpr int no_root = std::numeric_limits<int>::min();

  Of of = Of::all;
  int root = no_root;

  bool has_root() const { return root != no_root; }
};

/// Nothing where MPI has something to say against it, where the message goes nowhere (MPI_PROC_NULL), and where the
/// program is not watched.
std::optional<Posted> posted(Message::Side side, MPI_Comm comm, int peer, int tag);

/// Counts a nonblocking collective that `function` has begun. Nothing where it is not known whom it needs.
std::optional<Posted> begun(const char* function, MPI_Comm comm, const Needed& needed,
                            std::shared_ptr<Comparison> comparison);

/// Whether MPI has nothing more to do for a request. One look at all that MPI has to do.
bool is_done(MPI_Request request);
/// The same of a request that is waited for: all ranks have told, too, what they have begun, where they do.
bool has_ended(MPI_Request request);

/// The program's requests, by their handles. For one thread at a time.
class Requests {
 public:
  static Requests& all();

  void add(MPI_Request request, const Posted& what) { known_[key(request)] = {request, what}; }
  /// Null where the request is not known.
  const Posted* find(MPI_Request request) const;
  /// The handle is gone, or gets another meaning.
  void remove(MPI_Request request) { known_.erase(key(request)); }
  /// The program gives the request up, and MPI does what it has to do for it all the same: as long as the program runs,
  /// nobody hears when.
  void abandon(MPI_Request request);

  /// This rank has begun so many collectives on a communicator of that number.
  void note_begun(std::uint32_t communicator, std::int32_t collectives);

  /// What is under way, but for these requests.
  Beside under_way(std::span<const MPI_Request> except = {}) const;

 private:
  static std::uintptr_t key(MPI_Request request);

  struct Known {
    MPI_Request request;
    Posted what;
  };

  std::unordered_map<std::uintptr_t, Known> known_;
  std::vector<Message> abandoned_;
  std::vector<Begun> begun_;
};

}  // namespace tutti::interpose
