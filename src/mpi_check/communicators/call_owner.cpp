#include "mpi_check/communicators/call_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mpi_check/collectives/rendezvous.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/in_flight.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/fallback_table.hpp"
#include "mpi_job/process/gpu_library.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// Communicators that see fewer collectives than this are left to MPI: programs make them by the thousand. Where the
/// program is checked, nothing is.
int calls_before_founding() { return is_checked() ? 1 : 3; }

/// Contribution of a rank to its communicator: what it tells all others where that is to be served. Plain bytes.
struct Contribution {
  runtime::Foundation foundation;
  FallbackTable::Row row = {};  ///< row of the first rank's table
  bool has_room = false;
  bool has_gpu = false;
  bool is_counted = false;  ///< its calls are, for a report
};

}  // namespace

/// Founding of one communicator, in its first collective that may be served.
class CommunicatorFounding {
 public:
  explicit CommunicatorFounding(ServedCommunicator& on) : on_(on) {}

  CallCode decide(const char* function);

 private:
  using Stands = ServedCommunicator::Stands;

  const char* found(const char* function);
  bool gather(const char* function, const Contribution& mine, std::vector<Contribution>& told);
  bool have_all_joined(const char* function);

  ServedCommunicator& on_;
};

CallCode decide_first(ServedCommunicator& on, const char* function) {
  return CommunicatorFounding(on).decide(function);
}

CallOwner owner_of_call(MPI_Comm handle, const char* function, const void* entry) {
  const char* const why_none = !is_job_ready()                        ? job().why_not
                               : ReentrancyGuard::is_reentrant(entry) ? "within another function of MPI's"
                               : handle == MPI_COMM_NULL              ? "no communicator"
                                                                      : nullptr;
  if (why_none != nullptr) {
    CountedCall::set_reason(why_none);
    return {};
  }
  note_other_call();
  ServedCommunicator* const state = state_known_of(handle);
  if (state == nullptr) {
    CountedCall::set_reason("nothing can hang on its communicator");
    return {};
  }
  const CallCode error = decide(*state, function);
  if (!error && state->is_served()) {
    CountedCall::set_reason("its arguments");
    return {state};
  }
  CountedCall::set_reason(error ? "its error" : state->why_forwarded());
  return {nullptr, error};
}

CallCode CommunicatorFounding::decide(const char* function) {
  if (on_.stands_ == Stands::failed) return raise_again(on_);
  if (on_.handle() != MPI_COMM_WORLD && ++on_.calls_ < calls_before_founding()) return std::nullopt;
  return done_or_raised(on_, [&]() -> CallCode {
    const ServedCommunicator::Alone alone(on_);
    if (!alone.is_so()) return raise_of_this_rank(on_, alone.error(function));
    const ReentrancyGuard guard;
    on_.why_forwarded_ = found(function);
    on_.stands_ = on_.why_forwarded_ == nullptr ? Stands::served : Stands::forwarded;
    return std::nullopt;
  });
}

/// The ranks tell one another what each of them brings by an all-gather of MPI's on the program's own communicator,
/// which needs no context of its own. Then they agree that all could join it. Returns why the communicator is left to
/// MPI; null: it is served.
const char* CommunicatorFounding::found(const char* function) {
  std::optional<std::vector<int>> at = on_.places();
  if (!at) return "ranks of other hosts or jobs, or without this library";
  Contribution mine;
  if (const auto foundation = job().ranks->found(*at, on_.rank())) {
    mine.foundation = *foundation;
    mine.has_room = true;
  }
  mine.row = job().table.row(on_.row());
  mine.has_gpu = has_gpu_library();
  mine.is_counted = CountedCall::is_counted();
  std::vector<Contribution> told(at->size());
  if (!gather(function, mine, told)) return "MPI could not gather what ranks bring";
  const auto some = [&](bool Contribution::*what, bool is) {
    return std::any_of(told.begin(), told.end(), [&](const Contribution& each) { return each.*what == is; });
  };
  // A buffer of one rank's GPU would be known to that rank alone: where any could have one, all are left to MPI.
  if (some(&Contribution::has_gpu, true)) return "a rank has a library of CUDA";
  if (some(&Contribution::has_room, false)) return "no shared memory is left";
  on_.row_ = told.front().row;
  on_.are_all_counted_ = !some(&Contribution::is_counted, false);
  on_.is_on_one_host_ = !job().ranks->are_on_several_hosts(*at);
  std::vector<runtime::Foundation> foundations;
  for (const Contribution& each : told) foundations.push_back(each.foundation);
  on_.ranks_ = job().ranks->join(foundations, std::move(*at), on_.rank(), [&on = on_] { return on.title(); });
  if (have_all_joined(function)) {
    on_.identity_ = static_cast<std::uintptr_t>(foundations.front().name + foundations.front().place);
    return nullptr;
  }
  on_.ranks_.reset();
  return "a rank could not join the shared memory";
}

/// Whether this rank and all others could join. Where the program is checked, a rank that has waited for long says so.
bool CommunicatorFounding::have_all_joined(const char* function) {
  int have_joined = on_.ranks_.has_value() ? 1 : 0;
  if (!is_checked()) {
    PMPI_Allreduce(MPI_IN_PLACE, &have_joined, 1, MPI_INT, MPI_MIN, on_.handle());
    return have_joined != 0;
  }
  struct Joined {
    int mine;
    int all;
  };
  InFlight lent(Joined{have_joined, 0});
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = PMPI_Iallreduce(&lent->mine, &lent->all, 1, MPI_INT, MPI_MIN, on_.handle(), &request);
  const bool have_met = code == MPI_SUCCESS && meet(on_, function, request);
  return have_met && lent.take_back().all != 0;
}

/// Whether MPI could gather what ranks bring. Where the program is checked, a rank that has waited for long says so.
bool CommunicatorFounding::gather(const char* function, const Contribution& mine, std::vector<Contribution>& told) {
  constexpr int bytes = sizeof(mine);
  if (!is_checked())
    return PMPI_Allgather(&mine, bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on_.handle()) == MPI_SUCCESS;
  all_have_called(on_, function);
  struct Gathered {
    Contribution mine;
    std::vector<Contribution> told;
  };
  InFlight lent(Gathered{mine, std::move(told)});
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      PMPI_Iallgather(&lent->mine, bytes, MPI_BYTE, lent->told.data(), bytes, MPI_BYTE, on_.handle(), &request);
  const bool have_met = code == MPI_SUCCESS && meet(on_, function, request);
  told = std::move(lent.take_back().told);
  return have_met;
}

}  // namespace tutti::interpose
