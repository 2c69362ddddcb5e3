/// @file
/// Scan and exclusive scan by halving: totals that climb a binary tree over the ranks, and prefixes that come down it,
/// each shared out among the ranks below its node.
///
/// Let p = n = 2^d. The ranks that agree in all but their k lowest bits are below a node of height k; each of them has
/// one of 2^k parts of what belongs to the node. On the way up rank r and the one across bit k, which have the same
/// part of their nodes' totals, cut it in two: the lower of them keeps the first half and gets that half of the
/// other's; their sum is its part of the total above. The upper one goes on with the second half. On the way down each
/// has its half of what the ranks before the node above them combine to, and gets the other half: the lower rank as it
/// is, the upper one with the lower node's total added.
///
///     rank         0         1         2         3                       p = 4, message ab
///     start       [0] ab    [1] ab    [2] ab    [3] ab    totals
///     bit 0 up    [0-1] a   [0-1] b                       ranks 2 and 3 keep [2] a and [2] b
///     bit 1                           [0-1] a   [0-1] b   what comes before, of ranks that have a part of it
///     bit 0 down            [0] ab    [0-1] ab  [0-2] ab
///
/// Nobody needs the total of all ranks, or of the last ones; nothing comes before the first ones. At the highest bit
/// the two ways are one step, therefore.
///
/// Two ranks share a place if p = n + e: the ranks 2i and 2i + 1 for i < e take one place of n: 2i + 1 combines both
/// contributions, and in the end tells 2i the prefix of all before them.
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read where it lies; `output`, in which what comes before arrives, of an exclusive scan untouched
///           at rank 0. Scratch: 2 m bytes, m more in place, 2 m more in ranks that take another's contribution along.
/// Traffic   p = n + e, n = 2^d: 2 (d - 1) n - n/2 + 2 messages and (2 n - d - 2) m bytes, for d > 0; for e > 0
///           2 e - 1 messages of m more.
/// Time      (2 log2 p - 1) ts + 2 m tw (p - 1)/p for p > 1 a power of two; 2 (ts + m tw) more at most for other p.
/// Optimal   up to a factor 2 in rounds and in bytes at once where p is a power of two; for other p up to 4 in bytes.
///           In rounds alone see dissemination.cpp and exclusive_123_doubling.cpp, in bytes alone chain_pipelined.cpp.
/// Source    G. E. Blelloch, Prefix Sums and Their Applications, 1990, §1.2: the sweeps up and down; R. Rabenseifner,
///           Optimization of collective reduction operations, ICCS 2004: halves in every step.

#include <algorithm>
#include <string_view>
#include <vector>

#include "algorithms/scan/scan.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

/// Consecutive elements of the message.
struct MessagePart {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// The places in the tree, a power of two, and the ranks that work for them.
class HalvingPlaces {
 public:
  explicit HalvingPlaces(int ranks) : size_(floor_power_of_two(ranks)), shared_(ranks - size_) {}

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
  Climb(Script& me, const HalvingPlaces& places, const Slice& own, const Slice& prefix, std::int64_t scratch)
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
  const MessagePart& part(int height) const { return parts_[static_cast<std::size_t>(height)]; }
  bool is_upper(int height) const { return (place_ >> height & 1) != 0; }
  int peer(int height) const { return places_.rank(place_ ^ 1 << height); }
  // Whether the node of this height above the place is the first of its height, or the last one.
  bool is_first(int height) const { return place_ >> height == 0; }
  bool is_last(int height) const { return place_ >> height == (places_.size() >> height) - 1; }
  /// The half of the place's part at this height that it does not keep.
  MessagePart given(int height) const {
    const MessagePart& all = part(height);
    const MessagePart& kept = part(height + 1);
    return {is_upper(height) ? all.first : kept.first + kept.count, all.count - kept.count};
  }

  Slice total(int height, const MessagePart& part) const {
    const Slice& all = totals_[static_cast<std::size_t>(height)];
    return {all.buffer, all.first + part.first - parts_[static_cast<std::size_t>(height)].first, part.count};
  }
  Slice prefix(const MessagePart& part) const { return {prefix_.buffer, prefix_.first + part.first, part.count}; }
  Slice new_scratch(std::int64_t count) {
    next_scratch_ += count;
    return me_.scratch(next_scratch_ - count, count);
  }

  void up(int height) {
    const MessagePart kept = part(height + 1);
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
    const MessagePart kept = part(height + 1);
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
  const HalvingPlaces& places_;
  int place_;
  int top_;  // the height at which two nodes are left
  Slice prefix_;
  std::int64_t next_scratch_;
  std::vector<MessagePart> parts_;  // parts of the place, by height
  std::vector<Slice> totals_;       // total of the node of each height, on that part
  std::vector<Slice> befores_;      // prefix of all before the node within the one above it, on the part above
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

void take_along(Script& me, const HalvingPlaces& places, PrefixEnd end) {
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

void take_part(Script& me, const HalvingPlaces& places, const Problem& problem, PrefixEnd end) {
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

// Records a rank. Takes 2 m elements of scratch, m more in place, and 2 m more in the 2 e ranks that share places.
void scan_by_halving(Script& me, const Problem& problem, PrefixEnd end) {
  const HalvingPlaces places(me.size());
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
Claims claims_halving(const Problem& problem) {
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

constexpr std::string_view summary_of_halving =
    "Totals go up a tree and prefixes come down it, each shared out among the ranks below.";
constexpr std::string_view when_of_halving = "Middle and long messages over many ranks, best a power of two.";
constexpr std::string_view source_of_halving =
    "G. E. Blelloch, Prefix Sums and Their Applications, 1990; R. Rabenseifner, Optimization of collective reduction "
    "operations, 2004: halves in every step";

}  // namespace

const Algorithm scan_halving{
    .collective = Collective::scan,
    .name = "halving",
    .summary = summary_of_halving,
    .when = when_of_halving,
    .source = source_of_halving,
    .for_several_nodes = true,
    .record = [](Script& me, const Problem& problem) { scan_by_halving(me, problem, PrefixEnd::through_own); },
    .claims = claims_halving,
};

const Algorithm exclusive_scan_halving{
    .collective = Collective::exclusive_scan,
    .name = "halving",
    .summary = summary_of_halving,
    .when = when_of_halving,
    .source = source_of_halving,
    .for_several_nodes = true,
    .record = [](Script& me, const Problem& problem) { scan_by_halving(me, problem, PrefixEnd::before_own); },
    .claims = claims_halving,
};

}  // namespace tutti::algorithms
