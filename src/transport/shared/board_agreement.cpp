#include "transport/shared/board_agreement.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tutti::runtime {

bool BoardAgreement::may_enter(std::uint64_t number) {
  if (number < free_below_) return true;
  std::uint64_t least = number;
  for (int rank = 0; rank < control_.ranks() && least + collective_slots > number; ++rank) {
    // Acquire: this rank's reads from the call slot, of slots and of board entries, come before they are written again.
    if (rank != rank_) least = std::min(least, control_.counters(rank).completed.load(std::memory_order_acquire));
  }
  if (least + collective_slots <= number) return false;
  compare_until(least);
  free_below_ = least + collective_slots;
  return !disputed_;
}

// All ranks have entered all collectives below `number`, and none can have entered one that overwrites their digests:
// that needs this rank to have completed a collective which it enters only after this comparison.
void BoardAgreement::compare_until(std::uint64_t number) {
  const BoardLine& mine = control_.board(rank_);
  for (; compared_ < number && !disputed_; ++compared_) {
    const std::size_t at = compared_ % kept_calls;
    const bool balanced = has_balance(mine.signatures[at]);
    bool all_agree = true;
    std::uint64_t balance = 0;
    for (int rank = 0; rank < control_.ranks() && all_agree; ++rank) {
      all_agree = control_.digests(rank).of[at] == digests_.of[at];
      if (balanced) balance += control_.board(rank).balances[at];
    }
    if (all_agree && balance == 0) continue;
    disputed_ = compared_;
    return;
  }
}

void BoardAgreement::sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) {
  BoardLine& mine = control_.board(rank_);
  const std::size_t at = number % kept_calls;
  // Programs repeat themselves: often what is to be written is there already. Then the lines stay in the caches of the
  // ranks that compare them.
  const bool is_there = digests_.of[at] == signature.digest && mine.balances[at] == signature.balance;
  if (!is_there || signature.purpose != Purpose::collective) {
    mine.signatures[at] = signature;
    mine.balances[at] = signature.balance;
    digests_.of[at] = signature.digest;
    if (signature.purpose != Purpose::collective) control_.meeting(number, rank_) = {signature.color, signature.key};
    if (!counts.empty()) mine.signatures[at].key = keep_counts(at, counts);
  }
  entered_ = number + 1;
  // Release: publishes the signature, acquired by has_signed() of every rank.
  counters_.entered.store(entered_, std::memory_order_release);
  alarm_.ring_for_calls();
  if (signature.purpose != Purpose::collective) meet(number);
}

// Ranks that have come to a meeting sleep until the last one comes: were they woken by each, p ranks would be woken
// p * p times. Where a rank comes for something else, they find it when their sleep ends.
void BoardAgreement::meet(std::uint64_t number) {
  const auto p = static_cast<std::uint32_t>(control_.ranks());
  // Release, acquire: the last one has seen what all others signed before it looks for sleepers, so that the barrier
  // of a sleeper (sleep_word.hpp) stands for all of them: it comes after the last one's look, and the sleeper sees all
  // signatures, or the last one sees the sleeper.
  std::atomic<std::uint32_t>& met = control_.header().met[number % collective_slots];
  if ((met.fetch_add(1, std::memory_order_acq_rel) + 1) % p == 0) alarm_.ring_for_meeting();
}

/// Keeps counts in memory that all ranks can read; written again when the signature is, for the same reasons.
std::int64_t BoardAgreement::keep_counts(std::size_t at, std::span<const std::int64_t> counts) {
  Counts& list = counts_[at];
  if (list.bytes < counts.size_bytes()) {
    memory_.free(list.memory);
    list = {};
    list = {memory_.allocate(counts.size_bytes()), counts.size_bytes()};
  }
  std::memcpy(list.memory, counts.data(), counts.size_bytes());
  return static_cast<std::int64_t>(memory_.address_of(list.memory));
}

std::vector<std::int64_t> BoardAgreement::counts(int rank, std::uint64_t number) {
  const Signature& signed_with = signature(rank, number);
  if (signed_with.key == 0 || signed_with.purpose != Purpose::collective) return {};
  std::vector<std::int64_t> counts(counts_of(signed_with, control_.ranks()));
  std::memcpy(counts.data(), memory_.pointer_to(static_cast<std::uint64_t>(signed_with.key), 0),
              counts.size() * sizeof(std::int64_t));
  return counts;
}

bool BoardAgreement::has_signed(int rank, std::uint64_t number) {
  // Acquire: the signature was written before; so was all that the signer completed.
  return control_.counters(rank).entered.load(std::memory_order_acquire) > number;
}

const Signature& BoardAgreement::signature(int rank, std::uint64_t number) {
  return control_.board(rank).signatures[number % kept_calls];
}

// A rank that came for something else has another digest, and left no words of this number.
MeetingWords BoardAgreement::meeting_words(int rank, std::uint64_t number) {
  const BoardMeeting& words = control_.meeting(number, rank);
  return {digest(rank, number), words.color, words.key};
}

// Told for several collectives at once, because each telling takes the line away from those who look at it: a broadcast
// of 8 bytes takes 230 ns a call if every call is told at once, and 90 ns like this.
void BoardAgreement::complete(std::uint64_t number) {
  completed_ = number;
  // Relaxed: looked at by who has seen this rank's end, which comes after it.
  counters_.finished.store(number, std::memory_order_relaxed);
  if (completed_ - told_completed_ >= collective_slots / 2) flush();
}

bool BoardAgreement::has_completed(int rank, std::uint64_t number) {
  // Relaxed: for words alone.
  return (rank == rank_ ? completed_ : control_.counters(rank).completed.load(std::memory_order_relaxed)) > number;
}

void BoardAgreement::flush() {
  if (completed_ == told_completed_) return;
  told_completed_ = completed_;
  // Release: what this rank has read in the collectives below comes before others write there again.
  counters_.completed.store(completed_, std::memory_order_release);
  alarm_.ring_for_calls();
}

bool BoardAgreement::has_finished(int rank, std::uint64_t number) const {
  return control_.counters(rank).finished.load(std::memory_order_relaxed) > number;
}

bool BoardAgreement::settled() {
  if (std::exchange(settling_, entered_) != entered_) come_ = 0;
  for (; entered_ > 0 && come_ < control_.ranks(); ++come_) {
    if (!has_signed(come_, entered_ - 1)) return false;
  }
  compare_until(entered_);
  return !disputed_;
}

void BoardAgreement::tell(std::uint64_t number, std::uint64_t word) {
  BoardLine& mine = control_.board(rank_);
  mine.words[number % collective_slots] = word;
  // Release: publishes the word, and what it stands for.
  mine.told[number % collective_slots].store(number + 1, std::memory_order_release);
  alarm_.ring_for_meeting();
}

std::optional<std::uint64_t> BoardAgreement::told(int rank, std::uint64_t number) {
  const BoardLine& line = control_.board(rank);
  // Acquire: pairs with tell().
  if (line.told[number % collective_slots].load(std::memory_order_acquire) != number + 1) return std::nullopt;
  return line.words[number % collective_slots];
}

std::vector<std::byte*> BoardAgreement::let_go_counts() {
  std::vector<std::byte*> held;
  for (Counts& each : counts_) {
    if (each.memory != nullptr) held.push_back(each.memory);
    each = {};
  }
  return held;
}

}  // namespace tutti::runtime
