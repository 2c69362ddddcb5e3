#include "mpi_job/process/host_ranks.hpp"

#include <algorithm>

namespace tutti::interpose {

int HostRanks::place_of(int rank) const {
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() || *found != rank ? other_host : static_cast<int>(found - ranks.begin());
}

}  // namespace tutti::interpose
