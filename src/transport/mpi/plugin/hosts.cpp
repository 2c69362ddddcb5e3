#include "transport/mpi/plugin/hosts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "transport/location.hpp"

namespace tutti::runtime {

// Launchers bind ranks to cores of their own: what the ranks of a host have is all of these.
HostShare host_of(MPI_Comm communicator) {
  MPI_Comm here = MPI_COMM_NULL;
  PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  HostShare host;
  PMPI_Comm_size(here, &host.ranks);
  const UsableCores own = UsableCores::of_this_process();
  UsableCores all;
  PMPI_Allreduce(own.allowed().data(), all.allowed().data(), static_cast<int>(all.allowed().size()), MPI_UINT64_T,
                 MPI_BOR, here);
  int quota = own.quota();
  PMPI_Allreduce(MPI_IN_PLACE, &quota, 1, MPI_INT, MPI_MIN, here);
  PMPI_Comm_free(&here);
  all.limit(quota);
  host.cores = all.count();
  return host;
}

HostShare most_crowded(const HostShare& own, MPI_Comm communicator) {
  int size = 1;
  PMPI_Comm_size(communicator, &size);
  std::vector<std::array<int, 2>> all(static_cast<std::size_t>(size));
  const std::array<int, 2> told{own.cores, own.ranks};
  PMPI_Allgather(told.data(), 2, MPI_INT, all.data(), 2, MPI_INT, communicator);
  HostShare most{all[0][0], all[0][1]};
  for (const auto& [cores, ranks] : all) {
    const HostShare host{cores, ranks};
    if (host.is_more_crowded_than(most)) most = host;
  }
  return most;
}

Layout layout_of(MPI_Comm communicator) {
  const ProcessPlace own = place_of_this_process(UsableCores::of_this_process());
  int size = 1;
  PMPI_Comm_size(communicator, &size);
  std::vector<ProcessPlace> all(static_cast<std::size_t>(size));
  PMPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, communicator);
  return layout_of(all);
}

namespace {

/// One end of a link that two ranks measure.
class LinkEnd {
 public:
  LinkEnd(int peer, bool begins, int most_bytes, MPI_Comm communicator)
      : peer_(peer), begins_(begins), memory_(static_cast<std::size_t>(most_bytes)), communicator_(communicator) {}

  /// The least seconds that `messages` messages of `bytes` bytes and one back take.
  double least_exchange(int exchanges, int messages, int bytes) {
    return least(exchanges, [&] {
      for (int n = 0; n < messages; ++n) pass(begins_, bytes);
      pass(!begins_, bytes);
    });
  }

  /// The least seconds that a message of `bytes` bytes takes in both directions at once.
  double least_both_ways(int exchanges, int bytes) {
    std::vector<std::byte> other(memory_.size());
    return least(exchanges, [&] {
      PMPI_Sendrecv(memory_.data(), bytes, MPI_BYTE, peer_, tag, other.data(), bytes, MPI_BYTE, peer_, tag,
                    communicator_, MPI_STATUS_IGNORE);
    });
  }

 private:
  static constexpr int tag = 0;

  /// Returns the median of so many times, or of fewer if they are slow. One before does not count: in it the other rank
  /// may come late, MPI may make its connection, and the connection learns how much it may send at once.
  template <typename Once>
  double least(int times, const Once& once) {
    constexpr double most_seconds = 50e-3;
    constexpr double slow = 0.2;
    double least = std::numeric_limits<double>::max();
    double all = 0;
    for (int k = 0; k <= times; ++k) {
      const double begin = PMPI_Wtime();
      once();
      const double seconds = PMPI_Wtime() - begin;
      if (k > 0) {
        all += seconds;
        least = std::min(least, seconds);
      }
      // Whoever begins says whether there is another: by a byte or by none.
      const bool is_another = k == 0 || (k < times && seconds <= slow && (k < 3 || all < most_seconds));
      if (!pass(begins_, is_another ? 1 : 0)) break;
    }
    return least;
  }

  /// Whether any bytes have passed.
  bool pass(bool sends, int bytes) {
    if (sends) {
      PMPI_Send(memory_.data(), bytes, MPI_BYTE, peer_, tag, communicator_);
      return bytes > 0;
    }
    MPI_Status status;
    PMPI_Recv(memory_.data(), static_cast<int>(memory_.size()), MPI_BYTE, peer_, tag, communicator_, &status);
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    return bytes > 0;
  }

  int peer_;
  bool begins_;
  std::vector<std::byte> memory_;
  MPI_Comm communicator_;
};

/// The peer with which this rank measures: the first ranks of nodes 0 and 1, 2 and 3, and so on; -1: none.
int measuring_peer(const Layout& layout, int rank) {
  const auto by_node = layout.ranks_by_node(layout.size());
  const auto node = static_cast<std::size_t>(layout.node_of(rank));
  const std::size_t other = node ^ 1;
  const bool is_one = by_node[node].front() == rank && other < by_node.size();
  return is_one ? by_node[other].front() : -1;
}

}  // namespace

LinkTimes measured_link(const Layout& layout, MPI_Comm communicator) {
  constexpr int long_bytes = 1 << 20;  // more than switches and shapers let pass at once
  constexpr int many = 17;
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  std::array<double, 4> link{0, 0, 0, 1};
  if (const int peer = measuring_peer(layout, rank); peer >= 0) {
    LinkEnd end(peer, rank < peer, long_bytes, communicator);
    const double one = end.least_exchange(20, 1, 8);
    const double in_a_row = end.least_exchange(5, many, 8);
    const double long_one = std::max(end.least_exchange(4, 1, long_bytes) - one, 0.0) / 2;
    const double both_ways = std::max(end.least_both_ways(4, long_bytes) - one / 2, 0.0);
    link = {one / 2, std::max(in_a_row - one, 0.0) / (many - 1), long_one / long_bytes,
            long_one > 0 ? std::clamp(both_ways / long_one, 1.0, 2.0) : 1.0};
  }
  PMPI_Allreduce(MPI_IN_PLACE, link.data(), static_cast<int>(link.size()), MPI_DOUBLE, MPI_MAX, communicator);
  return {link[0], link[1], link[2], link[3]};
}

}  // namespace tutti::runtime
