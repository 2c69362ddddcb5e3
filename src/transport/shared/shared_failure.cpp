#include "transport/shared/shared_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/system/waiting_time.hpp"

namespace tutti::runtime {
namespace {

/// Time that a peer which does no harm has to end its work, after a failure: any call of the system ends within.
constexpr std::chrono::seconds harmless_wait(1);
/// Looks of a rank that waits for that: consecutive ones, then with naps between them.
constexpr int yields = 1000;
constexpr std::chrono::microseconds nap(200);

}  // namespace

bool SharedFailure::begin_reading() {
  std::atomic<std::uint64_t>& mark = control_.mark(rank_).count;
  // Sequentially consistent, this store and the load after it: see "Withdrawal".
  if (readings_++ == 0) mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  if (control_.header().closed.load(std::memory_order_seq_cst) == 0) return true;
  end_reading();
  return false;
}

void SharedFailure::end_reading() noexcept {
  std::atomic<std::uint64_t>& mark = control_.mark(rank_).count;
  // Release: the reads are over before a peer that withdraws sees the mark gone.
  if (--readings_ == 0) mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void SharedFailure::fail(ErrorCode code, const std::string& message) {
  ErrorRecord& record = control_.error(rank_);
  if (failed() || record.taken.exchange(true, std::memory_order_relaxed)) return;
  record.code = code;
  const std::size_t n = std::min(message.size(), record.text.size() - 1);
  std::copy_n(message.begin(), n, record.text.begin());
  std::uint32_t open = 0;
  // Sequentially consistent: see "Withdrawal". It also releases the record.
  control_.header().closed.compare_exchange_strong(open, static_cast<std::uint32_t>(rank_) + 1,
                                                   std::memory_order_seq_cst);
  alarm_.ring_for_failure();
}

Error SharedFailure::error() const {
  // Acquire: pairs with fail(), whoever called it.
  const std::uint32_t closed = control_.header().closed.load(std::memory_order_acquire);
  const ErrorRecord& record = control_.error(static_cast<int>(closed) - 1);
  return {record.code, record.text.data()};
}

void SharedFailure::withdraw() noexcept {
  // Nobody begins to read any more, so that one wait is enough for all operations.
  if (std::exchange(withdrawn_, true)) return;
  cooperative_fold_.shut_gate();
  for (int peer = 0; peer < control_.ranks(); ++peer) {
    if (peer != rank_) wait_for_reader(peer);
  }
}

// Its error ends the process, because withdraw() lets none pass: see "Withdrawal".
void SharedFailure::wait_for_reader(int peer) const {
  const std::atomic<std::uint64_t>& mark = control_.mark(peer).count;
  // Sequentially consistent: comes after the store to `closed`. It also acquires the end of the peer's reads.
  const std::uint64_t seen = mark.load(std::memory_order_seq_cst);
  if (seen % 2 == 0) return;
  WaitingTime waiting;
  // Acquire: the peer's reads are over.
  for (int looks = 0; mark.load(std::memory_order_acquire) == seen; ++looks) {
    if (memory_.ended(members_[static_cast<std::size_t>(peer)])) return;
    memory_.watch();
    const WaitingTime::Duration waited = waiting.look();
    const bool writes = cooperative_fold_.may_be_written_by(peer);
    const bool may_harm = writes || memory_.is_common();
    if (!may_harm && waited >= std::min<std::chrono::duration<double>>(leaving_time(), harmless_wait)) return;
    if (waited >= leaving_time()) {
      throw Error(
          ErrorCode::timeout,
          fmt::format("rank {} cannot leave its failed call ({}), because rank {} has been {} its memory for {:g} s",
                      names_.in_communicator(rank_), error().what(), names_.in_communicator(peer),
                      writes ? "writing into" : "reading", leaving_time().count()));
    }
    if (looks < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
}

}  // namespace tutti::runtime
