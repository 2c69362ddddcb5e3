#include "tutti/world.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "runtime/describe_exception.hpp"
#include "runtime/member.hpp"
#include "runtime/settings.hpp"
#include "runtime/transport/mpi/loader.hpp"
#include "runtime/transport/processes/process_world.hpp"
#include "runtime/transport/threads/threads_world.hpp"

namespace tutti {
namespace {

using namespace runtime;

/// The ways in which a program can be started as several ranks, the first that applies counts.
Joined join(const RunOptions& options) {
  if (Joined joined = join_processes(timeout_of(options)); joined.world != nullptr) return joined;
  const Threads threads = progress_of(options) == Progress::own_thread ? Threads::in_turn : Threads::one;
  if (Joined joined = join_mpi(threads); joined.world != nullptr) return joined;
  return {threads_world(1), 0};
}

/// This process as a rank, from the first call of world() to the end of the program. Never destroyed, because the
/// program's own static objects may hold communicators longer than it lasts.
///
/// How the job ends where the program returns from main or calls exit():
///
///     status 0      waits until all ranks have come to all calls of this one. What it finds only then, and what the
///                   program was never told, is one line on standard error, the others' reason, and status 1: a call
///                   that was not waited for, ranks that called different things, ranks that never came. Not what
///                   only says that another rank has failed, which that rank says itself.
///     other status  stays, and nobody is waited for. A call that was not waited for is one line, and the others'
///     reason.
class Job {
 public:
  explicit Job(const RunOptions& options) {
    const Joined joined = join(options);
    rank_ = std::make_shared<Rank>(joined.world, joined.rank, progress_of(options));
    const auto member = std::make_shared<Member>(rank_, joined.world->whole(joined.rank), timeout_of(options));
    rank_->add(member);
    communicator_.emplace(member);
    running = this;
    previous = std::set_terminate(tell_and_terminate);
    // Before what the engine has registered while it was joined, as the destructor of a static object would be called.
    on_exit(end_with, nullptr);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Communicator& communicator() {
    require(communicator_.has_value(), "tutti::world() was called after the job's end, by what is destroyed at exit");
    return *communicator_;
  }

 private:
  static void end_with(int status, void*) noexcept {
    Job* const job = std::exchange(running, nullptr);
    if (job == nullptr) return;  // the program has terminated
    std::set_terminate(previous);
    const std::string complaint = job->complaint(status);
    job->end(complaint);
    // The C library goes on with what else is registered, and ends with the latest status.
    if (status == 0 && !complaint.empty()) std::exit(EXIT_FAILURE);  // NOLINT: the rank's thread is the one that ends
  }

  /// What is to be told at the end; empty: nothing.
  std::string complaint(int status) noexcept {
    try {
      if (status == 0) {
        rank_->finish();
      } else if (const std::string call = rank_->outstanding(); !call.empty()) {
        return fmt::format("rank {} ended with exit status {} before its {} was done", rank_->number(), status, call);
      }
    } catch (const Error& error) {
      const bool is_told_elsewhere = error.code() == ErrorCode::peer_failed && rank_->world().losses() > 0;
      if (!is_told_elsewhere) return error.what();
    } catch (...) {
      return text_of(std::current_exception());
    }
    return {};
  }

  void end(const std::string& complaint) noexcept {
    try {
      if (!complaint.empty()) {
        fmt::print(stderr, "tutti: the end of rank {}: {}\n", rank_->number(), complaint);
        rank_->fail(complaint);
      }
      communicator_.reset();
      rank_->clear();
      rank_.reset();
    } catch (const std::exception& error) {
      fmt::print(stderr, "tutti: the end of the job failed: {}\n", error.what());
    }
  }

  // An exception that nobody catches: the other ranks learn what it said before this one is gone.
  [[noreturn]] static void tell_and_terminate() {
    Job* const job = running;
    running = nullptr;
    if (job != nullptr && std::current_exception()) job->rank_->fail(text_of(std::current_exception()));
    if (previous != nullptr) previous();
    std::abort();
  }

  inline static Job* running = nullptr;
  inline static std::terminate_handler previous = nullptr;

  std::shared_ptr<Rank> rank_;
  std::optional<Communicator> communicator_;
};

}  // namespace

Communicator& world(const RunOptions& options) {
  static Job& job = *new Job(options);
  return job.communicator();
}

}  // namespace tutti
