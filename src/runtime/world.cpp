#include "tutti/world.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/check.hpp"
#include "base/system/tell_user.hpp"
#include "runtime/agreed.hpp"
#include "runtime/communicator_context.hpp"
#include "runtime/first_reporter.hpp"
#include "runtime/joined_rank.hpp"
#include "runtime/settings.hpp"
#include "transport/communicator_name.hpp"
#include "transport/late_after.hpp"
#include "transport/mpi/loader.hpp"
#include "transport/mpi/mpi_start.hpp"
#include "transport/processes/process_world.hpp"
#include "transport/threads/threads_world.hpp"
#include "tutti/detail/joining.hpp"
#include "tutti/join.hpp"

namespace tutti {
namespace {

using namespace runtime;

/// The ways in which a program can be started as several ranks, the first that applies counts.
Joined join_job(const RunOptions& options, void (*end_with_mpi)() noexcept) {
  (void)planning_in_environment();  // on every rank, so that none waits for rank 0, which alone goes by it
  (void)timeout_of(options);        // before it joins: what is wrong with it is told at once
  (void)late_after();               // likewise
  if (Joined joined = join_processes(propose); joined.world != nullptr) return joined;
  const ThreadSupport threads =
      progress_of(options) == Progress::own_thread ? ThreadSupport::in_turn : ThreadSupport::one;
  if (Joined joined = join_mpi(threads, end_with_mpi, propose); joined.world != nullptr) return joined;
  Joined alone{threads_world(1), 0};
  alone.world->agree_on(propose());
  return alone;
}

/// This process as a rank, from the first call of world() to the end of the program. Never destroyed, because the
/// program's own static objects may hold communicators longer than it lasts.
///
/// End of the job if the program returns from main or calls exit():
///
///     status 0      waits until all ranks have come to all calls of this one. What it finds only then, and what the
///                   program was never told, is one line on standard error, the others' reason, and status 1: a call
///                   that was not waited for, ranks that called different things, ranks that never came. Not what
///                   only says that another rank has failed, which that rank says itself.
///     other status  stays, and nobody is waited for. A call that was not waited for is one line, and the others'
///     reason; otherwise the status is the reason of those that come to miss the rank.
///
/// End of the job if the program calls MPI_Finalize(): there, as with status 0. finalize() throws what it finds
/// instead.
class JoinedJob {
 public:
  explicit JoinedJob(const RunOptions& options) {
    take_over_termination();  // first, because all ranks may fail to join
    joined_.emplace(join_job(options, end_with_mpi), options);
    engine_ = joined_->shared_engine();
    running = this;
    // Before what the engine has registered while it was joined, as the destructor of a static object would be called.
    on_exit(end_with, nullptr);
  }
  JoinedJob(const JoinedJob&) = delete;
  JoinedJob& operator=(const JoinedJob&) = delete;

  Communicator& communicator() { return joined_->communicator(); }

  Foundation found(const std::vector<int>& members, int rank) {
    const ProgressEngine::Guard guard = engine_->guard();
    return engine_->world().found(members, rank);
  }
  Communicator join_founded(std::span<const Foundation> told, const std::vector<int>& members, int rank,
                            const std::string& name) {
    const ProgressEngine::Guard guard = engine_->guard();
    Membership membership = engine_->world().join(told, members, rank);
    if (!name.empty()) membership.title = lasting_title(name);
    return Communicator(CommunicatorContext::make(engine_, std::move(membership), communicator().timeout()));
  }

  static bool is_over() { return over; }

  static void finalize() {
    over = true;
    if (JoinedJob* const job = let_go(); job != nullptr) job->joined_->finish_and_close();
  }

  static void abandon(const std::string& why) {
    if (running != nullptr) running->engine_->fail(why);
  }

 private:
  /// The job that has not ended yet, which is then the caller's to end; null: there is none. A child that the rank has
  /// forked has none.
  static JoinedJob* let_go() {
    if (running != nullptr && !running->engine_->is_at_home()) return nullptr;
    JoinedJob* const job = std::exchange(running, nullptr);
    over = over || job != nullptr;
    return job;
  }

  static void end_with_mpi() noexcept {
    if (JoinedJob* const job = let_go(); job != nullptr) job->end(job->complaint(EXIT_SUCCESS));
  }

  static void end_with(int status, void*) noexcept {
    if (JoinedJob* const job = let_go(); job != nullptr) {
      const std::string complaint = job->complaint(status);
      if (status != 0 && complaint.empty()) job->leave_status(status);
      job->end(complaint);
    }
    // The C library goes on with what else is registered, and ends with the latest status.
    if (status == 0 && complained) std::exit(EXIT_FAILURE);  // NOLINT: the rank's thread is the one that ends
  }

  /// Leaves the sentence that others say of this rank if they come to miss it, unless it ends because another has
  /// failed.
  void leave_status(int status) noexcept {
    World& world = engine_->world();
    if (world.losses() == 0) world.record(engine_->number()).note_failure(RankRecord::exited_with(status));
  }

