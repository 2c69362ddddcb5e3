/// @file
/// What the ranks of one communicator share.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/board.hpp"
#include "runtime/transport/threads/channels.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// A communicator as all of its ranks see it: who they are, what they sign, how they reach one another, and whether it
/// failed.
class Group {
 public:
  /// `members` are the ranks of the whole run, in the communicator's order.
  Group(std::uint64_t identity, std::vector<int> members);

  std::uint64_t identity() const { return identity_; }
  /// " of communicator 3", after a call in a sentence; nothing for the communicator of all ranks.
  std::string suffix() const;
  int size() const { return static_cast<int>(members_.size()); }
  /// The rank in the whole run of the communicator's `rank`.
  int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  /// The communicator's rank of a rank of the whole run.
  std::optional<int> rank_of(int member) const;

  Board& board() { return board_; }
  Channels& channels() { return channels_; }

  bool failed() const { return channels_.closed.load(std::memory_order_acquire); }
  /// Ends all operations, on every rank, with this error. The first call counts.
  void fail(ErrorCode code, const std::string& message);
  /// The error that ended the communicator. Only once failed.
  Error error() const;

 private:
  std::uint64_t identity_;
  std::vector<int> members_;
  Board board_;
  Channels channels_;
  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace tutti::runtime
