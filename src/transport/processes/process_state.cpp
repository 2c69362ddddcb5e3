#include "transport/processes/process_state.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

namespace tutti::runtime {
namespace {

/// Whether /proc numbers processes as this one does: it may be that of another namespace.
bool has_proc_of_here() {
  std::array<char, 16> own{};
  const ssize_t length = readlink("/proc/self", own.data(), own.size());
  return length > 0 && std::string(own.data(), static_cast<std::size_t>(length)) == std::to_string(getpid());
}

}  // namespace

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
