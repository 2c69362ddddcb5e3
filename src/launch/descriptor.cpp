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

}  // namespace tutti::launch
