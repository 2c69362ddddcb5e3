#include "launch/descriptor.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "base/check.hpp"

namespace tutti::launch {

Pipe Pipe::make() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    fail(ErrorCode::unsupported, "no pipe to be had ({}): run fewer ranks or raise the limit of open files (ulimit -n)",
         std::generic_category().message(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::optional<rlimit> allow_many_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  const rlimit before = limit;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

void fill_standard_descriptors() {
  int file = 0;
  do {
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) close(file);
}

}  // namespace tutti::launch
