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

namespace tutti::runtime {

// The one who tells binds a socket of that name, which is gone with its process.
bool is_first_reporter(std::string_view text) {
  const std::string name =
      fmt::format("tutti-told-{}-{}-{:x}", getuid(), getppid(), std::hash<std::string_view>()(text));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // After a zero: of no file.
  const auto end = std::copy_n(name.begin(), std::min(name.size(), sizeof(address.sun_path) - 1), address.sun_path + 1);
  const int mark = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (mark < 0) return true;
  const auto bytes =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(end - address.sun_path));
  if (bind(mark, reinterpret_cast<const sockaddr*>(&address), bytes) == 0) return true;
  const bool is_told = errno == EADDRINUSE;
  close(mark);
  return !is_told;
}

}  // namespace tutti::runtime
