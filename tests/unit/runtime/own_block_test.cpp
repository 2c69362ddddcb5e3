/// @file
/// Calls in which a rank's own block is already where it belongs: by every algorithm, at every root, blocks that are
/// equal, uneven and empty, one after the other and elsewhere. Nothing but the other ranks' blocks may change.

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"
#include "tutti/tutti.hpp"
#include "tutti/untyped.hpp"

namespace tutti {
namespace {

using testing::on_ranks;

/// Places of the blocks of all ranks in one buffer, and their contents.
struct Layout {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> begins;  ///< empty: one after the other

  std::int64_t begin(int rank) const {
    if (!begins.empty()) return begins[static_cast<std::size_t>(rank)];
    return std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
  }
  std::int64_t count(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
  std::int64_t elements() const {
    std::int64_t end = 0;
    for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) end = std::max(end, begin(rank) + count(rank));
    return end;
  }
  /// The buffer with the blocks of the ranks that `has` names, and -1 everywhere else.
  template <typename Has>
  std::vector<std::int64_t> buffer(const Has& has) const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(elements()), -1);
    for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) {
      if (!has(rank)) continue;
      for (std::int64_t k = 0; k < count(rank); ++k)
        all[static_cast<std::size_t>(begin(rank) + k)] = rank * 1'000'000 + k;
    }
    return all;
  }
};

std::vector<Layout> layouts(int p) {
  std::vector<Layout> all;
  for (const std::int64_t count : {0, 1, 3, 1000})
    all.push_back({std::vector<std::int64_t>(static_cast<std::size_t>(p), count), {}});
  Layout uneven;
  for (int rank = 0; rank < p; ++rank) uneven.counts.push_back((rank * 5 + 2) % 7);
  all.push_back(uneven);
  // Backwards, and with room between.
  uneven.begins.resize(static_cast<std::size_t>(p));
  std::int64_t end = 2;
  for (int rank = p - 1; rank >= 0; --rank) {
    uneven.begins[static_cast<std::size_t>(rank)] = end;
    end += uneven.count(rank) + 1;
  }
  all.push_back(uneven);
  return all;
}

untyped::Call call_of(Collective collective, const Layout& blocks, int root) {
  untyped::Call call{.collective = collective};
  call.type = detail::datatype_of<std::int64_t>();
  call.root = root;
  const bool are_equal =
      blocks.begins.empty() && std::equal(blocks.counts.begin() + 1, blocks.counts.end(), blocks.counts.begin());
  if (!are_equal) {
    call.by_counts = true;
    call.counts = blocks.counts;
    call.displacements = blocks.begins;
  }
  return call;
}

/// The rank's own block of `buffer`, as one side of the call; the buffer as the other one.
void set_buffers(untyped::Call& call, std::vector<std::int64_t>& buffer, const Layout& blocks, int rank) {
  std::int64_t* const own = buffer.data() + blocks.begin(rank);
  const bool scatters = call.collective == Collective::scatter;
  call.input = scatters ? buffer.data() : own;
  call.input_size = scatters ? blocks.elements() : blocks.count(rank);
  call.output = scatters ? own : buffer.data();
  call.output_size = scatters ? blocks.count(rank) : blocks.elements();
}

class OwnBlock : public ::testing::TestWithParam<int> {};

/// Calls `body` for each layout and each algorithm that fits, twice: the second call is found again.
template <typename Body>
void for_each_call(Collective collective, int p, int root, const Body& body) {
  int call = 0;
  for (const Layout& blocks : layouts(p)) {
    Problem problem{.collective = collective, .ranks = p, .root = root};
    problem.counts = blocks.counts;
    for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
      if (unmet_need(*algorithm, problem) || (root > 0 && call++ % testing::scale() != 0)) continue;
      SCOPED_TRACE(std::string(algorithm->name) + ", root " + std::to_string(root));
      const CollectiveOptions options{.algorithm = algorithm->name};
      for (int again = 0; again < 2; ++again) body(blocks, options);
    }
  }
}

TEST_P(OwnBlock, IsWhereAnAllGatherPutsIt) {
  const int p = GetParam();
  TUTTI_NEEDS_RANKS(p);
  on_ranks(p, [p](Communicator& comm) {
    for_each_call(Collective::all_gather, p, 0, [&](const Layout& blocks, const CollectiveOptions& options) {
      auto buffer = blocks.buffer([&](int rank) { return rank == comm.rank(); });
      untyped::Call call = call_of(Collective::all_gather, blocks, 0);
      set_buffers(call, buffer, blocks, comm.rank());
      call.options = &options;
      comm.run(call);
      EXPECT_EQ(buffer, blocks.buffer([](int) { return true; }));
    });
  });
}

TEST_P(OwnBlock, IsWhereTheRootGathersIt) {
  const int p = GetParam();
  TUTTI_NEEDS_RANKS(p);
  on_ranks(p, [p](Communicator& comm) {
    for (int root = 0; root < p; ++root) {
      for_each_call(Collective::gather, p, root, [&](const Layout& blocks, const CollectiveOptions& options) {
        auto buffer = blocks.buffer([&](int rank) { return rank == comm.rank(); });
        untyped::Call call = call_of(Collective::gather, blocks, root);
        set_buffers(call, buffer, blocks, comm.rank());
        if (comm.rank() != root) {
          call.output = nullptr;
          call.output_size = 0;
        }
        call.options = &options;
        comm.run(call);
        EXPECT_EQ(buffer, blocks.buffer([&](int rank) { return comm.rank() == root || rank == comm.rank(); }));
      });
    }
  });
}

TEST_P(OwnBlock, StaysWhereTheRootScattersIt) {
  const int p = GetParam();
  TUTTI_NEEDS_RANKS(p);
  on_ranks(p, [p](Communicator& comm) {
    for (int root = 0; root < p; ++root) {
      for_each_call(Collective::scatter, p, root, [&](const Layout& blocks, const CollectiveOptions& options) {
        const bool here = comm.rank() == root;
        auto buffer = blocks.buffer([&](int) { return here; });
        untyped::Call call = call_of(Collective::scatter, blocks, root);
        set_buffers(call, buffer, blocks, comm.rank());
        if (!here) {
          call.input = nullptr;
          call.input_size = 0;
        }
        call.options = &options;
        comm.run(call);
        EXPECT_EQ(buffer, blocks.buffer([&](int rank) { return here || rank == comm.rank(); }));
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, OwnBlock, ::testing::Values(1, 2, 3, 4, 5, 8, 13));

// A part of the output that is not the rank's own block.
TEST(OwnBlocks, OthersAreRefused) {
  on_ranks(2, [](Communicator& comm) {
    std::vector<std::int64_t> all(4);
    const std::span<const std::int64_t> other = std::span(all).subspan(comm.rank() == 0 ? 2 : 0, 2);
    EXPECT_THROW(comm.all_gather(other, all), Error);
    const std::span<const std::int64_t> across = std::span(all).subspan(1, 2);
    EXPECT_THROW(comm.all_gather(across, all), Error);
    const std::span<const std::int64_t> own = std::span(all).subspan(comm.rank() == 0 ? 0 : 2, 2);
    all[static_cast<std::size_t>(comm.rank()) * 2] = comm.rank() + 5;
    comm.all_gather(own, all);
    EXPECT_EQ(all, (std::vector<std::int64_t>{5, 0, 6, 0}));
  });
}

}  // namespace
}  // namespace tutti
