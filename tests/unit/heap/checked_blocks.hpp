/// @file
/// Blocks of memory that are filled, changed and checked: of the program `allocating`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tutti::test {

using Random = std::mt19937_64;

/// Ends the program with a line on standard error that says what is wrong.
void expect(bool is_right, const char* words);

/// Whether the block lies where ranks share memory.
bool is_shared(const void* block);

bool is_zero(const unsigned char* memory, std::size_t bytes);

/// Bytes that say which block they belong to and where they lie in it.
struct Block {
  unsigned char* memory = nullptr;
  std::size_t bytes = 0;
  std::uint64_t filling = 0;

  std::uint64_t word(std::size_t k) const { return filling * 0x9e3779b97f4a7c15 + k; }
  void fill(std::uint64_t with, std::size_t from = 0) {
    filling = with;
    const std::size_t words = bytes / sizeof(std::uint64_t);
    auto* const to = reinterpret_cast<std::uint64_t*>(memory);
    for (std::size_t k = from / sizeof(std::uint64_t); k < words; ++k) to[k] = word(k);
    for (std::size_t k = words * sizeof(std::uint64_t); k < bytes; ++k) memory[k] = static_cast<unsigned char>(with);
  }
  bool is_whole(std::size_t first_bytes) const {
    const std::size_t words = std::min(bytes, first_bytes) / sizeof(std::uint64_t);
    const auto* const from = reinterpret_cast<const std::uint64_t*>(memory);
    for (std::size_t k = 0; k < words; ++k) {
      if (from[k] != word(k)) return false;
    }
    for (std::size_t k = bytes / 8 * 8; k < std::min(bytes, first_bytes); ++k) {
      if (memory[k] != static_cast<unsigned char>(filling)) return false;
    }
    return true;
  }
  bool is_whole() const { return is_whole(bytes); }
};

/// Gives the block another size, by realloc(), and other content.
void resize(Random& random, Block& block, std::uint64_t filling);

/// Random calls; content, alignment and sizes are checked. Returns how many blocks were shared.
int churn(Random& random, int rounds, std::size_t most_blocks);

std::vector<Block> some_blocks(Random& random);

void expect_whole(const std::vector<Block>& blocks, const char* words);

}  // namespace tutti::test
