#include "mpi_check/point_to_point/program_watch.hpp"

#include <mpi.h>

#include <optional>
#include <thread>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/waits/message_wait.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/program_threads.hpp"

namespace tutti::interpose {
namespace {

/// The thread that has begun MPI, where any thread may be in MPI at once.
std::optional<std::thread::id>& only_thread() {
  static std::optional<std::thread::id> thread;
  return thread;
}

/// Whether all messages were begun and ended by that thread.
std::atomic<bool> knows_all = true;

}  // namespace

void begin_to_watch() {
  if (job().ranks->host() == nullptr) return;
  beginnings_are_told.store(true, std::memory_order_relaxed);
  job().ranks->tell_work_beside_calls(
      [](runtime::WaitState& wait_state) { return tell_under_way(wait_state, RequestRegistry::all().under_way()); });
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) only_thread() = std::this_thread::get_id();
  watched.store(true, std::memory_order_relaxed);
}

// Requests are known of one thread.
bool is_watched_here() {
  const bool is_known = !only_thread() || *only_thread() == std::this_thread::get_id();
  if (!is_known) {
    knows_all.store(false, std::memory_order_relaxed);
    stop_watching();
  }
  return is_known;
}

bool has_one_thread() { return knows_all.load(std::memory_order_relaxed) && has_no_other_thread(); }

void tell_the_end() {
  note_other_call();
  const HostRanks* const here = job().ranks->host();
  if (here != nullptr && (here->may_tell == nullptr || here->may_tell()))
    tell_the_end(*here, RequestRegistry::all().under_way());
}

}  // namespace tutti::interpose
