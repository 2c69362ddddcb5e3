#include "transport/mpi/plugin/hosts.hpp"

#include <array>
#include <vector>

#include "transport/location.hpp"
#include "transport/usable_cores.hpp"

namespace tutti::runtime {

// Launchers bind ranks to cores of their own: what the ranks of a host have is all of these.
HostShare host_of(MPI_Comm communicator) {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  HostShare host;
  MPI_Comm_size(here, &host.ranks);
  const UsableCores own = UsableCores::of_this_process();
  UsableCores all;
  MPI_Allreduce(own.allowed().data(), all.allowed().data(), static_cast<int>(all.allowed().size()), MPI_UINT64_T,
                MPI_BOR, here);
  int quota = own.quota();
  MPI_Allreduce(MPI_IN_PLACE, &quota, 1, MPI_INT, MPI_MIN, here);
  MPI_Comm_free(&here);
  all.limit(quota);
  host.cores = all.count();
  return host;
}

HostShare most_crowded(const HostShare& own, MPI_Comm communicator) {
  int size = 1;
  MPI_Comm_size(communicator, &size);
  std::vector<std::array<int, 2>> all(static_cast<std::size_t>(size));
  const std::array<int, 2> told{own.cores, own.ranks};
  MPI_Allgather(told.data(), 2, MPI_INT, all.data(), 2, MPI_INT, communicator);
  HostShare most{all[0][0], all[0][1]};
  for (const auto& [cores, ranks] : all) {
    const HostShare host{cores, ranks};
    if (host.is_more_crowded_than(most)) most = host;
  }
  return most;
}

Layout layout_of(MPI_Comm communicator) {
  const Place own = place_of_this_process(UsableCores::of_this_process());
  int size = 1;
  MPI_Comm_size(communicator, &size);
  std::vector<Place> all(static_cast<std::size_t>(size));
  MPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, communicator);
  return layout_of(all);
}

}  // namespace tutti::runtime
