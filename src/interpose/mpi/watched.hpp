/// @file
/// Functions of MPI that wait for messages, in a program that is checked: whoever waits for ever says so.
///
/// Each looks again and again whether MPI's own function would return at once, and then calls it, so that what it
/// returns is MPI's. A message to receive is looked for by MPI_Iprobe, and requests by MPI_Request_get_status, neither
/// of which changes anything; a send becomes a request. While nothing comes, the rank passes its time as MessageWait
/// does. A function whose wait never ends returns the code of that error.
#pragma once

#include <mpi.h>

#include <atomic>
#include <functional>
#include <vector>

#include "interpose/mpi/overlap.hpp"
#include "interpose/mpi/requests.hpp"

namespace tutti::interpose {

struct Amount;

/// MPI's own function, with the program's arguments; returns its code.
using OfMpi = std::function<int()>;
/// One that makes a request of them.
using BeginOfMpi = std::function<int(MPI_Request*)>;

/// Whether the program is watched. Relaxed: it becomes so before there are other threads in MPI, and a thread that sees
/// late that it is no more uses what is its own alone.
inline std::atomic<bool> watched = false;
/// Whether this thread may be watched. Where several may be in MPI at once, only the one that has begun it is: from the
/// first call of another thread on, none is.
bool is_watched_here();
inline bool is_watched() { return watched.load(std::memory_order_relaxed) && is_watched_here(); }
/// Whether the program has this thread alone now, where it might have several, and its messages are known.
bool has_one_thread();
/// After MPI has begun: watches the program where it is checked. Ranks that wait in collectives tell what it has under
/// way, too.
void begin_to_watch();
/// MPI is about to end.
inline void stop_watching() { watched.store(false, std::memory_order_relaxed); }
/// The program has come to its end: whoever waits for a message of this rank's waits for ever.
void tell_the_end();

/// MPI_Recv and MPI_Probe, which wait for a message to be there.
int receive(const char* function, MPI_Comm comm, int source, int tag, const OfMpi& call);
/// MPI_Send and its like, which wait for the message to be sent.
int send(const char* function, MPI_Comm comm, int rank, int tag, const BeginOfMpi& begin, const OfMpi& call);
/// MPI_Sendrecv. `status` may be MPI_STATUS_IGNORE.
struct Exchange {
  MPI_Comm comm;
  int to, tag_to;
  int from, tag_from;
  BeginOfMpi send, receive;
  Region sent = {}, received = {};  ///< where they are two buffers
};
int exchange(const char* function, const Exchange& what, MPI_Status* status, const OfMpi& call);
/// MPI_Sendrecv_replace of what lies in `buffer`, which is sent from memory of its own, because what is received comes
/// to its place. `what` has no send.
int exchange_in_place(const char* function, const Exchange& what, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status, const OfMpi& call);

/// MPI_Isend, MPI_Irecv, MPI_Send_init and their like; `request` is what the call makes.
int begin(Message::Side side, MPI_Comm comm, int peer, int tag, const MPI_Request* request, const OfMpi& call);
/// MPI_Ibarrier, MPI_Comm_idup and their like.
int begin_collective(const char* function, MPI_Comm comm, const Needed& needed, const Amount& amount,
                     const MPI_Request* request, const OfMpi& call);
/// MPI_Wait and MPI_Waitall of these requests, and where one suffices, MPI_Waitany and MPI_Waitsome.
int wait(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices, const OfMpi& call);
/// After a call that may have ended requests: `before` are their handles as they were, `now` as they are.
void forget_ended(const std::vector<MPI_Request>& before, const MPI_Request* now);

}  // namespace tutti::interpose
