/// @file
/// Interruption: lets the caller of the library end a wait, as Python does at Ctrl-C.
#pragma once

#include <atomic>
#include <string>

namespace tutti {

/// Returns why this process is to give up what it waits for; empty: it goes on.
using Interruption = std::string (*)();

/// Interruption of this process; null: there is none. Release and acquire: what the function looks at was made before
/// it was set.
inline std::atomic<Interruption> interruption = nullptr;

/// Asks the interruption, if there is one.
inline std::string reason_to_interrupt() {
  const Interruption look = interruption.load(std::memory_order_acquire);
  return look == nullptr ? std::string() : look();
}

}  // namespace tutti
