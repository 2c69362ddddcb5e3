#include "mpi_check/collectives/checked_collectives.hpp"

#include <functional>
#include <optional>
#include <type_traits>

#include "mpi_check/collectives/buffer_check.hpp"
#include "mpi_check/collectives/rendezvous.hpp"
#include "mpi_check/collectives/signature_check.hpp"
#include "mpi_check/communicators/call_owner.hpp"
#include "mpi_check/communicators/intercomm_leaders.hpp"
#include "mpi_check/communicators/shadow_communicators.hpp"
#include "mpi_check/point_to_point/poll_end.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// Waits until all ranks have come; returns the code of the error where they do not.
std::optional<int> come(const char* function, ServedCommunicator& on) {
  const ServedCommunicator::Calling calling(on);
  return done_or_raised(on, [&]() -> std::optional<int> {
    const ReentrancyGuard guard;
    on.ranks().come_to(without_width(function));
    return std::nullopt;
  });
}

int call_inside(const OfMpi& call) {
  const ReentrancyGuard guard;
  return call();
}

}  // namespace

int come_to(const char* function, MPI_Comm handle, const void* entry, const OfMpi& call) {
  const CallOwner taking = owner_of_call(handle, function, entry);
  if (taking.error) return *taking.error;
  if (taking.on != nullptr) {
    if (const auto error = come(function, *taking.on)) return *error;
  } else if (const auto error = meet_between(handle, function, entry)) {
    return *error;
  }
  return call_inside(call);
}

int come_to_disconnect(MPI_Comm handle, const void* entry, const OfMpi& call, const OfMpi& free) {
  const bool may_be_served = is_job_ready() && handle != MPI_COMM_WORLD && handle != MPI_COMM_SELF;
  if (!is_checked() || !may_be_served || ReentrancyGuard::is_reentrant(entry)) return call();
  const ServedCommunicator* const on = state_known_of(handle);
  if (on != nullptr && on->has_failed()) return free();
  return come_to("MPI_Comm_disconnect", handle, entry, call);
}

// The rank that leads its group is this one's business where its group is served or not; the leaders alone say through
// which communicator they meet.
int come_to_join(const char* function, const IntercommLeaders& leaders, const void* entry, const OfMpi& call) {
  if (ReentrancyGuard::is_reentrant(entry)) return call_inside(call);
  const CallOwner taking = owner_of_call(leaders.local, function, entry);
  if (taking.error) return *taking.error;
  ServedCommunicator* const on = taking.on;
  if (on == nullptr) {
    if (const auto error = meet_between(leaders.local, function, entry)) return *error;
  } else if (const auto error = come(words_of(function, leaders).c_str(), *on)) {
    return *error;
  }
  if (const int code = meet_leaders(function, on, leaders); code != MPI_SUCCESS) return code;
  return call_inside(call);
}

int come_to_exchange(const char* function, MPI_Comm handle, const void* entry, const Amount& amount,
                     const OfMpi& call) {
  const CallOwner taking = owner_of_call(handle, function, entry);
  if (taking.error) return *taking.error;
  if (ServedCommunicator* const on = taking.on) {
    if (amount.data) {
      if (const auto error = refuse_wrong_buffer(function, *on, *amount.data)) return *error;
    }
    if (const auto error = come(function, *on)) return *error;
    const auto compared = [&]() -> std::optional<int> {
      const ReentrancyGuard guard;
      RankFlows flows = amount.flows(on->rank(), on->size());
      if (amount.data) flows.signatures = signatures_of(*amount.data, *on);
      compare_flows(function, *on, flows);
      return std::nullopt;
    };
    if (const auto error = done_or_raised(*on, compared)) return *error;
    return call_inside(call);
  }
  const auto passed = [&](const ServedCommunicator& to) { return compared_between_groups(to, of_all(), amount); };
  if (is_job_ready() && !ReentrancyGuard::is_reentrant(entry)) {
    if (const auto error = meet_with_data(function, handle, entry, amount.data, passed)) return *error;
  }
  return call_inside(call);
}

