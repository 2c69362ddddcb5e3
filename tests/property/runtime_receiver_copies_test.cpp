/// @file
/// All-gathers and scans so long that ranks lend one another the copies of what they send: by every algorithm that
/// keeps what it sends, in memory of both kinds, with ranks that come late and calls that are under way at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
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

/// An element of a length that parts of copies are no multiples of, unless they are cut between elements.
struct Triple {
  Triple() = default;
  explicit Triple(std::uint8_t number) : numbers{1.0 * number, 2.0 * number, 3.0 * number} {}

  double numbers[3] = {};
  friend bool operator==(const Triple&, const Triple&) = default;
};

struct AddTriples {
  Triple operator()(const Triple& a, const Triple& b) const {
    Triple sum;
    for (std::size_t k = 0; k < 3; ++k) sum.numbers[k] = a.numbers[k] + b.numbers[k];
    return sum;
  }
};

/// Checks a message that is longer than 1 MiB and ends within a cache line.
template <typename T>
constexpr std::size_t elements = (std::size_t{1} << 20) / sizeof(T) + 12'345;

/// One of the ranks, another one in each call, comes so late that the others have begun, or ended, what they can do.
void come_late(const Communicator& comm, int call) {
  constexpr std::chrono::microseconds lateness[] = {std::chrono::microseconds{0}, std::chrono::microseconds{100},
                                                    std::chrono::microseconds{2'000}};
  if (call % comm.size() == comm.rank()) std::this_thread::sleep_for(lateness[call % 3]);
}

constexpr int calls_in_a_row = test::has_seen_enough ? 2 : 5;

template <typename T>
void contribute(std::span<T> data, int call, int rank) {
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = contribution<T>(static_cast<std::uint64_t>(call), rank, static_cast<std::int64_t>(i));
}

template <typename T>
void expect_gathered(std::span<const T> out, std::size_t block, int call, const std::string& how) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const T wanted = contribution<T>(static_cast<std::uint64_t>(call), static_cast<int>(i / block),
                                     static_cast<std::int64_t>(i % block));
    if (out[i] == wanted) continue;
    ADD_FAILURE() << how << ": element " << i << " of " << out.size() << " in call " << call;
    return;
  }
}

template <typename T>
void gather_on(Communicator& comm, std::span<T> in, std::span<T> out, const std::string& algorithm) {
  for (int call = 0; call < calls_in_a_row; ++call) {
    contribute(in, call, comm.rank());
    std::fill(out.begin(), out.end(), T{});
    come_late(comm, call);
    comm.all_gather(std::span<const T>(in), out, {.algorithm = algorithm});
    expect_gathered(std::span<const T>(out), in.size(), call, algorithm);
  }
}

template <typename T, typename Operator, typename Definition>
void scan_on(Communicator& comm, std::span<T> in, std::span<T> out, const Operator& op, const Definition& definition,
             const std::string& algorithm) {
  for (int call = 0; call < calls_in_a_row; ++call) {
    contribute(in, call, comm.rank());
    std::fill(out.begin(), out.end(), T{});
    come_late(comm, call);
    comm.scan(std::span<const T>(in), out, op, {.algorithm = algorithm});
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      T wanted = contribution<T>(static_cast<std::uint64_t>(call), 0, at);
      for (int rank = 1; rank <= comm.rank(); ++rank)
        wanted = definition(wanted, contribution<T>(static_cast<std::uint64_t>(call), rank, at));
      if (out[i] == wanted) continue;
      ADD_FAILURE() << algorithm << ": element " << i << " in call " << call << " at rank " << comm.rank();
      break;
    }
  }
}

/// In plain memory, and in memory that all ranks reach.
template <typename T, typename Test>
void in_both_kinds_of_memory(Communicator& comm, std::size_t in, std::size_t out, const Test& test) {
  std::vector<T> plain_in(in), plain_out(out);
  Memory<T> shared_in = comm.allocate<T>(in);
  Memory<T> shared_out = comm.allocate<T>(out);
  test(std::span<T>(plain_in), std::span<T>(plain_out));
  test(std::span<T>(shared_in), std::span<T>(shared_out));
}

class LentCopies : public ::testing::TestWithParam<int> {};

TEST_P(LentCopies, AreThereAfterAllGathers) {
  for (const int p : possible({GetParam()})) {
    on_ranks(p, [&](Communicator& comm) {
      const std::size_t block = elements<Affine>;
      in_both_kinds_of_memory<Affine>(comm, block, block * static_cast<std::size_t>(p), [&](auto in, auto out) {
        for (const char* const algorithm : {"linear", "ring"}) gather_on<Affine>(comm, in, out, algorithm);
      });
    });
  }
}

TEST_P(LentCopies, AreThereAfterScans) {
  for (const int p : possible({GetParam()})) {
    on_ranks(p, [&](Communicator& comm) {
      in_both_kinds_of_memory<double>(comm, elements<double>, elements<double>, [&](auto in, auto out) {
        for (const char* const algorithm : {"chain", "flat"})
          scan_on<double>(comm, in, out, sum, std::plus<double>(), algorithm);
      });
      in_both_kinds_of_memory<Affine>(comm, elements<Affine>, elements<Affine>, [&](auto in, auto out) {
        scan_on<Affine>(comm, in, out, Compose{}, Compose{}, "chain");
      });
      in_both_kinds_of_memory<Triple>(comm, elements<Triple>, elements<Triple>, [&](auto in, auto out) {
        scan_on<Triple>(comm, in, out, AddTriples{}, AddTriples{}, "chain");
      });
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, LentCopies, ::testing::Values(2, 3));

TEST(LentCopiesAtOnce, AreEachThereAfterItsCall) {
  constexpr int calls = 4;
  for (const int p : possible({2})) {
    on_ranks(p, [&](Communicator& comm) {
      const std::size_t block = elements<Affine>;
      std::vector<std::vector<Affine>> in(calls, std::vector<Affine>(block));
      std::vector<std::vector<Affine>> out(calls, std::vector<Affine>(block * static_cast<std::size_t>(p)));
      std::vector<Handle> handles;
      for (int call = 0; call < calls; ++call) {
        const auto k = static_cast<std::size_t>(call);
        contribute(std::span(in[k]), call, comm.rank());
        come_late(comm, call);
        handles.push_back(
            comm.all_gather_async(std::span<const Affine>(in[k]), std::span(out[k]), {.algorithm = "linear"}));
      }
      for (int call = calls - 1; call >= 0; --call) handles[static_cast<std::size_t>(call)].wait();
      for (int call = 0; call < calls; ++call)
        expect_gathered(std::span<const Affine>(out[static_cast<std::size_t>(call)]), block, call, "at once");
    });
  }
}

}  // namespace
}  // namespace tutti
