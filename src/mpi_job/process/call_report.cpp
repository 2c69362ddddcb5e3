#include "mpi_job/process/call_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>

#include "base/system/environment.hpp"
#include "base/system/tell_user.hpp"
#include "base/units.hpp"
#include "mpi_job/process/stack.hpp"

namespace tutti::interpose {
namespace {

std::string_view asked() {
  const char* const text = environment_variable("TUTTI_MPI_REPORT");
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Calls of one function whose bytes lie between one power of four and the next, and that ended in the same way.
struct ReportKey {
  std::string_view name;
  int size_class;
  std::string way;

  friend bool operator<(const ReportKey& a, const ReportKey& b) {
    return std::tie(a.name, a.size_class, a.way) < std::tie(b.name, b.size_class, b.way);
  }
};

struct ReportCell {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
  double waiting = 0;  // seconds, here and below
  double working = 0;
};

/// -1: the bytes are not known, because MPI alone has looked at them. 0: none. k: up to 4^(k - 1).
int class_of(std::int64_t bytes) {
  if (bytes <= 0) return bytes < 0 ? -1 : 0;
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1)) + 1) / 2 + 1;
}

std::string words_for(int size_class) {
  if (size_class < 0) return "any";
  if (size_class == 0) return "0B";
  return fmt::format("to {}", text_of(Bytes{std::int64_t{1} << (2 * (size_class - 1))}));
}

struct Counted {
  std::mutex mutex;
  std::map<ReportKey, ReportCell> cells;
};

Counted& all() {
  static Counted& only = *new Counted;
  return only;
}

std::string table(int rank, int ranks) {
  std::string text =
      fmt::format("tutti: collectives as rank {} of {} saw them\n{:<24} {:>10} {:>9} {:>10} {:>12} {:>12}  {}\n", rank,
                  ranks, "call", "bytes each", "calls", "bytes", "waiting", "working", "how");
  const std::lock_guard lock(all().mutex);
  for (const auto& [key, cell] : all().cells) {
    text += fmt::format("{:<24} {:>10} {:>9} {:>10} {:>12} {:>12}  {}\n", key.name, words_for(key.size_class),
                        cell.calls, cell.bytes < 0 ? "-" : text_of(Bytes{cell.bytes}), text_of(Seconds{cell.waiting}),
                        text_of(Seconds{cell.working}), key.way);
  }
  if (all().cells.empty()) text += "(none)\n";
  return text;
}

/// In one piece, so that the tables of several ranks do not mix. Returns 0, or the system's number for why it is not
/// there.
int add_to_file(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const ssize_t written = write(file, text.data(), text.size());
  const int why = written == static_cast<ssize_t>(text.size()) ? 0 : written < 0 ? errno : ENOSPC;
  close(file);
  return why;
}

}  // namespace

const bool CountedCall::counted = !asked().empty() && asked() != "0";
thread_local CountedCall* CountedCall::latest = nullptr;
thread_local const char* CountedCall::reason = "";

void CountedCall::begin() {
  outer_ = latest != nullptr && is_on_the_stack(latest, this) ? latest : nullptr;
  latest = this;
  begin_ = all_have_come_ = Clock::now();
}

void CountedCall::note_all_have_come() {
  if (all_have_come_ == begin_) all_have_come_ = Clock::now();
}

void CountedCall::note_bytes(std::int64_t bytes, std::string_view algorithm) {
  bytes_ = bytes;
  algorithm_ = algorithm;
}

int CountedCall::served(int code) {
  if (!counted) return code;
  const Clock::time_point end = Clock::now();
  const std::lock_guard lock(all().mutex);
  ReportCell& cell = all().cells[{name_, class_of(bytes_), algorithm_}];
  ++cell.calls;
  cell.bytes += bytes_;
  cell.waiting += std::chrono::duration<double>(all_have_come_ - begin_).count();
  cell.working += std::chrono::duration<double>(end - all_have_come_).count();
  return code;
}

void CountedCall::note_forwarded() {
  if (outer_ != nullptr) return;
  const std::lock_guard lock(all().mutex);
  ReportCell& cell = all().cells[{name_, -1, fmt::format("MPI: {}", reason)}];
  ++cell.calls;
  cell.bytes = -1;
  cell.working += std::chrono::duration<double>(Clock::now() - begin_).count();
}

void write_report(int rank, int ranks, bool is_first_of_host) {
  if (!CountedCall::is_counted()) return;
  const bool is_for_file = asked() != "1";
  const int why = is_for_file ? add_to_file(std::string(asked()), table(rank, ranks)) : 0;
  if (is_for_file && why == 0) return;
  if (is_for_file && (rank == 0 || is_first_of_host)) {
    tell_user("tutti: TUTTI_MPI_REPORT={} cannot be written{} ({}): name another file; {}\n", asked(),
              rank == 0 ? std::string() : " on " + name_of_host(), std::strerror(why),
              rank == 0 ? "the table of rank 0 follows" : "the tables of its ranks are lost");
  }
  if (rank == 0) tell_user("{}", table(rank, ranks));
}

}  // namespace tutti::interpose
