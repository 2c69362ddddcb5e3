/// @file
/// Each thread block's clock counts, for some thread blocks of one GPU, how many of their steps come before its own:
/// vector clocks of the happened-before relation.
/// Source: C. J. Fidge, Timestamps in Message-Passing Systems That Preserve the Partial Ordering, ACSC 1988.

#include "schedule_file/msccl_races.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace tutti::msccl {
namespace {

using Number = std::uint32_t;  // number of a step, among all steps of the file
constexpr Number none = ~Number{0};

/// A step's place.
struct At {
  std::uint32_t rank = 0;
  std::uint32_t block = 0;
  std::uint32_t step = 0;
};

/// All steps of a file, and for each of them those that it waits for.
class Steps {
 public:
  Steps(const MscclAlgorithm& algorithm, const Senders& senders) : algorithm_(algorithm) {
    for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
      std::vector<Number>& firsts = firsts_.emplace_back();
      const auto& blocks = algorithm.gpus[rank].blocks;
      for (std::size_t block = 0; block < blocks.size(); ++block) {
        firsts.push_back(static_cast<Number>(places_.size()));
        for (std::size_t step = 0; step < blocks[block].steps.size(); ++step)
          places_.push_back(
              {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(step)});
      }
    }
    find_senders(senders);
    find_order();
  }

  std::size_t size() const { return places_.size(); }
  const At& at(Number number) const { return places_[number]; }
  const Step& step(Number number) const {
    const At& place = at(number);
    return algorithm_.gpus[place.rank].blocks[place.block].steps[place.step];
  }
  Number first(std::size_t rank, std::size_t block) const { return firsts_[rank][block]; }
  /// Each after all that it waits for.
  const std::vector<Number>& in_order() const { return order_; }

  Number before(Number number) const { return at(number).step == 0 ? none : number - 1; }
  Number awaited(Number number) const {
    const Step& own = step(number);
    if (own.after_block < 0) return none;
    return first(at(number).rank, static_cast<std::size_t>(own.after_block)) + static_cast<Number>(own.after_step);
  }
  /// Returns the send of what the step receives.
  Number sender(Number number) const { return senders_[number]; }

 private:
  void find_senders(const Senders& senders) {
    senders_.assign(size(), none);
    const auto number_of = [&](const StepPlace& place) {
      return first(place.rank, place.block) + static_cast<Number>(place.step);
    };
    for (const auto& [receiver, sender] : senders) senders_[number_of(receiver)] = number_of(sender);
  }

  // By a search in depth, in which a step comes to the order when all that it waits for has.
  void find_order() {
    std::vector<char> is_placed(size());
    std::vector<Number> path;
    for (Number last = 0; last < size(); ++last) {
      if (!is_placed[last]) path.push_back(last);
      while (!path.empty()) {
        const Number number = path.back();
        const auto awaits = {before(number), awaited(number), sender(number)};
        const auto open = std::find_if(awaits.begin(), awaits.end(),
                                       [&](Number other) { return other != none && !is_placed[other]; });
        if (open != awaits.end()) {
          path.push_back(*open);
          continue;
        }
        path.pop_back();
        if (!std::exchange(is_placed[number], 1)) order_.push_back(number);
      }
    }
  }

  const MscclAlgorithm& algorithm_;
  std::vector<At> places_;
  std::vector<std::vector<Number>> firsts_;  // by rank and thread block
  std::vector<Number> senders_;
  std::vector<Number> order_;
};

/// For each step how many steps of the thread blocks [first, first + width) of a rank come before it or are it.
class Clocks {
 public:
  /// `of_all`: of the steps of all ranks, so that messages count; otherwise of the rank's own.
  Clocks(const Steps& steps, std::uint32_t rank, std::uint32_t first, std::uint32_t width, bool of_all,
         const std::vector<Number>& numbers)
      : first_(first), width_(width), base_(of_all ? 0 : steps.first(rank, 0)) {
    counts_.resize((of_all ? steps.size() : numbers.size()) * width);
    for (const Number number : numbers) {
      take_over(number, steps.before(number));
      take_over(number, steps.awaited(number));
      if (of_all) take_over(number, steps.sender(number));
      const At& at = steps.at(number);
      if (at.rank == rank && at.block - first < width) row(number)[at.block - first] = at.step + 1;
    }
  }

