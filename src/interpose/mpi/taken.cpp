#include "interpose/mpi/taken.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "base/digest.hpp"
#include "base/rank_lists.hpp"
#include "interpose/gpu.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/meeting.hpp"
#include "interpose/mpi/quiet_world.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {
namespace {

/// Communicators that see fewer collectives than this are left to MPI: programs make them by the thousand. Where the
/// program is checked, nothing is.
int calls_before_founding() { return is_checked() ? 1 : 3; }

/// Counts communicators that have gone: a thread forgets what it remembers of a handle.
std::atomic<std::uint64_t> generation = 0;

/// What a thread remembers of a handle.
struct Known {
  MPI_Comm handle = {};
  Taken* state = nullptr;
  std::uint64_t generation = 0;
};

/// Programs use some communicators in turn.
Known& known_of(MPI_Comm handle) {
  constexpr int bits = 3;
  thread_local std::array<Known, 1U << bits> all;
  return all[(key_of(handle) * 0x9e3779b97f4a7c15U) >> (64 - bits)];
}

/// What hangs on the communicator; no value where MPI does not know the handle.
std::optional<Taken*> attached_to(MPI_Comm handle) {
  const QuietWorld quiet;
  void* state = nullptr;
  int is_there = 0;
  if (PMPI_Comm_get_attr(handle, job().attribute, static_cast<void*>(&state), &is_there) != MPI_SUCCESS)
    return std::nullopt;
  return is_there != 0 ? static_cast<Taken*>(state) : nullptr;
}

std::string name_of(MPI_Comm handle) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  PMPI_Comm_get_name(handle, name, &length);
  return name;
}

}  // namespace

/// What a rank tells all others of a communicator that is to be served. Plain bytes.
struct Taken::Founding {
  runtime::Foundation foundation;
  Table::Row row = {};  ///< of the first rank's table
  bool has_room = false;
  bool has_gpu = false;
  bool is_counted = false;  ///< its calls are, for a report
};

// Local, as MPI wants it: the other ranks may still be in calls of the communicator that this one has left.
int drop_state(MPI_Comm, int, void* state, void*) {
  generation.fetch_add(1, std::memory_order_release);
  delete static_cast<Taken*>(state);
  return MPI_SUCCESS;
}

void leave_state(MPI_Comm handle) {
  if (attached_to(handle).value_or(nullptr) != nullptr) PMPI_Comm_delete_attr(handle, job().attribute);
}

// Those that MPI has made itself are refused.
Freeing::Freeing(MPI_Comm handle) {
  if (!is_job_ready() || handle == MPI_COMM_NULL || handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) return;
  end_comparisons_on(handle);
  leave_state(handle);
}

Freeing::~Freeing() { generation.fetch_add(1, std::memory_order_release); }

Taken* state_of(MPI_Comm handle) {
  const std::optional<Taken*> attached = attached_to(handle);
  if (!attached || *attached != nullptr) return attached.value_or(nullptr);
  auto fresh = std::make_unique<Taken>(handle);
  if (PMPI_Comm_set_attr(handle, job().attribute, fresh.get()) != MPI_SUCCESS) return nullptr;
  return fresh.release();
}

Taken* state_known_of(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL) return nullptr;
  Known& known = known_of(handle);
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  if (known.state == nullptr || known.handle != handle || known.generation != now)
    known = {handle, state_of(handle), now};
  return known.state;
}

Taken* taken(MPI_Comm handle, const char* function, const void* entry) {
  const char* const why_none = !is_job_ready()           ? job().why_not
                               : Inside::is_so(entry)    ? "within another function of MPI's"
                               : handle == MPI_COMM_NULL ? "no communicator"
                                                         : nullptr;
  if (why_none != nullptr) {
    CountedCall::set_reason(why_none);
    return nullptr;
  }
  Taken* const state = state_known_of(handle);
  if (state == nullptr) {
    CountedCall::set_reason("nothing can hang on its communicator");
    return nullptr;
  }
  if (state->serves(function)) {
    CountedCall::set_reason("its arguments");
    return state;
  }
  CountedCall::set_reason(state->why_forwarded());
  return nullptr;
}

Taken::Taken(MPI_Comm handle) : handle_(handle) {
  const Inside inside;
  int is_between = 0;
  PMPI_Comm_test_inter(handle, &is_between);
  PMPI_Comm_rank(handle, &rank_);
  PMPI_Comm_size(handle, &size_);
  is_between_ = is_between != 0;
  others_ = size_;
  if (is_between_) PMPI_Comm_remote_size(handle, &others_);
  if (is_between == 0 && size_ > 1) return;
  stands_ = Stands::forwarded;
  why_forwarded_ = is_between != 0 ? "an intercommunicator" : "one rank";
}

Taken::Alone::Alone(Taken& on) : on_(on) {
  if (!is_checked()) return;
  std::thread::id nobody;
  is_noted_ = on.in_call_.compare_exchange_strong(nobody, std::this_thread::get_id(), std::memory_order_relaxed);
  // A call that this thread has left by a jump out of an error handler is none.
  is_so_ = is_noted_ || nobody == std::this_thread::get_id();
}

Taken::Alone::~Alone() {
  if (is_noted_) on_.in_call_.store(std::thread::id(), std::memory_order_relaxed);
}

Error Taken::Alone::error(std::string_view function) const {
  return Error(
      ErrorCode::invalid_argument,
      fmt::format("{}: two threads of rank {} are in collectives of communicator {} at once, which MPI forbids",
                  function, on_.rank(), on_.title()));
}

