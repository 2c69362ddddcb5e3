#include "launch/launch.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/text/rank_lists.hpp"
#include "launch/descriptor.hpp"
#include "launch/guardian.hpp"
#include "launch/output_labels.hpp"
#include "launch/process.hpp"
#include "launch/signals.hpp"
#include "runtime/settings.hpp"
#include "transport/command_words.hpp"
#include "transport/late_after.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::launch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The time that ranks have to obey SIGTERM.
constexpr milliseconds last_words(300);

constexpr std::string_view unwritten = "the output could not be written";

// Describes a child's end, as in "rank 2 exited with status 3".
std::string in_words(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return runtime::RankRecord::exited_with(info.si_status);
  const char* name = sigabbrev_np(info.si_status);  // none for those that programs may use as they like
  return fmt::format("was killed by signal {}{}", info.si_status, name ? fmt::format(" (SIG{})", name) : "");
}

// Describes the end of a child that had been sent SIGTERM.
std::string after_asking(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED || info.si_status == SIGTERM) return "ended when asked to";
  return info.si_status == SIGKILL ? "had to be killed" : in_words(info);
}

// A rank that has failed.
struct RankFailure {
  int rank;
  pid_t id;
  Ending ending;
  std::string how;  // continues "rank 2 "
};

struct Process {
  pid_t id;
  int rank;
  ProcessGroup group;

  // To what the rank has started as well, where that can be told from what others have started.
  void send(int signal) const { kill(group == ProcessGroup::own ? -id : id, signal); }
};

