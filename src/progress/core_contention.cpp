#include "progress/core_contention.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tutti::runtime {
namespace {

/// Attributes of Linux's sched_getattr() and sched_setattr(); the C library has neither of them.
struct Attributes {
  std::uint32_t size = sizeof(Attributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // time slice in nanoseconds, under the usual policy
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};
static_assert(sizeof(Attributes) == 48, "the first version of the system's structure");

/// Returns the attributes of the calling thread, if it has a time slice.
std::optional<Attributes> own_attributes() {
  Attributes own;
  if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) != 0) return {};
  if ((own.policy != SCHED_OTHER && own.policy != SCHED_BATCH) || own.runtime == 0) return {};
  return own;
}

}  // namespace

std::int64_t involuntary_switches() {
  rusage used = {};
  return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nivcsw : 0;
}

std::optional<std::chrono::nanoseconds> time_slice() {
  const std::optional<Attributes> own = own_attributes();
  if (!own) return {};
  return std::chrono::nanoseconds(own->runtime);
}

void shorten_time_slice() {
  thread_local bool is_asked = false;
  if (is_asked) return;
  is_asked = true;
  constexpr std::uint64_t wanted = std::chrono::nanoseconds(shortest_slice).count();
  std::optional<Attributes> own = own_attributes();
  if (!own || own->runtime <= wanted) return;
  own->runtime = wanted;
  syscall(SYS_sched_setattr, 0, &*own, 0);
}

}  // namespace tutti::runtime
