/// @file
/// One cell of a benchmark: a collective at one size, what its buffers hold, and what must come out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tutti/collective.hpp"

namespace tutti::measure {

/// A collective of doubles over ranks, root 0, operator sum.
///
/// `bytes` is the size of the vector that is called the message: the whole message for broadcast, reduce, all-reduce
/// and scan; for the collectives of blocks the p blocks together, the long side of the call: what the root of a scatter
/// gives and of a gather gets, what a rank of an all-gather or all-to-all has afterwards, what a rank of a
/// reduce-scatter or all-to-all has before. Blocks have bytes / p each, whole elements, one at least. A barrier has no
/// size.
struct Cell {
  Collective collective = Collective::barrier;
  int ranks = 1;
  std::int64_t bytes = 0;

  /// The elements of the message, or of one block.
  std::int64_t count() const;
  /// The bytes of the message as it is sent: `bytes` rounded to whole elements and blocks.
  std::int64_t whole_bytes() const;
  /// Elements that `rank` reads, and writes. A broadcast has one buffer, which is the output everywhere.
  std::int64_t input_count(int rank) const;
  std::int64_t output_count(int rank) const;
};

/// Throws `Error` for a cell that is not measured: an exclusive scan, a shift; ranks below 1; a negative size.
void check(const Cell& cell);

/// Bytes that all ranks together must read and write, each input once and each output once:
///
///     broadcast       reads m         writes (p - 1) m        m = whole_bytes()
///     reduce          reads p m       writes m
///     all-reduce      reads p m       writes p m
///     scan            reads p m       writes p m
///     scatter         reads m         writes m
///     gather          reads m         writes m
///     all-gather      reads m         writes p m
///     reduce-scatter  reads p m       writes m
///     all-to-all      reads p m       writes p m
///     barrier         nothing
struct CellTraffic {
  std::int64_t read = 0;
  std::int64_t written = 0;

  friend bool operator==(const CellTraffic&, const CellTraffic&) = default;
};
CellTraffic traffic_of(const Cell& cell);

/// The part of what is read that at least has to come from another rank where n cores have the ranks, n <= p:
///
///     broadcast, all-gather                       1            every byte goes to another rank
///     reduce, all-reduce, scan, reduce-scatter    (n - 1) / p  n ranks' numbers meet n - 1 times
///     scatter, gather, all-to-all                 (n - 1) / n  blocks that stay on their core do not move
double part_from_others(const Cell& cell, int n);

/// Whether each rank hears of each other before its call ends: all-reduce, all-gather, reduce-scatter, all-to-all and
/// barrier. In the others some ranks may run ahead.
bool is_mutual(Collective collective);

/// Bytes a second that a rank's link carries at best algorithms: m / t times a factor of p.
///
/// all-reduce 2 (p - 1) / p; reduce-scatter, all-gather, all-to-all, scatter and gather (p - 1) / p; broadcast and
/// reduce 1; scan as reduce; 0 for a barrier. Source: NVIDIA, nccl-tests, doc/PERFORMANCE.md, "Bus bandwidth", and for
/// scatter and gather src/scatter.cu and src/gather.cu, which count m as here.
double bus_bandwidth(const Cell& cell, double seconds);

/// Writes what `rank` contributes to call number `call`: integers below 2^24 that depend on rank, call and position, so
/// that sums are exact. `data` is its input, or the root's buffer of a broadcast.
void contribute(int rank, std::uint64_t call, std::span<double> data);

/// A sentence about the first element of `output` that is not the result of that call on that rank; nothing where all
/// are right.
std::optional<std::string> find_flaw(const Cell& cell, int rank, std::uint64_t call, std::span<const double> output);

}  // namespace tutti::measure
