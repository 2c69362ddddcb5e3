#include "launch/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "launch/descriptor.hpp"
#include "transport/command_words.hpp"

namespace tutti::launch {
namespace {

constexpr int could_not_start = 127;

// Whether the launcher has told of this process; false where it has died before.
bool hears(int go) {
  char word = 0;
  ssize_t got = 0;
  do {
    got = read(go, &word, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

// Makes `source` the descriptor `target` of the program, also where it is that one and would close when that begins.
bool hand_on(int source, int target) {
  return source == target ? fcntl(target, F_SETFD, 0) == 0 : dup2(source, target) >= 0;
}

// In the new process, before its program: returns only where it cannot run, with errno.
void become(const ProcessPlan& plan, char* const* arguments, char* const* environment, pid_t launcher, int go) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(could_not_start);  // the launcher died before that signal was asked for
  if (plan.group == ProcessGroup::own) setpgid(0, 0);
  if (!hears(go)) _exit(could_not_start);  // the launcher has died meanwhile
  if (!hand_on(plan.input, STDIN_FILENO) || !hand_on(plan.output, STDOUT_FILENO) || !hand_on(plan.error, STDERR_FILENO))
    return;
  if (plan.files && setrlimit(RLIMIT_NOFILE, &*plan.files) != 0) return;
  signal(SIGCHLD, SIG_DFL);
  sigaction(SIGPIPE, &plan.broken_pipe, nullptr);
  sigprocmask(SIG_SETMASK, &plan.mask, nullptr);
  execvpe(arguments[0], arguments, environment);
}

[[noreturn]] void refuse(const std::string& program, int error) {
  const std::string reason = std::generic_category().message(error);
  const bool is_here = program.find('/') == std::string::npos && access(program.c_str(), X_OK) == 0;
  if (is_here)
    fail(ErrorCode::invalid_argument, "the program '{}' cannot be started ({}): write ./{}", program, reason, program);
  fail(ErrorCode::invalid_argument,
       "the program '{}' cannot be started ({}): name an executable file such as ./program, or one in PATH", program,
       reason);
}

// "was killed by …" of one rank is "were killed by …" of several.
std::string of_several(const std::string& how) {
  constexpr std::string_view one = "was ";
  return how.starts_with(one) ? "were " + how.substr(one.size()) : how;
}

}  // namespace

pid_t start(const ProcessPlan& plan, const std::function<void(pid_t)>& tell) {
  const std::vector<char*> arguments = runtime::pointers_to(plan.command);
  const std::vector<char*> environment = runtime::pointers_to(plan.environment);
  // Closed when the program begins; carries errno where it cannot.
  Pipe outcome = Pipe::make();
  Pipe go = Pipe::make();
  const pid_t launcher = getpid();
  const pid_t child = fork();
  if (child < 0)
    fail(ErrorCode::unsupported, "no process to be had ({}): run fewer ranks or raise the limit (ulimit -u)",
         std::generic_category().message(errno));
  int error = 0;
  if (child == 0) {
    go.writer.reset();
    become(plan, arguments.data(), environment.data(), launcher, go.reader.number());
    error = errno;
    _exit(write(outcome.writer.number(), &error, sizeof(error)) == sizeof(error) ? could_not_start : 1);
  }
  outcome.writer.reset();
  tell(child);
  ssize_t got = write(go.writer.number(), "", 1);  // at once, and nobody minds if the process is gone
  // Ends when the program begins or cannot: exec and exit close the other end.
  do {
    got = read(outcome.reader.number(), &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  if (got == sizeof(error)) {
    waitpid(child, nullptr, 0);  // the child exits after that word
    refuse(plan.command.front(), error);
  }
  return child;
}

std::vector<std::string> Endings::lines() const {
  std::vector<std::string> lines;
  std::size_t left = 0;
  for (const auto& [ranks, how] : groups_.largest_first()) {
    if (lines.size() == most_lines) {
      left += ranks.size();
    } else {
      lines.push_back(fmt::format("{} {}", list_of(ranks), ranks.size() == 1 ? how : of_several(how)));
    }
  }
  if (left == 1) lines.emplace_back("1 more rank ended");
  if (left > 1) lines.push_back(fmt::format("{} more ranks ended, each in its own way", left));
  return lines;
}

std::vector<int> Stops::look(const std::set<int>& stopped, Clock::time_point now) {
  std::erase_if(stops_, [&](const auto& stop) { return !stopped.contains(stop.first); });
  std::vector<int> overdue;
  for (const int rank : stopped) {
    Stop& stop = stops_.try_emplace(rank, Stop{WaitingTime(now)}).first->second;
    if (stop.time.look(now) < limit_ || stop.is_told) continue;
    stop.is_told = true;
    overdue.push_back(rank);
  }
  return overdue;
}

std::chrono::nanoseconds Stops::interval() const {
  constexpr std::chrono::duration<double> shortest(0.02);
  constexpr std::chrono::duration<double> longest(5);
  return std::chrono::ceil<std::chrono::nanoseconds>(std::clamp(limit_ / 8, shortest, longest));
}

}  // namespace tutti::launch
