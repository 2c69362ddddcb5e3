#include "app/procedure_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/integers.hpp"
#include "base/units.hpp"

namespace tutti::app {

int Walk::dimensions() const { return ceil_log2(ranks_); }

void Walk::send(int line, int to, int blocks) {
  const std::string size = blocks == 1 ? "" : fmt::format("{} m ", blocks);
  visits_.push_back({line, Visit::Kind::sends, to, blocks, fmt::format("{}to {}", size, to)});
}

void Walk::receive(int line, int from) {
  visits_.push_back({line, Visit::Kind::receives, from, 0, fmt::format("from {}", from)});
}

namespace walks {
namespace {

std::string bits_of(int number, int digits) { return fmt::format("{:0{}b}", number, std::max(1, digits)); }

void pass_around(Walk& me, int first_line, int turns, int to, int from, int blocks) {
  for (int i = 1; i <= turns; ++i) {
    me.at(first_line, fmt::format("i = {}", i));
    me.send(first_line + 1, to, blocks);
    me.receive(first_line + 2, from);
  }
}

}  // namespace

int side_of(int ranks) { return static_cast<int>(std::lround(std::sqrt(ranks))); }

void one_to_all(Walk& me) {
  const int d = me.dimensions();
  const int id = me.rank() ^ me.root();
  me.at(3, fmt::format("{}", id));
  int mask = (1 << d) - 1;
  me.at(4, bits_of(mask, d));
  for (int i = d - 1; i >= 0; --i) {
    me.at(5, fmt::format("i = {}", i));
    mask ^= 1 << i;
    me.at(6, bits_of(mask, d));
    if ((id & mask) != 0) continue;
    const int partner = id ^ 1 << i;
    if ((id & 1 << i) == 0) {
      me.at(9, fmt::format("{}", partner));
      me.send(10, partner ^ me.root());
    } else {
      me.at(12, fmt::format("{}", partner));
      me.receive(13, partner ^ me.root());
    }
  }
}

void one_to_all_of_0(Walk& me) {
  const int d = me.dimensions();
  int mask = (1 << d) - 1;
  me.at(3, bits_of(mask, d));
  for (int i = d - 1; i >= 0; --i) {
    me.at(4, fmt::format("i = {}", i));
    mask ^= 1 << i;
    me.at(5, bits_of(mask, d));
    if ((me.rank() & mask) != 0) continue;
    const int partner = me.rank() ^ 1 << i;
    const bool sends = (me.rank() & 1 << i) == 0;
    me.at(sends ? 8 : 11, fmt::format("{}", partner));
    sends ? me.send(9, partner) : me.receive(12, partner);
  }
}

void all_to_one(Walk& me) {
  const int d = me.dimensions();
  int mask = 0;
  for (int i = 0; i < d; ++i, mask ^= 1 << (i - 1)) {
    me.at(5, fmt::format("i = {}", i));
    if ((me.rank() & mask) != 0) continue;
    const int partner = me.rank() ^ 1 << i;
    const bool sends = (me.rank() & 1 << i) != 0;
    me.at(sends ? 8 : 11, fmt::format("{}", partner));
    sends ? me.send(9, partner) : me.receive(12, partner);
    if (!sends) me.at(14, "sum + X");
  }
}

void ring(Walk& me) {
  const int p = me.ranks();
  const int left = (me.rank() - 1 + p) % p;
  const int right = (me.rank() + 1) % p;
  me.at(3, fmt::format("{}", left));
  me.at(4, fmt::format("{}", right));
  pass_around(me, 7, p - 1, right, left, 1);
}

void mesh(Walk& me) {
  const int p = me.ranks();
  const int r = side_of(p);
  const int row = me.rank() - me.rank() % r;
  const int left = row + (me.rank() - 1 + r) % r;
  const int right = row + (me.rank() + 1) % r;
  me.at(3, fmt::format("{}", left));
  me.at(4, fmt::format("{}", right));
  pass_around(me, 7, r - 1, right, left, 1);
  const int up = (me.rank() - r + p) % p;
  const int down = (me.rank() + r) % p;
  me.at(12, fmt::format("{}", up));
  me.at(13, fmt::format("{}", down));
  pass_around(me, 15, r - 1, down, up, r);
}

void hypercube(Walk& me) {
  for (int i = 0; i < me.dimensions(); ++i) {
    const int partner = me.rank() ^ 1 << i;
    me.at(4, fmt::format("i = {}", i));
    me.at(5, fmt::format("{}", partner));
    me.send(6, partner, 1 << i);
    me.receive(7, partner);
  }
}

void prefix_sums(Walk& me) {
  for (int i = 0; i < me.dimensions(); ++i) {
    const int partner = me.rank() ^ 1 << i;
    me.at(5, fmt::format("i = {}", i));
    me.at(6, fmt::format("{}", partner));
    me.send(7, partner);
    me.receive(8, partner);
    if (partner < me.rank()) me.at(10, fmt::format("from {}", partner));
  }
}

void personal(Walk& me) {
  for (int i = 1; i < me.ranks(); ++i) {
    const int partner = me.rank() ^ i;
    me.at(3, fmt::format("i = {}", i));
    me.at(5, fmt::format("{}", partner));
    me.send(6, partner);
    me.receive(7, partner);
  }
}

void any_to_one(Walk& me) {
  for (int bitmask = 1; bitmask < me.ranks(); bitmask <<= 1) {
    const int partner = me.rank() ^ bitmask;
    me.at(3, fmt::format("{}", bitmask));
    me.at(4, fmt::format("{}", partner));
    if ((me.rank() & bitmask) != 0) {
      me.send(6, partner);
      return me.wait(7);
    }
    if (partner >= me.ranks()) continue;
    me.receive(10, partner);
    me.wait(11);
    me.at(12, "s + t");
  }
}

void scatter(Walk& me) {
  if (me.rank() != me.root()) me.receive(6, me.root());
  for (int i = 0; i < me.ranks() && me.rank() == me.root(); ++i) {
    if (i != me.root()) me.send(4, i);
  }
  me.wait(7);
}

void circle(Walk& me) {
  const int p = me.ranks();
  for (int i = 0; i < p; ++i) {
    me.at(1, fmt::format("i = {}", i));
    me.send(2, (me.rank() + 1) % p);
    me.receive(3, (me.rank() + p - 1) % p);
    me.wait(4);
    me.at(5, "x <-> y");
  }
}

void bruck(Walk& me) {
  const int p = me.ranks();
  for (int k = 1; k < p; k <<= 1) {
    me.at(5, fmt::format("k = {}", k));
    int blocks = 0;
    for (int i = k; i < p; ++i) blocks += (i & k) != 0 ? 1 : 0;
    me.at(7, counted(blocks, "block"));
    me.send(8, (me.rank() + k) % p, blocks);
    me.receive(9, (me.rank() - k + p) % p);
    me.wait(10);
  }
}

}  // namespace walks
}  // namespace tutti::app
