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
  return found.file == own && found.complaint.empty() && !found.is_looked_at[transport];
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

// Memory of a rank's buffers, in which those of a call lie where those of the others do: its pages are new once.
class LookedAtMemory {
 public:
  LookedAtMemory(std::span<const Call> calls, int ranks, int rank)
      : rank_(rank), doubles_(most_bytes / sizeof(double) / static_cast<std::size_t>(ranks)) {
    for (const Call& call : calls) doubles_ = std::max(doubles_, fewest_sets * set_of(call.cell));
    memory_ = measure::plain_memory(doubles_);
  }

  // A call's data have left the caches when the turn of their set comes, as elsewhere, or most of them have.
  measure::Buffers buffers(const measure::Cell& cell) const {
    std::size_t first = 0;
    const auto from_here = [&](std::size_t count) {
      const std::size_t begin = first;
      first += (count + apart - 1) / apart * apart;
      return std::shared_ptr<double>(memory_, memory_.get() + begin);
    };
    return {cell, rank_, std::min(measure::sets_for(cell), doubles_ / set_of(cell)), from_here};
  }

 private:
  static constexpr std::size_t most_bytes = 24 << 20;  // all ranks together
  static constexpr std::size_t fewest_sets = 2;
  static constexpr std::size_t apart = 64;  // doubles, to which the lengths of inputs and of outputs are rounded up

  std::size_t set_of(const measure::Cell& cell) const {
    return static_cast<std::size_t>(cell.input_count(rank_) + cell.output_count(rank_)) + 2 * apart;
  }

  int rank_;
  std::size_t doubles_;
  std::shared_ptr<double> memory_;
};

// One of the calls on its buffers, and how long it took.
class LookedAtCall {
 public:
  LookedAtCall(Communicator& comm, const Call& call, const LookedAtMemory& memory)
      : comm_(comm), call_(call), buffers_(memory.buffers(call.cell)) {
    const auto sets = static_cast<double>(buffers_.sets());
    calls_ = static_cast<std::size_t>(std::clamp(row_seconds / call.predicted, fewest, sets));
  }

  // The shortest of a few rows of calls, each on the slower rank; a row is as long on both ranks.
  double seconds() {
    MeasuredCommunicator measured(comm_, MeasuredMemory::plain, call_.choice.algorithm->name);
    std::array<double, rows + 1> times = {};
    for (double& time : times) time = row(measured);
    const std::span counted = std::span(times).subspan(1);  // after the first all data are where calls leave them
    measured.max_over_ranks(counted);
    return *std::min_element(counted.begin(), counted.end());
  }
  // Seconds of all rows so far, and those of them in which this rank had a core.
  double worked() const { return worked_; }
  double passed() const { return passed_; }

 private:
  static constexpr std::size_t rows = 5;
  static constexpr double row_seconds = 150e-6;
  static constexpr double fewest = 2;

  double row(MeasuredCommunicator& measured) {
    measured.barrier();  // ranks that wait until others have prepared their buffers sleep
    const auto begin = measure::Clock::now();
    const double worked_before = seconds_on_cores();
    const double seconds = measure::time_batch(measured, call_.cell, buffers_, next_, calls_);
    worked_ += seconds_on_cores() - worked_before;
    passed_ += measure::seconds_since(begin);
    for (const std::uint64_t last = next_ + calls_; next_ < last; ++next_) buffers_.prepare(next_ + buffers_.sets());
    return seconds / static_cast<double>(calls_);
  }

  Communicator& comm_;
  const Call& call_;
  measure::Buffers buffers_;
  std::size_t calls_ = 0;
  std::uint64_t next_ = 0;
  double worked_ = 0;
  double passed_ = 0;
};

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
  const LookedAtMemory memory(calls, comm.size(), comm.rank());
  BriefLook look;
  std::vector<LookedAtCall> looked_at;
  looked_at.reserve(calls.size());
  for (const Call& call : calls) {
    const Problem problem{.collective = call.cell.collective, .ranks = comm.size(), .count = call.cell.count()};
    const double seconds = looked_at.emplace_back(comm, call, memory).seconds();
    look.observations.push_back({call.choice, problem, sizeof(double), measure::cores(), seconds});
  }
  double worked = 0;
  double passed = 0;
  for (LookedAtCall& call : looked_at) {
    look.again.push_back(call.seconds());
    worked += call.worked();
    passed += call.passed();
  }
  look.had_cores = comm.all_reduce(worked / passed, minimum);
  return look;
}

}  // namespace tutti
