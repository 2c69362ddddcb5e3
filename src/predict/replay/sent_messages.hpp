/// @file
/// Messages of a replay, found by sender, receiver and number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/acyclic.hpp"
#include "schedule/rewrite/program_compiler.hpp"

namespace tutti {

struct SentMessage {
  double ready = -1;  ///< not sent yet
  double taken = -1;  ///< not yet
  bool is_short = false;
  int turns = 0;        ///< turns of its sender as it was sent
  int taken_turns = 0;  ///< turns of its receiver as it was taken
};

/// The messages of a pair of ranks lie one after the other, those of all pairs in one row.
class SentMessages {
 public:
  /// Forgets all, and has room for those that so many ranks send; `program(rank)` is a rank's.
  template <typename ProgramOf>
  void make_room(std::size_t ranks, ProgramOf&& program) {
    ranks_ = ranks;
    first_.assign(ranks * ranks + 1, 0);
    for (std::size_t from = 0; from < ranks; ++from) {
      for (const SendStep& send : program(from).sends) ++first_[pair_of(from, send.peer) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    sent_.assign(first_.back(), SentMessage());
  }

  SentMessage& at(int from, int to, std::uint32_t index) { return sent_[first_[pair_of(from, to)] + index]; }

  /// Whether that message is on its way; one that nobody ever sends is not.
  bool is_sent(int from, int to, std::uint32_t index) const {
    const std::size_t at = first_[pair_of(from, to)] + index;
    return at < first_[pair_of(from, to) + 1] && sent_[at].ready >= 0;
  }

  /// See Sums::runs_ahead. Where there are no messages nobody ever waits, ahead or not.
  bool run_ahead() const {
    if (sent_.empty()) return false;
    std::vector<std::vector<int>> receivers(ranks_);
    for (std::size_t pair = 0; pair + 1 < first_.size(); ++pair) {
      const std::size_t messages = first_[pair + 1] - first_[pair];
      if (messages == 0) continue;
      if (messages > 1 || !sent_[first_[pair]].is_short) return false;
      receivers[pair / ranks_].push_back(static_cast<int>(pair % ranks_));
    }
    return is_acyclic(receivers);
  }

 private:
  template <typename From, typename To>
  std::size_t pair_of(From from, To to) const {
    return static_cast<std::size_t>(from) * ranks_ + static_cast<std::size_t>(to);
  }

  std::size_t ranks_ = 0;
  std::vector<std::size_t> first_;  // by sender and receiver: where the messages between them begin
  std::vector<SentMessage> sent_;
};

}  // namespace tutti
