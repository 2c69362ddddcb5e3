/// @file
/// The numbered procedures of the sources, transcribed as programs, against the collective that each computes.
///
/// A procedure that sends and then receives, as if the send were buffered, posts both before the wait: tutti's sends
/// are not buffered.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using Words = std::vector<long>;

constexpr int words = 3;  // m

Words contribution(int rank) {
  Words data(words);
  std::iota(data.begin(), data.end(), 100L * rank + 1);
  return data;
}

void send(Communicator& comm, Words& data, int to) { comm.send(data, to); }

Words receive(Communicator& comm, std::size_t count, int from) {
  Words data(count);
  comm.receive(data, from);
  return data;
}

// send out to `to`; receive from `from`, as many words.
Words exchange(Communicator& comm, Words& out, int to, int from) {
  Words in(out.size());
  Handle sent = comm.send_async(out, to);
  Handle received = comm.receive_async(in, from);
  comm.wait(sent, received);
  return in;
}

void add(Words& sum, const Words& x) { std::transform(sum.begin(), sum.end(), x.begin(), sum.begin(), std::plus<>()); }

// The union of messages: blocks in the order of ranks, those not there yet zero.
void unite(Words& result, const Words& message) { add(result, message); }

Words own_block(const Communicator& comm) {
  Words blocks(static_cast<std::size_t>(comm.size() * words));
  const Words mine = contribution(comm.rank());
  std::copy(mine.begin(), mine.end(), blocks.begin() + comm.rank() * words);
  return blocks;
}

Words all_gathered(Communicator& comm) {
  Words all(static_cast<std::size_t>(comm.size() * words));
  const Words mine = contribution(comm.rank());
  comm.all_gather(mine, all);
  return all;
}

Words reduced(Communicator& comm, int root) {
  Words sum(words);
  const Words mine = contribution(comm.rank());
  comm.reduce(mine, sum, tutti::sum, root);
  return sum;
}

constexpr int dimensions[] = {0, 1, 2, 3, 4};

void general_one_to_all_bc(Communicator& comm, int d, int my_id, int source, Words& x) {
  const int my_virtual_id = my_id ^ source;
  int mask = (1 << d) - 1;
  for (int i = d - 1; i >= 0; --i) {
    mask ^= 1 << i;
    if ((my_virtual_id & mask) != 0) continue;
    if ((my_virtual_id & 1 << i) == 0) {
      const int virtual_dest = my_virtual_id ^ 1 << i;
      send(comm, x, virtual_dest ^ source);
    } else {
      const int virtual_source = my_virtual_id ^ 1 << i;
      x = receive(comm, x.size(), virtual_source ^ source);
    }
  }
}

TEST(Procedures, GeneralOneToAllBroadcast) {
  for (const int d : dimensions) {
    for (int source = 0; source < 1 << d; ++source) {
      run(1 << d, [&](Communicator& comm) {
        Words x = comm.rank() == source ? contribution(source) : Words(words);
        Words expected = x;
        general_one_to_all_bc(comm, d, comm.rank(), source, x);
        comm.broadcast(expected, source);
        EXPECT_EQ(x, expected);
      });
    }
  }
}

// ONE_TO_ALL_BC, with the source 0 and no virtual numbers.
TEST(Procedures, OneToAllBroadcast) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      const int my_id = comm.rank();
      Words x = my_id == 0 ? contribution(0) : Words(words);
      int mask = (1 << d) - 1;
      for (int i = d - 1; i >= 0; --i) {
        mask ^= 1 << i;
        if ((my_id & mask) != 0) continue;
        if ((my_id & 1 << i) == 0) {
          send(comm, x, my_id ^ 1 << i);
        } else {
          x = receive(comm, words, my_id ^ 1 << i);
        }
      }
      EXPECT_EQ(x, contribution(0));
    });
  }
}

// ALL_TO_ONE_REDUCE, which the other slides call SINGLE_NODE_ACC.
TEST(Procedures, AllToOneReduceAndSingleNodeAccumulation) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      const int my_id = comm.rank();
      Words sum = contribution(my_id);
      int mask = 0;
      for (int i = 0; i < d; ++i) {
        if ((my_id & mask) == 0) {
          if ((my_id & 1 << i) != 0) {
            send(comm, sum, my_id ^ 1 << i);
          } else {
            add(sum, receive(comm, words, my_id ^ 1 << i));
          }
        }
        mask ^= 1 << i;
      }
      const Words expected = reduced(comm, 0);
      if (my_id == 0) {
        EXPECT_EQ(sum, expected);
      }
    });
  }
}

