#include "support/child.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

namespace tutti::test {
namespace {

std::string text_of(const std::function<std::string()>& function) {
  try {
    return function();
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = read(file, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  return text;
}

}  // namespace

std::string in_child(const std::function<std::string()>& function) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    const std::string text = text_of(function);
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);  // not exit(): the parent's test goes on in the parent alone
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("the child process died: " + text);
  return text;
}

bool has_own_shared_memory(std::size_t bytes) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  const std::string size = "size=" + std::to_string(bytes);
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", 0, size.c_str()) == 0;
}

}  // namespace tutti::test
