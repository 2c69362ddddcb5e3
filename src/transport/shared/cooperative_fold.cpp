#include "transport/shared/cooperative_fold.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>

#include "base/system/tell_user.hpp"
#include "heap/pages.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

/// Chunks of a fold that peers may help with: it is shared from so many bytes on, where the least chunk takes longer
/// than claiming it, and cut into eight, or into chunks of such lengths.
struct FoldChunks {
  std::int64_t shared_from;
  std::int64_t least;
  std::int64_t largest;
};
constexpr FoldChunks chunks_at_hand{64 * 1024, 16 * 1024, 256 * 1024};
/// A chunk that the system reads costs a call of some 3 us more, or two for a helper. In an exchange each rank is busy
/// with copies of its own, and a copy in many calls is no gain; where a peer combines, it takes a part of the operands'
/// traffic: see docs/decisions/0009.
constexpr FoldChunks chunks_combined_by_system{512 * 1024, 128 * 1024, 256 * 1024};
constexpr FoldChunks chunks_copied_by_system{1024 * 1024, 512 * 1024, 1024 * 1024};
/// From here on a copy within memory that no peer reaches without the system goes past the caches. Shorter ones stay in
/// the last cache, from which the system then copies other operands.
constexpr std::int64_t private_copies_stream_from = 8 * 1024 * 1024;
/// Looks without a pause between two questions whether waiting makes sense at all.
constexpr std::uint32_t looks_between_questions = 64;
/// Share of the timeout for a helper: whoever waits for it knows more than those who wait for the two of them, and is
/// to speak first.
constexpr double share_of_timeout = 7.0 / 8;

bool is_read_by_system(const Fold& fold) {
  return std::any_of(fold.operands.begin(), fold.operands.end(),
                     [](const MemoryRange& operand) { return !operand.here; });
}

const FoldChunks& chunks_of(const Fold& fold) {
  if (!is_read_by_system(fold)) return chunks_at_hand;
  return fold.operands.size() > 1 ? chunks_combined_by_system : chunks_copied_by_system;
}

}  // namespace

bool CooperativeFold::carry_out(const Fold& fold, const Combination& how, int call_slot) {
  if (is_broken_) return false;
  const std::int64_t total = fold.into.bytes;
  const bool is_private = total >= chunks_at_hand.shared_from && is_private_copy(fold);
  // The user's own operators are not shared: they may throw, and only their rank's caller may be told.
  const bool library = how.op == nullptr || how.op->state == nullptr;
  const bool shares = library && !is_private && memory_.reaches_private() && total >= chunks_of(fold).shared_from &&
                      fold.operands.size() <= FoldJob::most_operands && fold.also.size() <= FoldJob::most_places;
  const bool is_cached = is_private && total < private_copies_stream_from;
  const detail::Stores stores = is_cached ? detail::Stores::cached : stores_for(total);
  const RoomInUse use(room_);
  const Filling filling(*this, fold.fills());
  const bool is_done =
      filling.may_write() && (shares ? share(fold, how, call_slot) : fold_part(fold, how, 0, total, stores) == total);
  is_broken_ = is_broken_ || !is_done;
  return is_done;
}

/// Whether the fold is a copy between two places that this rank alone reaches without the system. A helper would have
/// the system read and write all of it.
bool CooperativeFold::is_private_copy(const Fold& fold) const {
  if (memory_.is_common() || fold.operands.size() != 1 || fold.fills() || !is_here(fold)) return false;
  const int peer = member((rank_ + 1) % control_.ranks());
  return !memory_.lies_open(fold.into.pointer(), peer) && !memory_.lies_open(fold.operands.front().pointer(), peer);
}

/// From here to end_filling() this rank may write into memory of peers. False once the communicator has failed: then it
/// may be gone.
bool CooperativeFold::begin_filling() {
  // Sequentially consistent, this store and the load after it. Who withdraws has set `closed` before it looks here, so
  // that either this rank sees `closed`, or the other sees that this one may write: see SharedFailure, "Withdrawal".
  if (fillings_++ == 0) control_.mark(rank_).fills.store(1, std::memory_order_seq_cst);
  if (control_.header().closed.load(std::memory_order_seq_cst) == 0) return true;
  end_filling();
  return false;
}

void CooperativeFold::end_filling() {
  // Release: all was written before.
  if (--fillings_ == 0) control_.mark(rank_).fills.store(0, std::memory_order_release);
}

