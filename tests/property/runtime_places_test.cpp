/// @file
/// All-reduces whose results are stored straight at the ranks that want them: long messages, by every algorithm that
/// combines before it sends, in and out of place, in memory of both kinds, with parts that are not alike.

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/ranks.hpp"
#include "support/sanitizers.hpp"
#include "support/values.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using testing::Affine;
using testing::Compose;
using testing::contribution;
using testing::on_ranks;
using testing::possible;

struct Add {
  double operator()(double a, double b) const { return a + b; }
};

/// All-reduces with an operator of the library's, whose work is shared, or of the user's own; `Definition` is the same
/// in words that this test understands.
template <typename T, typename Operator, typename Definition>
class Trials {
 public:
  Trials(Communicator& comm, Operator op, std::string algorithm)
      : comm_(comm), op_(op), algorithm_(std::move(algorithm)) {}

  /// Calls with the same buffers: places are known from the second on, and after a call that is in place for one that
  /// is not.
  void run(std::span<T> in, std::span<T> out) {
    const CollectiveOptions options{.algorithm = algorithm_};
    for (call_ = 0; call_ < 2; ++call_) {
      contribute(in);
      comm_.all_reduce(std::span<const T>(in), out, op_, options);
      expect_right(out, "");
    }
    for (; call_ < 4; ++call_) {
      contribute(out);
      comm_.all_reduce(out, op_, options);
      expect_right(out, " in place");
    }
  }

 private:
  T input(int rank, std::size_t i) const {
    return contribution<T>(static_cast<std::uint64_t>(call_), rank, static_cast<std::int64_t>(i));
  }
  void contribute(std::span<T> data) const {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = input(comm_.rank(), i);
  }
  /// Every element is looked at, because each part is somebody else's work.
  void expect_right(std::span<const T> data, const std::string& how) const {
    for (std::size_t i = 0; i < data.size(); ++i) {
      T value = input(0, i);
      for (int rank = 1; rank < comm_.size(); ++rank) value = Definition{}(value, input(rank, i));
      if (data[i] == value) continue;
      ADD_FAILURE() << algorithm_ << how << ": element " << i << " of " << data.size() << " in call " << call_
                    << " at rank " << comm_.rank() << " of " << comm_.size();
      return;
    }
  }

  Communicator& comm_;
  Operator op_;
  std::string algorithm_;
  int call_ = 0;
};

template <typename T, typename Definition, typename Operator>
void try_on(int ranks, std::size_t count, const Operator& op, const std::string& algorithm) {
  on_ranks(ranks, [&](Communicator& comm) {
    Trials<T, Operator, Definition> trials(comm, op, algorithm);
    std::vector<T> in(count);
    std::vector<T> out(count);
    trials.run(in, out);
    Memory<T> shared_in = comm.allocate<T>(count);
    Memory<T> shared_out = comm.allocate<T>(count);
    trials.run(shared_in, shared_out);
    trials.run(in, shared_out);
  });
}

class LongAllReduce : public ::testing::TestWithParam<int> {};

/// Parts from 64 KiB on have places; those of this many elements are beside that limit, and not alike.
std::size_t elements(int ranks) { return static_cast<std::size_t>(ranks) * 8192 + static_cast<std::size_t>(ranks) / 2; }

TEST_P(LongAllReduce, IsRightByEveryAlgorithmThatCombinesBeforeItSends) {
  for (const int p : possible({GetParam()})) {
    try_on<double, Add>(p, elements(p), sum, "direct");
    if (p > 4) continue;
    for (const char* const algorithm : {"rabenseifner", "ring", "reduce-broadcast"}) {
      try_on<double, Add>(p, elements(p), sum, algorithm);
    }
  }
}

TEST_P(LongAllReduce, KeepsTheOrderOfTheUsersOperator) {
  for (const int p : possible({GetParam()})) {
    try_on<Affine, Compose>(p, elements(p), Compose{}, "direct");
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, LongAllReduce, ::testing::Values(1, 2, 3, 4, 5, 9));

// Results that are written past the caches, by whoever has time.
TEST(StreamedAllReduce, IsRightWhereResultsStreamPastTheCaches) {
  for (const int p : possible({2, 3})) {
    if (test::has_seen_enough && p == 3) continue;
    try_on<double, Add>(p, static_cast<std::size_t>(p) * 150'007, sum, "direct");
    try_on<double, Add>(p, static_cast<std::size_t>(p) * 150'007, sum, "");
  }
}

}  // namespace
}  // namespace tutti
