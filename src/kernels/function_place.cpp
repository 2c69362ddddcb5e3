#include <dlfcn.h>

#include "tutti/detail/operator.hpp"

namespace tutti::detail {

// Asked at every call with such an operator: _dl_find_object takes some nanoseconds, dladdr, which also looks for the
// function's name, microseconds. Code that no loader knows of, such as a compiler's at run time, has no place but its
// address.
std::uint64_t place_of_function(std::uintptr_t address) {
  dl_find_object object = {};
  if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return address;  // NOLINT: only looked up
  return address - reinterpret_cast<std::uintptr_t>(object.dlfo_map_start);
}

}  // namespace tutti::detail
