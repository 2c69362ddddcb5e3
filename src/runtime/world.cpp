#include "tutti/world.hpp"

#include <cstdlib>
#include <exception>
#include <memory>

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

/// This process as a rank, from the first call of world() to the end of the program.
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
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // An error that is found only now has nobody to catch it, and ends the program as any uncaught one does.
  ~Job() {  // NOLINT: meant to terminate
    rank_->finish();
    running = nullptr;
    std::set_terminate(previous);
    communicator_.reset();
    rank_->clear();
  }

  Communicator& communicator() { return *communicator_; }

 private:
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
  static Job job(options);
  return job.communicator();
}

}  // namespace tutti
