#include "interpose/entry/job_lifecycle.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/system/environment.hpp"
#include "interpose/serve/fallback_policy.hpp"
#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/comparison_end.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/pmix_registry.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/job/program_threads.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/job/settings_agreement.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/host_registry.hpp"
#include "mpi_job/process/job_ranks.hpp"
#include "mpi_job/process/settings.hpp"
#include "progress/core_contention.hpp"
#include "runtime/agreed.hpp"
#include "transport/location.hpp"
#include "transport/mpi/hosts_world.hpp"
#include "transport/mpi/plugin/mpi_world.hpp"
#include "transport/processes/process_world.hpp"
#include "transport/sleep_word.hpp"

namespace tutti::interpose {
namespace {

using runtime::MpiWorld;
using runtime::register_for_barriers;
using runtime::Segment;

/// Set by the thread that initializes MPI, or one that it has waited for.
std::atomic<bool> is_begun_by_session = false;
/// Whether stop_serving() was called. The thread that ends MPI alone reads and writes it.
bool has_stopped = false;

/// This process's sign, from before MPI_Init on.
std::optional<HostRegistry>& presence() {
  static auto& only = *new std::optional<HostRegistry>;
  return only;
}

/// Returns the number that a launcher tells a process before MPI works; nothing if none has.
std::optional<int> number_of_environment(const char* MpiLauncherVariables::*which) {
  for (const MpiLauncherVariables& launcher : mpi_launchers) {
    const char* const name = launcher.*which;
    if (const char* const text = name == nullptr ? nullptr : environment_variable(name); text != nullptr && *text != 0)
      return std::atoi(text);
  }
  return std::nullopt;
}

std::optional<int> rank_of_environment() { return number_of_environment(&MpiLauncherVariables::rank); }

/// Before the program begins, and has threads: see register_for_barriers(). The world of this job calls it again.
[[gnu::constructor]] void register_early() {
  if (rank_of_environment()) register_for_barriers();
}

/// A look for a message changes nothing, whether there is one or not, and has MPI do all that it owes. Not on a
/// communicator of this rank alone: there MPICH looks no further.
void let_mpi_work() noexcept {
  int is_there = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

Conduct conduct() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return {let_mpi_work, is_checked(), level == MPI_THREAD_MULTIPLE, has_one_thread};
}

/// A rank that is in a call of that communicator says it itself.
bool may_answer(std::uintptr_t communicator) { return !ServedCommunicator::Calling::is_on(communicator); }

void answer_where(const CallFrames& frames) { say_where_this_rank_is(job().rank, job().size, "is in", frames); }

/// Rank 0's profile and rules, and how it plans. What is wrong there leaves all to the built-in costs.
runtime::Proposal propose() {
  try {
    return runtime::propose();
  } catch (const std::exception& error) {  // the other ranks wait for what this one proposes
    say(error.what());
    return {};
  }
}

/// Rank 0's proposal, on all ranks of the job, which call this together for the first time.
runtime::Proposal proposal_of_rank_zero() {
  static const runtime::Proposal only = [] {
    runtime::Proposal first = job().rank == 0 ? propose() : runtime::Proposal();
    PMPI_Bcast(first.bytes.data(), static_cast<int>(first.bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
    return first;
  }();
  return only;
}

/// Returns the ranks of one host that have the library.
std::unique_ptr<JobRanks> ranks_of_this_host(const Conduct& how) {
  std::vector<int> here = presence()->present();
  std::erase_if(here, [](int rank) { return rank >= job().size; });
  job().why_not = "no socket shows that this rank has this library (ulimit -n)";
  if (std::find(here.begin(), here.end(), job().rank) == here.end()) return nullptr;
  job().why_not = "no other rank of this host has this library";
  if (here.size() < 2) return nullptr;
  std::optional<Segment> segment = presence()->share(here, propose);
  job().why_not = "the ranks of this host cannot share memory";
  return segment ? JobRanks::of_one_host(std::move(*segment), std::move(here), how) : nullptr;
}

/// Once: tells what was called, and leaves all further calls to MPI. Returns whether collectives were served until
/// here.
bool stop_serving() {
  if (std::exchange(has_stopped, true)) return false;
  // Nobody has asked MPI if a profiling library has begun MPI by itself.
  const bool is_known = job().size > 0;
  write_report(is_known ? job().rank : rank_of_environment().value_or(0),
               is_known ? job().size : number_of_environment(&MpiLauncherVariables::ranks).value_or(1),
               job().is_first_of_host);
  job().why_not = "MPI ends";
  note_other_call();
  stop_watching();
  JobRanks::end_answers(fmt::format("tutti: rank {} of {} is in MPI_Finalize\n", job().rank, job().size));
  if (!take_job_ready()) return false;
  leave_state(MPI_COMM_WORLD);
  return true;
}

/// MPI ends, and still works: all ranks are about to do the same.
void end_job() {
  if (job().ranks) job().ranks->end();
}

/// Ends the job if a profiling library calls PMPI_Finalize itself.
int end_unseen(MPI_Comm, int, void*, void*) {
  stop_serving();
  if (job().ranks) tell_the_end();
  leave_pmix_registry();
  return MPI_SUCCESS;
}

/// MPI_Finalize frees the attributes of MPI_COMM_SELF before anything else, the latest one first.
void hear_of_the_end() {
  int attribute = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_unseen, &attribute, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, attribute, nullptr);
  PMPI_Comm_free_keyval(&attribute);
}

/// Whether all ranks of the job have the library, which each of them finds alike: then they can ask one another.
bool are_all_here() {
  std::vector<int> all(static_cast<std::size_t>(job().size));
  std::iota(all.begin(), all.end(), 0);
  return job().ranks->places_of(all).has_value();
}

/// All ranks of the job, which have the library and are on these nodes: those of each node share memory, and MPI
/// connects the nodes. Where they cannot, those of this node alone, which go by what the job's rank 0 proposes, too.
std::unique_ptr<JobRanks> ranks_of_all_hosts(const std::vector<std::uint64_t>& nodes, const Conduct& how) {
  const auto node_of = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
  std::vector<int> here;
  for (int rank = 0; rank < job().size; ++rank) {
    if (node_of(rank) == node_of(job().rank)) here.push_back(rank);
  }
  const runtime::Proposal first = proposal_of_rank_zero();
  std::optional<Segment> segment = presence()->share(here, proposal_of_rank_zero);
  int can_all = segment && !how.has_threads ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &can_all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (can_all == 0) {
    job().why_not = how.has_threads ? "its ranks are on several hosts, and threads may call MPI at once"
                                    : "the ranks of a host cannot share memory";
    return segment && here.size() > 1 ? JobRanks::of_one_host(std::move(*segment), std::move(here), how) : nullptr;
  }
  // Never deleted, as the job.
  auto& mpi = *new MpiWorld(runtime::ThreadSupport::one);
  if (!how.is_checked) mpi.say_late_after(runtime::no_limit);
  mpi.link().before_finalize(end_job);
  std::shared_ptr<runtime::World> world = runtime::world_of_hosts(std::move(*segment), mpi, job().rank);
  world->agree_on(first);
  return JobRanks::of_all_hosts(std::move(world), job().rank, how);
}

std::unique_ptr<JobRanks> ranks_of_this_job() {
  const Conduct how = conduct();
  const std::optional<std::vector<std::uint64_t>> nodes = nodes_in_pmix_registry(job().size);
  const bool is_on_several =
      nodes && std::any_of(nodes->begin(), nodes->end(), [&](std::uint64_t node) { return node != nodes->front(); });
  runtime::allow_ranks_to_read();
  if (how.has_threads) drop_trace(job().rank == 0);
  return is_on_several ? ranks_of_all_hosts(*nodes, how) : ranks_of_this_host(how);
}

}  // namespace

void before_init() {
  const std::string name = job_of_this_process();
  const std::optional<int> rank = rank_of_environment();
  job().why_not = "no mpirun of this host is known";
  if (name.empty() || !rank) return;
  job().why_not = "TUTTI_MPI=0";
  if (setting("TUTTI_MPI") == "0") return;
  job().why_not = "a session has made a communicator before MPI_Init";
  if (is_begun_by_session.load(std::memory_order_relaxed)) return;
  job().why_not = "another MPI";
  if (!is_right_mpi(*rank == 0)) return;
  if (is_checked()) note_threads_before_init();
  presence().emplace(name, *rank);
  enter_pmix_registry(runtime::node_of_this_process());
}

void before_session_communicator() { is_begun_by_session.store(true, std::memory_order_relaxed); }

// MPI's own initialization has brought all ranks together: from here on their presence can be relied on.
void after_init() {
  if (!presence() || is_job_ready()) return;
  const ReentrancyGuard guard;
  PMPI_Comm_rank(MPI_COMM_WORLD, &job().rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &job().size);
  const std::vector<int> here = presence()->present();
  job().is_first_of_host = here.empty() || here.front() == job().rank;
  drop_nonsense(job().rank == 0);
  job().ranks = ranks_of_this_job();
  hear_of_the_end();
  if (job().ranks == nullptr) return;
  runtime::shorten_time_slice();  // a rank that waits in MPI yields, too
  learn_types();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_state, &job().attribute, nullptr);
  Communicator whole = job().ranks->whole();
  const bool are_all = are_all_here();
  const bool is_measuring = are_all && agree_on_settings();
  if (!are_all) agree_on_algorithms(whole);
  job().table = table_of_this_machine();
  if (is_checked()) JobRanks::answer_where(may_answer, answer_where);
  drop_unknown_algorithms(whole, job().rank == 0);
  if (is_measuring) measure_this_machine();
  if (!is_checked()) leave_to_tools(job().table);
  begin_to_watch();
  if (is_checked()) note_threads_after_init();
  set_job_ready();
}

void before_finalize() {
  end_comparisons();
  if (stop_serving()) leave_state(MPI_COMM_SELF);
}

// All ranks have come to MPI's own end, and need nothing of one another any more.
void after_finalize() {
  end_job();
  leave_pmix_registry();
}

}  // namespace tutti::interpose
