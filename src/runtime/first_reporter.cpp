#include "runtime/first_reporter.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>

namespace tutti::runtime {

namespace {

// Address of a socket that is no file: the place of that number among those who have the text to tell.
struct Place {
  Place(std::string_view text, int number) {
    const std::string name =
        fmt::format("tutti-told-{}-{}-{:x}-{}", getuid(), getppid(), std::hash<std::string_view>()(text), number);
    address.sun_family = AF_UNIX;
    const auto end =
        std::copy_n(name.begin(), std::min(name.size(), sizeof(address.sun_path) - 1), address.sun_path + 1);
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(end - address.sun_path));
  }

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t bytes = 0;
};

bool is_taken(const Place& place) {
  const int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  const bool answers = connect(probe, place.get(), place.bytes) == 0;
  close(probe);
  return answers;
}

}  // namespace

// A process that has the text to tell binds a socket of the first place that is free, which is gone with it.
bool is_first_reporter(std::string_view text) {
  const int mark = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (mark < 0) return true;
  for (int number = 0;; ++number) {
    const Place place(text, number);
    if (bind(mark, place.get(), place.bytes) == 0) return number == 0;
    if (errno == EADDRINUSE) continue;
    close(mark);
    return number == 0;
  }
}

void await_reporters(std::string_view text, int processes, std::chrono::milliseconds at_most) {
  constexpr std::chrono::milliseconds between_looks(5);
  const Place last(text, processes - 1);
  const auto end = std::chrono::steady_clock::now() + at_most;
  while (!is_taken(last) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(between_looks);
}

}  // namespace tutti::runtime
