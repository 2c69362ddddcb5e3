#include "algorithms/scan/halved_prefix.hpp"

#include <algorithm>
#include <vector>

#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

/// Consecutive elements of the message.
struct Part {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// The places in the tree, a power of two, and the ranks that work for them.
class Places {
 public:
  explicit Places(int ranks) : size_(floor_power_of_two(ranks)), shared_(ranks - size_) {}

  int size() const { return size_; }
  bool is_shared(int rank) const { return rank < 2 * shared_; }
  int of(int rank) const { return is_shared(rank) ? rank / 2 : rank - shared_; }
  int rank(int place) const { return place < shared_ ? 2 * place + 1 : place + shared_; }

 private:
  int size_;
  int shared_;  // the first ones, of two ranks each
};

/// A place's ways up and down: `own` is its contribution; afterwards `prefix` is what comes before it, and is left
/// alone at place 0.
class Climb {
 public:
  Climb(Script& me, const Places& places, const Slice& own, const Slice& prefix, std::int64_t scratch)
      : me_(me),
        places_(places),
        place_(places.of(me.rank())),
        top_(floor_log2(places.size()) - 1),
        prefix_(prefix),
        next_scratch_(scratch),
        parts_{{0, own.count}},
        totals_{own},
        befores_{Slice{}} {
    const Blocks blocks = Blocks::parts_of(own.count, std::max(1, places.size() / 2));
    int first = 0;
    for (int height = 0, width = blocks.size() / 2; height < top_; ++height, width /= 2) {
      if (is_upper(height)) first += width;
      parts_.push_back({blocks.first(first), blocks.first(first + width) - blocks.first(first)});
    }
  }

  void up_and_down() {
    me_.phase("totals climb");
    for (int height = 0; height < top_; ++height) up(height);
    me_.phase("prefixes come down");
    if (top_ >= 0) cross();
    for (int height = top_ - 1; height >= 0; --height) down(height);
  }

 private:
  const Part& part(int height) const { return parts_[static_cast<std::size_t>(height)]; }
  bool is_upper(int height) const { return (place_ >> height & 1) != 0; }
  int peer(int height) const { return places_.rank(place_ ^ 1 << height); }
  // Whether the node of this height above the place is the first of its height, or the last one.
  bool is_first(int height) const { return place_ >> height == 0; }
  bool is_last(int height) const { return place_ >> height == (places_.size() >> height) - 1; }
  /// The half of the place's part at this height that it does not keep.
  Part given(int height) const {
    const Part& all = part(height);
    const Part& kept = part(height + 1);
    return {is_upper(height) ? all.first : kept.first + kept.count, all.count - kept.count};
  }

  Slice total(int height, const Part& part) const {
    const Slice& all = totals_[static_cast<std::size_t>(height)];
    return {all.buffer, all.first + part.first - parts_[static_cast<std::size_t>(height)].first, part.count};
  }
  Slice prefix(const Part& part) const { return {prefix_.buffer, prefix_.first + part.first, part.count}; }
  Slice new_scratch(std::int64_t count) {
    next_scratch_ += count;
    return me_.scratch(next_scratch_ - count, count);
  }

  void up(int height) {
    const Part kept = part(height + 1);
    const bool goes_on = !is_last(height + 1);
    // An upper place has there the lower one's total, a lower one later what comes before the upper one.
    const bool before_all = is_upper(height) && is_first(height + 1);
    const Slice before = before_all ? prefix(kept) : new_scratch(kept.count);
    const Slice above = goes_on ? new_scratch(kept.count) : Slice{};
    befores_.push_back(before);
    totals_.push_back(above);
    if (!is_upper(height) || goes_on) me_.send(total(height, given(height)), peer(height));
    if (is_upper(height)) {
      me_.receive(before, peer(height));
      me_.wait();
      if (goes_on) me_.reduce(above, before, total(height, kept));
    } else if (goes_on) {
      me_.receive_reduce(above, total(height, kept), peer(height));
    }
    me_.wait();
  }

  void cross() {
    if (is_upper(top_)) {
      me_.receive(prefix(part(top_)), peer(top_));
    } else {
      me_.send(total(top_, part(top_)), peer(top_));
    }
    me_.wait();
  }

