#include "interpose/mpi/taken.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "interpose/gpu.hpp"

namespace tutti::interpose {
namespace {

/// Communicators that see fewer collectives than this are left to MPI: programs make them by the thousand.
constexpr int calls_before_founding = 3;

/// Counts communicators that have gone: a thread forgets what it remembers of a handle.
std::atomic<std::uint64_t> generation = 0;

/// What a rank tells all others of a communicator that is to be served. Plain bytes.
struct Founding {
  runtime::Foundation foundation;
  Table::Row row = {};  ///< of the first rank's table
  bool has_room = false;
  bool has_gpu = false;
};

}  // namespace

// Local, as MPI wants it: the other ranks may still be in calls of the communicator that this one has left.
int drop_state(MPI_Comm, int, void* state, void*) {
  generation.fetch_add(1, std::memory_order_release);
  delete static_cast<Taken*>(state);
  return MPI_SUCCESS;
}

Taken* state_of(MPI_Comm handle) {
  void* state = nullptr;
  int is_there = 0;
  PMPI_Comm_get_attr(handle, job().attribute, static_cast<void*>(&state), &is_there);
  if (is_there != 0) return static_cast<Taken*>(state);
  auto fresh = std::make_unique<Taken>(handle);
  if (PMPI_Comm_set_attr(handle, job().attribute, fresh.get()) != MPI_SUCCESS) return nullptr;
  return fresh.release();
}

Taken* taken(MPI_Comm handle) {
  if (!is_job_ready() || Inside::is_so() || handle == MPI_COMM_NULL) {
    CountedCall::set_reason(job().why_not);
    return nullptr;
  }
  thread_local MPI_Comm latest = MPI_COMM_NULL;
  thread_local Taken* known = nullptr;
  thread_local std::uint64_t known_in = 0;
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  if (known == nullptr || latest != handle || known_in != now) {
    known = state_of(handle);
    latest = handle;
    known_in = now;
  }
  if (known == nullptr) return nullptr;
  if (known->serves()) {
    CountedCall::set_reason("its arguments");
    return known;
  }
  CountedCall::set_reason(known->why_forwarded());
  return nullptr;
}

void say_where_all_are(const Taken& on) {
  using Clock = std::chrono::steady_clock;
  // First, because finding lines of the source takes all of them a while: on a busy machine a longer one.
  if (const auto places = on.places()) job().ranks->ask_where(*places);
  const Clock::time_point begin = Clock::now();
  say_where_this_rank_is(on.rank(), on.size(), "called from");
  std::this_thread::sleep_for(std::max<Clock::duration>(std::chrono::seconds(2), 4 * (Clock::now() - begin)));
}

Taken::Taken(MPI_Comm handle) : handle_(handle) {
  const Inside inside;
  int is_between = 0;
  PMPI_Comm_test_inter(handle, &is_between);
  PMPI_Comm_rank(handle, &rank_);
  PMPI_Comm_size(handle, &size_);
  if (is_between == 0 && size_ > 1) return;
  stands_ = Stands::forwarded;
  why_forwarded_ = is_between != 0 ? "an intercommunicator" : "one rank";
}

bool Taken::decide() {
  if (handle_ != MPI_COMM_WORLD && ++calls_ < calls_before_founding) return false;
  const Inside inside;
  why_forwarded_ = found();
  stands_ = why_forwarded_ == nullptr ? Stands::served : Stands::forwarded;
  return stands_ == Stands::served;
}

std::optional<std::vector<int>> Taken::places() const {
  std::vector<int> own(static_cast<std::size_t>(size_));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> in_job(own.size());
  MPI_Group here = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(handle_, &here);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(here, size_, own.data(), all, in_job.data());
  PMPI_Group_free(&here);
  PMPI_Group_free(&all);
  return job().ranks->places_of(in_job);
}

std::size_t Taken::row() const {
  const auto at = places();
  return Table::row_of(size_, at && job().ranks->are_on_several_hosts(*at));
}

/// The ranks tell one another what each of them brings by an all-gather of MPI's on the program's own communicator,
/// which needs no context of its own. Then they agree that all could join it. Returns why the communicator is left to
/// MPI; null: it is served.
const char* Taken::found() {
  std::optional<std::vector<int>> at = places();
  if (!at) return "ranks of other hosts or jobs, or without this library";
  Founding mine;
  if (const auto foundation = job().ranks->found(*at, rank_)) {
    mine.foundation = *foundation;
    mine.has_room = true;
  }
  mine.row = job().table.row(row());
  mine.has_gpu = has_gpu_library();
  std::vector<Founding> told(at->size());
  if (PMPI_Allgather(&mine, sizeof(mine), MPI_BYTE, told.data(), sizeof(mine), MPI_BYTE, handle_) != MPI_SUCCESS)
    return "MPI could not gather what ranks bring";
  const auto some = [&](bool Founding::*what, bool is) {
    return std::any_of(told.begin(), told.end(), [&](const Founding& each) { return each.*what == is; });
  };
  // A buffer of one rank's GPU would be known to that rank alone: where any could have one, all are left to MPI.
  if (some(&Founding::has_gpu, true)) return "a rank has a library of CUDA";
  if (some(&Founding::has_room, false)) return "no shared memory is left";
  row_ = told.front().row;
  std::vector<runtime::Foundation> foundations;
  for (const Founding& each : told) foundations.push_back(each.foundation);
  ranks_ = job().ranks->join(foundations, std::move(*at), rank_);
  int have_joined = ranks_.has_value() ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &have_joined, 1, MPI_INT, MPI_MIN, handle_);
  if (have_joined != 0) return nullptr;
  ranks_.reset();
  return "a rank could not join the shared memory";
}

}  // namespace tutti::interpose
