#include "tutti/run.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "runtime/member.hpp"

namespace tutti {
namespace {

using namespace runtime;

constexpr Duration default_timeout(30);

Duration timeout_of(const RunOptions& options) {
  require(options.timeout.count() >= 0, "a timeout is more than 0 s, not {} s", options.timeout.count());
  if (options.timeout.count() > 0) return options.timeout;
  const char* variable = std::getenv("TUTTI_TIMEOUT");
  if (variable == nullptr || *variable == '\0') return default_timeout;
  char* end = nullptr;
  const Duration timeout(std::strtod(variable, &end));
  require(*end == '\0' && timeout.count() > 0 && timeout.count() < 1e9,
          "TUTTI_TIMEOUT is a number of seconds, not \"{}\"", variable);
  return timeout;
}

void run_rank(const std::shared_ptr<World>& world, int number, const std::function<void(Communicator&)>& function,
              Duration timeout) {
  const auto rank = std::make_shared<Rank>(world, number);
  try {
    Communicator communicator(std::make_shared<Member>(rank, world->whole(), number, timeout));
    function(communicator);
    rank->finish();
    world->ended(number);
  } catch (...) {
    world->failed(number, std::current_exception());
  }
  rank->clear();
}

}  // namespace

void run(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options) {
  require(ranks >= 1, "a run has at least one rank, not {}", ranks);
  const Duration timeout = timeout_of(options);
  const auto world = std::make_shared<World>(ranks);
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int number = 0; number < ranks; ++number) {
      try {
        threads.emplace_back([&, number] { run_rank(world, number, rank, timeout); });
      } catch (const std::system_error&) {
        world->failed(number, std::current_exception());  // no thread to be had: the others must not wait for it
      }
    }
  }
  world->rethrow();
}

}  // namespace tutti
