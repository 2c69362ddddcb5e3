#include "tuning/first_use.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "base/system/environment.hpp"
#include "launch/launch.hpp"
#include "measure/buffers.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "plan/choice.hpp"
#include "predict/model/machine_model.hpp"
#include "tuning/measured_communicator.hpp"
#include "tutti/version.h"

extern char** environ;

namespace tutti {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int most_ranks_tried = 48;
constexpr milliseconds most_time(240);

constexpr std::string_view too_short = "because its first use was too short to measure it; tutti tune does";

// Makes the file with a profile that holds nothing but why, or adds that to what there is; says whether that was done
// here, and not by another program.
bool claim(const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error)) return claim_first_use(file, std::string(too_short));
  fs::create_directories(file.parent_path(), error);
  const fs::path beside = file.string() + "." + std::to_string(getpid());
  const StoredProfile empty{.machine = machine_identity(), .tutti = TUTTI_VERSION, .first_use = std::string(too_short)};
  std::ofstream stream(beside, std::ios::binary);
  stream << text_of(empty);
  stream.close();
  const bool is_written = !stream.fail();
  if (is_written) fs::create_hard_link(beside, file, error);
  std::error_code none;
  fs::remove(beside, none);
  return is_written && !error;
}

// Ranks that say nothing, and that know nothing of what the program's ranks are told.
void measure_silently() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("TUTTI_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
  launch::launch({.ranks = 2, .command = {fs::read_symlink("/proc/self/exe"), "tune", "--brief"}},
                 [](const std::string&) {});
}

// Whatever comes of it, the process ends here: its parent alone starts the program.
[[noreturn]] void measure_in_this_process() {
  try {
    measure_silently();
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

// If it is killed, its ranks are.
void end_in_time(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + most_time;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= end) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      return;
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
}

bool is_to_be_looked_at(int ranks) {
  if (ranks < 2 || ranks > most_ranks_tried || measure::cores() < 2) return false;
  if (environment_variable("TUTTI_PROFILE") != nullptr || environment_variable("TUTTI_SEGMENT") != nullptr)
    return false;
  const std::string own = own_profile_file();
  const FoundProfile found = find_profile();
  if (own.empty() || found.file.empty()) return !own.empty();
  const bool has_costs = found.profile.origins[Transport::processes] != built_in_origin;
  return found.file == own && found.complaint.empty() && !has_costs;
}

// Returns the processor time that this process has had so far.
double seconds_on_cores() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Call {
  measure::Cell cell;
  Choice choice;
  double predicted = 0;
};

std::vector<Call> calls_looked_at() {
  using enum Collective;
  const MachineModel model(processes_costs, 2);
  std::vector<Call> calls;
  for (const Collective collective : {broadcast, all_reduce, all_gather, all_to_all}) {
    for (const std::int64_t bytes : {8LL, 1LL << 10, 16LL << 10, 64LL << 10, 512LL << 10}) {
      const measure::Cell cell{collective, 2, bytes};
      const Problem problem{.collective = collective, .ranks = 2, .count = cell.count()};
      const Choice choice(*choose(problem, {}, sizeof(double), model).algorithm);
      calls.push_back({cell, choice, model.seconds(choice, problem, sizeof(double))});
    }
  }
  return calls;
}

// The shortest of a few rows of calls, each on the slower rank; a row is as long on both ranks.
double seconds_of(Communicator& comm, const Call& call) {
  constexpr std::size_t rows = 5;
  constexpr double row_seconds = 150e-6;
  constexpr std::uint64_t sets = 4;
  MeasuredCommunicator measured(comm, MeasuredMemory::plain, call.choice.algorithm->name);
  const measure::Buffers buffers(call.cell, comm.rank(), sets, measure::plain_memory);
  const auto calls = static_cast<std::size_t>(std::clamp(row_seconds / call.predicted, double{sets}, 512.0));
  measure::time_batch(measured, call.cell, buffers, 0, calls);
  std::array<double, rows> times = {};
  for (double& time : times) {
    time = measure::time_batch(measured, call.cell, buffers, 0, calls) / static_cast<double>(calls);
  }
  measured.max_over_ranks(times);
  return *std::min_element(times.begin(), times.end());
}

}  // namespace

void look_at_new_machine(int ranks) noexcept {
  try {
    if (!is_to_be_looked_at(ranks) || !claim(own_profile_file())) return;
    const pid_t child = fork();
    if (child > 0) return end_in_time(child);
    if (child == 0) measure_in_this_process();
  } catch (const std::exception&) {
    return;  // the built-in costs hold
  }
}

QuickCalibration look_briefly(Communicator& comm) {
  const std::vector<Call> calls = calls_looked_at();
  std::vector<Observation> observations;
  std::vector<double> again;
  const auto begin = measure::Clock::now();
  const double worked_before = seconds_on_cores();
  for (const Call& call : calls) {
    const Problem problem{.collective = call.cell.collective, .ranks = 2, .count = call.cell.count()};
    observations.push_back({call.choice, problem, sizeof(double), measure::cores(), seconds_of(comm, call)});
  }
  for (const Call& call : calls) again.push_back(seconds_of(comm, call));
  const double worked = seconds_on_cores() - worked_before;
  const double had_cores = comm.all_reduce(worked / measure::seconds_since(begin), minimum);
  return comm.rank() == 0 ? quick_calibration(processes_costs, observations, again, had_cores) : QuickCalibration{};
}

}  // namespace tutti
