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
constexpr milliseconds most_time(280);

constexpr std::string_view too_short = "because its first use was too short to measure it; tutti tune does";

// Makes the file with a profile that holds nothing but why, or adds that to what there is; says whether that was done
// here, and not by another program.
bool claim(const fs::path& file, Transport transport) {
  std::error_code error;
  if (fs::exists(file, error)) return claim_first_use(file, transport, std::string(too_short));
  fs::create_directories(file.parent_path(), error);
  const fs::path beside = file.string() + "." + std::to_string(getpid());
  StoredProfile empty{.machine = machine_identity(), .tutti = TUTTI_VERSION};
  empty.first_use[transport] = too_short;
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
void measure_silently(Transport transport) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("TUTTI_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
  const std::string command = fs::read_symlink("/proc/self/exe");
  if (transport == Transport::threads)
    execl(command.c_str(), command.c_str(), "tune", "--brief", "--transport", "threads", nullptr);
  else
    launch::launch({.ranks = 2, .command = {command, "tune", "--brief"}}, [](const std::string&) {});
}

// Whatever comes of it, the process ends here: its parent alone starts the program.
[[noreturn]] void measure_in_this_process(Transport transport) {
  try {
    measure_silently(transport);
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

bool is_to_be_looked_at(Transport transport, int ranks) {
  if (transport != Transport::threads && transport != Transport::processes) return false;
  if (ranks < 2 || ranks > most_ranks_tried || measure::cores() < 2) return false;
  if (environment_variable("TUTTI_PROFILE") != nullptr || environment_variable("TUTTI_SEGMENT") != nullptr)
    return false;
  const std::string own = own_profile_file();
  const FoundProfile found = find_profile();
  if (own.empty() || found.file.empty()) return !own.empty();
  const bool has_costs = found.profile.origins[transport] != built_in_origin;
  return found.file == own && found.complaint.empty() && !has_costs;
}

// Returns the processor time that this rank, which is one thread, has had so far.
double seconds_on_cores() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Call {
  measure::Cell cell;
  Choice choice;
  double predicted = 0;
};

std::vector<Call> calls_looked_at(int ranks, const MachineCosts& built_in) {
  using enum Collective;
  const MachineModel model(built_in, measure::cores());
  std::vector<std::int64_t> sizes{8, 1 << 10, 16 << 10, 128 << 10, 1 << 20};
  if (ranks > measure::cores()) sizes = {8, 16 << 10, 1 << 20};
  std::vector<Call> calls;
  for (const Collective collective : {broadcast, all_reduce, all_gather, all_to_all}) {
    for (const std::int64_t bytes : sizes) {
      const measure::Cell cell{collective, ranks, bytes};
      const Problem problem{.collective = collective, .ranks = ranks, .count = cell.count()};
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
  constexpr std::uint64_t sets = 2;  // pages of new buffers cost more time than calls
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

void look_at_new_machine(Transport transport, int ranks) noexcept {
  try {
    if (!is_to_be_looked_at(transport, ranks) || !claim(own_profile_file(), transport)) return;
    const pid_t child = fork();
    if (child > 0) return end_in_time(child);
    if (child == 0) measure_in_this_process(transport);
  } catch (const std::exception&) {
    return;  // the built-in costs hold
  }
}

BriefLook look_briefly(Communicator& comm, const MachineCosts& built_in) {
  const std::vector<Call> calls = calls_looked_at(comm.size(), built_in);
  BriefLook look;
  const auto begin = measure::Clock::now();
  const double worked_before = seconds_on_cores();
  for (const Call& call : calls) {
    const Problem problem{.collective = call.cell.collective, .ranks = comm.size(), .count = call.cell.count()};
    look.observations.push_back({call.choice, problem, sizeof(double), measure::cores(), seconds_of(comm, call)});
  }
  for (const Call& call : calls) look.again.push_back(seconds_of(comm, call));
  const double worked = seconds_on_cores() - worked_before;
  look.had_cores = comm.all_reduce(worked / measure::seconds_since(begin), minimum);
  return look;
}

}  // namespace tutti
