#include <algorithm>

#include "base/check.hpp"
#include "synthesize/forest.hpp"

namespace tutti::synthesize {
namespace {

/// Takes one switch after the other out, never making a cut too narrow.
///
/// What comes in over one link of a switch and leaves over another is split off: it becomes capacity between the two
/// nodes beside it. A cut loses as much as is split off where the switch is on one side of it and both nodes on the
/// other, so how much can be split off at most is what the narrowest of such cuts has to spare.
class TakenOut {
 public:
  TakenOut(const Capacities& capacities, const Supplies& supplies) : capacities_(capacities), supplies_(supplies) {}

  Capacities without_switches() {
    for (int node = capacities_.ranks(); node < capacities_.nodes(); ++node) take_out(node);
    Capacities ranks(capacities_.ranks(), capacities_.ranks());
    for (int from = 0; from < ranks.nodes(); ++from) {
      for (int to = 0; to < ranks.nodes(); ++to) ranks.at(from, to) = capacities_.at(from, to);
    }
    return ranks;
  }

 private:
  void take_out(int node) {
    while (share_out(node)) {
    }
    if (drop(node)) return;
    for (int from = 0; from < capacities_.nodes(); ++from) {
      for (int to = 0; to < capacities_.nodes(); ++to) {
        if (from != to) split_off(from, node, to);
      }
    }
    if (drop(node)) return;
    fail(ErrorCode::unsupported,
         "switch {} carries {} in and {} out, and no way is known to share that out among its ranks; give each of its "
         "links as much in both directions",
         node - capacities_.ranks(), capacities_.into(node), capacities_.out_of(node));
  }

  bool is_wide_enough() const { return !cut_too_narrow(capacities_, supplies_); }

  void move(int from, int node, int to, std::int64_t amount) {
    capacities_.at(from, node) -= amount;
    capacities_.at(node, to) -= amount;
    capacities_.at(from, to) += amount;
  }

  // Splits off between all nodes beside the switch at once, in proportion to their links: trees stay low where every
  // rank has a link to many others. Where that is too much, half of it, and so on; returns whether anything was.
  bool share_out(int node) {
    for (std::int64_t part = 1;; part *= 2) {
      const Capacities before = capacities_;
      if (!share_out(node, part)) return false;
      if (is_wide_enough()) return true;
      capacities_ = before;
    }
  }

  bool share_out(int node, std::int64_t part) {
    const Capacities before = capacities_;
    const std::int64_t all = before.out_of(node);
    bool any = false;
    for (int from = 0; from < before.nodes(); ++from) {
      const std::int64_t others = all - before.at(node, from);
      for (int to = 0; to < before.nodes() && others > 0; ++to) {
        const std::int64_t share = before.at(from, node) * before.at(node, to) / others / part;
        const std::int64_t amount = std::min({share, capacities_.at(from, node), capacities_.at(node, to)});
        if (from == to || amount == 0) continue;
        move(from, node, to, amount);
        any = true;
      }
    }
    return any;
  }

  void split_off(int from, int node, int to) {
    std::int64_t amount = std::min(capacities_.at(from, node), capacities_.at(node, to));
    while (amount > 0) {
      move(from, node, to, amount);
      const auto cut = cut_too_narrow(capacities_, supplies_);
      if (!cut) return;
      move(from, node, to, -amount);
      amount -= cut->supply - cut->capacity;
    }
  }

  // Whether the switch is not needed any more; if so, it is gone.
  bool drop(int node) {
    const Capacities before = capacities_;
    for (int other = 0; other < capacities_.nodes(); ++other) {
      capacities_.at(node, other) = 0;
      capacities_.at(other, node) = 0;
    }
    if (is_wide_enough()) return true;
    capacities_ = before;
    return false;
  }

  Capacities capacities_;
  Supplies supplies_;
};

}  // namespace

Capacities without_switches(const Capacities& capacities, const Supplies& supplies) {
  return TakenOut(capacities, supplies).without_switches();
}

}  // namespace tutti::synthesize