TEST(Procedures, AllToAllBroadcastOnARing) {
  for (const int p : {1, 2, 3, 5, 8}) {
    run(p, [&](Communicator& comm) {
      const int left = (comm.rank() - 1 + p) % p;
      const int right = (comm.rank() + 1) % p;
      Words result = own_block(comm);
      Words msg = result;
      for (int i = 1; i <= p - 1; ++i) {
        msg = exchange(comm, msg, right, left);
        unite(result, msg);
      }
      EXPECT_EQ(result, all_gathered(comm));
    });
  }
}

TEST(Procedures, AllToAllBroadcastOnAMesh) {
  for (const int r : {1, 2, 3, 4}) {
    const int p = r * r;
    run(p, [&](Communicator& comm) {
      const int my_id = comm.rank();
      const int left = my_id - my_id % r + (my_id - 1 + r) % r;
      const int right = my_id - my_id % r + (my_id + 1) % r;
      Words result = own_block(comm);
      Words msg = result;
      for (int i = 1; i <= r - 1; ++i) {
        msg = exchange(comm, msg, right, left);
        unite(result, msg);
      }
      const int up = (my_id - r + p) % p;
      const int down = (my_id + r) % p;
      msg = result;
      for (int i = 1; i <= r - 1; ++i) {
        msg = exchange(comm, msg, down, up);
        unite(result, msg);
      }
      EXPECT_EQ(result, all_gathered(comm));
    });
  }
}

TEST(Procedures, AllToAllBroadcastOnAHypercube) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      Words result = own_block(comm);
      for (int i = 0; i < d; ++i) {
        const int partner = comm.rank() ^ 1 << i;
        unite(result, exchange(comm, result, partner, partner));
      }
      EXPECT_EQ(result, all_gathered(comm));
    });
  }
}

TEST(Procedures, PrefixSumsOnAHypercube) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      const int my_id = comm.rank();
      Words result = contribution(my_id);
      Words msg = result;
      for (int i = 0; i < d; ++i) {
        const int partner = my_id ^ 1 << i;
        const Words number = exchange(comm, msg, partner, partner);
        add(msg, number);
        if (partner < my_id) add(result, number);
      }
      Words expected(words);
      const Words mine = contribution(my_id);
      comm.scan(mine, expected, tutti::sum);
      EXPECT_EQ(result, expected);
    });
  }
}

// Message for each destination, and what the collective makes of them.
Words message(int from, int to) {
  Words data = contribution(from);
  for (long& word : data) word = 1000 * word + to;
  return data;
}

Words all_messages(const Communicator& comm) {
  Words data;
  for (int to = 0; to < comm.size(); ++to) {
    const Words one = message(comm.rank(), to);
    data.insert(data.end(), one.begin(), one.end());
  }
  return data;
}

Words exchanged(Communicator& comm) {
  Words out(static_cast<std::size_t>(comm.size() * words));
  const Words mine = all_messages(comm);
  comm.all_to_all(mine, out);
  return out;
}

void place(Words& blocks, int block, const Words& data) {
  std::copy(data.begin(), data.end(), blocks.begin() + block * words);
}
Words block_of(const Words& blocks, int block) {
  return {blocks.begin() + block * words, blocks.begin() + (block + 1) * words};
}

TEST(Procedures, AllToAllPersonalized) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      Words result(static_cast<std::size_t>(comm.size() * words));
      place(result, comm.rank(), message(comm.rank(), comm.rank()));
      for (int i = 1; i <= (1 << d) - 1; ++i) {
        const int partner = comm.rank() ^ i;
        Words out = message(comm.rank(), partner);
        place(result, partner, exchange(comm, out, partner, partner));
      }
      EXPECT_EQ(result, exchanged(comm));
    });
  }
}

