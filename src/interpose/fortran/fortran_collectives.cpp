// Entries of Fortran of the collectives that are served, and of nonblocking ones. Open MPI's functions of Fortran call none of
// C's that could be taken over: `mpif.h` and `use mpi` call them under four manglings, `use mpi_f08` under a name of its own.

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "interpose/entry/checked_call.hpp"
#include "interpose/entry/correct_operators.hpp"
#include "interpose/fortran/made_request.hpp"
#include "interpose/serve/served_collectives.hpp"
#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/call_data.hpp"
#include "mpi_check/collectives/intercomm_signatures.hpp"
#include "mpi_check/collectives/neighbour_signatures.hpp"
#include "mpi_check/collectives/nonblocking_check.hpp"
#include "mpi_check/collectives/nonblocking_signatures.hpp"
#include "mpi_check/communicators/call_owner.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// Entry of Fortran of the collective that `Serve` serves: see CollectiveEntry.
template <auto Serve, auto Describe, auto Between, bool folds>
struct FortranEntry;

template <typename... Arguments, Served (*Serve)(ServedCommunicator&, Arguments...), auto Describe, auto Between,
          bool folds>
struct FortranEntry<Serve, Describe, Between, folds> {
  /// After the arguments come the communicator, and where the error code goes.
  template <typename Next, std::size_t... K, typename... Addresses>
  static void call(const char* name, const Next& next, std::index_sequence<K...>, Addresses... addresses) {
    void* all[] = {addresses...};
    CountedCall call(name);
    void* const ierror = all[sizeof...(Arguments) + 1];
    const MPI_Comm comm = comm_in(all[sizeof...(Arguments)]);
    const void* const entry = __builtin_frame_address(0);
    if constexpr (folds) tell_wrong_operator(operator_of(all), element_of(all));
    const CallOwner taking = owner_of_call(comm, name, entry);
    if (taking.error) return put_code(ierror, call.forwarded(*taking.error));
    if (ServedCommunicator* const on = taking.on) {
      const auto act = [&] { return serve<Serve, Describe>(name, *on, fortran_argument<Arguments>(all[K])...); };
      if (const Served served = done_or_raised(*on, act)) return put_code(ierror, call.served(*served));
    } else if (is_checked()) {
      if (const auto error = meet_checked<Describe, Between>(name, comm, entry, fortran_argument<Arguments>(all[K])...))
        return put_code(ierror, call.forwarded(*error));
    }
    MPI_Fint op = 0;
    if constexpr (folds) {
      if (is_job_ready()) op = PMPI_Op_c2f(correct_operator(operator_of(all), element_of(all), comm, name, entry));
      if (is_job_ready()) all[4] = &op;
    }
    const ReentrancyGuard guard;
    constexpr std::size_t arguments = sizeof...(Arguments);
    next(all[K]..., all[arguments], ierror);
    call.forwarded(code_at(ierror));
  }

 private:
  static MPI_Datatype element_of(void* const* all) { return fortran_argument<MPI_Datatype>(all[3]); }
  static MPI_Op operator_of(void* const* all) { return fortran_argument<MPI_Op>(all[4]); }
};

int begin_collective_at(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount,
                        void* request, const OfMpi& call) {
  return with_request(request, call, [&](MPI_Request* made, const OfMpi& making) {
    return begin_collective(function, comm, needed, amount, made, making);
  });
}

}  // namespace

#include "interpose/generated/nonblocking_fortran.inc"
#include "interpose/generated/served_fortran.inc"

}  // namespace tutti::interpose
