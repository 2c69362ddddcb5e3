#include "interpose/mpi/coming.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/units.hpp"
#include "interpose/mpi/between.hpp"
#include "interpose/mpi/edges.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/first_wrong.hpp"
#include "interpose/mpi/leaders.hpp"
#include "interpose/mpi/meeting.hpp"
#include "interpose/mpi/own_communicators.hpp"
#include "interpose/mpi/taken.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {
namespace {

/// Waits until all ranks have come; returns the code of the error where they do not.
std::optional<int> come(const char* function, Taken& on) {
  const Taken::Calling calling(on);
  return done_or_raised(on, [&]() -> std::optional<int> {
    const Inside inside;
    on.ranks().come_to(without_width(function));
    return std::nullopt;
  });
}

/// After all ranks have come: each tells each other one what it sends to it and awaits of it, and all the first of what
/// does not go together. Throws that on all of them.
void compare_flows(const char* function, Taken& on, const Flows& flows) {
  const auto ranks = static_cast<std::size_t>(on.size());
  std::vector<Told> mine(ranks);
  std::vector<Told> told(ranks);
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    mine[rank].sent = flows.sent[rank];
    mine[rank].awaited = flows.awaited[rank];
  }
  constexpr int bytes = sizeof(Told);
  if (PMPI_Alltoall(mine.data(), bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  const Flow own = first_wrong_flow(on.rank(), all, mine, told);
  const Flow first = first_on_any(on, own);
  if (!first.is_there()) return;
  throw Error(
      ErrorCode::mismatch,
      fmt::format("rank {} sends {} to rank {}, which expects {}; all called {} (on communicator {})", first.from,
                  counted(first.sent, "byte"), first.to, first.awaited, without_width(function), on.title()));
}

int call_inside(const OfMpi& call) {
  const Inside inside;
  return call();
}

}  // namespace

int come_to(const char* function, MPI_Comm handle, const void* entry, const OfMpi& call) {
  if (Taken* const on = taken(handle, function, entry)) {
    if (const auto error = come(function, *on)) return *error;
  } else if (const auto error = meet_between(handle, function, entry)) {
    return *error;
  }
  return call_inside(call);
}

// The rank that leads its group is this one's business where its group is served or not; the leaders alone say through
// which communicator they meet.
int come_to_join(const char* function, const Leaders& leaders, const void* entry, const OfMpi& call) {
  if (Inside::is_so(entry)) return call_inside(call);
  Taken* const on = taken(leaders.local, function, entry);
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
  if (Taken* const on = taken(handle, function, entry)) {
    if (const auto error = come(function, *on)) return *error;
    const auto compared = [&]() -> std::optional<int> {
      const Inside inside;
      compare_flows(function, *on, amount.flows(on->rank(), on->size()));
      return std::nullopt;
    };
    if (const auto error = done_or_raised(*on, compared)) return *error;
    return call_inside(call);
  }
  const auto passed = [&](const Taken& to) { return passed_between(to, of_all(), amount); };
  if (const auto error = meet_between(handle, function, entry, passed)) return *error;
  return call_inside(call);
}

// All ranks have come to this function, so that all take part in what Taken::next_derived() asks of MPI.
int come_to_derive(const char* function, MPI_Comm handle, const void* entry, const std::function<MPI_Comm()>& made,
                   const OfMpi& call, const std::function<void(Taken& on)>& compare) {
  Taken* const on = taken(handle, function, entry);
  if (on == nullptr) return come_to(function, handle, entry, call);
  if (const auto error = come(function, *on)) return *error;
  const auto compared = [&]() -> std::optional<int> {
    const Inside inside;
    compare(*on);
    return std::nullopt;
  };
  if (compare) {
    if (const auto error = done_or_raised(*on, compared)) return *error;
  }
  const Inside inside;
  const Taken::Origin origin = on->next_derived();
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (Taken* const fresh = state_known_of(made())) fresh->set_origin(origin);
  return code;
}

// A handle may have been that of another one before, which MPI has ended in spite of an error.
template <typename Handle>
int come_to_make(const char* function, MPI_Comm handle, const void* entry, const std::function<Handle()>& made,
                 const OfMpi& call) {
  Taken* const on = taken(handle, function, entry);
  if (on != nullptr) {
    if (const auto error = come(function, *on)) return *error;
  }
  const Inside inside;
  const bool is_window = std::is_same_v<Handle, MPI_Win>;
  MPI_Comm own = MPI_COMM_NULL;
  if (on != nullptr) own = own_communicator(*on, function, is_window ? "a window" : "a file");
  const int code = call();
  if (code == MPI_SUCCESS) own = OwnCommunicators<Handle>::all().put(made(), own);
  if (own != MPI_COMM_NULL) free_own_communicator(own);
  return code;
}

template <typename Handle>
int come_to_use(const char* function, Handle handle, const void* entry, const OfMpi& call) {
  const MPI_Comm own = OwnCommunicators<Handle>::all().find(handle);
  return own == MPI_COMM_NULL ? call_inside(call) : come_to(function, own, entry, call);
}

// Another thread may get the handle for what it makes as soon as MPI has ended this one.
template <typename Handle>
int come_to_end(const char* function, Handle handle, const void* entry, const OfMpi& call) {
  const MPI_Comm own = OwnCommunicators<Handle>::all().find(handle);
  if (own == MPI_COMM_NULL || Inside::is_so(entry)) return call_inside(call);
  const auto end = [&] {
    OwnCommunicators<Handle>::all().remove(handle);
    const int code = call();
    if (code == MPI_SUCCESS) {
      free_own_communicator(own);
    } else {
      OwnCommunicators<Handle>::all().put(handle, own);
    }
    return code;
  };
  return come_to(function, own, entry, end);
}

}  // namespace tutti::interpose

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_ENTER(NAME, ARGUMENTS, COMING)                                                                     \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) asm("MPI_" #NAME); \
  int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) {                                                                    \
    using Function = int (*)(TUTTI_WORDS_##ARGUMENTS);                                                           \
    static const Next<Function> next("MPI_" #NAME, PMPI_##NAME);                                                 \
    if (!is_checked()) return next(TUTTI_PASS_##ARGUMENTS);                                                      \
    constexpr const char* name = "MPI_" #NAME;                                                                   \
    const void* const entry = __builtin_frame_address(0);                                                        \
    const auto call = [&] { return next(TUTTI_PASS_##ARGUMENTS); };                                              \
    return done_or_no_memory([&] { return COMING; });                                                            \
  }
#define TUTTI_COME(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER(NAME, ARGUMENTS, come_to(name, argument<MPI_Comm, int>(COMM), entry, call))
#define TUTTI_EXCHANGE(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE, AMOUNT) \
  TUTTI_ENTER(NAME, ARGUMENTS, come_to_exchange(name, argument<MPI_Comm, int>(COMM), entry, AMOUNT, call))
#define TUTTI_DERIVE(MADE, NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER(NAME, ARGUMENTS,                                                \
              come_to_derive(name, argument<MPI_Comm, int>(COMM), entry, handle_at<MPI_Comm>(MADE), call))
#define TUTTI_MAKE(HANDLE, MADE, NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER(NAME, ARGUMENTS,                                                      \
              come_to_make<HANDLE>(name, argument<MPI_Comm, int>(COMM), entry, handle_at<HANDLE>(MADE), call))
#define TUTTI_USE(HANDLE, NAME, LOWER, UPPER, ARGUMENTS, USED, PLACES, CODE) \
  TUTTI_ENTER(NAME, ARGUMENTS, come_to_use(name, argument<HANDLE, int>(USED), entry, call))
#define TUTTI_END(HANDLE, NAME, LOWER, UPPER, ARGUMENTS, ENDED, PLACES, CODE) \
  TUTTI_ENTER(NAME, ARGUMENTS, come_to_end(name, handle_at<HANDLE>(ENDED)(), entry, call))

namespace tutti::interpose {
namespace {

/// Reads the handle at that address. MPI refuses a null address, and here it stands for a handle that nothing has.
template <typename Handle>
auto handle_at(Word address) {
  return [address] { return address == 0 ? Handle{} : *reinterpret_cast<const Handle*>(address); };
}
template <typename Handle>
Handle handle_of(const void* address) {
  const MPI_Fint number = *static_cast<const MPI_Fint*>(address);
  if constexpr (std::is_same_v<Handle, MPI_File>) {
    return PMPI_File_f2c(number);
  } else if constexpr (std::is_same_v<Handle, MPI_Comm>) {
    return PMPI_Comm_f2c(number);
  } else {
    return PMPI_Win_f2c(number);
  }
}
template <typename Handle>
auto handle_at(const void* address) {
  return [address] { return handle_of<Handle>(address); };
}

}  // namespace

TUTTI_COMINGS(TUTTI_COME)
TUTTI_ENTER(Intercomm_create, 6, come_to_join(name, leaders(a, b, c, d, e), entry, call))
TUTTI_EXCHANGES_WITH_COUNTS(TUTTI_EXCHANGE, , , )
TUTTI_DERIVINGS(TUTTI_DERIVE)
TUTTI_ENTER(Dist_graph_create_adjacent, 10,
            come_to_derive(name, argument<MPI_Comm, int>(a), entry, handle_at<MPI_Comm>(j), call,
                           edges_compared(name, b, c, d, e, f, g)))
TUTTI_MAKINGS(TUTTI_MAKE)
TUTTI_USES(TUTTI_USE)
TUTTI_ENDINGS(TUTTI_END)
#ifdef MPICH_VERSION
TUTTI_EXCHANGES_WITH_COUNTS(TUTTI_EXCHANGE, _c, _c, _C)
TUTTI_MAKINGS_WITH_COUNTS(TUTTI_MAKE, _c, _c, _C)
TUTTI_USES_WITH_COUNTS(TUTTI_USE, _c, _c, _C)
#endif

}  // namespace tutti::interpose

/// A function of Fortran, whose error code may be left out in `use mpi_f08` of MPICH.
#define TUTTI_ENTER_SYMBOL(SYMBOL, NAME, PLACES, CODE, COMING)                           \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##PLACES) { \
    using namespace tutti::interpose;                                                    \
    static const Next<void (*)(TUTTI_PLACES_##PLACES)> next(#SYMBOL);                    \
    if (!is_checked()) return next(TUTTI_PASS_##PLACES);                                 \
    constexpr const char* name = NAME;                                                   \
    const void* const entry = __builtin_frame_address(0);                                \
    auto* const place = static_cast<MPI_Fint*>(CODE);                                    \
    const auto call = [&]() -> int {                                                     \
      next(TUTTI_PASS_##PLACES);                                                         \
      return place == nullptr ? MPI_SUCCESS : *place;                                    \
    };                                                                                   \
    const int code = done_or_no_memory([&] { return COMING; });                          \
    if (place != nullptr) *place = code;                                                 \
  }
#ifdef OPEN_MPI
#define TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE, ...) \
  TUTTI_UNDER_ALL_NAMES(TUTTI_ENTER_SYMBOL, LOWER, UPPER, "MPI_" #NAME, PLACES, CODE, __VA_ARGS__)
#else
// All others call the functions of C.
#define TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE, ...) \
  TUTTI_ENTER_SYMBOL(mpi_##LOWER##_f08_, "MPI_" #NAME, PLACES, CODE, __VA_ARGS__)
#endif
#define TUTTI_COME_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE,                       \
                         come_to(name, PMPI_Comm_f2c(*static_cast<MPI_Fint*>(COMM)), entry, call))
#define TUTTI_EXCHANGE_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE, AMOUNT) \
  TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE,                                   \
                         come_to_exchange(name, PMPI_Comm_f2c(*static_cast<MPI_Fint*>(COMM)), entry, AMOUNT, call))
#define TUTTI_DERIVE_OF_FORTRAN(MADE, NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE,                               \
                         come_to_derive(name, handle_of<MPI_Comm>(COMM), entry, handle_at<MPI_Comm>(MADE), call))
#define TUTTI_MAKE_OF_FORTRAN(HANDLE, MADE, NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_ENTER_OF_FORTRAN(                                                                      \
      NAME, LOWER, UPPER, PLACES, CODE,                                                        \
      come_to_make<HANDLE>(name, PMPI_Comm_f2c(*static_cast<MPI_Fint*>(COMM)), entry, handle_at<HANDLE>(MADE), call))
#define TUTTI_USE_OF_FORTRAN(HANDLE, NAME, LOWER, UPPER, ARGUMENTS, USED, PLACES, CODE) \
  TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE, come_to_use(name, handle_of<HANDLE>(USED), entry, call))
#define TUTTI_END_OF_FORTRAN(HANDLE, NAME, LOWER, UPPER, ARGUMENTS, ENDED, PLACES, CODE) \
  TUTTI_ENTER_OF_FORTRAN(NAME, LOWER, UPPER, PLACES, CODE, come_to_end(name, handle_of<HANDLE>(ENDED), entry, call))

TUTTI_COMINGS(TUTTI_COME_OF_FORTRAN)
TUTTI_ENTER_OF_FORTRAN(Intercomm_create, intercomm_create, INTERCOMM_CREATE, 7, g,
                       come_to_join(name, leaders(a, b, c, d, e), entry, call))
TUTTI_EXCHANGES_WITH_COUNTS(TUTTI_EXCHANGE_OF_FORTRAN, , , )
TUTTI_DERIVINGS(TUTTI_DERIVE_OF_FORTRAN)
TUTTI_ENTER_OF_FORTRAN(Dist_graph_create_adjacent, dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT, 11, k,
                       come_to_derive(name, handle_of<MPI_Comm>(a), entry, handle_at<MPI_Comm>(j), call,
                                      edges_compared(name, b, c, d, e, f, g)))
TUTTI_MAKINGS(TUTTI_MAKE_OF_FORTRAN)
TUTTI_USES(TUTTI_USE_OF_FORTRAN)
TUTTI_ENDINGS(TUTTI_END_OF_FORTRAN)
// NOLINTEND
