#include "mpi_job/job/reentrancy_guard.hpp"

#include "mpi_job/process/stack.hpp"

namespace tutti::interpose {

bool ReentrancyGuard::is_outermost_there(const void* entry) {
  const bool is_there = is_on_the_stack(reinterpret_cast<const void*>(outermost), entry);
  if (!is_there) depth = 0;
  return is_there;
}

}  // namespace tutti::interpose