  void down(int height) {
    const Part kept = part(height + 1);
    const bool first = is_first(height + 1);
    const Slice& before = befores_[static_cast<std::size_t>(height) + 1];
    if (is_upper(height)) {
      if (!first) me_.send(prefix(kept), peer(height));
      me_.receive(prefix(given(height)), peer(height));
      me_.wait();
      if (!first) me_.reduce(prefix(kept), prefix(kept), before);
    } else {
      if (!first) me_.reduce(before, prefix(kept), total(height, kept));
      me_.wait();
      me_.send(first ? total(height, kept) : before, peer(height));
      if (!first) me_.receive(prefix(given(height)), peer(height));
    }
    me_.wait();
  }

  Script& me_;
  const Places& places_;
  int place_;
  int top_;  // the height at which two nodes are left
  Slice prefix_;
  std::int64_t next_scratch_;
  std::vector<Part> parts_;     // of the place, by height
  std::vector<Slice> totals_;   // of the node of each height, on that part
  std::vector<Slice> befores_;  // what comes before the node within the one above it, on the part above
};

// Phases of ranks that take another one along; the others' lie between them.
constexpr std::string_view fold = "fold";
constexpr std::string_view unfold = "unfold";

// The rank whose contribution another one takes along.
void be_taken_along(Script& me, PrefixEnd end) {
  const int other = me.rank() + 1;
  me.phase(fold);
  me.send(me.input(), other);
  me.wait();
  me.phase(unfold);
  if (me.rank() == 0) {
    if (end == PrefixEnd::through_own) me.copy(me.output(), me.input());
  } else if (end == PrefixEnd::through_own) {
    me.receive_reduce(me.output(), me.input(), other, Side::received_first);
  } else {
    me.receive(me.output(), other);
  }
}

void take_along(Script& me, const Places& places, PrefixEnd end) {
  const std::int64_t count = me.output().count;
  const Slice others = me.scratch(0, count);
  const Slice both = me.scratch(count, count);
  me.phase(fold);
  me.receive(others, me.rank() - 1);
  me.wait();
  me.reduce(both, others, me.input());
  me.wait();
  Climb(me, places, both, me.output(), 2 * count).up_and_down();
  const Slice& own = end == PrefixEnd::through_own ? both : others;
  me.phase(unfold);
  if (me.rank() == 1) return me.copy(me.output(), own);
  me.send(me.output(), me.rank() - 1);
  me.wait();
  me.reduce(me.output(), me.output(), own);
}

void take_part(Script& me, const Places& places, const Problem& problem, PrefixEnd end) {
  const bool through = end == PrefixEnd::through_own;
  // In place the contribution lies where the result belongs.
  const Slice prefix = problem.in_place ? me.scratch(0, problem.count) : me.output();
  Climb(me, places, me.input(), prefix, problem.in_place ? problem.count : 0).up_and_down();
  if (me.rank() == 0) {
    if (through) me.copy(me.output(), me.input());
  } else if (through) {
    me.reduce(me.output(), prefix, me.input());
  } else {
    me.copy(me.output(), prefix);
  }
}

}  // namespace

void scan_by_halving(Script& me, const Problem& problem, PrefixEnd end) {
  const Places places(me.size());
  if (!places.is_shared(me.rank())) {
    take_part(me, places, problem, end);
  } else if (me.rank() % 2 == 0) {
    be_taken_along(me, end);
  } else {
    take_along(me, places, end);
  }
}

// Two ways up or down over a level have 2 n messages, but for those that the last node and the first one do without;
// whatever the parts, these are as many elements as one part at each place, twice.
Claims halving_scan_claims(const Problem& problem) {
  const std::int64_t d = floor_log2(problem.ranks);
  const std::int64_t n = std::int64_t{1} << d;
  const std::int64_t shared = problem.ranks - n;
  if (d == 0) return {};
  // Nothing comes before the first two ranks.
  const std::int64_t told = std::max<std::int64_t>(shared - 1, 0);
  return {.rounds = 2 * d - 1 + (shared > 0 ? 1 : 0) + (told > 0 ? 1 : 0),
          .messages = 2 * (d - 1) * n - n / 2 + 2 + shared + told,
          .elements = (2 * n - d - 2 + shared + told) * problem.count};
}

}  // namespace tutti::algorithms
