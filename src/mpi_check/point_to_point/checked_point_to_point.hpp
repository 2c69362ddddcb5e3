/// @file
/// Checked point-to-point functions: MPI's functions that wait for messages, which report a wait that never ends.
///
/// Each looks again and again whether MPI's own function would return at once, and then calls it, so that what it
/// returns is MPI's. A message to receive is looked for by MPI_Iprobe, and requests by MPI_Request_get_status, neither
/// of which changes anything; a send becomes a request. While nothing comes, the rank passes its time as MessageWait
/// does. A function whose wait never ends returns the code of that error.
#pragma once

#include <mpi.h>

#include "mpi_check/point_to_point/buffer_overlap.hpp"
#include "mpi_check/point_to_point/mpi_call.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"

namespace tutti::interpose {

/// MPI_Recv and MPI_Probe, which wait for a message to be there.
int receive(const char* function, MPI_Comm comm, int source, int tag, const OfMpi& call);
/// MPI_Send and its like, which wait for the message to be sent.
int send(const char* function, MPI_Comm comm, int rank, int tag, const BeginOfMpi& begin, const OfMpi& call);
/// MPI_Sendrecv. `status` may be MPI_STATUS_IGNORE.
struct SendReceive {
  MPI_Comm comm;
  int to, tag_to;
  int from, tag_from;
  BeginOfMpi send, receive;
  BufferRegion sent = {}, received = {};  ///< the regions, if they are two buffers
};
int exchange(const char* function, const SendReceive& what, MPI_Status* status, const OfMpi& call);
/// MPI_Sendrecv_replace of what lies in `buffer`, which is sent from memory of its own, because what is received comes
/// to its place. `what` has no send.
int exchange_in_place(const char* function, const SendReceive& what, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status, const OfMpi& call);

/// MPI_Isend, MPI_Irecv, MPI_Send_init and their like; `request` is what the call makes.
int begin(PendingMessage::Side side, MPI_Comm comm, int peer, int tag, const MPI_Request* request, const OfMpi& call);

}  // namespace tutti::interpose
