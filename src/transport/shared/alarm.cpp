#include "transport/shared/alarm.hpp"

namespace tutti::runtime {

void wake_all(std::span<RankRecord> records) {
  for (RankRecord& record : records) {
    if (record.sleep_word().is_woken_by(WokenBy::messages)) record.sleep_word().wake();
  }
}

void Alarm::wake(int peer) const {
  SleepWord& word = word_of(peer);
  if (word.is_woken_by(WokenBy::messages)) word.wake();
}

void Alarm::wake_for_calls() const {
  for (std::size_t peer = 0; peer < members_->size(); ++peer) {
    SleepWord& word = word_of(static_cast<int>(peer));
    if (word.is_woken_by(WokenBy::calls)) word.wake();
  }
}

void Alarm::ring_for_failure() const {
  for (std::size_t peer = 0; peer < members_->size(); ++peer) wake(static_cast<int>(peer));
}

// Relaxed: the barrier that follows orders it.
void Alarm::prepare_sleep(WokenBy what) const {
  header_->sleepers.fetch_add(1, std::memory_order_relaxed);
  if (what == WokenBy::calls) header_->call_sleepers.fetch_add(1, std::memory_order_relaxed);
}

void Alarm::finish_sleep(WokenBy what) const {
  header_->sleepers.fetch_sub(1, std::memory_order_relaxed);
  if (what == WokenBy::calls) header_->call_sleepers.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace tutti::runtime