// All ranks have come to this function, so that all take part in what ServedCommunicator::next_derived() asks of MPI.
int come_to_derive(const char* function, MPI_Comm handle, const void* entry, const std::function<MPI_Comm()>& made,
                   const OfMpi& call, const std::function<void(ServedCommunicator& on)>& compare) {
  const CallOwner taking = owner_of_call(handle, function, entry);
  if (taking.error) return *taking.error;
  ServedCommunicator* const on = taking.on;
  if (on == nullptr) return come_to(function, handle, entry, call);
  if (const auto error = come(function, *on)) return *error;
  const auto compared = [&]() -> std::optional<int> {
    const ReentrancyGuard guard;
    compare(*on);
    return std::nullopt;
  };
  if (compare) {
    if (const auto error = done_or_raised(*on, compared)) return *error;
  }
  const ReentrancyGuard guard;
  const ServedCommunicator::Origin origin = on->next_derived();
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (ServedCommunicator* const fresh = state_known_of(made())) fresh->set_origin(origin);
  return code;
}

// A handle may have been that of another one before, which MPI has ended in spite of an error.
template <typename Handle>
int come_to_make(const char* function, MPI_Comm handle, const void* entry, const std::function<Handle()>& made,
                 const OfMpi& call) {
  const CallOwner taking = owner_of_call(handle, function, entry);
  if (taking.error) return *taking.error;
  ServedCommunicator* const on = taking.on;
  if (on != nullptr) {
    if (const auto error = come(function, *on)) return *error;
  }
  const ReentrancyGuard guard;
  const bool is_window = std::is_same_v<Handle, MPI_Win>;
  MPI_Comm own = MPI_COMM_NULL;
  if (on != nullptr) own = shadow_communicator(*on, function, is_window ? "a window" : "a file");
  const int code = call();
  if (code == MPI_SUCCESS && is_window) windows_of_program.fetch_add(1, std::memory_order_relaxed);
  if (code == MPI_SUCCESS) own = ShadowCommunicators<Handle>::all().put(made(), own);
  if (own != MPI_COMM_NULL) free_shadow_communicator(own);
  return code;
}

template <typename Handle>
int come_to_use(const char* function, Handle handle, const void* entry, const OfMpi& call) {
  const MPI_Comm own = ShadowCommunicators<Handle>::all().find(handle);
  return own == MPI_COMM_NULL ? call_inside(call) : come_to(function, own, entry, call);
}

// Another thread may get the handle for what it makes as soon as MPI has ended this one.
template <typename Handle>
int come_to_end(const char* function, Handle handle, const void* entry, const OfMpi& call) {
  const MPI_Comm own = ShadowCommunicators<Handle>::all().find(handle);
  const auto end_counted = [&] {
    const int code = call();
    if (code == MPI_SUCCESS && std::is_same_v<Handle, MPI_Win>)
      windows_of_program.fetch_sub(1, std::memory_order_relaxed);
    return code;
  };
  if (own == MPI_COMM_NULL || ReentrancyGuard::is_reentrant(entry)) return call_inside(end_counted);
  const auto end = [&] {
    ShadowCommunicators<Handle>::all().remove(handle);
    const int code = end_counted();
    if (code == MPI_SUCCESS) {
      free_shadow_communicator(own);
    } else {
      ShadowCommunicators<Handle>::all().put(handle, own);
    }
    return code;
  };
  return come_to(function, own, entry, end);
}

template int come_to_make<MPI_Win>(const char*, MPI_Comm, const void*, const std::function<MPI_Win()>&, const OfMpi&);
template int come_to_use<MPI_Win>(const char*, MPI_Win, const void*, const OfMpi&);
template int come_to_end<MPI_Win>(const char*, MPI_Win, const void*, const OfMpi&);
template int come_to_make<MPI_File>(const char*, MPI_Comm, const void*, const std::function<MPI_File()>&, const OfMpi&);
template int come_to_use<MPI_File>(const char*, MPI_File, const void*, const OfMpi&);
template int come_to_end<MPI_File>(const char*, MPI_File, const void*, const OfMpi&);

}  // namespace tutti::interpose
