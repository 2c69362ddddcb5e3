#include "transport/processes/python_line.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>

namespace tutti::runtime {
namespace {

/// File to which a process writes its stack, and the signal at which it does.
struct StackFile {
  std::string path;
  int signal;
};

std::optional<StackFile> stack_file_of(pid_t process) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), none)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), none).string();
    constexpr std::string_view folder = "/memfd:";
    if (!target.starts_with(folder) || target.compare(folder.size(), python_stack_file.size(), python_stack_file) != 0)
      continue;
    return StackFile{entry.path().string(), std::atoi(target.c_str() + folder.size() + python_stack_file.size())};
  }
  return std::nullopt;
}

/// Whether the process has a handler of the signal: it ends by one that it does not handle.
bool handles(pid_t process, int signal) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  constexpr std::string_view field = "SigCgt:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(field)) continue;
    const std::uint64_t caught = std::strtoull(line.c_str() + field.size(), nullptr, 16);
    return signal >= 1 && signal <= 64 && (caught >> (signal - 1) & 1) != 0;
  }
  return false;
}

std::string text_from(const std::string& path, std::uintmax_t begin) {
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(begin));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// Each line of a frame: `  File "/home/me/train.py", line 12 in step`. A path may hold anything but a line's end. The text
// may begin within a stack that was written for another rank: frames count behind a head line.
std::string innermost_python_line(std::string_view stack) {
  constexpr std::string_view head = " (most recent call first):\n";
  const std::size_t end_of_head = stack.find(head);
  if (end_of_head == std::string_view::npos) return {};
  stack.remove_prefix(end_of_head);
  constexpr std::string_view file = "  File \"";
  constexpr std::string_view number = "\", line ";
  const std::size_t begin = stack.find(file);
  const std::size_t end = begin == std::string_view::npos ? begin : stack.find('\n', begin);
  if (end == std::string_view::npos) return {};
  const std::string_view line = stack.substr(begin + file.size(), end - begin - file.size());
  const std::size_t of_number = line.rfind(number);
  const std::size_t of_function = line.rfind(" in ");
  if (of_number == std::string_view::npos || of_function == std::string_view::npos || of_function < of_number)
    return {};
  const std::string_view path = line.substr(0, of_number);
  return fmt::format("{} ({}:{})", line.substr(of_function + 4), path.substr(path.rfind('/') + 1),
                     line.substr(of_number + number.size(), of_function - of_number - number.size()));
}

std::string python_line(pid_t process, pid_t thread) {
  constexpr std::chrono::milliseconds longest(100);
  const std::optional<StackFile> file = stack_file_of(process);
  std::error_code error;
  if (!file || !handles(process, file->signal)) return {};
  const std::uintmax_t before = std::filesystem::file_size(file->path, error);
  if (error || syscall(SYS_tgkill, process, thread, file->signal) != 0) return {};
  const auto end = std::chrono::steady_clock::now() + longest;
  while (std::chrono::steady_clock::now() < end) {
    if (std::string line = innermost_python_line(text_from(file->path, before)); !line.empty()) return line;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

}  // namespace tutti::runtime
