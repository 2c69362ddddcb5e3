/// @file
/// Counts that some ranks alone know, and places for blocks, held to the call into given memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <numeric>

#include "unit/runtime/interface_ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using testing::outcomes_of;

TEST_P(Interface, CountsThatRanksDoNotKnowAreFound) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> mine = some(comm.rank());
    const std::vector<int> counts = counts_of_all(p);
    const ByRank<int> all = comm.all_gather_v(mine);
    EXPECT_EQ(all.elements, all_of(p));
    for (int rank = 0; rank < p; ++rank) {
      const auto from = all.from(rank);
      EXPECT_EQ(std::vector<int>(from.begin(), from.end()), some(rank));
    }
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      const ByRank<int> gathered = comm.gather_v(mine, root);
      EXPECT_EQ(gathered.elements, here ? all_of(p) : std::vector<int>());
      EXPECT_EQ(gathered.counts,
                here ? std::vector<std::int64_t>(counts.begin(), counts.end()) : std::vector<std::int64_t>());
      EXPECT_EQ(
          comm.scatter_v(here ? all_of(p) : std::vector<int>(), at_root(here ? counts : std::vector<int>()), root),
          mine);
    }
    // Rank i sends j elements to rank j.
    std::vector<int> in;
    std::vector<int> to_each(static_cast<std::size_t>(p));
    std::iota(to_each.begin(), to_each.end(), 0);
    for (int j = 0; j < p; ++j) in.insert(in.end(), static_cast<std::size_t>(j), comm.rank());
    const ByRank<int> received = comm.all_to_all_v(in, to_each);
    for (int rank = 0; rank < p; ++rank) {
      const auto from = received.from(rank);
      EXPECT_EQ(std::vector<int>(from.begin(), from.end()),
                std::vector<int>(static_cast<std::size_t>(comm.rank()), rank));
    }
  });
}

// In each form, at each root; what other ranks than the root pass as counts is not read.
TEST_P(Interface, CountsMayBeKnownToTheRootAlone) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> mine = some(comm.rank());
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      const std::vector<int> counts =
          here ? counts_of_all(p) : std::vector<int>(static_cast<std::size_t>(root % 2), 77);
      std::vector<int> all(here ? all_of(p).size() : 0);
      std::vector<int> back(mine.size());
      const auto expect = [&] {
        EXPECT_EQ(all, here ? all_of(p) : std::vector<int>());
        std::fill(all.begin(), all.end(), -1);
      };
      comm.gather_v(mine, all, at_root(counts), root);
      expect();
      comm.gather_v_async(mine, all, at_root(counts), root).wait();
      expect();
      Plan plan = comm.plan_gather_v(mine, all, at_root(counts), root);
      for (int round = 0; round < 2; ++round) {
        plan();
        expect();
      }
      comm.scatter_v(here ? all_of(p) : std::vector<int>(), back, at_root(counts), root);
      EXPECT_EQ(back, mine);
    }
  });
}

// Either of the two may have nothing, so that no message goes.
TEST(InterfaceMismatch, TheRootsCountsAndARanksSizeAreTold) {
  for (const auto& [size, count] : {std::pair(3, 2), std::pair(0, 2), std::pair(3, 0)}) {
    for (const bool gathers : {true, false}) {
      for (const auto& outcome : outcomes_of(3, [&, size = size, count = count](Communicator& comm) {
             std::vector<int> own(static_cast<std::size_t>(comm.rank() == 2 ? size : 2));
             std::vector<int> all(static_cast<std::size_t>(4 + count));
             const auto counts = at_root(std::vector<int>{2, 2, count});
             if (gathers) comm.gather_v(own, all, counts, 1);
             if (!gathers) comm.scatter_v(all, own, counts, 1);
             comm.barrier();
           })) {
        EXPECT_EQ(outcome.code, ErrorCode::mismatch);
        const auto expected = gathers ? std::pair(2, size) : std::pair(1, count);
        EXPECT_EQ(outcome.message, fmt::format("{} (call 1): rank {} sends {} elements to rank {}, which expects {}",
                                               gathers ? "gather_v" : "scatter_v", expected.first, expected.second,
                                               gathers ? 1 : 2, gathers ? count : size));
      }
    }
  }
}

