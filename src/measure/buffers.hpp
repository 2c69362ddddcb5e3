/// @file
/// The rotating sets of buffers that make the data of every call fresh.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "measure/cell.hpp"

namespace tutti::measure {

/// Room for that many doubles, from whoever measures.
using Allocate = std::function<std::shared_ptr<double>(std::size_t)>;
/// From the C++ library, as a std::vector's.
std::shared_ptr<double> plain_memory(std::size_t count);

/// Returns how many sets a cell rotates over. A call's data then was last touched that many calls ago: small messages
/// have left the first cache, messages of 256 KiB and more every cache. Throws `Error` if two sets a rank are more than
/// half of the machine's memory.
std::size_t sets_for(const Cell& cell);
/// Returns the number of sets for any buffers: `set_bytes` a set in all ranks together, for a message of
/// `message_bytes`.
std::size_t sets_for(std::int64_t message_bytes, std::int64_t set_bytes, int ranks);

/// One rank's input and output of the cell, so many times. Each begins on a cache line of its own.
class Buffers {
 public:
  Buffers(const Cell& cell, int rank, std::size_t sets, const Allocate& allocate);

  std::size_t sets() const { return sets_; }
  /// The buffers of a call: set number call mod sets().
  std::span<double> input(std::uint64_t call) const;
  std::span<double> output(std::uint64_t call) const;
  /// Writes what this rank contributes to that call.
  void prepare(std::uint64_t call) const;

 private:
  Cell cell_;
  int rank_;
  std::size_t sets_;
  std::size_t input_stride_;
  std::size_t output_stride_;
  std::shared_ptr<double> inputs_;
  std::shared_ptr<double> outputs_;
};

}  // namespace tutti::measure
