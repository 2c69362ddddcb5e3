#include "mpi_check/communicators/graph_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/units.hpp"
#include "mpi_check/collectives/first_mismatch.hpp"
#include "mpi_check/collectives/number_list.hpp"

namespace tutti::interpose {
namespace {

/// Edges that one rank lists to or from another one. Plain bytes.
struct EdgesOneWay {
  std::int64_t count = 0;
  char weights[96] = {};  ///< "1, 2", in ascending order; empty: it gives none
};
struct EdgesOfPair {
  EdgesOneWay to;    ///< edges that lead to the other one
  EdgesOneWay from;  ///< edges that come from there
};

/// Fault of the edges from one rank to another one. Plain bytes.
struct Mismatch {
  int from = -1;
  int to = -1;
  char text[320] = {};

  bool is_there() const { return from >= 0; }
  bool operator<(const Mismatch& other) const { return from != other.from ? from < other.from : to < other.to; }
};

/// Returns the sides of each of so many ranks; ranks that are none are MPI's to refuse.
std::vector<EdgesOneWay> sides_of(const GraphEdges& edges, int ranks) {
  std::vector<EdgesOneWay> sides(static_cast<std::size_t>(ranks));
  std::vector<std::vector<std::int64_t>> weights(sides.size());
  for (std::size_t k = 0; k < edges.ends.size(); ++k) {
    if (edges.ends[k] < 0 || edges.ends[k] >= ranks) continue;
    const auto end = static_cast<std::size_t>(edges.ends[k]);
    ++sides[end].count;
    if (edges.weights) weights[end].push_back((*edges.weights)[k]);
  }
  for (std::size_t end = 0; end < sides.size(); ++end) {
    std::sort(weights[end].begin(), weights[end].end());
    words_of_list(weights[end]).copy(sides[end].weights, sizeof(EdgesOneWay::weights) - 1);
  }
  return sides;
}

/// `at_begin` is what the first rank lists of the edges from it to the second one, `at_end` what that one does.
Mismatch compared(int first, int second, const EdgesOneWay& at_begin, const EdgesOneWay& at_end) {
  std::string text;
  const bool are_weighted = at_begin.weights[0] != '\0' && at_end.weights[0] != '\0';
  if (at_begin.count != at_end.count) {
    text = fmt::format("rank {} lists {} to rank {}, which lists {} from there", first, counted(at_begin.count, "edge"),
                       second, counted(at_end.count, "edge"));
  } else if (are_weighted && std::strcmp(at_begin.weights, at_end.weights) != 0) {
    text = fmt::format("rank {} lists edges to rank {} with weights {}, which lists them with {}", first, second,
                       at_begin.weights, at_end.weights);
  }
  Mismatch wrong;
  if (text.empty()) return wrong;
  wrong.from = first;
  wrong.to = second;
  text.copy(wrong.text, sizeof(wrong.text) - 1);
  return wrong;
}

}  // namespace

void compare_edges(const char* function, ServedCommunicator& on, const GraphEdges& from, const GraphEdges& to) {
  const std::vector<EdgesOneWay> sides_from = sides_of(from, on.size());
  const std::vector<EdgesOneWay> sides_to = sides_of(to, on.size());
  std::vector<EdgesOfPair> mine(sides_to.size());
  std::vector<EdgesOfPair> told(mine.size());
  for (std::size_t rank = 0; rank < mine.size(); ++rank) mine[rank] = {sides_to[rank], sides_from[rank]};
  constexpr int bytes = sizeof(EdgesOfPair);
  if (PMPI_Alltoall(mine.data(), bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  std::vector<Mismatch> own;
  for (int rank = 0; rank < on.size(); ++rank) {
    const auto other = static_cast<std::size_t>(rank);
    own.push_back(compared(on.rank(), rank, mine[other].to, told[other].from));
    own.push_back(compared(rank, on.rank(), told[other].to, mine[other].from));
  }
  const Mismatch first = first_mismatch_on_any(on, first_mismatch(std::move(own)));
  if (!first.is_there()) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("{}; all called {} (on communicator {})", first.text, function, on.title()));
}

bool are_no_weights(void* list) {
  static const Sentinel none(
      {"mpi_fortran_unweighted_", "mpi_fortran_unweighted", "mpi_fortran_unweighted__", "MPI_FORTRAN_UNWEIGHTED"});
  static const Sentinel empty({"mpi_fortran_weights_empty_", "mpi_fortran_weights_empty", "mpi_fortran_weights_empty__",
                               "MPI_FORTRAN_WEIGHTS_EMPTY"});
  // name in MPICH's `use mpi_f08`
  static const Sentinel of_mpich({"__mpi_f08_link_constants_MOD_mpi_unweighted",
                                  "__mpi_f08_link_constants_MOD_mpi_weights_empty", "MPIR_F08_MPI_UNWEIGHTED",
                                  "MPIR_F08_MPI_WEIGHTS_EMPTY"});
  return list == nullptr || none.is(list) || empty.is(list) || of_mpich.is(list);
}

}  // namespace tutti::interpose
