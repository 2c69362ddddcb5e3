#include "launch/guardian.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <vector>

#include "base/check.hpp"
#include "transport/processes/activity.hpp"

namespace tutti::launch {
namespace {

/// Flag of the system's call pidfd_send_signal, from Linux 6.9 on: the whole group of which the process is or was the
/// leader.
constexpr unsigned to_group = 1U << 2;

// The library's own declarations of these calls are not for C++.

int descriptor_of(std::int64_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

bool kill_by(int descriptor, unsigned flags) {
  return syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, flags) == 0;
}

/// A message with room for one descriptor beside it.
class DescriptorMessage {
 public:
  DescriptorMessage(void* content, std::size_t bytes) : content_{content, bytes} {
    message_.msg_iov = &content_;
    message_.msg_iovlen = 1;
    message_.msg_control = room_.data();
    message_.msg_controllen = room_.size();
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  msghdr* header() { return &message_; }
  void enclose(int descriptor) {
    cmsghdr* const control = CMSG_FIRSTHDR(&message_);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(control), &descriptor, sizeof(descriptor));
  }
  void enclose_nothing() { message_.msg_controllen = 0; }
  Descriptor enclosed() {
    const cmsghdr* const control = CMSG_FIRSTHDR(&message_);
    if (control == nullptr || control->cmsg_type != SCM_RIGHTS) return {};
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(control), sizeof(descriptor));
    return Descriptor(descriptor);
  }

 private:
  iovec content_;
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> room_{};
  msghdr message_{};
};

/// Whether the process has one of the marks.
bool has_one_of(pid_t process, const std::vector<runtime::ProcessMark>& marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](const runtime::ProcessMark& mark) { return runtime::has_mark(process, mark); });
}

/// The processes that this process's namespace knows, by their numbers in it.
std::vector<pid_t> all_processes() {
  std::vector<pid_t> processes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const int number = std::atoi(entry.path().filename().c_str());
    if (number > 0) processes.push_back(number);
  }
  return processes;
}

void end_marked(const std::vector<runtime::ProcessMark>& marks) {
  for (const pid_t process : all_processes()) {
    if (!has_one_of(process, marks)) continue;
    // The process had the number before and after the descriptor was opened, so that the descriptor is its own.
    const Descriptor program(descriptor_of(process));
    if (has_one_of(process, marks)) kill_by(program.number(), 0);
  }
}

}  // namespace

Guardian::Guardian(const runtime::Segment& segment) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail(ErrorCode::unsupported, "no socket to be had ({}): raise the limit of open files (ulimit -n)",
         std::generic_category().message(errno));
  notes_ = Descriptor(ends[0]);
  Descriptor reader(ends[1]);
  process_ = fork();
  if (process_ < 0)
    fail(ErrorCode::unsupported, "no process to be had ({}): run fewer ranks or raise the limit (ulimit -u)",
         std::generic_category().message(errno));
  if (process_ == 0) {
    notes_.reset();
    keep_watch(segment, reader.number());
  }
}

Guardian::~Guardian() {
  notes_.reset();
  kill(process_, SIGCONT);        // somebody may have stopped it, and then it would never end
  waitpid(process_, nullptr, 0);  // the guardian ends, because its notes have
}

void Guardian::add(int rank, pid_t process, ProcessGroup group) {
  const Descriptor child(descriptor_of(process));
  tell({rank, process, group}, child.number());
}

// A guardian that somebody has killed leaves things as they are without one.
void Guardian::tell(const Note& note, int descriptor) {
  Note copy = note;
  DescriptorMessage message(&copy, sizeof(copy));
  descriptor >= 0 ? message.enclose(descriptor) : message.enclose_nothing();
  ssize_t sent = 0;
  do {
    sent = sendmsg(notes_.number(), message.header(), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
}

/// The next note; false once the launcher is dead.
bool Guardian::hear(int notes, Target& target) {
  for (;;) {
    DescriptorMessage message(&target.note, sizeof(target.note));
    const ssize_t got = recvmsg(notes, message.header(), MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof(target.note)) return false;
    target.process = message.enclosed();
    return true;
  }
}

void Guardian::keep_watch(const runtime::Segment& segment, int notes) {
  setsid();
  prctl(PR_SET_NAME, "tutti-guardian");
  allow_many_descriptors();  // one for each rank
  // Whoever reads the launcher's output must not have to wait for this process.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, file);
  std::map<int, Target> running;
  // Until the launcher ends: then nobody has the other end open.
  for (Target target{}; hear(notes, target); target = {}) {
    const int rank = target.note.rank;
    if (target.note.process == 0) {
      running.erase(rank);
    } else {
      running.emplace(rank, std::move(target));
    }
  }
  const std::uint64_t ended = ticks_now();
  std::vector<runtime::ProcessMark> joined;
  for (const auto& [rank, target] : running) {
    end(target, ended);
    const runtime::RankRecord& record = segment.record(rank);
    if (record.process() > 0 && !record.has_ended()) joined.push_back(record.mark());
  }
  // The programs themselves, where what started them has put them into other groups.
  if (!joined.empty()) end_marked(joined);
  _exit(0);
}

// Ends a group if the system cannot signal it by a descriptor: a group of that number that began before the launcher
// had ended at `ended` is the rank's, because until then the number was.
void Guardian::end(const Target& target, std::uint64_t ended) {
  const int child = target.process.number();
  if (target.note.group == ProcessGroup::launcher) {
    kill_by(child, 0);
  } else if (!kill_by(child, to_group) && errno != ESRCH) {
    if (has_member(target.note.process, ended)) kill(-target.note.process, SIGKILL);
  }
}

std::uint64_t ticks_now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return static_cast<std::uint64_t>(now.tv_sec) * ticks +
         static_cast<std::uint64_t>(now.tv_nsec) * ticks / 1'000'000'000;
}

bool has_member(pid_t group, std::uint64_t latest) {
  constexpr int between = 16;  // fields of /proc/…/stat from the group, the fifth, to when the process began
  for (const pid_t process : all_processes()) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    // The program's name, in parentheses, may hold anything.
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string word;
    pid_t parent = 0;
    pid_t its_group = 0;
    fields >> word >> parent >> its_group;
    for (int k = 0; k < between; ++k) fields >> word;
    std::uint64_t began = 0;
    if (fields >> began && its_group == group && began <= latest) return true;
  }
  return false;
}

}  // namespace tutti::launch
