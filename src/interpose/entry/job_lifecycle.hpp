/// @file
/// Begin and end of a job whose collectives are served, around MPI's own.
#pragma once

namespace tutti::interpose {

/// To be called around MPI's own MPI_Init and MPI_Finalize.
void before_init();
void after_init();
void before_finalize();
void after_finalize();

/// To be called before a communicator is made of a session: MPI_Init brings no ranks together afterwards, and the job
/// is not served.
void before_session_communicator();

}  // namespace tutti::interpose
