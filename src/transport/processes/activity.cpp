#include "transport/processes/activity.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "transport/processes/function_name.hpp"
#include "transport/processes/halted_thread.hpp"
#include "transport/processes/python_line.hpp"

namespace tutti::runtime {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text;
}

/// The letter by which the system tells what the thread does; 0 where it does not.
char state_in(const std::string& stat) {
  // The program's name, in parentheses, may hold anything.
  const std::size_t at = stat.rfind(')') + 2;
  return stat.empty() || at >= stat.size() ? '\0' : stat[at];
}

/// Returns the address in the program of a thread that is in a call of the system: the last of that file's fields. A
/// thread that runs has a word in their place.
std::optional<std::uint64_t> address_in_system_call(const std::string& folder) {
  std::istringstream fields(first_line(folder + "/syscall"));
  std::string field;
  std::string last;
  int n = 0;
  for (; fields >> field; ++n) last = field;
  if (n < 3 || !last.starts_with("0x")) return std::nullopt;
  return std::strtoull(last.c_str(), nullptr, 16);
}

std::string_view words_of(char state) {
  switch (state) {
    case 'R':
      return "computes";
    case 'S':
    case 'I':
      return "sleeps";
    case 'D':
      return "waits for the system, as for a disk";
    case 'T':
      return "is stopped";
    case 't':
      return "is held by a debugger";
    case 'Z':
    case 'X':
      return "has ended";
    default:
      return {};
  }
}

/// Whether /proc numbers processes as this one does: it may be that of another namespace.
bool has_proc_of_here() {
  std::array<char, 16> own{};
  const ssize_t length = readlink("/proc/self", own.data(), own.size());
  return length > 0 && std::string(own.data(), static_cast<std::size_t>(length)) == std::to_string(getpid());
}

}  // namespace

std::string activity_of(pid_t process, pid_t thread) {
  std::string folder = fmt::format("/proc/{}/task/{}", process, thread);
  if (access(folder.c_str(), F_OK) != 0) {
    thread = process;
    folder = fmt::format("/proc/{}/task/{}", process, process);
  }
  const char state = state_in(first_line(folder + "/stat"));
  const std::string words(words_of(state));
  std::optional<std::uint64_t> address;
  if (state == 'S' || state == 'I' || state == 'D') address = address_in_system_call(folder);
  if (state == 'R') address = address_of_running(thread);
  const std::string function = address ? function_name(process, *address) : std::string();
  const std::string line = python_line(process, thread);
  if (!function.empty() && !line.empty()) return fmt::format("{}, in {} called from {}", words, function, line);
  const std::string& place = line.empty() ? function : line;
  return place.empty() ? words : fmt::format("{}, in {}", words, place);
}

bool has_mark(pid_t process, const ProcessMark& mark) noexcept {
  std::uint64_t copy = 0;
  const iovec here{&copy, sizeof(copy)};
  const iovec there{reinterpret_cast<void*>(static_cast<std::uintptr_t>(mark.address)), sizeof(copy)};  // NOLINT
  return process_vm_readv(process, &here, 1, &there, 1, 0) == sizeof(copy) && copy == mark.value;
}

bool is_stopped_here(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!has_proc_of_here() || !std::getline(file, text)) return false;
  // The program's name, in parentheses, may hold anything.
  const std::size_t at = text.rfind(')') + 2;
  return at < text.size() && text[at] == 'T';
}

}  // namespace tutti::runtime
