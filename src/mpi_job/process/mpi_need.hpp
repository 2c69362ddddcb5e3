/// @file
/// Need of MPI: notes when a rank of this host needs another rank's MPI to look.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tutti::interpose {

/// One-sided communication needs something of the ranks whose memory it is about, each time that their MPI looks: a
/// lock, an answer. A rank that calls for it notes the moment. A rank that waits for something else looks at that
/// moment, and stays awake for as long as others call again and again: if it napped between its looks, each such call
/// would last for a nap.
///
/// The ranks of a host share the moment. It is a hint, which orders nothing.
class MpiNeed {
 public:
  explicit MpiNeed(std::atomic<std::int64_t>& latest) : latest_(latest) {}

  void note() noexcept {
    const std::int64_t moment = now();
    // While many call, most of them only read what they share.
    if (moment - latest_.load(std::memory_order_relaxed) > recent / 8) latest_.store(moment, std::memory_order_relaxed);
  }
  bool is_recent() const noexcept {
    const std::int64_t latest = latest_.load(std::memory_order_relaxed);
    if (latest == 0) return false;
    const std::int64_t age = now() - latest;
    return 0 <= age && age < recent;
  }

 private:
  // Longer than a nap on a crowded host: a rank that naps while one call waits for it is awake from then on.
  static constexpr std::int64_t recent = std::chrono::nanoseconds(std::chrono::milliseconds(20)).count();

  static std::int64_t now() noexcept {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  std::atomic<std::int64_t>& latest_;
};

}  // namespace tutti::interpose
