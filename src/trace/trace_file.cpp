#include "trace/trace_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/check.hpp"
#include "timeline/chrome_trace.hpp"

namespace tutti::runtime {
namespace {

constexpr std::string_view closing = "\n]\n";

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

// Before main: all processes of a run have begun before the first of them can end.
const double process_began = now();

/// The file, locked while it lives.
class Locked {
 public:
  explicit Locked(const std::string& name)
      : name_(name), file_(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      throw WrongTraceName(
          ErrorCode::invalid_argument,
          fmt::format("TUTTI_TRACE={} cannot be written ({}): name another file", name, std::strerror(errno)));
    }
    struct stat status {};
    if (fstat(file_, &status) == 0 && !S_ISREG(status.st_mode)) {
      close(file_);
      throw WrongTraceName(ErrorCode::invalid_argument,
                           fmt::format("TUTTI_TRACE={} is a pipe or a device: name a file", name));
    }
    while (flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int why = errno;
      close(file_);
      errno = why;
      refuse();
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { close(file_); }

  off_t size() const {
    struct stat status {};
    if (fstat(file_, &status) != 0) refuse();
    return status.st_size;
  }

  std::string read(off_t from, off_t count) const {
    std::string text(static_cast<std::size_t>(count), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = pread(file_, text.data() + done, text.size() - done, from + static_cast<off_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse();
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    text.resize(done);
    return text;
  }

  /// All of it from `at` on becomes `text`; where that fails, the `before` that stood there.
  void replace(off_t at, std::string_view text, std::string_view before) const {
    if (write(at, text) && ftruncate(file_, at + static_cast<off_t>(text.size())) == 0) return;
    const int why = errno;
    const bool restored = write(at, before) && ftruncate(file_, at + static_cast<off_t>(before.size())) == 0;
    errno = why;
    if (!restored) fail(ErrorCode::invalid_argument, "{} is damaged: {}", name_, std::strerror(why));
    refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    fail(ErrorCode::invalid_argument, "TUTTI_TRACE={} cannot be written: {}", name_, std::strerror(errno));
  }

  bool write(off_t at, std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = pwrite(file_, text.data(), text.size(), at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
      at += n;
    }
    return true;
  }

  const std::string& name_;
  int file_;
};

// The trace's first event, without the comma after it; empty where the file is no trace.
std::string first_line(const Locked& file) {
  constexpr off_t longest = 4096;
  const std::string head = file.read(0, longest);
  if (!head.starts_with("[\n")) return {};
  const std::string line = head.substr(2, head.find('\n', 2) - 2);
  return line.ends_with(',') ? line.substr(0, line.size() - 1) : line;
}

// Returns the end of the last whole event: each has a line. 0: there is none.
off_t end_of_events(const Locked& file) {
  const off_t size = file.size();
  for (off_t piece = 4096;; piece *= 16) {
    const off_t from = std::max<off_t>(0, size - piece);
    const std::string text = file.read(from, size - from);
    off_t end = 0;
    for (const std::string_view mark : {"}\n", "},\n"}) {
      const std::size_t found = text.rfind(mark);
      if (found != std::string::npos) end = std::max(end, from + static_cast<off_t>(found) + 1);
    }
    if (end > 0 || from == 0) return end;
  }
}

}  // namespace

void append_to_trace(const std::string& name, std::string_view events) {
  const Locked file(name);
  const std::string first = first_line(file);
  const double began = timeline::begin_of(first);
  if (file.size() > 0 && began < 0) {
    throw WrongTraceName(ErrorCode::invalid_argument,
                         fmt::format("TUTTI_TRACE={} is a file that is no trace: name another one", name));
  }
  if (began < process_began) {
    const std::string fresh = timeline::first_event("a run of tutti", now());
    file.replace(0, fmt::format("[\n{},\n{}{}", fresh, events, closing),
                 first.empty() ? std::string() : fmt::format("[\n{}{}", first, closing));
    return;
  }
  const off_t end = end_of_events(file);
  file.replace(end, fmt::format(",\n{}{}", events, closing), file.read(end, file.size() - end));
}

}  // namespace tutti::runtime
