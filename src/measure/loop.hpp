/// @file
/// The one loop that measures a collective, the same for tutti and for those it is measured beside.
///
/// Measured is a batch: one call or more, one after the other without waiting in between, each with buffers and data of
/// its own. All ranks meet in a barrier, note the time, make the calls, and note the time again; the batch counts as
/// the longest of the ranks' times, divided by the number of calls. A figure is the median over batches; p99 is over
/// batches too, so that with several calls a batch it is that of their means.
///
/// Changing data. Buffers rotate (buffers.hpp): when a set's turn comes, the other sets have been written and read since.
/// As soon as a set has been used its inputs are rewritten for its next turn, with numbers that depend on rank, call
/// and position, so that no two calls are alike and a result that was left over from another call is a wrong one.
///
/// Warm data. On request all calls have the same buffers, as in a program that calls in a loop: what fits into a cache
/// stays there. The calls of a batch then have the same numbers, which are rewritten between batches.
///
/// Fresh memory. On request each call has memory of its own, as in a program that allocates in every iteration: allocated,
/// written to its end by its owner, used once, and freed. The call alone is measured, a batch each.
///
/// Checks. After every batch, every element of its last call is compared with the result, and for messages of up to
/// 64 KiB those of all its calls. This happens outside the measured time, and so does the rewriting.
///
/// Not measured are plans made ahead, pinned ranks, in-place buffers, other roots than 0. Calls that let a rank run
/// ahead (a broadcast's root) overlap with the next call of the batch, as they do in programs.
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>

#include "base/check.hpp"
#include "measure/buffers.hpp"
#include "measure/pace.hpp"

