#include "app/procedures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/integers.hpp"

namespace tutti::app {
namespace {

bool any(int) { return true; }
bool power_of_two(int ranks) { return is_power_of_two(ranks); }

int side_of(int ranks) { return static_cast<int>(std::lround(std::sqrt(ranks))); }
bool square(int ranks) { return side_of(ranks) * side_of(ranks) == ranks; }

std::string bits_of(int number, int digits) { return fmt::format("{:0{}b}", number, std::max(1, digits)); }

// Procedures 1 and 8: the latter has the source 0 and no virtual numbers.
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

// Procedures 2 and 9, which differ in nothing but their names and where `mask` is set.
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

void pass_around(Walk& me, int first_line, int turns, int to, int from, int blocks) {
  for (int i = 1; i <= turns; ++i) {
    me.at(first_line, fmt::format("i = {}", i));
    me.send(first_line + 1, to, blocks);
    me.receive(first_line + 2, from);
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
    me.at(7, fmt::format("{} blocks", blocks));
    me.send(8, (me.rank() + k) % p, blocks);
    me.receive(9, (me.rank() - k + p) % p);
    me.wait(10);
  }
}

constexpr std::string_view two = "a power of two of ranks";
constexpr std::string_view any_number = "";
constexpr bool blocking = false;
constexpr bool asynchronous = true;

const std::vector<Procedure> all{
    {"procedure-1",
     "GENERAL_ONE_TO_ALL_BC(d, my_id, source, X)",
     Collective::broadcast,
     "binomial",
     two,
     power_of_two,
     blocking,
     {"procedure GENERAL_ONE_TO_ALL_BC(d, my_id, source, X)", "begin", "  my_virtual_id := my_id XOR source",
      "  mask := 2^d - 1", "  for i := d - 1 downto 0 do", "    mask := mask XOR 2^i",
      "    if (my_virtual_id AND mask) = 0 then", "      if (my_virtual_id AND 2^i) = 0 then",
      "        virtual_dest := my_virtual_id XOR 2^i", "        send X to (virtual_dest XOR source)", "      else",
      "        virtual_source := my_virtual_id XOR 2^i", "        receive X from (virtual_source XOR source)",
      "      endelse", "  endfor", "end GENERAL_ONE_TO_ALL_BC"},
     one_to_all},
    {"procedure-2",
     "ALL_TO_ONE_REDUCE(d, my_id, m, X, sum)",
     Collective::reduce,
     "binomial",
     two,
     power_of_two,
     blocking,
     {"procedure ALL_TO_ONE_REDUCE(d, my_id, m, X, sum)", "begin", "  for j := 0 to m - 1 do sum[j] := X[j]",
      "  mask := 0", "  for i := 0 to d - 1 do", "    if (my_id AND mask) = 0 then",
      "      if (my_id AND 2^i) <> 0 then", "        msg_destination := my_id XOR 2^i",
      "        send sum to msg_destination", "      else", "        msg_source := my_id XOR 2^i",
      "        receive X from msg_source", "        for j := 0 to m - 1 do", "          sum[j] := sum[j] + X[j]",
      "      endelse", "    mask := mask XOR 2^i", "  endfor", "end ALL_TO_ONE_REDUCE"},
     all_to_one},
    {"procedure-3",
     "ALL_TO_ALL_BC_RING(my_id, my_msg, p, result)",
     Collective::all_gather,
     "ring",
     any_number,
     any,
     blocking,
     {"procedure ALL_TO_ALL_BC_RING(my_id, my_msg, p, result)", "begin", "  left := (my_id - 1) mod p",
      "  right := (my_id + 1) mod p", "  result := my_msg", "  msg := result", "  for i := 1 to p - 1 do",
      "    send msg to right", "    receive msg from left", "    result := result U msg", "  endfor",
      "end ALL_TO_ALL_BC_RING"},
     ring},
    {"procedure-4",
     "ALL_TO_ALL_BC_MESH(my_id, my_msg, p, result)",
     Collective::all_gather,
     "mesh",
     "a square number of ranks",
     square,
     blocking,
     {"procedure ALL_TO_ALL_BC_MESH(my_id, my_msg, p, result)",
      "begin",
      "  left := my_id - (my_id mod sqrt p) + (my_id - 1) mod sqrt p",
      "  right := my_id - (my_id mod sqrt p) + (my_id + 1) mod sqrt p",
      "  result := my_msg",
      "  msg := result",
      "  for i := 1 to sqrt p - 1 do",
      "    send msg to right",
      "    receive msg from left",
      "    result := result U msg",
      "  endfor",
      "  up := (my_id - sqrt p) mod p",
      "  down := (my_id + sqrt p) mod p",
      "  msg := result",
      "  for i := 1 to sqrt p - 1 do",
      "    send msg to down",
      "    receive msg from up",
      "    result := result U msg",
      "  endfor",
      "end ALL_TO_ALL_BC_MESH"},
     mesh},
    {"procedure-5",
     "ALL_TO_ALL_BC_HCUBE(my_id, my_msg, d, result)",
     Collective::all_gather,
     "recursive-doubling",
     two,
     power_of_two,
     blocking,
     {"procedure ALL_TO_ALL_BC_HCUBE(my_id, my_msg, d, result)", "begin", "  result := my_msg",
      "  for i := 0 to d - 1 do", "    partner := my_id XOR 2^i", "    send result to partner",
      "    receive msg from partner", "    result := result U msg", "  endfor", "end ALL_TO_ALL_BC_HCUBE"},
     hypercube},
    {"procedure-6",
     "PREFIX_SUMS_HCUBE(my_id, my_number, d, result)",
     Collective::scan,
     "recursive-doubling",
     two,
     power_of_two,
     blocking,
     {"procedure PREFIX_SUMS_HCUBE(my_id, my_number, d, result)", "begin", "  result := my_number", "  msg := result",
      "  for i := 0 to d - 1 do", "    partner := my_id XOR 2^i", "    send msg to partner",
      "    receive number from partner", "    msg := msg + number",
      "    if (partner < my_id) then result := result + number", "  endfor", "end PREFIX_SUMS_HCUBE"},
     prefix_sums},
    {"procedure-7",
     "ALL_TO_ALL_PERSONAL(d, my_id)",
     Collective::all_to_all,
     "pairwise",
     two,
     power_of_two,
     blocking,
     {"procedure ALL_TO_ALL_PERSONAL(d, my_id)", "begin", "  for i := 1 to 2^d - 1 do", "  begin",
      "    partner := my_id XOR i", "    send M[my_id, partner] to partner",
      "    receive M[partner, my_id] from partner", "  endfor", "end ALL_TO_ALL_PERSONAL"},
     personal},
    {"procedure-8",
     "ONE_TO_ALL_BC(d, my_id, X)",
     Collective::broadcast,
     "binomial",
     two,
     power_of_two,
     blocking,
     {"procedure ONE_TO_ALL_BC(d, my_id, X)", "begin", "  mask := 2^d - 1", "  for i := d - 1 downto 0 do",
      "    mask := mask XOR 2^i", "    if (my_id AND mask) = 0 then", "      if (my_id AND 2^i) = 0 then",
      "        msg_destination := my_id XOR 2^i", "        send X to msg_destination", "      else",
      "        msg_source := my_id XOR 2^i", "        receive X from msg_source", "  endfor", "end ONE_TO_ALL_BC"},
     one_to_all_of_0},
    {"procedure-9",
     "SINGLE_NODE_ACC(d, my_id, m, X, sum)",
     Collective::reduce,
     "binomial",
     two,
     power_of_two,
     blocking,
     {"procedure SINGLE_NODE_ACC(d, my_id, m, X, sum)", "begin", "  for j := 0 to m - 1 do sum[j] := X[j]",
      "  mask := 0", "  for i := 0 to d - 1 do", "    if (my_id AND mask) = 0 then",
      "      if (my_id AND 2^i) <> 0 then", "        msg_destination := my_id XOR 2^i",
      "        send sum to msg_destination", "      else", "        msg_source := my_id XOR 2^i",
      "        receive X from msg_source", "        for j := 0 to m - 1 do", "          sum[j] := sum[j] + X[j]",
      "    mask := mask XOR 2^i", "  endfor", "end SINGLE_NODE_ACC"},
     all_to_one},
    {"procedure-10",
     "all-to-one reduce for any P",
     Collective::reduce,
     "binomial",
     any_number,
     any,
     asynchronous,
     {"let s = local value", "bitmask <- 1", "while bitmask < P do", "  PARTNER <- RANK ^ bitmask",
      "  if RANK & bitmask then", "    sendAsync(s -> PARTNER)", "    wait(*)", "    break",
      "  else if PARTNER < P then", "    recvAsync(t <- PARTNER)", "    wait(*)", "    s <- s + t",
      "  bitmask <- (bitmask << 1)", "if RANK = 0 then print(s)"},
     any_to_one},
    {"procedure-11",
     "scatter(In[1:m][1:P], root, Out[1:m])",
     Collective::scatter,
     "linear",
     any_number,
     any,
     asynchronous,
     {"scatter(In[1:m][1:P], root, Out[1:m])", "  if RANK = root then", "    for i <> root do",
      "      sendAsync(In[:][i], i)", "  else", "    recvAsync(Out[:], root)", "  wait(*)"},
     scatter},
    {"procedure-12",
     "NCCL Bruck algorithm",
     Collective::all_to_all,
     "bruck",
     any_number,
     any,
     asynchronous,
     {"P <- total number of processes", "for i in [0, P) do", "  R[i] = S[(p + i) % P]", "allocate temporary buffer T",
      "for k = 1; k < P; k <<= 1 do", "  for i in [k, P) do", "    if i & k then copy R[i] into T",
      "  send data in T to (p + k) % P", "  receive data from (p - k + P) % P",
      "  copy what has come into the R[i] with i & k", "for i in [0, P) do", "  R[i] = R[(p - i + P) % P]"},
     bruck},
    {"procedure-13",
     "circular exchange",
     Collective::shift,
     "ring",
     any_number,
     any,
     asynchronous,
     {"for i <- 0 to P - 1 do", "  sendAsync(x -> (RANK + 1) mod P)", "  recvAsync(y <- (RANK + P - 1) mod P)",
      "  wait(*)", "  swap(x, y)"},
     circle},
};

}  // namespace

int Walk::dimensions() const { return ceil_log2(ranks_); }

void Walk::send(int line, int to, int blocks) {
  const std::string size = blocks == 1 ? "" : fmt::format("{} m ", blocks);
  visits_.push_back({line, Visit::Kind::sends, to, blocks, fmt::format("{}to {}", size, to)});
}

void Walk::receive(int line, int from) {
  visits_.push_back({line, Visit::Kind::receives, from, 0, fmt::format("from {}", from)});
}

std::span<const Procedure> procedures() { return all; }

const Procedure* procedure_named(std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Procedure& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti::app
