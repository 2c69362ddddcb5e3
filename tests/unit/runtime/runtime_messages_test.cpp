/// @file
/// Several messages under way between the same two ranks, of any length and of elements of any size.

#include <gtest/gtest.h>

#include <deque>

#include "support/odd_element.hpp"
#include "support/ranks.hpp"

namespace tutti {
namespace {

using testing::OddElement;
using testing::on_ranks;

template <typename T>
std::vector<T> parcel(int rank, int message, std::size_t count) {
  return testing::parcel<T>(static_cast<std::uint64_t>(1000 * message + rank), count);
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
TEST(RuntimeMessages, TwoLongOnesToOnePeerDoNotMix) { exchange<OddElement<8>>(2, 60'000, 2, 60); }

// Each element is longer than a ring.
TEST(RuntimeMessages, TwoOfLargeElementsToOnePeerDoNotMix) { exchange<OddElement<200'000>>(2, 1, 2, 100); }

TEST(RuntimeMessages, ManyOfOddElementsToOnePeerDoNotMix) {
  exchange<OddElement<1>>(3, 300'001, 4, 2);
  exchange<OddElement<3>>(3, 100'003, 5, 2);
  exchange<OddElement<7>>(2, 65'537, 3, 3);
  exchange<OddElement<12>>(3, 9'557, 5, 3);
  exchange<OddElement<1000>>(2, 251, 4, 3);
}

}  // namespace
}  // namespace tutti
