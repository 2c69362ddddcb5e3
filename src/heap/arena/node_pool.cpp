#include "heap/arena/node_pool.hpp"

#include <new>

#include "heap/arena/system.hpp"

namespace tutti::heap {
namespace {

constexpr std::size_t chunk = std::size_t{64} << 10;

}  // namespace

bool NodePool::grow() noexcept {
  std::byte* const memory = own_pages(chunk);
  if (memory == nullptr) return false;
  for (std::size_t at = 0; at < chunk; at += sizeof(Node)) {
    spare_ = new (memory + at) Node{spare_};
    ++spares_;
  }
  return true;
}

bool NodePool::prepare(std::size_t nodes) noexcept {
  while (spares_ < nodes) {
    if (!grow()) return false;
  }
  return true;
}

void* NodePool::do_allocate(std::size_t bytes, std::size_t) {
  if (bytes > sizeof(Node) || !prepare(1)) throw std::bad_alloc();
  Node* const node = spare_;
  spare_ = node->next;
  --spares_;
  return node;
}

void NodePool::do_deallocate(void* memory, std::size_t, std::size_t) {
  spare_ = new (memory) Node{spare_};
  ++spares_;
}

}  // namespace tutti::heap
