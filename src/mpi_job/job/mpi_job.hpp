/// @file
/// Job of MPI in which this process takes part: its ranks, and whether its collectives are served.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string_view>

#include "mpi_job/process/call_site.hpp"
#include "mpi_job/process/fallback_table.hpp"
#include "mpi_job/process/job_ranks.hpp"

namespace tutti::interpose {

/// Never destroyed: what the program holds may outlive main.
struct MpiJob {
  int rank = 0;  ///< in MPI_COMM_WORLD
  int size = 0;
  bool is_first_of_host = false;       ///< whether it is the first among the ranks that have the library
  std::unique_ptr<JobRanks> ranks;     ///< null: no collective is served
  int attribute = MPI_KEYVAL_INVALID;  ///< attribute of communicators: their state
  FallbackTable table;                 ///< by which calls are left to MPI
  const char* why_not = "MPI_Init has not come to this library";
};

MpiJob& job();

/// Whether collectives may be served. Who finds it so finds the job as it is then.
bool is_job_ready();
/// To be called once all of the job is there.
void set_job_ready();
/// From here on no collective may be served. Returns whether some could be until here.
bool take_job_ready();

/// One line on standard error.
void say(std::string_view text);
/// Says where in the program this rank is: "rank 3 of 8 called from …", the verb being one that fits.
void say_where_this_rank_is(int rank, int size, std::string_view verb, const CallFrames& frames);

}  // namespace tutti::interpose
