#include "mpi_check/collectives/nonblocking_check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "mpi_check/collectives/buffer_check.hpp"
#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/signature_check.hpp"
#include "mpi_check/point_to_point/buffer_overlap.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {
namespace {

CallDescription beginning_of(const ServedCommunicator& on, const std::string& function, const NeededRanks& needed,
                             const Amount& amount) {
  CallDescription what;
  if (on.is_between_groups()) {
    what = compared_between_groups(on, needed, amount);
    what.words = fmt::format("began {}", without_width(function));
  } else {
    what.words = "began " + words_of(function.c_str(), needed, amount, on.rank());
    what.kind = kind_of(amount);
    if (amount.flows) what.flows = amount.flows(on.rank(), on.size());
  }
  if (amount.data) what.flows.signatures = signatures_of(*amount.data, on);
  return what;
}

/// Raises an error unless a rank's input of a collective and its output are apart.
int apart_or_raised(const char* function, const ServedCommunicator& on, const NeededRanks& needed,
                    const Amount& amount) {
  if (on.is_between_groups()) return MPI_SUCCESS;
  const std::int64_t common = bytes_in_common(needed, amount, on.rank(), on.size());
  return common == 0 ? MPI_SUCCESS : raise_of_this_rank(on, overlap(function, on.rank(), common, ", or MPI_IN_PLACE"));
}

/// Beginning of this rank, as all its ranks compare it, if they do.
struct ToldBeginning {
  ServedCommunicator* on = nullptr;
  std::shared_ptr<CallComparison> comparison;
  std::optional<int> error;  ///< error that was raised: MPI is not to be called
};

ToldBeginning tell_of(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount) {
  ToldBeginning begun;
  ServedCommunicator* const on = begun.on = state_known_of(comm);
  begun.error = raise_difference();
  if (!begun.error && on != nullptr && !on->failure().empty()) begun.error = raise_again(*on);
  if (begun.error) return begun;
  if (on == nullptr) return begun;
  if (amount.data) begun.error = raise_wrong_buffer(function, *on, *amount.data);
  if (!on->has_all_ranks_here()) return begun;
  const std::string name = begun.error ? with_wrong_buffer(function) : function;
  begun.comparison =
      CallComparison::begin(*on, CallComparison::Kind::nonblocking, beginning_of(*on, name, needed, amount));
  return begun;
}

}  // namespace

// Other ranks tell what they begin whether this one has several threads or not.
int begin_collective(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount,
                     MPI_Request* request, const OfMpi& call) {
  note_other_call();
  auto [on, comparison, error] = tell_of(function, comm, needed, amount);
  // A program that looks at no code may wait for what it has not begun.
  if (error) *request = MPI_REQUEST_NULL;
  if (error) return *error;
  // Told before the call: MPICH ends programs that it makes copy within one buffer. The others need the call.
  const int wrong = comparison == nullptr ? MPI_SUCCESS : apart_or_raised(function, *on, needed, amount);
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (is_watched()) {
    RequestRegistry::all().remove(*request);
    if (const auto what = begun(function, comm, needed, std::move(comparison)))
      RequestRegistry::all().add(*request, *what);
  }
  return wrong;
}

int begin_persistent(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount,
                     const OfMpi& call) {
  const std::optional<int> error = tell_of(function, comm, needed, amount).error;
  return error ? *error : call();
}

}  // namespace tutti::interpose
