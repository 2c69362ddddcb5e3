#include "mpi_job/communicators/peers.hpp"

#include <numeric>

#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {
namespace {

using GetGroup = int (*)(MPI_Comm, MPI_Group*);

std::vector<int> ranks_of(MPI_Comm handle, GetGroup get_group) {
  MPI_Group group = MPI_GROUP_NULL;
  get_group(handle, &group);
  std::vector<int> ranks = ranks_in_job(group);
  PMPI_Group_free(&group);
  return ranks;
}

std::uint32_t digest_of(const std::vector<int>& ranks) {
  std::uint64_t digest = ranks.size();
  for (const int rank : ranks) digest = (digest ^ static_cast<std::uint32_t>(rank)) * 0x9e3779b97f4a7c15U >> 7;
  return static_cast<std::uint32_t>(digest);
}

}  // namespace

std::vector<int> ranks_in_job(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> in_job(own.size());
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(group, size, own.data(), all, in_job.data());
  PMPI_Group_free(&all);
  return in_job;
}

Peers peers_of(MPI_Comm handle) {
  int is_between = 0;
  PMPI_Comm_test_inter(handle, &is_between);
  Peers peers;
  peers.in_job = ranks_of(handle, is_between != 0 ? PMPI_Comm_remote_group : PMPI_Comm_group);
  // A sum: each group takes the other one for the remote one.
  peers.digest = digest_of(peers.in_job) + (is_between != 0 ? digest_of(ranks_of(handle, PMPI_Comm_group)) : 0);
  for (const int rank : peers.in_job) peers.on_host.push_back(job().ranks->host()->place_of(rank));
  return peers;
}

}  // namespace tutti::interpose