// The lecture's pseudocode with the patch of its quiz: a receive only from a partner that exists.
TEST(Procedures, AllToOneReduceForAnyNumberOfRanks) {
  for (int p = 1; p <= 17; ++p) {
    run(p, [&](Communicator& comm) {
      const int rank = comm.rank();
      Words s = contribution(rank);
      int bitmask = 1;
      while (bitmask < p) {
        const int partner = rank ^ bitmask;
        if ((rank & bitmask) != 0) {
          Handle sent = comm.send_async(s, partner);
          comm.wait(sent);
          break;
        }
        if (partner < p) {
          Words t(words);
          Handle received = comm.receive_async(t, partner);
          comm.wait(received);
          add(s, t);
        }
        bitmask <<= 1;
      }
      const Words expected = reduced(comm, 0);
      if (rank == 0) {
        EXPECT_EQ(s, expected);
      }
    });
  }
}

// Listed as "NCCL Bruck algorithm", put right: the exchange stands behind the loop that packs, what has been received
// (not what was sent) is unpacked, and the last rotation reads from a copy.
TEST(Procedures, BruckAllToAll) {
  for (int p = 1; p <= 9; ++p) {
    run(p, [&](Communicator& comm) {
      const int rank = comm.rank();
      const Words s = all_messages(comm);
      Words r(s.size());
      for (int i = 0; i < p; ++i) place(r, i, block_of(s, (rank + i) % p));
      for (int k = 1; k < p; k <<= 1) {
        std::vector<int> sent;
        Words t;
        for (int i = k; i < p; ++i) {
          if ((i & k) == 0) continue;
          sent.push_back(i);
          const Words block = block_of(r, i);
          t.insert(t.end(), block.begin(), block.end());
        }
        const Words received = exchange(comm, t, (rank + k) % p, (rank - k + p) % p);
        for (std::size_t i = 0; i < sent.size(); ++i) place(r, sent[i], block_of(received, static_cast<int>(i)));
      }
      const Words before = r;
      for (int i = 0; i < p; ++i) place(r, i, block_of(before, (rank - i + p) % p));
      EXPECT_EQ(r, exchanged(comm));
    });
  }
}

// The hypercube template: in dimension after dimension, send to the neighbour, receive from it, do the operation.
template <typename Operation>
void hypercube_template(Communicator& comm, int d, Words& m, Operation&& operation) {
  for (int k = 0; k < d; ++k) {
    const int partner = comm.rank() ^ 1 << k;
    operation(k, exchange(comm, m, partner, partner));
  }
}

TEST(Procedures, HypercubeTemplate) {
  for (const int d : dimensions) {
    run(1 << d, [&](Communicator& comm) {
      Words x = contribution(comm.rank());
      Words sigma = x;
      hypercube_template(comm, d, sigma, [&](int k, const Words& y) {
        add(sigma, y);
        if ((comm.rank() & 1 << k) != 0) add(x, y);
      });
      Words prefix(words);
      const Words mine = contribution(comm.rank());
      comm.scan(mine, prefix, tutti::sum);
      EXPECT_EQ(x, prefix);

      Words total(words);
      comm.all_reduce(mine, total, tutti::sum);
      EXPECT_EQ(sigma, total);

      Words blocks = own_block(comm);
      hypercube_template(comm, d, blocks, [&](int, const Words& y) { unite(blocks, y); });
      EXPECT_EQ(blocks, all_gathered(comm));
    });
  }
}

// Messages on their way, block o * p + t from rank o to rank t: in dimension k all that are for the partner's subcube
// go there.
TEST(Procedures, HypercubeAllToAll) {
  for (const int d : dimensions) {
    const int p = 1 << d;
    run(p, [&](Communicator& comm) {
      Words held(static_cast<std::size_t>(p * p * words));
      for (int to = 0; to < p; ++to) place(held, comm.rank() * p + to, message(comm.rank(), to));
      for (int k = d - 1; k >= 0; --k) {
        const int partner = comm.rank() ^ 1 << k;
        Words leaving(held.size());
        for (int block = 0; block < p * p; ++block) {
          if (((block % p ^ partner) & 1 << k) != 0) continue;
          place(leaving, block, block_of(held, block));
          place(held, block, Words(words));
        }
        unite(held, exchange(comm, leaving, partner, partner));
      }
      Words result(static_cast<std::size_t>(p * words));
      for (int from = 0; from < p; ++from) place(result, from, block_of(held, from * p + comm.rank()));
      EXPECT_EQ(result, exchanged(comm));
    });
  }
}

}  // namespace
}  // namespace tutti
