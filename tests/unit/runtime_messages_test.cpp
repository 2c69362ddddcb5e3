/// @file
/// Several messages under way between the same two ranks, of any length and of elements of any size.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using testing::on_ranks;

/// An element of so many bytes, which tells who made it.
template <std::size_t Size>
struct Element {
  std::array<std::uint8_t, Size> bytes;
  friend bool operator==(const Element&, const Element&) = default;

  static Element of(int rank, int message, std::size_t at) {
    Element element;
    std::uint64_t state = (static_cast<std::uint64_t>(rank) << 40) + (static_cast<std::uint64_t>(message) << 20) + at;
    for (std::uint8_t& byte : element.bytes) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<std::uint8_t>(state >> 56);
    }
    return element;
  }
};

template <typename T>
std::vector<T> parcel(int rank, int message, std::size_t count) {
  std::vector<T> elements(count);
  for (std::size_t k = 0; k < count; ++k) elements[k] = T::of(rank, message, k);
  return elements;
}

/// In each round every rank has `together` messages to its neighbour and from its other one under way at once.
template <typename T>
void exchange(int ranks, std::size_t count, int together, int rounds) {
  on_ranks(ranks, [&](Communicator& comm) {
    const int p = comm.size();
    const int to = (comm.rank() + 1) % p;
    const int from = (comm.rank() + p - 1) % p;
    for (int round = 0; round < rounds; ++round) {
      std::deque<std::vector<T>> sent;
      std::deque<std::vector<T>> received;
      std::vector<Handle> handles;
      for (int k = 0; k < together; ++k) {
        sent.push_back(parcel<T>(comm.rank(), round + k, count));
        received.emplace_back(count);
        handles.push_back(comm.send_async(sent.back(), to));
        handles.push_back(comm.receive_async(received.back(), from));
      }
      comm.wait(handles);
      for (int k = 0; k < together; ++k) {
        ASSERT_TRUE(received[static_cast<std::size_t>(k)] == parcel<T>(from, round + k, count))
            << "message " << k << " of round " << round;
      }
    }
  });
}

// Longer than a ring of shared memory, of elements that fit into it.
TEST(RuntimeMessages, TwoLongOnesToOnePeerDoNotMix) { exchange<Element<8>>(2, 60'000, 2, 60); }

// Each element is longer than a ring.
TEST(RuntimeMessages, TwoOfLargeElementsToOnePeerDoNotMix) { exchange<Element<200'000>>(2, 1, 2, 100); }

TEST(RuntimeMessages, ManyOfOddElementsToOnePeerDoNotMix) {
  exchange<Element<1>>(3, 300'001, 4, 3);
  exchange<Element<3>>(3, 100'003, 5, 3);
  exchange<Element<7>>(2, 65'537, 3, 5);
  exchange<Element<12>>(3, 9'557, 5, 5);
  exchange<Element<1000>>(2, 251, 4, 5);
}

}  // namespace
}  // namespace tutti
