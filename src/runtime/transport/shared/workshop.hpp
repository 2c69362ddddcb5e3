/// @file
/// Folds over memory of several ranks, done together by those who have nothing else to do.
#pragma once

#include <vector>

#include "runtime/transport/shared/block.hpp"
#include "runtime/transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// One rank's part in the work on a communicator's tickets.
///
/// A rank that receives is busy, while the rank that sends only waits for it: so large folds are cut into chunks, which
/// the receiver, from the front, and those who wait for it claim one by one. The result does not depend on who did
/// what: elements do not depend on one another.
class Workshop {
 public:
  Workshop(const Block& block, int rank, const std::vector<int>& members, PeerMemory& memory)
      : block_(block), rank_(rank), members_(members), memory_(memory) {}

  /// Computes the fold, with help where it is large. False if a rank has ended whose memory or help it needs.
  bool carry_out(const Fold& fold, const Combination& how, int lane);
  /// Works on what `peer` carries out on the lane, if anything is left of it.
  void help(int peer, int lane, const Combination& how);

 private:
  bool share(const Fold& fold, const Combination& how, Ticket& ticket);
  bool work(Ticket& ticket, const Fold& fold, const Combination& how);
  bool fold_part(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                 detail::Stores stores);
  bool fold_through_stage(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes);
  const void* brought(const Stretch& from, std::byte* stage, bool& reached) const;
  TellStretch told(const Stretch& stretch) const;
  int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  bool someone_is_lost() const;

  Block block_;
  int rank_;
  const std::vector<int>& members_;
  PeerMemory& memory_;
  std::uint64_t tickets_ = 0;
  std::vector<std::byte> stage_;
  std::vector<const void*> pointers_;
};

}  // namespace tutti::runtime
