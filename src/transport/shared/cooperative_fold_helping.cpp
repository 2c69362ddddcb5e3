// Helping with a fold of another rank's.

#include <algorithm>
#include <exception>
#include <new>

#include "transport/shared/cooperative_fold.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// While it lives, the owner of the job sees that this rank may have claimed a part of it. Ends with an exception, too.
class CooperativeFold::Helping {
 public:
  Helping(FoldJob& job, std::atomic<std::uint64_t>& helps, std::uint64_t place) : job_(job), helps_(helps) {
    // Relaxed: told by the operation after it.
    helps.store(place, std::memory_order_relaxed);
    // Sequentially consistent: see FoldJob.
    job.helpers.fetch_add(1, std::memory_order_seq_cst);
  }
  Helping(const Helping&) = delete;
  Helping& operator=(const Helping&) = delete;
  ~Helping() {
    // Release: the work was read before its owner writes it anew.
    job_.helpers.fetch_sub(1, std::memory_order_release);
    // Release: all of it was done before.
    helps_.store(0, std::memory_order_release);
  }

 private:
  FoldJob& job_;
  std::atomic<std::uint64_t>& helps_;
};

// False where this process has no room for the memory that the work is about: its owner does it without this rank.
bool CooperativeFold::hear(const FoldJob& job, int peer, Heard& heard) const {
  const auto here = [&](const ToldRange& told, int rank) {
    if (std::byte* const pointer = memory_.pointer_to(told.address, told.bytes))
      return MemoryRange::of(pointer, told.bytes);
    return MemoryRange{told.address, told.bytes, rank, rank == rank_};
  };
  const auto written = [&](const ToldRange& told) {
    return MemoryRange::of(memory_.writable_pointer_to(told.address, told.bytes), told.bytes);
  };
  try {
    for (std::size_t k = 0; k < static_cast<std::size_t>(job.operands); ++k)
      heard.operands.push_back(here(job.from[k], job.from_rank[k]));
    for (std::int32_t k = 0; k < job.places; ++k) {
      heard.also.push_back(written(job.also[static_cast<std::size_t>(k)]));
      if (heard.also.back().address == 0) return false;
    }
    heard.copied = job.copied;
    if (job.copy.bytes > 0) heard.copy = written(job.copy);
    if (job.copy.bytes > 0 && heard.copy.address == 0) return false;
    const ToldRange& told = job.into;
    std::byte* const own = memory_.writable_pointer_to(told.address, told.bytes);
    heard.into = own == nullptr ? MemoryRange{told.address, told.bytes, peer, false} : MemoryRange::of(own, told.bytes);
    return own != nullptr || !heard.fold().fills();
  } catch (const std::exception&) {
    return false;
  }
}

void CooperativeFold::help(int peer, int call_slot, const Combination& how) {
  FoldJob& job = control_.fold_job(peer, call_slot);
  // Acquire: pairs with the release in share().
  const std::uint64_t open = job.open.load(std::memory_order_acquire);
  if (!FoldJob::is_open(open, call_slot) || !helps_) return;
  const std::uint64_t place = ControlSegment::place_of_job(peer, call_slot) + 1;
  const Helping helping(job, control_.mark(rank_).helps, place);
  // Sequentially consistent: see FoldJob.
  if (job.open.load(std::memory_order_seq_cst) != open || job.claimed.load() >= job.bytes) return;
  const RoomInUse use(room_);
  Heard heard;
  const Filling filling(*this, job.places > 0 || job.copy.bytes > 0);
  if (!filling.may_write() || !hear(job, peer, heard) || !make_room(heard.fold(), how)) return;
  owners_gate_ = job.gate;
  work_as_helper(job, heard.fold(), how, place);
}

/// Takes now what memory the fold needs: from the first claim on no error may pass, because the owner waits for what
/// was claimed. False where there is none.
bool CooperativeFold::make_room(const Fold& fold, const Combination& how) {
  try {
    room_.pointers.reserve(fold.operands.size());
    if (needs_stage(fold)) make_stage(fold, how);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Claims chunks until there are no more, or the owner wants none.
void CooperativeFold::work_as_helper(FoldJob& job, const Fold& fold, const Combination& how, std::uint64_t place) {
  const detail::Stores stores = stores_for(job.bytes);
  // Relaxed: a look that comes too late costs a chunk's time.
  while (!has_failed() && job.open.load(std::memory_order_relaxed) != 0) {
    // Relaxed: claiming orders nothing; whoever claims has read the work already.
    const std::int64_t first = job.claimed.fetch_add(job.chunk, std::memory_order_relaxed);
    if (first >= job.bytes) return;
    const std::int64_t n = std::min(job.chunk, job.bytes - first);
    const std::int64_t done = fold_part(fold, how, first, n, stores);
    // Release: publishes what was written.
    job.done.fetch_add(done, std::memory_order_release);
    if (done == n) continue;
    const bool replaces = std::any_of(fold.operands.begin(), fold.operands.end(), [&](const MemoryRange& operand) {
      return operand.address == fold.into.address && operand.rank == fold.into.rank;
    });
    return give_back(job, place, first + done, written_ > 0 && replaces);
  }
}

void CooperativeFold::give_back(FoldJob& job, std::uint64_t place, std::int64_t first, bool is_spoiled) {
  helps_ = false;
  GivenBack& given = control_.given_back(rank_);
  // Relaxed: the owner does not open the job anew while this rank helps.
  given.open = job.open.load(std::memory_order_relaxed);
  given.first = first;
  given.is_spoiled = is_spoiled;
  // Release, both: publish what was given back.
  given.place.store(place, std::memory_order_release);
  job.given_back.fetch_add(1, std::memory_order_release);
}

}  // namespace tutti::runtime