// An algorithm that passes blocks on asks for the counts of all, which travel first.
TEST(InterfaceCounts, OfTheRootTravelForAnAlgorithmThatAsksForThem) {
  on_ranks(4, [](Communicator& comm) {
    const std::vector<int> counts{3, 0, 1, 2};
    const std::vector<int> own(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]), comm.rank());
    for (const char* algorithm : {"", "linear", "binomial", "binomial", "linear"}) {
      std::vector<int> all(6);
      std::vector<int> back(own.size());
      comm.gather_v(own, all, at_root(counts), 0, {.algorithm = algorithm});
      EXPECT_EQ(all, comm.rank() == 0 ? (std::vector<int>{0, 0, 0, 2, 3, 3}) : std::vector<int>(6)) << algorithm;
      comm.scatter_v(all, back, at_root(counts), 0, {.algorithm = algorithm});
      EXPECT_EQ(back, own) << algorithm;
    }
  });
}

// The sizes of a call may be those of an earlier one while its counts are others, and the reverse.
TEST(InterfaceCounts, OfTheRootMayChangeFromCallToCall) {
  on_ranks(3, [](Communicator& comm) {
    for (int call = 0; call < 300; ++call) {
      const std::vector<int> counts{call % 3, 2, 4 - call % 3};
      const std::vector<int> own(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]),
                                 100 * call + comm.rank());
      std::vector<int> all(6);
      comm.gather_v(own, all, at_root(counts), call % 2);
      std::vector<int> expected;
      for (int rank = 0; rank < 3; ++rank)
        expected.insert(expected.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]),
                        100 * call + rank);
      EXPECT_EQ(all, comm.rank() == call % 2 ? expected : std::vector<int>(6));
    }
  });
}

TEST(InterfaceMismatch, OfCountsKnownToAllAndToTheRootAlone) {
  for (const auto& outcome : outcomes_of(2, [](Communicator& comm) {
         const std::vector<int> in(2);
         std::vector<int> out(4);
         const std::vector<int> counts{2, 2};
         if (comm.rank() == 0) comm.gather_v(in, out, counts);
         if (comm.rank() == 1) comm.gather_v(in, out, at_root(counts));
         comm.barrier();
       })) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_THAT(outcome.message, HasSubstr("counts at the root alone"));
  }
}

// Other ranks than the root would take their sizes for those of blocks.
TEST(InterfaceCounts, AreOfTheRootAloneWhereThereIsOne) {
  on_ranks(3, [](Communicator& comm) {
    const std::vector<int> counts(3, 2);
    std::vector<int> in(6);
    std::vector<int> out(6);
    const std::span<const int> block(in.data(), 2);
    const auto expect_refused = [](const auto& call) {
      try {
        call();
        ADD_FAILURE() << "nothing is refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_THAT(error.what(), HasSubstr("without at_root()"));
      }
    };
    expect_refused([&] { comm.all_gather_v(block, out, at_root(counts)); });
    expect_refused([&] { comm.reduce_scatter_v(in, std::span<int>(out).first(2), at_root(counts), sum); });
    expect_refused([&] { comm.shift_v(block, std::span<int>(out).first(2), at_root(counts), 1); });
    comm.barrier();
  });
}

TEST(InterfaceCounts, ScatteredBlocksAreReturnedFromWhereTheyAreDisplaced) {
  on_ranks(3, [](Communicator& comm) {
    const std::vector<int> whole{10, 11, 12, 13, 14, 15};
    const std::vector<int> counts(3, 2);
    const std::vector<int> places{4, 0, 2};
    const int first = 10 + places[static_cast<std::size_t>(comm.rank())];
    EXPECT_EQ(comm.scatter_v(whole, displaced(counts, places)), (std::vector<int>{first, first + 1}));
  });
}

TEST(InterfaceCounts, ThatAreDisplacedNeedDisplacements) {
  const std::vector<int> counts(3, 2);
  EXPECT_THROW(displaced(counts, std::vector<int>()), Error);
  EXPECT_THROW(at_root(counts, std::vector<int>()), Error);
  EXPECT_NO_THROW(at_root(std::vector<int>(), std::vector<int>())) << "as ranks other than the root pass them";
}

TEST(InterfaceCounts, AreOfAnyIntegerType) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<int> mine(comm.rank() == 0 ? 3 : 1, comm.rank());
    const std::vector<int> expected{0, 0, 0, 1};
    const auto expect = [&](const auto& counts) {
      std::vector<int> all(4);
      comm.all_gather_v(mine, all, counts);
      EXPECT_EQ(all, expected);
    };
    expect(std::vector<std::int64_t>{3, 1});
    expect(std::vector<int>{3, 1});
    expect(std::vector<std::size_t>{3, 1});
    expect(std::array<unsigned char, 2>{3, 1});
    expect(std::deque<short>{3, 1});
    std::vector<int> all(4);
    comm.all_gather_v(mine, all, {3, 1});
    EXPECT_EQ(all, expected);
    EXPECT_THROW(comm.all_gather_v(mine, all, std::vector<std::size_t>{3, ~std::size_t{0}}), Error);
  });
}

