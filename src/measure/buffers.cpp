#include "measure/buffers.hpp"

#include <algorithm>
#include <new>

#include "base/check.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"

namespace tutti::measure {
namespace {

constexpr std::int64_t most_sets = 128;
constexpr std::int64_t fewest_sets = 4;
constexpr std::int64_t large = std::int64_t{1} << 18;
constexpr std::size_t line = 128 / sizeof(double);  // two cache lines, which hardware fetches together

std::size_t stride_of(std::int64_t count) { return (static_cast<std::size_t>(count) + line - 1) / line * line; }

// More than any machine has, and half of it, too.
constexpr std::int64_t most_set_bytes = std::int64_t{1} << 61;

}  // namespace

std::shared_ptr<double> plain_memory(std::size_t count) {
  constexpr std::align_val_t alignment{128};
  return {static_cast<double*>(::operator new(std::max<std::size_t>(count, 1) * sizeof(double), alignment)),
          [](double* memory) { ::operator delete(memory, alignment); }};
}

std::size_t sets_for(std::int64_t message_bytes, std::int64_t set_bytes, int ranks) {
  const std::int64_t each = std::clamp<std::int64_t>(set_bytes, 1, most_set_bytes);
  // Twice what the caches hold: with one time, part of a set would still be there when its turn comes.
  const std::int64_t caches =
      message_bytes >= large ? shared_cache_bytes() + cores() * own_cache_bytes() : ranks * own_cache_bytes();
  const std::int64_t wanted = std::clamp((2 * caches + each - 1) / each, fewest_sets, most_sets);
  const std::int64_t possible = memory_bytes() / 2 / each;
  require(possible >= 2, "messages of {} over {} ranks need {} of memory, more than half of what there is here",
          text_of(Bytes{message_bytes}), ranks, text_of(Bytes{2 * each}));
  return static_cast<std::size_t>(std::min(wanted, possible));
}

std::size_t sets_for(const Cell& cell) {
  double each = 0;  // for ranks together it may be more than an integer holds
  for (int rank = 0; rank < cell.ranks; ++rank)
    each += sizeof(double) * static_cast<double>(cell.input_count(rank) + cell.output_count(rank));
  const double limited = std::min(each, static_cast<double>(most_set_bytes));
  return sets_for(cell.whole_bytes(), static_cast<std::int64_t>(limited), cell.ranks);
}

Buffers::Buffers(const Cell& cell, int rank, std::size_t sets, const Allocate& allocate)
    : cell_(cell),
      rank_(rank),
      sets_(sets),
      input_stride_(stride_of(cell.input_count(rank))),
      output_stride_(stride_of(cell.output_count(rank))),
      inputs_(allocate(sets * input_stride_)),
      outputs_(allocate(sets * output_stride_)) {
  // Every page is there before the first call.
  std::fill_n(inputs_.get(), sets * input_stride_, 0.0);
  std::fill_n(outputs_.get(), sets * output_stride_, 0.0);
  for (std::size_t call = 0; call < sets; ++call) prepare(call);
}

std::span<double> Buffers::input(std::uint64_t call) const {
  return {inputs_.get() + call % sets_ * input_stride_, static_cast<std::size_t>(cell_.input_count(rank_))};
}

std::span<double> Buffers::output(std::uint64_t call) const {
  return {outputs_.get() + call % sets_ * output_stride_, static_cast<std::size_t>(cell_.output_count(rank_))};
}

void Buffers::prepare(std::uint64_t call) const {
  const bool at_root = cell_.collective == Collective::broadcast && rank_ == 0;
  contribute(rank_, call, at_root ? output(call) : input(call));
}

}  // namespace tutti::measure
