/// @file
/// Task of an executor.
#pragma once

#include <cstdint>

#include "schedule/rewrite/compiled_program.hpp"
#include "transport/interfaces/channel.hpp"

namespace tutti::runtime {

/// Buffers, program and peers of a run; all of it outlives the run.
struct Task {
  /// One collective may run so many compiled programs, one after the other.
  static constexpr std::uint64_t parts = 4;

  const CompiledProgram* compiled = nullptr;
  const Bindings* bindings = nullptr;
  Combination how;
  std::uint64_t call = 0;    ///< the collective's number
  std::uint32_t part = 0;    ///< index among the collective's compiled programs, from 0
  std::uint64_t digest = 0;  ///< digest of the collective's signature: messages of another call are not touched

  int call_slot() const { return static_cast<int>(call % collective_slots); }
  std::int64_t bytes(std::int64_t elements) const { return elements * how.element_size; }
  /// Returns the address of a range of one slice.
  std::byte* at(const SliceRange& range) const { return bindings->at(compiled->slices(range).front()); }
  const FoldOperand& operand(const FoldStep& fold, std::uint32_t k) const {
    return compiled->operands[fold.first_operand + k];
  }
  /// Messages of a call slot are numbered by call, part and index. The first of a call finds its place free, because
  /// all ranks have completed the call slot's last call; all others come after one that may not have been read yet.
  Route route(int peer, std::uint32_t index) const {
    const std::uint64_t number = ((call + 1) * parts + part) * most_messages + index;
    return {peer, call_slot(), number, index == 0 && part == 0 ? 0 : number - 1, index == 0};
  }
};

}  // namespace tutti::runtime
