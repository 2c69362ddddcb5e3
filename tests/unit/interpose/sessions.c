// A program that makes a communicator of a session before it initializes MPI in the usual way: the ranks have come
// together by then, and need not do so again.

#include "unchanged.h"

int main(void) {
#if MPI_VERSION >= 4
  MPI_Session session;
  MPI_Group group;
  MPI_Comm own;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "tutti", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &own);
  MPI_Group_free(&group);
  int place;
  MPI_Comm_rank(own, &place);
  usleep(100000 * (unsigned)place);
#endif
  begin(MPI_THREAD_SINGLE);
  expect_sums(MPI_COMM_WORLD, 5);
  say_as_expected();
  MPI_Finalize();
#if MPI_VERSION >= 4
  MPI_Comm_free(&own);
  MPI_Session_finalize(&session);
#endif
  return 0;
}
