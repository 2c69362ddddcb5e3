#include "tutti/run.hpp"

#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "runtime/agreed.hpp"
#include "runtime/communicator_context.hpp"
#include "runtime/describe_exception.hpp"
#include "runtime/settings.hpp"
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

/// What the ranks threw, in the order in which they did.
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

void run_rank(const std::shared_ptr<World>& world, int number, const std::function<void(Communicator&)>& function,
              const RunOptions& options, Failures& failures) {
  const auto rank = std::make_shared<ProgressEngine>(world, number, progress_of(options));
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

void run(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options) {
  require(ranks >= 1, "a run has at least one rank, not {}", ranks);
  // Here, so that a wrong setting is one error and not one a rank.
  timeout_of(options);
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
      try {
        threads.emplace_back([&, number] { run_rank(world, number, rank, options, failures); });
      } catch (const std::system_error& error) {
        failures.add(std::current_exception());  // no thread to be had: the others must not wait for it
        world->fail(number, error.what());
        world->record(number).end();
      }
    }
  }
  failures.rethrow();
}

}  // namespace tutti
