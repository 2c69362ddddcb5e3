#include "schedule_file/msccl_places.hpp"

#include <algorithm>

#include "base/integers.hpp"

namespace tutti::msccl {
namespace {

bool writes_input(const MscclAlgorithm& algorithm) {
  const auto writes = [](const Step& step) { return step.stores && step.target.buffer == Buffer::input; };
  return std::any_of(algorithm.gpus.begin(), algorithm.gpus.end(), [&](const Gpu& gpu) {
    return std::any_of(gpu.blocks.begin(), gpu.blocks.end(), [&](const ThreadBlock& block) {
      return std::any_of(block.steps.begin(), block.steps.end(), writes);
    });
  });
}

}  // namespace

ChunkPlaces::ChunkPlaces(const MscclAlgorithm& algorithm, std::int64_t elements)
    : algorithm_(algorithm), elements_(elements) {
  const bool in_output = algorithm.collective == Collective::broadcast || algorithm.in_place;
  input_in_scratch_ = is_in_place(Collective::reduce_scatter) || (!in_output && writes_input(algorithm));
}

Problem ChunkPlaces::problem() const {
  Problem problem{.collective = algorithm_.collective, .ranks = static_cast<int>(algorithm_.gpus.size())};
  if (algorithm_.is_custom) {
    problem.count = custom_chunks_each() * elements_;
    return problem;
  }
  problem.count = (has_blocks(problem.collective) ? chunks_each() : algorithm_.chunks) * elements_;
  problem.in_place = algorithm_.in_place && allows_in_place(problem.collective);
  return problem;
}

Slice ChunkPlaces::of(const Chunks& chunks, std::size_t rank) const {
  const Slice slice{chunks.buffer, chunks.first * elements_, chunks.count * elements_};
  const std::int64_t own = static_cast<std::int64_t>(rank) * chunks_each() * elements_;
  if (chunks.buffer == Buffer::input) {
    if (is_in_place(Collective::all_gather)) return {Buffer::output, own + slice.first, slice.count};
    if (input_in_scratch_) return {Buffer::scratch, input_at(rank) + slice.first, slice.count};
    if (algorithm_.collective == Collective::broadcast || algorithm_.in_place)
      return {Buffer::output, slice.first, slice.count};
  }
  if (chunks.buffer == Buffer::output && is_in_place(Collective::reduce_scatter))
    return {Buffer::scratch, input_at(rank) + own + slice.first, slice.count};
  return slice;
}

std::int64_t ChunkPlaces::scratch_end(std::size_t rank) const {
  const std::int64_t chunks = algorithm_.is_custom
                                  ? custom_chunks_each() * static_cast<std::int64_t>(algorithm_.gpus.size())
                                  : algorithm_.chunks;
  return input_at(rank) + (input_in_scratch_ ? chunks * elements_ : 0);
}

// An all-to-all's buffers of so many chunks a rank hold the longest input and output.
std::int64_t ChunkPlaces::custom_chunks_each() const {
  std::int64_t most = 1;
  for (const Gpu& gpu : algorithm_.gpus)
    most = std::max({most, std::int64_t{gpu.input_chunks}, std::int64_t{gpu.output_chunks}});
  return ceil_divide(most, static_cast<std::int64_t>(algorithm_.gpus.size()));
}

void ChunkPlaces::begin(Script& me) const {
  if (is_in_place(Collective::all_gather)) me.copy(me.output(me.rank()), me.input());
  const std::int64_t at = input_at(static_cast<std::size_t>(me.rank()));
  if (input_in_scratch_) me.copy(me.scratch(at, me.input().count), me.input());
  me.wait();
  for (const Copy& copy : algorithm_.gpus[static_cast<std::size_t>(me.rank())].copies) {
    const Slice from = of({Buffer::input, copy.input, 1}, static_cast<std::size_t>(me.rank()));
    const Slice to = of({Buffer::output, copy.output, 1}, static_cast<std::size_t>(me.rank()));
    if (from == to) continue;
    me.copy(to, from);
    me.wait();  // a later one may read what it writes, where both are of one buffer
  }
}

void ChunkPlaces::end(Script& me) const {
  if (is_in_place(Collective::reduce_scatter))
    me.copy(me.output(), of({Buffer::output, 0, chunks_each()}, static_cast<std::size_t>(me.rank())));
  me.wait();
}

}  // namespace tutti::msccl
