#include "app/observe_worlds.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "algorithms/catalogue.hpp"
#include "app/launched.hpp"
#include "app/meaning.hpp"
#include "base/check.hpp"
#include "base/json.hpp"
#include "base/tell_user.hpp"
#include "launch/launch.hpp"
#include "measure/loop.hpp"
#include "schedule/problem.hpp"
#include "tutti/run.hpp"

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
  const launch::Job job{.ranks = ranks,
                        .command = {std::filesystem::read_symlink("/proc/self/exe"), "tune", "--measurements",
                                    "--budget", fmt::format("{:.9f}s", seconds)},
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
  run(ranks, [&](Communicator& comm) {
    Observed of_rank = observe(comm, {ranks}, seconds);
    if (comm.rank() == 0) observations = std::move(of_rank.observations);
  });
  return observations;
}

Observation observation_of(const Json& each) {
  const std::string name = each.at("algorithm");
  const std::string collective = each.at("collective");
  const auto known = collective_named(collective);
  require(known.has_value(), "there is no collective '{}'", collective);
  const Algorithm* const algorithm = algorithms::find(*known, name);
  require(algorithm != nullptr, "there is no {} '{}'", collective, name);
  const Problem problem{.collective = *known, .ranks = each.at("ranks"), .count = each.at("count")};
  return {*algorithm, problem, each.at("element_bytes"), each.at("cores"), each.at("seconds")};
}

}  // namespace

Observed observe_worlds(Transport transport, int ranks, double seconds) {
  const auto begin = measure::Clock::now();
  Observed all;
  const std::vector<int> sizes = sizes_observed(ranks);
  for (const int size : sizes) all.trials += trials_over(size);
  std::size_t left = all.trials;  // of this world and those after it
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

std::string json_of(const std::vector<Observation>& observations) {
  Json all = Json::array();
  for (const Observation& each : observations) {
    all.push_back(Json{{"collective", name_of(each.problem.collective)},
                       {"algorithm", each.choice.algorithm->name},
                       {"ranks", each.problem.ranks},
                       {"count", each.problem.count},
                       {"element_bytes", each.element_size},
                       {"cores", each.cores},
                       {"seconds", each.seconds}});
  }
  return all.dump(2) + "\n";
}

std::vector<Observation> observations_in(std::string_view text, const std::string& name) {
  constexpr JsonLimits limits{.depth = 2, .values = 100'000};
  std::vector<Observation> observations;
  try {
    for (const Json each : read_json(text, name, limits)) observations.push_back(observation_of(each));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::invalid_argument, "{} has a measurement that is none: {}", name, error.what());
  }
  return observations;
}

}  // namespace tutti::app
