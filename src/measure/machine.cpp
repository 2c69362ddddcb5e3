#include "measure/machine.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/units.hpp"

namespace tutti::measure {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

std::int64_t asked(int name, std::int64_t otherwise) {
  const long answer = sysconf(name);
  return answer > 0 ? answer : otherwise;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "unknown processor";
}

}  // namespace

int cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return static_cast<int>(asked(_SC_NPROCESSORS_ONLN, 1));
  return std::max(1, CPU_COUNT(&allowed));
}

std::int64_t shared_cache_bytes() { return asked(_SC_LEVEL3_CACHE_SIZE, 32 * mebibyte); }
std::int64_t own_cache_bytes() { return asked(_SC_LEVEL2_CACHE_SIZE, mebibyte); }
std::int64_t memory_bytes() { return asked(_SC_PHYS_PAGES, 1 << 20) * asked(_SC_PAGESIZE, 4096); }

std::string machine_in_words() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} cores, {} of cache each and {} shared, {} {}", processor(), cores(),
                     text_of(Bytes{own_cache_bytes()}), text_of(Bytes{shared_cache_bytes()}), system.sysname,
                     system.release);
}

}  // namespace tutti::measure
