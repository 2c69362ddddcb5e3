#include "mpi_job/process/stack.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>

namespace tutti::interpose {
namespace {

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The file of the process that holds a function.
const void* holder_of(const void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 ? info.dli_fbase : nullptr;
}

/// Looks for the frame that holds an address of the stack, from the deepest frame on.
struct FrameSearch {
  std::uintptr_t address = 0;
  const void* function = nullptr;  // some place in the frame's code
  bool is_passed = false;          // whether a frame above it was seen
};

_Unwind_Reason_Code look(_Unwind_Context* frame, void* state) {
  auto& search = *static_cast<FrameSearch*>(state);
  // The unwinder tells the frame's lower end: where the frame that it has called ends.
  if (_Unwind_GetCFA(frame) > search.address) {
    search.is_passed = true;
    return _URC_END_OF_STACK;
  }
  search.function = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
  return _URC_NO_REASON;
}

}  // namespace

// The stack grows downwards. A frame of the program's own, or one that begins above the object, has taken the place of
// the frame that is asked for. Where a walk ends before, because somebody's code says nothing of its frames, all that
// lived is taken to live on.
bool is_on_the_stack(const void* object, const void* entry) {
  if (number_of(entry) >= number_of(object)) return false;
  FrameSearch search{.address = number_of(object)};
  _Unwind_Backtrace(look, &search);
  return !search.is_passed || holder_of(search.function) == holder_of(reinterpret_cast<void*>(&look));
}

}  // namespace tutti::interpose