bool Taken::decide(const char* function) {
  if (handle_ != MPI_COMM_WORLD && ++calls_ < calls_before_founding()) return false;
  const Alone alone(*this);
  if (!alone.is_so()) {
    raise_of_this_rank(*this, alone.error(function));
    return false;
  }
  const Inside inside;
  why_forwarded_ = found(function);
  stands_ = why_forwarded_ == nullptr ? Stands::served : Stands::forwarded;
  return stands_ == Stands::served;
}

std::vector<int> Taken::ranks_in_job() const {
  MPI_Group here = MPI_GROUP_NULL;
  PMPI_Comm_group(handle_, &here);
  std::vector<int> in_job = interpose::ranks_in_job(here);
  PMPI_Group_free(&here);
  return in_job;
}

const std::shared_ptr<const Peers>& Taken::peers() {
  if (!peers_) {
    Peers fresh = peers_of(handle_);
    if (origin_.number != 0) fresh.digest = static_cast<std::uint32_t>(mixed(fresh.digest, origin_.number));
    peers_ = std::make_shared<const Peers>(std::move(fresh));
  }
  return peers_;
}

// The first rank says which it is: the others may have made some that it has not, in ways that nobody sees.
Taken::Origin Taken::next_derived() {
  ++derived_;
  std::array<std::uint64_t, 2> told = {mixed(mixed(digest_of_nothing, origin_.number), derived_), derived_};
  PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_UINT64_T, 0, handle_);
  const std::string name = name_of(handle_);
  return {told[0], fmt::format("number {} made of {}", told[1], name.empty() ? "one without a name" : name)};
}

std::optional<std::vector<int>> Taken::places() const { return job().ranks->places_of(ranks_in_job()); }

bool Taken::has_all_ranks_here() {
  if (!has_all_ranks_here_)
    has_all_ranks_here_ = is_between_ ? are_both_groups_here() : size_ > 1 && places().has_value();
  return *has_all_ranks_here_;
}

bool Taken::are_both_groups_here() {
  const HostRanks* const here = job().ranks->host();
  if (here == nullptr) return false;
  const auto is_here = [](int place) { return place >= 0; };
  const std::vector<int> own = ranks_in_job();
  return std::all_of(own.begin(), own.end(), [&](int rank) { return is_here(here->place_of(rank)); }) &&
         std::all_of(peers()->on_host.begin(), peers()->on_host.end(), is_here);
}

std::string Taken::title() const {
  if (std::string name = name_of(handle_); !name.empty()) return name;
  std::vector<int> ranks = ranks_in_job();
  std::sort(ranks.begin(), ranks.end());
  return fmt::format("(no name; {}{}{} of MPI_COMM_WORLD)", origin_.words, origin_.words.empty() ? "" : "; ",
                     list_of(ranks));
}

std::size_t Taken::row() const {
  const auto at = places();
  return Table::row_of(size_, at && job().ranks->are_on_several_hosts(*at));
}

/// The ranks tell one another what each of them brings by an all-gather of MPI's on the program's own communicator,
/// which needs no context of its own. Then they agree that all could join it. Returns why the communicator is left to
/// MPI; null: it is served.
const char* Taken::found(const char* function) {
  std::optional<std::vector<int>> at = places();
  if (!at) return "ranks of other hosts or jobs, or without this library";
  Founding mine;
  if (const auto foundation = job().ranks->found(*at, rank_)) {
    mine.foundation = *foundation;
    mine.has_room = true;
  }
  mine.row = job().table.row(row());
  mine.has_gpu = has_gpu_library();
  mine.is_counted = CountedCall::is_counted();
  std::vector<Founding> told(at->size());
  if (!gather(function, mine, told)) return "MPI could not gather what ranks bring";
  const auto some = [&](bool Founding::*what, bool is) {
    return std::any_of(told.begin(), told.end(), [&](const Founding& each) { return each.*what == is; });
  };
  // A buffer of one rank's GPU would be known to that rank alone: where any could have one, all are left to MPI.
  if (some(&Founding::has_gpu, true)) return "a rank has a library of CUDA";
  if (some(&Founding::has_room, false)) return "no shared memory is left";
  row_ = told.front().row;
  are_all_counted_ = !some(&Founding::is_counted, false);
  is_on_one_host_ = !job().ranks->are_on_several_hosts(*at);
  std::vector<runtime::Foundation> foundations;
  for (const Founding& each : told) foundations.push_back(each.foundation);
  ranks_ = job().ranks->join(foundations, std::move(*at), rank_, [this] { return title(); });
  int have_joined = ranks_.has_value() ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &have_joined, 1, MPI_INT, MPI_MIN, handle_);
  if (have_joined != 0) {
    identity_ = static_cast<std::uintptr_t>(foundations.front().name + foundations.front().place);
    return nullptr;
  }
  ranks_.reset();
  return "a rank could not join the shared memory";
}

/// Whether MPI could gather what ranks bring. Where the program is checked, a rank that has waited for long says so.
bool Taken::gather(const char* function, const Founding& mine, std::vector<Founding>& told) {
  constexpr int bytes = sizeof(mine);
  if (!is_checked())
    return PMPI_Allgather(&mine, bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, handle_) == MPI_SUCCESS;
  if (!all_have_called(*this, function)) return false;
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallgather(&mine, bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, handle_, &request) != MPI_SUCCESS)
    return false;
  return meet(*this, function, request);
}

}  // namespace tutti::interpose
