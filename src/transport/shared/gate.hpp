/// @file
/// What lets helpers write into this rank's memory, and can be shut.
#pragma once

#include <cstdint>

namespace tutti::runtime {

/// A byte that peers write, by the same call of the system, before what they mean to write: PeerMemory::write(). Once
/// the gate is shut that byte cannot be written, so that such a call writes nothing. A peer that is stopped cannot have
/// passed the gate and not have written yet, because a process stops outside of the system's calls.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  /// Where it is, for peers; made when first asked for, and 0, which no peer can write to, where there is no memory.
  std::uint64_t address();
  /// For good. Nothing else ever comes to lie at its address.
  void shut() noexcept;

 private:
  void* page_ = nullptr;
  bool is_shut_ = false;
};

}  // namespace tutti::runtime
