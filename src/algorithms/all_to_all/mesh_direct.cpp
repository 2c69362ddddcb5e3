/// @file
/// All-to-all on a torus, every block straight to its rank, with messages of both directions under way together.
///
/// Along a line of the grid, round c of e leads each place to another one. Where e is odd or at most 4, places x and
/// c - x (mod e) exchange: each distance occurs once each way. Where it is even and more, places whose parity is that
/// of c go ceil(c/2) upwards and the others as far downwards. A round of the grid is one of its rounds in each
/// dimension, all of them at once:
///
///     e = 5, round 1    0 <-> 1    2 <-> 4    3            e = 6, round 3    1 -> 3    3 -> 5    5 -> 1    upwards
///            round 2    0 <-> 2    3 <-> 4    1                              0 -> 4    2 -> 0    4 -> 2    downwards
///
/// Needs     any p >= 1, any counts, any grid: me.grid_for(p), of any number of dimensions.
/// Buffers   blocks go from `input` to `output`; the own one is copied. No scratch.
/// Traffic   p (p - 1) messages, p (p - 1) m bytes.
/// Time      p (ts + m tw) where ranks are fully connected and have one port, since in most rounds some ranks have
///           nobody to talk to; (p - 1)(ts + m tw) where that are all or none, with extents of 1, 2, 6, 8, 10, ….
/// Optimal   in bytes: every block goes once, and the shortest way. Up to extents of 5 a link has one message at a
///           time, and beyond them about e/4, where pairwise-modular has up to e/2.
/// Source    S. Kumar, Y. Sabharwal, R. Garg, P. Heidelberger, Optimization of All-to-all Communication on the Blue
///           Gene/L Supercomputer, ICPP, 2008: direct exchanges that load all links alike. These rounds are our own.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

bool is_exchanged(int extent) { return extent % 2 != 0 || extent <= 4; }

// Returns the place to which a round of a line leads from a place.
int led_to(int place, int round, int extent) {
  if (is_exchanged(extent)) return modulo(round - place, extent);
  const int links = (round + 1) / 2;
  return modulo((place - round) % 2 == 0 ? place + links : place - links, extent);
}

// From where it leads there.
int led_from(int place, int round, int extent) {
  if (is_exchanged(extent)) return modulo(round - place, extent);
  const int links = (round + 1) / 2;
  return modulo((place - links - round) % 2 == 0 ? place - links : place + links, extent);
}

void record_mesh_direct(Script& me, const Problem&) {
  const Shape grid = me.grid_for(me.size());
  const int r = me.rank();
  me.copy(me.output(r), me.input(r));
  for (int round = 0; round < me.size(); ++round) {
    int to = 0;
    int from = 0;
    for (int d = 0; d < grid.dimensions(); ++d) {
      const int of_line = grid.coordinate(round, d);
      to += led_to(grid.coordinate(r, d), of_line, grid.extent(d)) * grid.stride(d);
      from += led_from(grid.coordinate(r, d), of_line, grid.extent(d)) * grid.stride(d);
    }
    if (to != r) me.send(me.input(to), to);
    if (from != r) me.receive(me.output(from), from);
    me.wait();
  }
}

// Whether in some rounds of the line some ranks have nobody to talk to, and others have.
bool leaves_some_idle(int extent) { return extent > 2 && is_exchanged(extent); }

Claims claims_mesh_direct(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  Claims claims = direct_traffic(problem);
  bool is_uneven = false;
  for (int d = 0; d < grid.dimensions(); ++d) is_uneven = is_uneven || leaves_some_idle(grid.extent(d));
  claims.rounds += is_uneven ? 1 : 0;
  return claims;
}

}  // namespace

const Algorithm all_to_all_mesh_direct{
    .collective = Collective::all_to_all,
    .name = "mesh-direct",
    .summary = "Every block straight to its rank, in rounds whose messages go in both directions of each dimension.",
    .when = "Long blocks on tori: links carry half as much at a time as with pairwise-modular, or less.",
    .source =
        "S. Kumar, Y. Sabharwal, R. Garg, P. Heidelberger, Optimization of All-to-all Communication on the Blue Gene/L "
        "Supercomputer, 2008",
    .own_blocks_suffice = true,
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .steps_differ = true,
    .record = record_mesh_direct,
    .claims = claims_mesh_direct,
};

}  // namespace tutti::algorithms
