/// @file
/// Places of an MSCCL file's chunks in the buffers that a schedule has.
#pragma once

#include "schedule/record/script.hpp"
#include "schedule_file/msccl.hpp"

namespace tutti::msccl {

/// Buffers i and o are a schedule's input and output, but for three things: a file in place has one for both, of an
/// all-gather and a reduce-scatter at the rank's own block; a broadcast's message lies in the output; and an input that
/// the file writes into lies in scratch, behind its own, after a copy.
class ChunkPlaces {
 public:
  /// `elements` a chunk; the algorithm outlives the places.
  ChunkPlaces(const MscclAlgorithm& algorithm, std::int64_t elements);

  Problem problem() const;
  Slice of(const Chunks& chunks, std::size_t rank) const;
  /// The first element of scratch that no chunk uses.
  std::int64_t scratch_end(std::size_t rank) const;

  /// Records the copies that precede the steps.
  void begin(Script& me) const;
  /// Records the copy that follows them.
  void end(Script& me) const;

 private:
  bool is_in_place(Collective collective) const { return algorithm_.in_place && algorithm_.collective == collective; }
  std::int64_t custom_chunks_each() const;
  int chunks_each() const { return algorithm_.chunks / static_cast<int>(algorithm_.gpus.size()); }
  std::int64_t input_at(std::size_t rank) const { return algorithm_.gpus[rank].scratch_chunks * elements_; }

  const MscclAlgorithm& algorithm_;
  std::int64_t elements_;
  bool input_in_scratch_ = false;
};

}  // namespace tutti::msccl
