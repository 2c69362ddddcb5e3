/// @file
/// This process's part in an MPI job whose collectives are served.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string_view>

#include "interpose/call_site.hpp"
#include "interpose/job_ranks.hpp"
#include "interpose/presence.hpp"
#include "interpose/table.hpp"

namespace tutti::interpose {

/// Never destroyed: what the program holds may outlive main.
struct Job {
  int rank = 0;  ///< in MPI_COMM_WORLD
  int size = 0;
  bool is_first_of_host = false;       ///< of the ranks that have the library
  std::unique_ptr<JobRanks> ranks;     ///< null: no collective is served
  int attribute = MPI_KEYVAL_INVALID;  ///< of communicators: their state
  Table table;                         ///< by which calls are left to MPI
  const char* why_not = "MPI_Init has not come to this library";
};

Job& job();

/// Whether collectives may be served. Who finds it so finds the job as it is then.
bool is_job_ready();

/// To be called around MPI's own MPI_Init and MPI_Finalize.
void before_init();
void after_init();
void before_finalize();
void after_finalize();

/// To be called before a communicator is made of a session: MPI_Init brings no ranks together afterwards, and the job
/// is not served.
void before_session_communicator();

/// One line on standard error.
void say(std::string_view text);
/// Where in the program this rank is: "rank 3 of 8 called from …", the verb being one that fits.
void say_where_this_rank_is(int rank, int size, std::string_view verb, const Frames& frames);

}  // namespace tutti::interpose
