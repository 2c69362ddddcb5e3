#include "transport/shared/gate.hpp"

#include <sys/mman.h>

#include "heap/pages.hpp"

namespace tutti::runtime {

Gate::~Gate() {
  if (page_ != nullptr && !is_shut_) munmap(page_, heap::page);
}

std::uint64_t Gate::address() {
  if (page_ == nullptr) {
    void* const page = mmap(nullptr, heap::page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) page_ = page;
  }
  return reinterpret_cast<std::uintptr_t>(page_);
}

void Gate::shut() noexcept {
  if (page_ == nullptr || is_shut_) return;
  is_shut_ = true;
  mprotect(page_, heap::page, PROT_NONE);
}

}  // namespace tutti::runtime