  /// Returns the complaint to be told at the end; empty: none.
  std::string complaint(int status) noexcept {
    try {
      if (status == 0) {
        engine_->finish();
      } else if (const std::string call = engine_->outstanding(); !call.empty()) {
        return fmt::format("rank {} ended with exit status {} before its {} was done", engine_->number(), status, call);
      }
    } catch (const Error& error) {
      if (!joined_->is_told_elsewhere(error)) return error.what();
    } catch (...) {
      return text_of(std::current_exception());
    }
    return {};
  }

  void end(const std::string& complaint) noexcept {
    try {
      if (!complaint.empty()) {
        complained = true;
        engine_->fail(complaint);
        if (!leaves_words(complaint)) tell_user("tutti: the end of rank {}: {}\n", engine_->number(), complaint);
      }
      joined_->close();
    } catch (const std::exception& error) {
      tell_user("tutti: the end of the job failed: {}\n", error.what());
    }
  }

  /// Whether who has started the ranks tells the user the rank's error: once for all ranks that have the same. The
  /// record keeps the beginning of a long text, which then is told by the first rank that fails. A rank tells itself
  /// what is not in its record, because that holds the first failure of several.
  bool leaves_words(const std::string& text) const {
    RankRecord& record = engine_->world().record(engine_->number());
    const std::string kept = record.failure();
    if (kept.empty() || !text.starts_with(kept)) return false;
    const bool is_cut = kept.size() < text.size();
    return !(is_cut && engine_->world().first_lost() == engine_->number()) && record.leave_words();
  }

  static void take_over_termination() {
    [[maybe_unused]] static const bool once = (previous = std::set_terminate(tell_and_terminate), true);
  }

  // An exception that nobody catches: the other ranks learn what it said before this one is gone.
  [[noreturn]] static void tell_and_terminate() {
    JoinedJob* const job = let_go();
    if (const std::exception_ptr exception = std::current_exception()) {
      if (job != nullptr) job->engine_->fail(text_of(exception));
      if (is_error(exception)) end_by_error(job, text_of(exception));
    }
    if (previous != nullptr) previous();
    std::abort();
  }

  /// An mpirun leaves it to its ranks to tell why they fail, which often is the same for all: one of a host does. All
  /// of them wait then, because mpirun ends all ranks with the first one that ends, also the one that is about to tell.
  /// A rank that has not joined waits for the others of its host first: they are about to find the same, and one that
  /// comes when who has told it is gone would tell it again.
  static void tell(const std::string& text, const JoinedJob* job) {
    constexpr std::chrono::milliseconds until_others_come(500);
    constexpr std::chrono::milliseconds until_others_start(3000);
    const std::optional<MpiStart> start = mpi_start();
    if (!start || is_first_reporter(text))
      tell_user("tutti: {}{}\n", job != nullptr ? fmt::format("rank {}: ", job->engine_->number()) : "", text);
    if (!start) return;
    if (job == nullptr && start->ranks_here > 0) await_reporters(text, start->ranks_here, until_others_start);
    std::this_thread::sleep_for(until_others_come);
  }

  static bool is_error(const std::exception_ptr& exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const Error&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  // An error of tutti says all that there is to say, and where one rank fails all have one: no core dump from each.
  static void end_by_error(const JoinedJob* job, const std::string& text) {
    // The kernel takes 1 as a wish for no dump, also where dumps are piped to a program, for which 0 is no limit.
    rlimit limit = {};
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1);
    setrlimit(RLIMIT_CORE, &limit);
    // A handler of the program's own is called; what the C++ library has would say the same again, and abort.
    if (previous != nullptr && previous != __gnu_cxx::__verbose_terminate_handler) return;
    if (job == nullptr) {
      if (!leave_refusal(text)) tell(text, nullptr);
    } else if (!job->leaves_words(text)) {
      tell(text, job);
    }
    std::_Exit(EXIT_FAILURE);
  }

  inline static JoinedJob* running = nullptr;
  inline static bool over = false;
  inline static bool complained = false;
  inline static std::terminate_handler previous = nullptr;

  std::optional<JoinedRank> joined_;
  std::shared_ptr<ProgressEngine> engine_;
};

/// The job, joined with the options of the first call.
JoinedJob& job_with(const RunOptions& options) {
  require(
      !JoinedJob::is_over(),
      "tutti::world() was called after the job's end, which comes with tutti::finalize(), MPI_Finalize() or exit()");
  static JoinedJob& job = *new JoinedJob(options);
  return job;
}

}  // namespace

Communicator& world(const RunOptions& options) { return job_with(options).communicator(); }

namespace detail {

CommunicatorWord found_communicator(const std::vector<int>& members, int rank) {
  const Foundation mine = job_with({}).found(members, rank);
  return {mine.name, mine.count, mine.place};
}

Communicator join_communicator(std::span<const CommunicatorWord> told, const std::vector<int>& members, int rank,
                               const std::string& name) {
  std::vector<Foundation> foundations;
  for (const CommunicatorWord& word : told) foundations.push_back({word[0], word[1], word[2]});
  return job_with({}).join_founded(foundations, members, rank, name);
}

}  // namespace detail

void finalize() { JoinedJob::finalize(); }

void abandon(const std::string& why) { JoinedJob::abandon(why); }

}  // namespace tutti