// The calls that return their result make room for it before the counts have been looked at.
TEST(InterfaceCounts, ThatNoResultHasRoomForAreRefused) {
  on_ranks(3, [](Communicator& comm) {
    const std::vector<int> in(3);
    for (const std::int64_t count : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
      const std::vector<std::int64_t> counts(3, count);
      const auto expect_refusal = [&](auto call) {
        Communicator apart = comm.duplicate();  // a call that may fail
        try {
          call(apart);
          ADD_FAILURE() << "counts of " << count << " were taken";
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
        }
      };
      expect_refusal([&](Communicator& apart) { apart.reduce_scatter_v(in, counts, sum); });
      expect_refusal([&](Communicator& apart) { apart.scatter_v(in, counts); });
      expect_refusal([&](Communicator& apart) { apart.all_to_all_v(in, counts); });
    }
  });
}

// Blocks lie backwards, two elements apart; what lies between them stays as it is.
TEST_P(Interface, BlocksMayLieWhereDisplacementsSay) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> counts = counts_of_all(p);
    std::vector<int> begins(counts.size());
    std::vector<int> table;  // the blocks of all ranks there
    for (int rank = p - 1; rank >= 0; --rank) {
      begins[static_cast<std::size_t>(rank)] = static_cast<int>(table.size()) + 2;
      table.insert(table.end(), 2, -7);
      for (const int each : some(rank)) table.push_back(each);
    }
    const std::vector<int> mine = some(comm.rank());
    const std::vector<int> blank(table.size(), -7);
    const auto own_begin = [&](int rank) { return static_cast<std::size_t>(begins[static_cast<std::size_t>(rank)]); };
    for (const char* algorithm : {"", "linear", "ring"}) {
      std::vector<int> out = blank;
      comm.all_gather_v(mine, out, displaced(counts, begins), {.algorithm = algorithm});
      EXPECT_EQ(out, table) << algorithm;
      // The sum over all ranks of one table is p times what it has.
      std::vector<int> block(mine.size());
      comm.reduce_scatter_v(table, block, displaced(counts, begins), maximum, {.algorithm = algorithm});
      EXPECT_EQ(block, mine) << algorithm;
    }
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      for (const char* algorithm : {"linear", "binomial"}) {
        const CollectiveOptions options{.algorithm = algorithm};
        std::vector<int> out = here ? blank : std::vector<int>();
        comm.gather_v(mine, out, displaced(counts, begins), root, options);
        EXPECT_EQ(out, here ? table : std::vector<int>());
        out = here ? blank : std::vector<int>();
        comm.gather_v(mine, out, at_root(counts, begins), root, options);
        EXPECT_EQ(out, here ? table : std::vector<int>());
        std::vector<int> block(mine.size());
        Plan plan = comm.plan_scatter_v(table, block, displaced(counts, begins), root, options);
        plan();
        EXPECT_EQ(block, mine);
      }
    }
    // Every rank sends rank r what the table has of rank r, and gets p times its own.
    std::vector<int> received(mine.size() * static_cast<std::size_t>(p) + 3, -7);
    std::vector<int> receive_begins;
    for (int rank = 0; rank < p; ++rank) receive_begins.push_back(static_cast<int>(mine.size()) * (p - 1 - rank) + 3);
    comm.all_to_all_v(table, received, displaced(counts, begins),
                      displaced(std::vector<std::size_t>(static_cast<std::size_t>(p), mine.size()), receive_begins));
    for (std::size_t k = 0; k < received.size(); ++k) EXPECT_EQ(received[k], k < 3 ? -7 : mine[(k - 3) % mine.size()]);
    EXPECT_EQ(table[own_begin(p - 1) - 1], -7);
  });
}

TEST(InterfaceDisplacements, ThatDoNotFitAreRefused) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<int> mine(2);
    std::vector<int> all(5);
    const std::vector<int> counts{2, 2};
    const auto error_of = [&](const std::vector<int>& displacements) {
      try {
        comm.all_gather_v(mine, all, displaced(counts, displacements));
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    EXPECT_THAT(error_of({0, 4}), HasSubstr("block 1 of rank"));
    EXPECT_THAT(error_of({-1, 2}), HasSubstr("from element -1 on"));
    EXPECT_THAT(error_of({0, 1}), HasSubstr("overlap at element 1"));
    EXPECT_THAT(error_of({0}), HasSubstr("needs 2 displacements, not 1"));
    EXPECT_EQ(error_of({3, 0}), "");
  });
}

}  // namespace
}  // namespace tutti
