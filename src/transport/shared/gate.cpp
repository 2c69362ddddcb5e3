#include "transport/shared/gate.hpp"

#include <sys/mman.h>

namespace tutti::runtime {
namespace {

constexpr std::size_t page_bytes = 4096;  // the system rounds up

}  // namespace

Gate::~Gate() {
  if (page_ != nullptr && !is_shut_) munmap(page_, page_bytes);
}

std::uint64_t Gate::address() {
  if (page_ == nullptr) {
    void* const page = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) page_ = page;
  }
  return reinterpret_cast<std::uintptr_t>(page_);
}

void Gate::shut() noexcept {
  if (page_ == nullptr || is_shut_) return;
  is_shut_ = true;
  mprotect(page_, page_bytes, PROT_NONE);
}

}  // namespace tutti::runtime
