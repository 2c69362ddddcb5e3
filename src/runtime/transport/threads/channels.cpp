#include "runtime/transport/threads/channels.hpp"

namespace tutti::runtime {

Channels::Channels(int ranks)
    : ranks_(ranks),
      table_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)),
      reading_(static_cast<std::size_t>(ranks)) {}

Channels::~Channels() {
  for (std::atomic<Channel*>& entry : table_) delete entry.load(std::memory_order_relaxed);
}

Channel& Channels::between(int from, int to) {
  std::atomic<Channel*>& entry =
      table_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to)];
  // Acquire: who finds the pointer sees the channel that it points to, as its maker's exchange released it.
  if (Channel* found = entry.load(std::memory_order_acquire)) return *found;
  auto fresh = std::make_unique<Channel>();
  Channel* expected = nullptr;
  if (entry.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire)) {
    return *fresh.release();
  }
  return *expected;
}

}  // namespace tutti::runtime
