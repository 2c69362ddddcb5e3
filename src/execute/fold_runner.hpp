/// @file
/// The folds of a step, carried out as their operands come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execute/task.hpp"
#include "transport/interfaces/connection.hpp"

namespace tutti::runtime {

/// A fold under way.
struct OpenFold {
  const FoldStep* step = nullptr;
  Arrival* arrivals = nullptr;  ///< by operand
  std::uint32_t come = 0;       ///< the first so many operands have arrived, or begun to arrive
  std::int64_t folded = 0;      ///< bytes that are done
  bool done = false;
  bool is_lent = false;  ///< a copy that the receiver of a message makes, too: see find_receiver_copies()
};

/// A message of the right call that has another length than this rank expects.
struct OddMessage {
  int from = 0;
  std::int64_t bytes = 0;
  std::int64_t expected = 0;
};

/// Carries out the folds of one task. Small ones whose operands are at hand are computed here; of all others Folding
/// computes piece by piece what lies in one range of every operand.
class FoldRunner {
 public:
  /// Connection and task outlive this.
  FoldRunner(const Connection& connection, const Task& task)
      : channel_(connection.channel()),
        can_(connection.capabilities()),
        folding_(connection.folding()),
        failure_(connection.failure()),
        task_(task) {}

  /// Whether all operands of the fold are there.
  bool come(OpenFold& fold);
  /// Computes as much as has come, and says whether the fold is done. Only once come().
  bool advance(OpenFold& fold);
  /// Makes so many bytes of a lent copy from byte `first` on, or as many as there are.
  void copy_part(OpenFold& fold, std::int64_t first, std::int64_t most);
  /// Computes the fold piece by piece, from messages that are all there as a whole, at `from` by operand.
  void fold_pieces(const FoldStep& fold, std::span<const void* const> from);
  /// The one place where the fold's result goes.
  MemoryRange into(const FoldStep& fold) const {
    return MemoryRange::of(task_.at(fold.into), task_.bytes(fold.elements));
  }
  /// The fold has read its messages: their senders may go on.
  void release(const FoldStep& fold);
  /// Whether the message lies in its receiver's memory already, because a fold has stored its result there, too. `send`
  /// is its place among all sends.
  bool has_placed(std::uint32_t send) const { return std::find(placed_.begin(), placed_.end(), send) != placed_.end(); }
  /// Forgets which messages lie in their places already, but for those of these sends.
  void keep_placed(std::uint32_t first_send, std::uint32_t sends) {
    std::erase_if(placed_, [&](std::uint32_t send) { return send < first_send || send >= first_send + sends; });
  }

  /// Whether a message of another call has come, or of another length: ranks have called different things.
  bool met_another_call() const { return met_another_call_; }
  /// The message of this call that is not as long as it has to be, where one has come.
  const std::optional<OddMessage>& odd_message() const { return odd_message_; }
  void forget() {
    met_another_call_ = false;
    odd_message_.reset();
    placed_.clear();
  }

 private:
  bool carry_out(const OpenFold& fold);
  bool carry_out_pieces(const OpenFold& fold);
  bool carry_out_range(const OpenFold& fold, std::size_t sides, std::int64_t first, std::int64_t end,
                       std::int32_t copied);
  std::int32_t take_copy(const OpenFold& fold, LentCopy& lent);
  std::size_t bring_places(const OpenFold& fold, std::size_t first);
  bool may_fill(const OpenFold& fold, int peer, const OpenPlace& place) const;
  bool carry_out_parts(OpenFold& fold);
  std::optional<std::int64_t> next_part(const OpenFold& fold);
  void combine_at_hand(const OpenFold& fold);
  void bring_side(const OpenFold& fold, std::uint32_t k);
  void own(const SliceRange& range, std::vector<MemoryRange>& ranges) const;
  bool at_hand(const OpenFold& fold) const;
  bool reads_in_place(const OpenFold& fold) const;
  bool comes_in_parts(const OpenFold& fold) const;
  FoldKind kind_of(const FoldStep& fold) const;

  Channel& channel_;
  const ChannelCapabilities can_;
  Folding& folding_;
  Failure& failure_;
  const Task& task_;
  bool met_another_call_ = false;
  std::optional<OddMessage> odd_message_;
  std::vector<std::vector<MemoryRange>> sides_;
  std::vector<MemoryRange> operands_;
  std::vector<const void*> pointers_;
  std::vector<std::uint32_t> placed_;  // sends of the next step, or of this one
};

}  // namespace tutti::runtime
