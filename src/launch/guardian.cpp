#include "launch/guardian.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <system_error>

#include "base/check.hpp"

namespace tutti::launch {

Guardian::Guardian(const runtime::Segment& segment) : notes_(Pipe::make()), process_(fork()) {
  if (process_ < 0)
    fail(ErrorCode::unsupported, "no process to be had ({}): run fewer ranks or raise the limit (ulimit -u)",
         std::generic_category().message(errno));
  if (process_ == 0) {
    notes_.writer.reset();
    keep_watch(segment, notes_.reader.number());
  }
  notes_.reader.reset();
}

Guardian::~Guardian() {
  notes_.writer.reset();
  waitpid(process_, nullptr, 0);  // it ends, because its notes have
}

void Guardian::tell(const Note& note) {
  // A guardian that somebody has killed leaves things as they are without one.
  sigset_t broken;
  sigset_t before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigprocmask(SIG_BLOCK, &broken, &before);
  if (write(notes_.writer.number(), &note, sizeof(note)) < 0 && errno == EPIPE) {
    constexpr timespec now{};
    sigtimedwait(&broken, nullptr, &now);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void Guardian::keep_watch(const runtime::Segment& segment, int notes) {
  setsid();
  prctl(PR_SET_NAME, "tutti-guardian");
  // Whoever reads the launcher's output must not have to wait for this process.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, file);
  std::map<int, Note> running;
  Note note{};
  // Until the launcher ends: then nobody has the other end open.
  for (;;) {
    const ssize_t got = read(notes, &note, sizeof(note));
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof(note)) break;
    if (note.process == 0) {
      running.erase(note.rank);
    } else {
      running.emplace(note.rank, note);
    }
  }
  for (const auto& [rank, each] : running) {
    kill(each.group == ProcessGroup::own ? -each.process : each.process, SIGKILL);
    // The program itself, where what started it has put it into another group.
    const runtime::RankRecord& record = segment.record(rank);
    if (record.process() > 0 && !record.has_ended()) kill(static_cast<pid_t>(record.process()), SIGKILL);
  }
  _exit(0);
}

}  // namespace tutti::launch
