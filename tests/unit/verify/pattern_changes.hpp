/// @file
/// Changes to what all ranks do alike: both ends of a message at a time, so that it still arrives.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti::testing {

enum class PatternChange : std::uint8_t {
  redirect,       ///< a message travels another distance
  other_blocks,   ///< a message has each time the next block
  lose,           ///< a message less
  repeat,         ///< a message once more, in a step of its own
  same_operands,  ///< a reduction combines one of its operands with itself
  move_scratch,   ///< scratch lies one block further on, wherever it is used
};
inline constexpr std::array pattern_changes{PatternChange::redirect,      PatternChange::other_blocks,
                                            PatternChange::lose,          PatternChange::repeat,
                                            PatternChange::same_operands, PatternChange::move_scratch};

/// Makes one change to a pattern, whose ranks are alike by those turns, at a place drawn by lot.
class PatternChanger {
 public:
  PatternChanger(Program pattern, const RankSymmetry& turns, std::mt19937_64& random)
      : pattern_(std::move(pattern)), turns_(turns), p_(turns.ranks()), random_(random) {}

  /// Nothing where the change does not apply.
  std::optional<Program> make(PatternChange change) {
    return apply(change) ? std::optional(std::move(pattern_)) : std::nullopt;
  }

 private:
  using Difference = std::ptrdiff_t;
  struct Ends {
    std::size_t send;
    std::size_t receive;
  };

  bool apply(PatternChange change) {
    if (change == PatternChange::same_operands) return same_operands();
    if (change == PatternChange::move_scratch) return move_scratch();
    const auto ends = some_message();
    if (!ends) return false;
    switch (change) {
      case PatternChange::redirect:
        return redirect(*ends);
      case PatternChange::other_blocks:
        return move_on(pattern_.ops[ends->send]) && move_on(pattern_.ops[ends->receive]);
      case PatternChange::lose:
        return lose(*ends);
      default:
        return repeat(*ends);
    }
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  // A send, and what receives it at the rank where it goes: the pattern's receive of the same step from as far.
  std::optional<Ends> some_message() {
    std::vector<Ends> all;
    for (std::size_t begin = 0; begin < pattern_.ops.size(); begin = pattern_.step_end(begin)) {
      const std::size_t end = pattern_.step_end(begin);
      for (std::size_t send = begin; send < end; ++send) {
        if (pattern_.ops[send].kind != OpKind::send) continue;
        for (std::size_t at = begin; at < end; ++at) {
          if (pattern_.ops[at].receives() && pattern_.ops[at].peer == turns_.back(pattern_.ops[send].peer)) {
            all.push_back({send, at});
            break;
          }
        }
      }
    }
    if (all.empty()) return std::nullopt;
    return all[below(all.size())];
  }

  bool redirect(const Ends& ends) {
    if (p_ < 3) return false;
    const int distance = 1 + static_cast<int>(below(static_cast<std::size_t>(p_ - 1)));
    pattern_.ops[ends.send].peer = distance;
    pattern_.ops[ends.receive].peer = turns_.back(distance);
    return true;
  }

  // The operation's slices get a place of their own in the pool, because others may share them.
  bool move_on(Op& op) {
    const std::uint32_t lists = op.slices + op.operand + op.second;
    if (lists == 0) return false;
    const auto fresh = static_cast<std::uint32_t>(pattern_.pool.size());
    for (std::uint32_t k = 0; k < lists; ++k) {
      Slice slice = pattern_.pool[op.at + k];
      if (slice.end() < p_) ++slice.first;
      pattern_.pool.push_back(slice);
    }
    op.at = fresh;
    return true;
  }

  void remove(std::size_t at) {
    const bool begins_step = at == 0 || pattern_.ops[at - 1].ends_step;
    if (pattern_.ops[at].ends_step && !begins_step) pattern_.ops[at - 1].ends_step = true;
    pattern_.ops.erase(pattern_.ops.begin() + static_cast<Difference>(at));
    if (at < pattern_.ops.size()) pattern_.ops[at].chained = false;
  }

  bool lose(const Ends& ends) {
    remove(std::max(ends.send, ends.receive));
    remove(std::min(ends.send, ends.receive));
    return true;
  }

  bool repeat(const Ends& ends) {
    Op send = pattern_.ops[ends.send];
    Op receive = pattern_.ops[ends.receive];
    send.ends_step = send.chained = receive.chained = false;
    receive.ends_step = true;
    const auto after = static_cast<Difference>(pattern_.step_end(ends.send));
    pattern_.ops.insert(pattern_.ops.begin() + after, {send, receive});
    return true;
  }

  bool same_operands() {
    std::vector<Op*> all;
    for (Op& op : pattern_.ops) {
      if (op.kind == OpKind::reduce && op.operand == op.second) all.push_back(&op);
    }
    if (all.empty()) return false;
    Op& op = *all[below(all.size())];
    const auto fresh = static_cast<std::uint32_t>(pattern_.pool.size());
    for (std::uint32_t k = 0; k < op.slices + op.operand; ++k) pattern_.pool.push_back(Slice(pattern_.pool[op.at + k]));
    for (std::uint32_t k = 0; k < op.operand; ++k) pattern_.pool.push_back(Slice(pattern_.pool[op.at + op.slices + k]));
    op.at = fresh;
    return true;
  }

  bool move_scratch() {
    bool is_used = false;
    for (Slice& slice : pattern_.pool) {
      if (slice.buffer != Buffer::scratch) continue;
      if (slice.end() >= p_) return false;
      ++slice.first;
      is_used = true;
    }
    pattern_.scratch = p_;
    return is_used;
  }

  Program pattern_;
  RankSymmetry turns_;
  int p_;
  std::mt19937_64& random_;
};

}  // namespace tutti::testing
