/// @file
/// Memory for what an arena knows of its blocks.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace tutti::heap {

/// Nodes of 64 bytes from pages of the library's own: whoever frees memory must not have to allocate some. Nodes that
/// come back are kept. For one thread at a time; never destroyed.
class NodePool final : public std::pmr::memory_resource {
 public:
  constexpr NodePool() = default;

  /// Makes sure that so many nodes can be had without the system; false where it has no more memory.
  bool prepare(std::size_t nodes) noexcept;

 private:
  struct Node {
    alignas(64) Node* next;
  };

  bool grow() noexcept;
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  Node* spare_ = nullptr;
  std::size_t spares_ = 0;
};

}  // namespace tutti::heap
