/// @file
/// Registry of the ranks of an MPI job on this host that have the library, known before MPI works.
///
/// A rank that has not loaded the library takes part in no agreement: whoever asked it would wait for ever. So each
/// rank that has loaded it binds an abstract Unix socket, named after user, job, build and rank, before it enters MPI's
/// own MPI_Init. MPI_Init ends with a synchronization of the whole job; from then on the sockets of the host say who
/// has the library, and say the same to all. A socket is gone with its process, and a process in another network
/// namespace counts as one of another host. Ranks with different builds of the library count, for one another, as ranks
/// without it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "transport/processes/segment.hpp"

namespace tutti::interpose {

/// Returns what the processes of one job have in common, and no others of this machine; empty if no mpirun has told it.
std::string job_of_this_process();

/// This rank's sign, from its construction to the end of the process or of the object.
class HostRegistry {
 public:
  /// Rank `rank` of that job is here. Where the system refuses it, or the program may lack the descriptor that this
  /// takes, it is as if the library were not loaded. `patience` is how long share() awaits each of the others.
  HostRegistry(const std::string& job, int rank, std::chrono::milliseconds patience = std::chrono::minutes(1));
  HostRegistry(const HostRegistry&) = delete;
  HostRegistry& operator=(const HostRegistry&) = delete;
  ~HostRegistry();

  /// The ranks of the job on this host that have this build of the library, ascending. Once all of them have been
  /// constructed.
  std::vector<int> present() const;

  /// A segment that these ranks share, this one as the rank that has its place among them; nothing where not all of
  /// them could join it, or where one has little room left for addresses (ulimit -v). All of them call it, and get the
  /// same answer. Throws nothing: a rank for which the first has waited too long ends the attempt. The first of them
  /// says by `propose` what all agree on.
  std::optional<runtime::Segment> share(const std::vector<int>& ranks,
                                        runtime::Propose propose = runtime::no_proposal) const;

 private:
  std::optional<runtime::Segment> share_as_first(std::size_t ranks, runtime::Propose propose) const;
  std::optional<runtime::Segment> share_as_other(const std::vector<int>& ranks, int place) const;

  std::string prefix_;
  int rank_;
  std::chrono::milliseconds patience_;
  int socket_ = -1;
};

}  // namespace tutti::interpose