namespace tutti::measure {

/// A rank of a library that has collectives.
template <typename Subject>
concept Measurable = requires(Subject subject, Collective collective, std::span<double> data) {
  { subject.rank() } -> std::same_as<int>;
  { subject.size() } -> std::same_as<int>;
  /// The collective with root 0 and operator sum, on buffers as `Cell` sizes them.
  subject.call(collective, data, data);
  subject.barrier();
  /// Each value becomes its maximum over the ranks.
  subject.max_over_ranks(data);
  { subject.allocate(std::size_t{}) } -> std::same_as<std::shared_ptr<double>>;
};

struct LoopResult {
  Summary summary;
  std::size_t calls = 0;   ///< calls that the summary rests on
  std::uint64_t next = 0;  ///< the call for which the buffers are prepared now
};

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Makes one batch that begins with call number `first`: this rank's seconds.
template <Measurable Subject>
double time_batch(Subject& subject, const Cell& cell, const Buffers& buffers, std::uint64_t first, std::size_t calls) {
  // A rank that slept in the first barrier is awake in the second.
  subject.barrier();
  subject.barrier();
  const auto begin = Clock::now();
  for (std::uint64_t call = first; call < first + calls; ++call)
    subject.call(cell.collective, buffers.input(call), buffers.output(call));
  return seconds_since(begin);
}

/// Buffers of a call.
enum class BufferReuse : std::uint8_t {
  rotating,  ///< others than the calls before it
  warm,      ///< always the same
  fresh,     ///< allocated for it, and freed after it
};

/// Compares the results of the batch, and prepares its sets for their next turn. Throws `Error` for a wrong element.
inline void finish_batch(const Cell& cell, int rank, const Buffers& buffers, std::uint64_t first, std::size_t calls) {
  constexpr std::int64_t checked_whole = 64 * 1024;
  const std::uint64_t last = first + calls - 1;
  for (std::uint64_t call = cell.bytes <= checked_whole ? first : last; call <= last; ++call) {
    if (const auto flaw = find_flaw(cell, rank, call, buffers.output(call))) fail(ErrorCode::internal, "{}", *flaw);
  }
  for (std::uint64_t call = first; call <= last; ++call) buffers.prepare(call + buffers.sets());
}

/// Ends a batch whose calls all had the data of its first; those of the next have one more set of numbers.
inline void finish_warm_batch(const Cell& cell, int rank, const Buffers& buffers, std::uint64_t first,
                              std::size_t calls) {
  if (const auto flaw = find_flaw(cell, rank, first, buffers.output(first))) fail(ErrorCode::internal, "{}", *flaw);
  buffers.prepare(first + calls);
}

/// Measures the cell, on buffers that are prepared for call number `first` and those after it.
template <Measurable Subject>
LoopResult measure_on(const Buffers& buffers, std::uint64_t first, Subject& subject, const Cell& cell,
                      const Effort& effort, BufferReuse use) {
  constexpr std::size_t most_warm_calls = 128;
  const int rank = subject.rank();
  const bool warm = use == BufferReuse::warm;
  Pace pace(warm ? most_warm_calls : buffers.sets(), effort);
  const auto begin = Clock::now();
  for (std::size_t calls = pace.next(); calls > 0; calls = pace.next()) {
    const double seconds = time_batch(subject, cell, buffers, first, calls);
    warm ? finish_warm_batch(cell, rank, buffers, first, calls) : finish_batch(cell, rank, buffers, first, calls);
    std::array<double, 2> slowest{seconds, seconds_since(begin)};
    subject.max_over_ranks(slowest);
    pace.record(slowest[0] / static_cast<double>(calls), slowest[1]);
    first += calls;
  }
  return {pace.summary(), pace.calls(), first};
}

/// Measures the cell in memory that each call has for itself.
template <Measurable Subject>
LoopResult measure_fresh(Subject& subject, const Cell& cell, const Effort& effort, const Allocate& allocate) {
  const int rank = subject.rank();
  Pace pace(1, effort);
  const auto begin = Clock::now();
  std::uint64_t call = 0;
  for (; pace.next() > 0; ++call) {
    double seconds = 0;
    {
      const Buffers buffers(cell, rank, 1, allocate);
      buffers.prepare(call);
      seconds = time_batch(subject, cell, buffers, call, 1);
      if (const auto flaw = find_flaw(cell, rank, call, buffers.output(call))) fail(ErrorCode::internal, "{}", *flaw);
    }
    std::array<double, 2> slowest{seconds, seconds_since(begin)};
    subject.max_over_ranks(slowest);
    pace.record(slowest[0], slowest[1]);
  }
  return {pace.summary(), pace.calls(), call};
}

/// Measures the cell; a collective call, with the same result on every rank. Throws `Error` on a rank whose result is
/// wrong.
template <Measurable Subject>
LoopResult measure(Subject& subject, const Cell& cell, const Effort& effort, BufferReuse use = BufferReuse::rotating) {
  check(cell);
  const Allocate allocate = [&](std::size_t count) { return subject.allocate(count); };
  if (use == BufferReuse::fresh) return measure_fresh(subject, cell, effort, allocate);
  const Buffers buffers(cell, subject.rank(), use == BufferReuse::warm ? 1 : sets_for(cell), allocate);
  return measure_on(buffers, 0, subject, cell, effort, use);
}

/// One cell on one rank, for several subjects in turn. They have the same buffers, which rotate: what the first has to
/// find, pages that are new to a process or to its peers, is there for all that come after it, and long buffers take
/// longer to make than to use.
class CellMeasurement {
 public:
  CellMeasurement(const Cell& cell, int rank, const Allocate& allocate)
      : cell_(cell), buffers_((check(cell), cell), rank, sets_for(cell), allocate) {}

  const Buffers& buffers() const { return buffers_; }

  /// Measures one subject: see measure::measure().
  template <Measurable Subject>
  LoopResult measure(Subject& subject, const Effort& effort) {
    const LoopResult measured = measure_on(buffers_, next_, subject, cell_, effort, BufferReuse::rotating);
    next_ = measured.next;
    return measured;
  }

 private:
  Cell cell_;
  Buffers buffers_;
  std::uint64_t next_ = 0;
};

}  // namespace tutti::measure