ToldRange CooperativeFold::told(const MemoryRange& range) const {
  if (range.told != 0) return {range.told, range.bytes};
  return {range.here ? memory_.address_of(range.pointer()) : range.address, range.bytes};
}

bool CooperativeFold::share(const Fold& fold, const Combination& how, int call_slot) {
  FoldJob& job = control_.fold_job(rank_, call_slot);
  // Sequentially consistent, after the store to `open` that closed the last work: see FoldJob.
  const auto is_free = [&](auto&) { return job.helpers.load(std::memory_order_seq_cst) == 0; };
  if (!wait(job, is_free)) return false;
  open(job, fold, how, call_slot);
  const std::int64_t total = job.bytes;
  const detail::Stores stores = stores_for(total);
  bool is_reached = true;
  while (is_reached) {
    // Relaxed: claiming orders nothing; whoever claims has read the work already.
    const std::int64_t first = job.claimed.fetch_add(job.chunk, std::memory_order_relaxed);
    if (first >= total) break;
    const std::int64_t n = std::min(job.chunk, total - first);
    is_reached = fold_part(fold, how, first, n, stores) == n;
    // Relaxed: this rank reads what it has written itself.
    if (is_reached) job.done.fetch_add(n, std::memory_order_relaxed);
  }
  std::int64_t before = 0;
  std::int32_t taken = 0;
  const auto is_done = [&](std::optional<WaitingTime>& waiting) {
    // Acquire, both: what helpers have written is there.
    if (job.given_back.load(std::memory_order_acquire) > taken && !take_back(fold, how, call_slot, taken)) return true;
    const std::int64_t done = job.done.load(std::memory_order_acquire);
    if (done > std::exchange(before, done)) waiting.reset();
    return done == total;
  };
  const bool is_complete = is_reached && wait(job, is_done) && job.done.load(std::memory_order_acquire) == total;
  // Relaxed: nobody is to claim anything more.
  if (!is_complete) job.claimed.store(total, std::memory_order_relaxed);
  job.open.store(0, std::memory_order_seq_cst);
  return is_complete;
}

void CooperativeFold::open(FoldJob& job, const Fold& fold, const Combination& how, int call_slot) {
  const std::int64_t total = fold.into.bytes;
  const FoldChunks& chunks = chunks_of(fold);
  const std::int64_t chunk = std::clamp(total / 8, chunks.least, chunks.largest) / how.element_size * how.element_size;
  job.bytes = total;
  job.chunk = std::max(chunk, how.element_size);
  job.operands = static_cast<std::int32_t>(fold.operands.size());
  job.places = static_cast<std::int32_t>(fold.also.size());
  job.into = told(fold.into);
  std::transform(fold.also.begin(), fold.also.end(), job.also.begin(), [&](const MemoryRange& s) { return told(s); });
  job.copy = told(fold.copy);
  job.copied = fold.copied;
  // Also for helpers that cannot map what others can.
  job.gate = memory_.is_common() ? 0 : gate_.address();
  for (std::size_t k = 0; k < fold.operands.size(); ++k) {
    job.from[k] = told(fold.operands[k]);
    job.from_rank[k] = fold.operands[k].rank < 0 ? rank_ : fold.operands[k].rank;
  }
  // Relaxed: published by `open`.
  job.claimed.store(0, std::memory_order_relaxed);
  job.done.store(0, std::memory_order_relaxed);
  job.given_back.store(0, std::memory_order_relaxed);
  jobs_ += 1;
  job.open.store(FoldJob::opened_as(jobs_, call_slot), std::memory_order_release);
  // Ranks whose memory it is about wait for it to be read, and may help.
  for (std::int32_t k = 0; k < job.operands; ++k) {
    const std::int32_t owner = job.from_rank[static_cast<std::size_t>(k)];
    if (owner != rank_) alarm_.ring(owner);
  }
}

// ---- Waiting for helpers

/// Looks until it is over, as long as that makes sense. `over` may reset the time that was waited.
template <typename Over>
bool CooperativeFold::wait(const FoldJob& job, const Over& over) {
  std::optional<WaitingTime> waiting;
  LateMoments late(failure_.late_after);
  for (std::uint32_t looks = 1; !over(waiting); ++looks) {
    if (looks % looks_between_questions == 0) {
      if (!waiting) late = LateMoments(failure_.late_after);
      if (!waiting) waiting.emplace();
      if (!may_wait(job, waiting->look(), late)) return false;
    }
    std::this_thread::yield();
  }
  return true;
}

