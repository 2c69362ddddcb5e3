#include "gallery/gallery.hpp"

#include <algorithm>
#include <array>

#include "algorithms/table.hpp"

namespace tutti::gallery {

std::span<const Exhibit> exhibits() {
  static const std::array table{
      Exhibit{
          "bruck-as-printed",
          "A listing of Bruck's all-to-all stores what a round receives in the send buffer, and then copies back "
          "what the round has sent: nothing that is received is ever used. Its last loop turns the blocks in place, "
          "one by one, and so reads blocks that it has already overwritten.",
          "A lecture on collective communication, \"Bruck Algorithm in Full-connected Network\", Algorithm 2",
          {.collective = Collective::all_to_all, .ranks = 4, .count = 1},
          bruck_as_printed},
      Exhibit{
          "n-block-of-two-minds",
          "In an n-block broadcast on a circulant graph, the rule by which a rank sends and the rule by which it "
          "receives name different segments on some edges. The sizes agree, so that nobody notices. With 33 ranks, "
          "the first number for which it happens, rank 1 files what ranks 29 and 31 send it two segments too early; "
          "the other edges are here as they should be.",
          "MPICH, src/mpi/coll/algorithms/circ_graph/circ_graph.c at 43534f66: gen_ssched and gen_rsched",
          {.collective = Collective::broadcast, .ranks = 33, .count = 24},
          n_block_of_two_minds},
      Exhibit{
          "ring-overwritten",
          "A ring all-reduce receives a partial sum into the output and adds its own contribution afterwards. In "
          "place that contribution has just been overwritten: what was received is added to itself.",
          "open-mpi/ompi issue #9385, mended in pull request #9482: the ring had no protection against MPI_IN_PLACE",
          {.collective = Collective::all_reduce, .ranks = 4, .count = 4, .in_place = true},
          ring_overwritten},
      Exhibit{"own-contribution-first",
              "Every rank adds all inputs by itself, its own first and then the others in rank order. Sums of floating "
              "point depend on the order, so that ranks end with different bits.",
              "open-mpi/ompi pull request #12258: all-reduce by all-gather and reduce",
              {.collective = Collective::all_reduce, .ranks = 4, .count = 1},
              own_contribution_first},
      Exhibit{
          "order-lost",
          "A reduce-scatter round a ring begins the sum of each block at another rank. With an operator that is not "
          "commutative, blocks whose sums begin in the middle of the ranks have their operands in the wrong order.",
          "open-mpi/ompi issue #8010: recursive halving, ring and butterfly fail for operators that do not commute",
          {.collective = Collective::reduce_scatter, .ranks = 4, .count = 1, .commutative = false},
          algorithms::reduce_scatter_ring.record},
      Exhibit{"send-before-receive",
              "Every rank sends to the right, waits, and then receives from the left. It works as long as messages are "
              "short enough to be buffered; where a send waits for its receive, all ranks wait for one another.",
              "MPI Forum, MPI: A Message-Passing Interface Standard, version 4.1, 2023, §3.5: programs that rely on "
              "buffering",
              {.collective = Collective::all_gather, .ranks = 4, .count = 1},
              send_before_receive},
      Exhibit{"operands-awaited-in-order",
              "Rank 0 takes its operands in rank order. Rank 1 cannot send its own before it hears from rank 2, which "
              "waits until rank 0 takes what it has sent. Buffered sends hide the circle, of which no two ranks know.",
              "MPI Forum, MPI: A Message-Passing Interface Standard, version 4.1, 2023, §3.5",
              {.collective = Collective::all_gather, .ranks = 3, .count = 1},
              operands_awaited_in_order},
      Exhibit{"scratch-used-again",
              "A schedule that is right for short messages fails for long ones, which it moves in several turns: "
              "nothing says that the copy of one turn into scratch comes after the send of the turn before it, which "
              "reads there.",
              "microsoft/msccl issue #38: the thread asks what orders two instructions of different thread blocks",
              {.collective = Collective::broadcast, .ranks = 2, .count = 4},
              scratch_used_again},
  };
  return table;
}

std::span<const Inexpressible> inexpressible() {
  static constexpr std::array table{
      Inexpressible{
          "open-mpi/ompi issue #11441: an all-reduce of certain sizes corrupts data",
          "the thread shows crashes inside of the transport, below the broadcast that the all-reduce calls; a "
          "schedule says what is sent to whom, and not how bytes are moved"},
      Inexpressible{"microsoft/msccl issue #27: wrong results with the LL protocol alone",
                    "the schedule is right; the protocol that carries it is not"},
      Inexpressible{"open-mpi/ompi issue #5151: non-commutative operators on strided types",
                    "elements have no layout here; that the order of operands is lost, order-lost shows"},
  };
  return table;
}

const Exhibit* find_exhibit(std::string_view name) {
  const auto all = exhibits();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Exhibit& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti::gallery
