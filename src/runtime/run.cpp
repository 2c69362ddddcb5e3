#include "tutti/run.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "runtime/agreed.hpp"
#include "runtime/communicator_context.hpp"
#include "runtime/first_reporter.hpp"
#include "runtime/new_machine.hpp"
#include "runtime/run_threads.hpp"
#include "runtime/settings.hpp"
#include "transport/late_after.hpp"
#include "transport/start_thread.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti {
namespace {

using namespace runtime;

bool is_peer_failure(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& e) {
    return e.code() == ErrorCode::peer_failed;
  } catch (...) {
    return false;
  }
}

/// Exceptions of the ranks, in the order in which they were thrown.
class Failures {
 public:
  void add(std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    exceptions_.push_back(std::move(exception));
  }
  /// Throws the first, if there is one. Errors that follow from another rank's count last.
  void rethrow() const {
    for (const std::exception_ptr& exception : exceptions_) {
      if (!is_peer_failure(exception)) std::rethrow_exception(exception);
    }
    if (!exceptions_.empty()) std::rethrow_exception(exceptions_.front());
  }

 private:
  std::mutex mutex_;
  std::vector<std::exception_ptr> exceptions_;
};

/// Calls `start`. Where it throws, because the system has no thread to give, rank `number` ends: the others must not
/// wait for it.
void start_or_end(World& world, int number, Failures& failures, const std::function<void()>& start) {
  try {
    start();
  } catch (...) {
    failures.add(std::current_exception());
    world.fail(number, text_of(std::current_exception()));
    world.end(number);
  }
}

void run_rank(const std::shared_ptr<World>& world, int number, const std::function<void(Communicator&)>& function,
              const RunOptions& options, Failures& failures) {
  std::shared_ptr<ProgressEngine> rank;
  start_or_end(*world, number, failures,
               [&] { rank = std::make_shared<ProgressEngine>(world, number, progress_of(options)); });
  if (rank == nullptr) return;
  try {
    Communicator communicator(CommunicatorContext::make(rank, world->whole(number), timeout_of(options)));
    function(communicator);
    rank->finish();
  } catch (...) {
    if (!rank->is_at_home()) throw;  // in a child that the rank has forked: its parent's threads are not there to catch
    failures.add(std::current_exception());
    rank->fail(text_of(std::current_exception()));
  }
  rank->clear();
}

}  // namespace

namespace runtime {

void run_threads(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options) {
  require(ranks >= 1, "a run has at least one rank, not {}", ranks);
  // Here, so that a wrong setting is one error and not one a rank.
  timeout_of(options);
  late_after();
  progress_of(options);
  explains_plans();
  planning_in_environment();
  const std::shared_ptr<World> world = threads_world(ranks);
  world->agree_on(propose());
  Failures failures;
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int number = 0; number < ranks; ++number) {
      start_or_end(*world, number, failures, [&] {
        threads.push_back(
            start_thread<std::jthread>([&, number] { run_rank(world, number, rank, options, failures); }));
      });
    }
  }
  failures.rethrow();
}

}  // namespace runtime

void run(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options) {
  // Further runs of a process ask no files.
  static std::once_flag looked_at;
  if (ranks > 1)
    std::call_once(looked_at, [&] { look_at_new_machine(Transport::threads, ranks, installed_command()); });
  run_threads(ranks, rank, options);
}

}  // namespace tutti
