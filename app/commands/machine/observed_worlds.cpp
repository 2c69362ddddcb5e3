#include "app/commands/machine/observed_worlds.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/commands/machine/launched.hpp"
#include "base/check.hpp"
#include "base/system/tell_user.hpp"
#include "launch/launch.hpp"
#include "measure/loop.hpp"
#include "runtime/run_threads.hpp"
#include "tuning/observe.hpp"

namespace tutti::app {
namespace {

// While it lives, what this process and its children write to standard output goes to memory.
class CapturedOutput {
 public:
  CapturedOutput() : memory_(memfd_create("tutti-measurements", MFD_CLOEXEC)) {
    std::fflush(stdout);
    kept_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const bool is_captured = memory_ >= 0 && kept_ >= 0 && dup2(memory_, STDOUT_FILENO) >= 0;
    if (!is_captured) close_all();
    require(is_captured, "there is no descriptor left for what is measured; raise the limit (ulimit -n)");
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput() {
    dup2(kept_, STDOUT_FILENO);
    close_all();
  }

  std::string text() const {
    std::string text;
    std::array<char, 1 << 14> part;
    for (ssize_t got = 0; (got = pread(memory_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
      text.append(part.data(), static_cast<std::size_t>(got));
    return text;
  }

 private:
  void close_all() const {
    for (const int descriptor : {memory_, kept_}) {
      if (descriptor >= 0) close(descriptor);
    }
  }

  int memory_;
  int kept_ = -1;
};

std::vector<Observation> observed_by_processes(Transport transport, int ranks, double seconds) {
  const launch::LaunchedJob job{
      .ranks = ranks,
      .command = {own_program(), "tune", "--measurements", "--budget", fmt::format("{:.9f}s", seconds)},
      .heap = transport == Transport::processes ? launch::Heap::shared : launch::Heap::own};
  const CapturedOutput output;
  const launch::Ending ending =
      launch::launch(job, [](const std::string& line) { tell_user("tutti run: {}\n", line); });
  die_if_interrupted(ending);
  if (ending.status != 0) fail(ErrorCode::internal, "{} processes could not be measured", ranks);
  return observations_in(output.text(), "what the ranks have measured");
}

std::vector<Observation> observed_by_threads(int ranks, double seconds) {
  std::vector<Observation> observations;
  runtime::run_threads(ranks, [&](Communicator& comm) {
    Observed of_rank = observe(comm, {ranks}, seconds, measuring_bar(comm));
    clear_measuring_bar(comm);
    if (comm.rank() == 0) observations = std::move(of_rank.observations);
  });
  return observations;
}

}  // namespace

Observed observe_worlds(Transport transport, int ranks, double seconds) {
  const auto begin = measure::Clock::now();
  Observed all;
  const std::vector<int> sizes = sizes_observed(ranks);
  for (const int size : sizes) all.trials += trials_over(size);
  std::size_t left = all.trials;  // trials of this world and those after it
  for (const int size : sizes) {
    const double part = static_cast<double>(trials_over(size)) / static_cast<double>(left);
    const double most = std::max(1e-6, part * (seconds - measure::seconds_since(begin)));
    const std::vector<Observation> of_size =
        is_of_processes(transport) ? observed_by_processes(transport, size, most) : observed_by_threads(size, most);
    all.observations.insert(all.observations.end(), of_size.begin(), of_size.end());
    left -= trials_over(size);
  }
  all.made = all.observations.size();
  all.seconds = measure::seconds_since(begin);
  return all;
}

}  // namespace tutti::app
