/// @file
/// Exclusive scan by distances 1, 2, 3, 6, 12, …
///
/// With distances 1, 2, 4, … a rank would have to combine its contribution with its result before it sends it in
/// every round but the first: two combinations a round. After a round of distance 2 in which it does, the result of
/// rank r is of the ranks r - 3 .. r - 1: these are next to those of rank r - 3, and so on with doubled distances.
///
///     rank    0     1      2       3       4       5       6       7
///     1       []   [0]    [1]     [2]     [3]     [4]     [5]     [6]        p = 8
///     2       []   [0]    [0-1]   [0-2]   [1-3]   [2-4]   [3-5]   [4-6]
///     3       []   [0]    [0-1]   [0-2]   [0-3]   [0-4]   [0-5]   [1-6]
///     6       []   [0]    [0-1]   [0-2]   [0-3]   [0-4]   [0-5]   [0-6]
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, sent in the first two rounds; the result grows in `output`, untouched at rank 0, and in m bytes
///           of scratch by turns; what is sent in the second round in m bytes more. In place a rank's contribution is
///           set aside first, in m bytes more.
/// Traffic   p - d messages of m bytes in the first two rounds, of distances d = 1 and 2, and p - 1 - d in later
///           ones.
/// Time      ceil(log2(4 (p - 1)/3)) rounds of ts + m tw and at most as many combinations.
/// Optimal   in rounds up to one; in combinations.
/// Source    J. L. Träff, Communication Round and Computation Efficient Exclusive Prefix-Sums Algorithms (for
///           MPI_Exscan), 2025.

#include "algorithms/scan/growing_prefix.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

constexpr int after(int distance) { return distance < 3 ? distance + 1 : 2 * distance; }

// From distance 3 on rank 0, whose result is empty, sends nothing.
constexpr int first_sender(int distance) { return distance < 3 ? 0 : 1; }

int growths_of(int rank, int p) {
  int growths = 0;
  for (int distance = 1; distance < p; distance = after(distance)) growths += rank - distance >= first_sender(distance);
  return growths;
}

void record_exclusive_123_doubling(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  Slice own = me.input();
  // The last rank sends it to nobody.
  if (own == me.output() && r > 0 && r + 1 < p) {
    own = me.scratch(2 * problem.count, problem.count);
    me.copy(own, me.input());
    me.wait();
  }
  GrowingPrefix result(me, own, growths_of(r, p));
  for (int distance = 1; distance < p; distance = after(distance)) {
    const bool sends = r >= first_sender(distance) && r + distance < p;
    Slice sent = distance == 1 || r == 0 ? own : result.place();
    if (sends && distance == 2 && r > 0) {
      sent = me.scratch(problem.count, problem.count);
      me.reduce(sent, result.place(), own);
      me.wait();
    }
    if (sends) me.send(sent, r + distance);
    if (r - distance >= first_sender(distance)) {
      distance == 1 ? result.begin(r - distance) : result.grow(r - distance);
    }
    me.wait();
  }
}

Claims claims_exclusive_123_doubling(const Problem& problem) {
  Claims claims;
  for (int distance = 1; distance + first_sender(distance) < problem.ranks; distance = after(distance)) {
    ++claims.rounds;
    claims.messages += problem.ranks - distance - first_sender(distance);
  }
  claims.elements = claims.messages * problem.count;
  return claims;
}

}  // namespace

const Algorithm exclusive_scan_123_doubling{
    .collective = Collective::exclusive_scan,
    .name = "123-doubling",
    .summary = "Every rank sends its result so far over distances 1, 2, 3 and then twice as far in each round.",
    .when = "Where combining is dear: one combination a round.",
    .source =
        "J. L. Träff, Communication Round and Computation Efficient Exclusive Prefix-Sums Algorithms (for MPI_Exscan), "
        "2025",
    .record = record_exclusive_123_doubling,
    .claims = claims_exclusive_123_doubling,
};

}  // namespace tutti::algorithms