/// Whether those who work on the job may still come to an end. If not, says why, unless others will.
bool CooperativeFold::may_wait(const FoldJob& job, WaitingTime::Duration waited, LateMoments& late) {
  memory_.watch();
  if (has_failed()) return false;
  std::string helpers;
  for (int rank = 0; rank < control_.ranks(); ++rank) {
    if (rank == rank_ || job_helped_by(rank) != &job) continue;
    // In this order: why a rank has failed is known before it has ended.
    if (memory_.ended(member(rank))) {
      if (memory_.lost(member(rank))) return false;
      trouble_.emplace(ErrorCode::peer_failed,
                       fmt::format("{} ended in the midst of a call: it had taken on a part of {}'s work",
                                   names_.full(rank), names_.full(rank_)));
      return false;
    }
    helpers += (helpers.empty() ? "" : " and ") + names_.full(rank);
  }
  if (helpers.empty()) helpers = "a peer";
  if (late.take(waited))
    tell_user(
        "tutti: no progress for {:.3g} s: {} waits for {} to end a part of its work, which is stopped or gets no "
        "core to run on; the wait goes on\n",
        std::chrono::duration<double>(waited).count(), names_.full(rank_), helpers);
  if (waited < failure_.timeout * share_of_timeout) return true;
  trouble_.emplace(
      ErrorCode::timeout,
      fmt::format("no progress for {:g} s ({}): {} waits for {} to end a part of its work, which is stopped or gets no "
                  "core to run on",
                  failure_.timeout.count(), failure_.remedy, names_.full(rank_), helpers));
  return false;
}

const FoldJob* CooperativeFold::job_helped_by(int rank) const {
  // Relaxed: who asks knows from the job, or from the mark's count, that there is something to see.
  const std::uint64_t helps = control_.mark(rank).helps.load(std::memory_order_relaxed);
  const std::uint64_t first = ControlSegment::place_of_job(rank_, 0) + 1;
  if (helps < first || helps >= first + FoldJob::of_a_rank) return nullptr;
  return &control_.fold_job(rank_, static_cast<int>(helps - first));
}

bool CooperativeFold::is_helped_by_system_calls(const FoldJob& job) const {
  return !memory_.is_common() && memory_.writable_pointer_to(job.into.address, 0) == nullptr;
}

bool CooperativeFold::may_be_written_by(int rank) const {
  // Sequentially consistent: see begin_filling(). Into whose places it writes does not matter: it seldom fails.
  if (control_.mark(rank).fills.load(std::memory_order_seq_cst) != 0) return true;
  const FoldJob* const job = job_helped_by(rank);
  return job != nullptr && !is_helped_by_system_calls(*job);
}

/// Does what helpers could not. False if that fails, too.
bool CooperativeFold::take_back(const Fold& fold, const Combination& how, int call_slot, std::int32_t& taken) {
  const FoldJob& job = control_.fold_job(rank_, call_slot);
  for (int rank = 0; rank < control_.ranks(); ++rank) {
    const GivenBack& given = control_.given_back(rank);
    // Acquire: pairs with the release in give_back(). Relaxed: this rank has opened the job itself.
    const bool is_mine =
        given.place.load(std::memory_order_acquire) == ControlSegment::place_of_job(rank_, call_slot) + 1 &&
        given.open == job.open.load(std::memory_order_relaxed);
    if (!is_mine || std::find(gave_up_.begin(), gave_up_.end(), rank) != gave_up_.end()) continue;
    gave_up_.push_back(rank);
    ++taken;
    const std::int64_t n = std::min((given.first / job.chunk + 1) * job.chunk, job.bytes) - given.first;
    if (given.is_spoiled) {
      trouble_.emplace(ErrorCode::peer_failed, fmt::format("{} could not write all of what it has computed for {}",
                                                           names_.full(rank), names_.full(rank_)));
      return false;
    }
    if (fold_part(fold, how, given.first, n, stores_for(job.bytes)) < n) return false;
    control_.fold_job(rank_, call_slot).done.fetch_add(n, std::memory_order_relaxed);
  }
  return true;
}

Gate::~Gate() {
  if (page_ != nullptr && !is_shut_) munmap(page_, heap::page);
}

std::uint64_t Gate::address() {
  if (page_ == nullptr) {
    void* const page = mmap(nullptr, heap::page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) page_ = page;
  }
  return reinterpret_cast<std::uintptr_t>(page_);
}

void Gate::shut() noexcept {
  if (page_ == nullptr || is_shut_) return;
  is_shut_ = true;
  mprotect(page_, heap::page, PROT_NONE);
}

}  // namespace tutti::runtime
