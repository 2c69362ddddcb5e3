#include "algorithms/cases.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/integers.hpp"
#include "base/shape.hpp"
#include "schedule/model/choice.hpp"

namespace tutti::algorithms {
namespace {

using See = std::function<void(const Problem& problem, const Parameters& parameters)>;

constexpr int ranks_with_all_distances = 16;
constexpr int ranks_with_all_variants = 4;

std::vector<int> distinct(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<int> up_to(int end) {
  std::vector<int> values(static_cast<std::size_t>(end));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// Roots, and distances below p, at which the variants are tried.
std::vector<int> few_of(int p) { return p <= ranks_with_all_variants ? up_to(p) : distinct({0, p / 2 + 1, p - 1}); }

std::vector<int> distances(int p) {
  if (p <= ranks_with_all_distances) {
    std::vector<int> all = up_to(p);
    all.insert(all.end(), {-1, p, 2 * p + 1});
    return distinct(all);
  }
  const int column = Shape::nearest_cube(p, 2).extent(1);
  return distinct({0,          1,          2,     3,         5,     7,           column - 1,
                   column,     column + 1, p / 3, p / 2 - 1, p / 2, p / 2 + 1,   2 * p / 3,
                   p - column, p - 3,      p - 2, p - 1,     -1,    -column - 1, 3 * p + 2});
}

// Blocks of 0 to 4 elements in no order that an algorithm could rely on; about every fifth is empty.
std::vector<std::int64_t> uneven_counts(std::size_t n) {
  std::vector<std::int64_t> counts(n);
  for (std::size_t k = 0; k < n; ++k) counts[k] = static_cast<std::int64_t>((k * k + 3 * k + k / 7) % 5);
  return counts;
}

class Cases {
 public:
  Cases(const Algorithm& algorithm, const See& see, const Layout& layout)
      : algorithm_(algorithm), see_(see), layout_(layout) {}

  void all(const Problem& plain) {
    const int p = plain.ranks;
    const bool shifts = plain.collective == Collective::shift;
    const std::vector<int> none{0};
    for (const int root : has_root(plain.collective) ? roots_tried(p) : none) {
      for (const int distance : shifts ? distances(p) : none) see(with(plain, root, distance));
    }
    for (const int root : has_root(plain.collective) ? few_of(p) : none) {
      for (const int distance : shifts ? few_of(p) : none) variants(with(plain, root, distance));
    }
  }

 private:
  void see(const Problem& problem, const Parameters& parameters = {}) const {
    if (!unmet_need(algorithm_, problem, layout_)) see_(problem, parameters);
  }

  static Problem with(Problem problem, int root, int distance) {
    problem.root = root;
    problem.distance = distance;
    return problem;
  }

  void variants(const Problem& plain) const {
    const int p = plain.ranks;
    const auto vary = [&](auto&& change) {
      Problem problem = plain;
      change(problem);
      see(problem);
    };
    if (plain.collective == Collective::barrier) return;
    const std::int64_t most = largest_count(plain);
    for (const std::int64_t count : {0, 1, p / 2, p})
      vary([&](Problem& problem) { problem.count = std::min(count, most); });
    if (!plain.commutative) vary([](Problem& problem) { problem.commutative = true; });
    if (allows_in_place(plain.collective)) {
      vary([](Problem& problem) { problem.in_place = true; });
      if (!plain.commutative) vary([](Problem& problem) { problem.in_place = problem.commutative = true; });
    }
    if (has_blocks(plain.collective)) blocks(plain);
    // No text looks at both of these.
    see(plain, {.segments = 1, .radix = 2});
    see(plain, {.segments = 3, .radix = 3});
    const Shape square = Shape::nearest_cube(p, 2);
    for (const Shape& grid : {Shape{square.extent(1), square.extent(0)}, Shape{p, 1}, Shape::nearest_cube(p, 3)}) {
      see(plain, {.grid = grid});
    }
  }

  // Blocks that differ by one element, uneven ones, and all elements in one block.
  void blocks(const Problem& plain) const {
    if (plain.collective != Collective::all_to_all) {
      Problem larger = plain;
      larger.extra = plain.ranks / 2;
      see(larger);
    }
    if (!tries_uneven_blocks(algorithm_, plain.ranks, layout_)) return;
    const auto p = static_cast<std::size_t>(plain.ranks);
    const std::size_t n = plain.collective == Collective::all_to_all ? p * p : p;
    Problem problem = plain;
    problem.counts = uneven_counts(n);
    see(problem);
    std::fill(problem.counts.begin(), problem.counts.end(), 0);
    problem.counts[n / 2] = 3;
    see(problem);
  }

  const Algorithm& algorithm_;
  const See& see_;
  const Layout& layout_;
};

// Whether one of the needs is met by commutative operators alone.
bool needs_commutative(const Algorithm& algorithm, Problem problem, const Layout& layout) {
  return std::any_of(algorithm.needs.begin(), algorithm.needs.end(), [&](Need need) {
    problem.commutative = false;
    if (meets(problem, need, layout)) return false;
    problem.commutative = true;
    return meets(problem, need, layout);
  });
}

}  // namespace

std::vector<int> roots_tried(int ranks) {
  if (ranks <= most_ranks_of_all_roots) return up_to(ranks);
  return distinct({0, 1, ranks / 3, ranks / 2 - 1, ranks / 2, ranks / 2 + 1, ranks - 2, ranks - 1});
}

bool tries_uneven_blocks(const Algorithm& algorithm, int ranks, const Layout& layout) {
  if (algorithm.collective != Collective::all_to_all) return true;
  const Problem even{.collective = algorithm.collective, .ranks = ranks, .count = 1};
  return !unmet_need(algorithm, even, layout) && is_recordable(algorithm, even, layout);
}

void for_each_case(const Algorithm& algorithm, int ranks, const See& see, const Layout& layout) {
  Problem plain{.collective = algorithm.collective, .ranks = ranks};
  // Whole messages are cut into p parts by some algorithms; a block is one already.
  plain.count = has_blocks(algorithm.collective) ? 3 : 2 * ranks + 1;
  if (algorithm.collective == Collective::barrier) plain.count = 0;
  // A proof for operators that do not commute holds for those that do, if the schedule is the same.
  plain.commutative = !reduces(algorithm.collective) || needs_commutative(algorithm, plain, layout);
  Cases(algorithm, see, layout).all(plain);
}

}  // namespace tutti::algorithms
