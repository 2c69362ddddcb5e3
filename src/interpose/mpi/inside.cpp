#include "interpose/mpi/inside.hpp"

#include "interpose/stack.hpp"

namespace tutti::interpose {

bool Inside::is_outermost_there(const void* entry) {
  const bool is_there = is_on_the_stack(outermost, entry);
  if (!is_there) depth = 0;
  return is_there;
}

}  // namespace tutti::interpose
