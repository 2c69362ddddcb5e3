#include "app/commands/machine/processors.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "tutti/operators.hpp"

namespace tutti::app {
namespace {

// None where the system does not say, as with more processors than the set has room for.
cpu_set_t processors_of_this_thread() {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_ZERO(&own);
  return own;
}

}  // namespace

cpu_set_t processors_of_all(Communicator& comm) {
  using Words = std::array<std::uint64_t, sizeof(cpu_set_t) / sizeof(std::uint64_t)>;
  auto words = std::bit_cast<Words>(processors_of_this_thread());
  comm.all_reduce(words, bitwise_or);
  return std::bit_cast<cpu_set_t>(words);
}

// An empty set is refused by the system, and then all stays as it is.
Unbound::Unbound(const cpu_set_t& processors) : before_(processors_of_this_thread()) {
  sched_setaffinity(0, sizeof processors, &processors);
}

Unbound::~Unbound() { sched_setaffinity(0, sizeof before_, &before_); }

}  // namespace tutti::app