  /// Whether the step of a counted thread block comes before the other one.
  bool precedes(const At& earlier, Number later) { return row(later)[earlier.block - first_] > earlier.step; }

 private:
  std::uint32_t* row(Number number) { return &counts_[std::size_t{number - base_} * width_]; }

  void take_over(Number number, Number other) {
    if (other == none) return;
    std::transform(row(other), row(other) + width_, row(number), row(number),
                   [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  }

  std::uint32_t first_;
  std::uint32_t width_;
  Number base_;
  std::vector<std::uint32_t> counts_;
};

/// Chunks that a step reads or writes, by the names that the file has for them.
struct Access {
  Number number = 0;
  bool writes = false;
  Chunks chunks = {};
};

/// Two accesses to the same chunk, the second of which comes later in one order that the file allows.
struct AccessPair {
  Access earlier;
  Access later;
  int chunk = 0;  // by the later one's name
};

/// The steps of one rank.
class RankCheck {
 public:
  RankCheck(const MscclAlgorithm& algorithm, const Steps& steps, std::uint32_t rank, std::vector<Number> numbers)
      : algorithm_(algorithm), steps_(steps), rank_(rank), numbers_(std::move(numbers)) {
    for (const Number number : numbers_) {
      for (const Access& access : accesses_of(number)) {
        const Chunks place = place_of(access.chunks);
        std::vector<int>& bounds = bounds_[static_cast<std::size_t>(place.buffer)];
        bounds.insert(bounds.end(), {place.first, place.first + place.count});
      }
    }
    for (std::vector<int>& bounds : bounds_) {
      std::sort(bounds.begin(), bounds.end());
      bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    }
  }

  void run(const std::string& name) const {
    const std::size_t blocks = algorithm_.gpus[rank_].blocks.size();
    for (std::uint32_t first = 0; blocks > 1 && first < blocks; first += width) {
      std::vector<AccessPair> open = not_ordered_here(first);
      if (open.empty()) continue;
      Clocks clocks(steps_, rank_, first, width, true, steps_.in_order());
      std::erase_if(open, [&](const AccessPair& pair) {
        return clocks.precedes(steps_.at(pair.earlier.number), pair.later.number);
      });
      if (!open.empty()) refuse(open.front(), name);
    }
  }

 private:
  static constexpr std::uint32_t width = 16;  // thread blocks at a time

  /// Last use of chunks by a thread block: its earlier steps come before that one.
  struct Last {
    std::uint32_t block = 0;
    bool has_read = false;
    bool has_written = false;
    Access read = {};
    Access write = {};
  };

  // In place, input and output are one buffer, of all-gather and reduce-scatter in the rank's own block.
  Chunks place_of(Chunks chunks) const {
    if (!algorithm_.in_place || chunks.buffer == Buffer::scratch) return chunks;
    const int own = static_cast<int>(rank_) * (algorithm_.chunks / static_cast<int>(algorithm_.gpus.size()));
    const bool of_own_block = (algorithm_.collective == Collective::all_gather && chunks.buffer == Buffer::input) ||
                              (algorithm_.collective == Collective::reduce_scatter && chunks.buffer == Buffer::output);
    return {Buffer::input, chunks.first + (of_own_block ? own : 0), chunks.count};
  }

  std::vector<Access> accesses_of(Number number) const {
    const Step& step = steps_.step(number);
    std::vector<Access> accesses;
    if (step.source.count > 0) accesses.push_back({number, false, step.source});
    if (step.target.count > 0) accesses.push_back({number, true, step.target});
    return accesses;
  }

  // Pairs whose earlier step is of one of `width` thread blocks, and which only a message can have put in order. Runs
  // of chunks that every step touches as a whole, or not at all, are looked at as one.
  std::vector<AccessPair> not_ordered_here(std::uint32_t first) const {
    std::vector<AccessPair> open;
    Clocks clocks(steps_, rank_, first, width, false, numbers_);
    std::array<std::map<int, std::vector<Last>>, 3> lasts_at;
    for (const Number number : numbers_) {
      for (const Access& access : accesses_of(number)) {
        const Chunks place = place_of(access.chunks);
        const std::vector<int>& bounds = bounds_[static_cast<std::size_t>(place.buffer)];
        for (auto at = std::lower_bound(bounds.begin(), bounds.end(), place.first); *at < place.first + place.count;
             ++at) {
          std::vector<Last>& lasts = lasts_at[static_cast<std::size_t>(place.buffer)][*at];
          compare(lasts, access, access.chunks.first + *at - place.first, clocks, open);
          if (steps_.at(number).block - first < width) note(lasts, access);
        }
      }
    }
    return open;
  }

  void compare(const std::vector<Last>& lasts, const Access& access, int chunk, Clocks& clocks,
               std::vector<AccessPair>& open) const {
    const auto with = [&](const Access& earlier) {
      if (!clocks.precedes(steps_.at(earlier.number), access.number)) open.push_back({earlier, access, chunk});
    };
    for (const Last& last : lasts) {
      if (last.block == steps_.at(access.number).block) continue;
      if (last.has_written) with(last.write);
      if (last.has_read && access.writes) with(last.read);
    }
  }

  void note(std::vector<Last>& lasts, const Access& access) const {
    const std::uint32_t block = steps_.at(access.number).block;
    auto last = std::find_if(lasts.begin(), lasts.end(), [&](const Last& other) { return other.block == block; });
    if (last == lasts.end()) last = lasts.insert(lasts.end(), Last{.block = block});
    (access.writes ? last->has_written : last->has_read) = true;
    (access.writes ? last->write : last->read) = access;
  }

  [[noreturn]] void refuse(const AccessPair& pair, const std::string& name) const {
    const auto does = [](const Access& access) { return access.writes ? "writes" : "reads"; };
    const At& earlier = steps_.at(pair.earlier.number);
    const At& later = steps_.at(pair.later.number);
    const Buffer buffer = pair.later.chunks.buffer;
    fail(ErrorCode::invalid_argument,
         "{}: nothing orders '{}', which {} chunk {} of '{}', and step {} of thread block {}, '{}', which {} it; one "
         "of them needs depid and deps, or a 'nop' with these before it",
         FilePlace{name, rank_, later.block, later.step}, steps_.step(pair.later.number).type, does(pair.later),
         pair.chunk,
         buffer == Buffer::input    ? 'i'
         : buffer == Buffer::output ? 'o'
                                    : 's',
         earlier.step, earlier.block, steps_.step(pair.earlier.number).type, does(pair.earlier));
  }

  const MscclAlgorithm& algorithm_;
  const Steps& steps_;
  std::uint32_t rank_;
  std::vector<Number> numbers_;             // numbers of its steps, in order
  std::array<std::vector<int>, 3> bounds_;  // by buffer: where what steps touch begins and ends
};

}  // namespace

void check_orders_its_steps(const MscclAlgorithm& algorithm, const Senders& senders, const std::string& name) {
  const Steps steps(algorithm, senders);
  std::vector<std::vector<Number>> numbers(algorithm.gpus.size());
  for (const Number number : steps.in_order()) numbers[steps.at(number).rank].push_back(number);
  for (std::size_t rank = 0; rank < numbers.size(); ++rank)
    RankCheck(algorithm, steps, static_cast<std::uint32_t>(rank), std::move(numbers[rank])).run(name);
}

}  // namespace tutti::msccl