// The processes of all ranks, until each has ended.
class Crew {
 public:
  Crew(const LaunchedJob& job, const std::function<void(const std::string&)>& report)
      : segment_(runtime::Segment::create(job.ranks)), guardian_(segment_), grace_(job.grace), report_(report) {
    if (job.label) {
      files_before_ = allow_many_descriptors();
      labels_.emplace(job.ranks);
    }
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    try {
      for (int rank = 0; rank < job.ranks; ++rank) add(job, rank, nothing.number());
      if (labels_) labels_->begin();
    } catch (...) {
      abandon();
      throw;
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { abandon(); }

  /// For as long as the ranks run; after the first failure for no longer than press() gives the others.
  Ending attend() {
    while (!processes_.empty()) {
      const auto arrived = signals_.next(time_left());
      if (arrived && arrived->number != SIGCHLD) forward(*arrived);
      while (reap()) continue;
      if (!is_first_awaited()) tell_early();
      note_stops();
      tell_stops();
      press();
    }
    const bool is_written = !labels_ || labels_->finish();
    for (const std::string& line : endings_.lines()) report_(line);
    require(is_written || ending_.status != 0, "{}", unwritten);
    if (!is_written) report_(std::string(unwritten));
    return ending_;
  }

 private:
  void add(const LaunchedJob& job, int rank, int nothing) {
    std::vector<std::string> variables = segment_.environment(rank);
    const Heap heap = job.ranks > 1 ? job.heap : Heap::own;
    for (const std::string& variable : preloading(heap, {})) variables.push_back(variable);
    ProcessPlan plan{.command = job.command, .environment = runtime::environment_with(variables)};
    plan.input = rank == 0 ? STDIN_FILENO : nothing;
    if (labels_) plan.output = labels_->output_of(rank);
    if (labels_) plan.error = labels_->error_of(rank);
    if (rank == 0 && isatty(STDIN_FILENO) != 0) plan.group = ProcessGroup::launcher;
    plan.mask = signals_.mask_before();
    plan.broken_pipe = signals_.broken_pipe_before();
    plan.files = files_before_;
    segment_.record(rank).await_words();
    const auto tell = [&](pid_t id) { guardian_.add(rank, id, plan.group); };
    try {
      const pid_t id = start(plan, tell);
      processes_.emplace(id, Process{id, rank, plan.group});
      segment_.record(rank).note_started(id);
    } catch (...) {
      guardian_.remove(rank);
      throw;
    }
  }

  void abandon() noexcept {
    for (const auto& [id, process] : processes_) process.send(SIGKILL);
    for (const auto& [id, process] : processes_) {
      guardian_.remove(process.rank);
      waitpid(id, nullptr, 0);  // ends, because nothing outlives SIGKILL
    }
    processes_.clear();
  }

  void forward(const Arrived& signal) {
    if (signal.number == SIGINT) interrupted_ = true;
    for (const auto& [id, process] : processes_) {
      const bool has_it = signal.from_terminal && process.group == ProcessGroup::launcher;
      if (!has_it) process.send(signal.number);
    }
    if (signal.number != SIGTSTP) return;
    const Clock::time_point before = Clock::now();
    Signals::stop_here();
    if (next_press_) *next_press_ += Clock::now() - before;  // ranks are stopped meanwhile, too
    for (const auto& [id, process] : processes_) process.send(SIGCONT);
  }

  // Whether a child has ended; takes note of it if it was a rank.
  bool reap() {
    siginfo_t info = {};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
    if (const auto found = processes_.find(info.si_pid); found != processes_.end()) {
      note(found->second, info);
      guardian_.remove(found->second.rank);
      processes_.erase(found);
    }
    waitpid(info.si_pid, nullptr, 0);  // the child has ended already
    return true;
  }

  // Before the process is reaped: until then nobody else has its number, nor its group's.
  void note(const Process& process, const siginfo_t& info) {
    const bool exited = info.si_code == CLD_EXITED;
    const bool succeeded = exited && info.si_status == 0;
    const runtime::RankRecord& record = segment_.record(process.rank);
    const std::string words = record.has_left_words() ? record.failure() : std::string();
    const std::string how = in_words(info);
    if (!succeeded) segment_.lose(process.rank, how);
    segment_.end(process.rank);
    if (succeeded) {
      if (!words.empty()) endings_.add(process.rank, "ended: " + words);  // behind a script that goes on
      return;
    }
    if (process.group == ProcessGroup::own)
      process.send(SIGKILL);  // processes that it leaves behind belong to the failed rank
    if (!next_press_ && !has_asked()) next_press_ = Clock::now() + grace_;
    const RankFailure failure{
        process.rank, process.id,
        Ending{exited ? info.si_status : 128 + info.si_status, interrupted_ && !exited && info.si_status == SIGINT},
        !words.empty() ? "ended: " + words
        : has_asked()  ? after_asking(info)
                       : how};
    if (ending_.status != 0) {
      endings_.add(failure.rank, failure.how);
    } else if (segment_.first_lost() == failure.rank) {
      tell_first(failure);
    } else {
      early_.push_back(failure);
    }
  }

  void tell_first(const RankFailure& failure) {
    ending_ = failure.ending;
    report_(fmt::format("rank {} (pid {}) {}", failure.rank, failure.id, failure.how));
  }

  // Whether a rank that has failed is yet to end, of which others may have known earlier and ended: it dumps its core,
  // or is behind a script.
  bool is_first_awaited() const {
    const std::optional<int> first = segment_.first_lost();
    return std::any_of(processes_.begin(), processes_.end(),
                       [&](const auto& running) { return running.second.rank == first; });
  }

  // Tells of the ranks that have ended before the one that failed first, which is known by now or is not waited for.
  void tell_early() {
    for (const RankFailure& failure : early_) {
      if (ending_.status == 0) {
        tell_first(failure);
      } else {
        endings_.add(failure.rank, failure.how);
      }
    }
    early_.clear();
  }

  // Tells the ranks that may wait for a child that it was stopped or continued.
  void note_stops() {
    siginfo_t info = {};
    while (waitid(P_ALL, 0, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid != 0) {
      const auto found = processes_.find(info.si_pid);
      if (found != processes_.end()) {
        segment_.record(found->second.rank).set_stopped(info.si_code == CLD_STOPPED);
      }
      info = {};
    }
  }

  // No signal tells of a program behind a script that it was stopped.
  void tell_stops() {
    if (Clock::now() < next_look_) return;
    next_look_ = Clock::now() + stops_.interval();
    std::set<int> stopped;
    for (const auto& [id, process] : processes_) {
      if (segment_.is_stopped(process.rank)) stopped.insert(process.rank);
    }
    const std::vector<int> overdue = stops_.look(stopped);
    if (overdue.empty()) return;
    std::string targets;
    for (const auto& [id, process] : processes_) {
      if (!std::binary_search(overdue.begin(), overdue.end(), process.rank)) continue;
      targets += fmt::format(" {}", process.group == ProcessGroup::own ? -id : id);
    }
    const bool is_one = overdue.size() == 1;
    report_(
        fmt::format("{} {} been stopped for {:g} s; this run waits, because what is stopped may go on: 'kill -CONT{}' "
                    "continues {}, 'kill -KILL{}' ends {}",
                    list_of(overdue), is_one ? "has" : "have", stops_.limit().count(), targets, is_one ? "it" : "them",
                    targets, is_one ? "it" : "them"));
  }

  // Whether the ranks have been sent SIGTERM because one has failed.
  bool has_asked() const { return pressure_ == SIGKILL; }

  // Ends the ranks whose time is up.
  void press() {
    if (!next_press_ || Clock::now() < *next_press_) return;
    tell_early();
    for (const auto& [id, process] : processes_) process.send(pressure_);
    next_press_ = pressure_ == SIGTERM ? std::optional(Clock::now() + last_words) : std::nullopt;
    pressure_ = SIGKILL;
  }

  std::chrono::nanoseconds time_left() const {
    return (next_press_ ? std::min(*next_press_, next_look_) : next_look_) - Clock::now();
  }

  Signals signals_;
  runtime::Segment segment_;
  Guardian guardian_;
  milliseconds grace_;
  const std::function<void(const std::string&)>& report_;
  std::optional<rlimit> files_before_;  // the ranks' limit, where the launcher needs a higher one
  std::optional<OutputLabels> labels_;
  std::map<pid_t, Process> processes_;
  Ending ending_;
  Endings endings_;                 // endings of those that come after it
  std::vector<RankFailure> early_;  // failures of those that have ended while the first was awaited
  bool interrupted_ = false;
  Stops stops_{std::min(runtime::timeout_of({}), runtime::late_after())};
  Clock::time_point next_look_;
  std::optional<Clock::time_point> next_press_;
  int pressure_ = SIGTERM;
};

}  // namespace

Ending launch(const LaunchedJob& job, const std::function<void(const std::string&)>& report) {
  require(!job.command.empty(), "a run needs a program, such as ./program");
  (void)runtime::planning_in_environment();  // here, so that not every rank finds what is wrong
  fill_standard_descriptors();
  return Crew(job, report).attend();
}

}  // namespace tutti::launch
