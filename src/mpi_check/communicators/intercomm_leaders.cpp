#include "mpi_check/communicators/intercomm_leaders.hpp"

#include <fmt/format.h>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/rendezvous.hpp"
#include "mpi_check/point_to_point/checked_point_to_point.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/in_flight.hpp"

namespace tutti::interpose {
namespace {

int largest_tag() {
  void* value = nullptr;
  int is_there = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_there);
  return is_there != 0 ? *static_cast<const int*>(value) : 0;
}

/// Both leaders find alike whether the ranks between them have the library. Of what MPI refuses, it says so itself.
int meet_other_leader(const char* function, const IntercommLeaders& leaders) {
  const MPI_Comm comm = leaders.peer();
  ServedCommunicator* const between = are_beginnings_told() ? state_known_of(comm) : nullptr;
  if (between == nullptr || !between->has_all_ranks_here()) return MPI_SUCCESS;
  const int other = leaders.remote_leader;
  const int tag = leaders.tag;
  if (other < 0 || other >= between->others() || tag < 0 || tag > largest_tag()) return MPI_SUCCESS;
  const ReentrancyGuard guard;
  const OfMpi plainly = [&] {
    return PMPI_Sendrecv(nullptr, 0, MPI_BYTE, other, tag, nullptr, 0, MPI_BYTE, other, tag, comm, MPI_STATUS_IGNORE);
  };
  if (!is_watched()) return plainly();
  const BeginOfMpi send = [&](MPI_Request* request) {
    return PMPI_Isend(nullptr, 0, MPI_BYTE, other, tag, comm, request);
  };
  const BeginOfMpi receive = [&](MPI_Request* request) {
    return PMPI_Irecv(nullptr, 0, MPI_BYTE, other, tag, comm, request);
  };
  const SendReceive what{comm, other, tag, other, tag, send, receive};
  return exchange(function, what, MPI_STATUS_IGNORE, plainly);
}

}  // namespace

std::string words_of(const char* function, const IntercommLeaders& leaders) {
  return fmt::format("{} with leader {}", function, leaders.local_leader);
}

int meet_leaders(const char* function, ServedCommunicator* on, const IntercommLeaders& leaders) {
  const ServedCommunicator* const local = on != nullptr ? on : state_known_of(leaders.local);
  const int leader = leaders.local_leader;
  if (local == nullptr || leader < 0 || leader >= local->size()) return MPI_SUCCESS;
  const bool is_leader = local->rank() == leader;
  const int code = is_leader ? meet_other_leader(function, leaders) : MPI_SUCCESS;
  if (on == nullptr) return code;
  const auto told = [&]() -> std::optional<int> {
    const ReentrancyGuard guard;
    struct Heard {
      int have_met;
    };
    InFlight lent(Heard{code == MPI_SUCCESS ? 1 : 0});
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Ibcast(&lent->have_met, 1, MPI_INT, leader, on->handle(), &request) != MPI_SUCCESS) return code;
    const std::string what = fmt::format("its leader, rank {}, to meet that of the other group, in {} of {}",
                                         on->ranks_in_job()[static_cast<std::size_t>(leader)], function, on->title());
    if (is_leader) {
      PMPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      await(*on, what, leader, request);
    }
    const int have_met = lent.take_back().have_met;
    if (is_leader || have_met != 0) return code;
    throw Error(ErrorCode::timeout,
                fmt::format("{}: rank {}, which leads this group, has not met the leader of the other one (on "
                            "communicator {})",
                            function, leader, on->title()));
  };
  return done_or_raised(*on, told).value_or(MPI_SUCCESS);
}

}  // namespace tutti::interpose
