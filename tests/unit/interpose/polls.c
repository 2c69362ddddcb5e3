// An MPI program that knows nothing of tutti, whose ranks look again and again for what never comes, or comes late.
// Prints "as expected" on rank 0 where it goes on, or what was not.
//
//     polls WAY

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "unchanged.h"

enum { token = 99, most = 2 };
static int to[most], statuses_of[most];
static MPI_Request requests[most];
static MPI_Status statuses[most];

// ---- One look each

static int look_test(int* found) { return MPI_Test(&requests[0], found, statuses); }
static int look_test_all(int* found) { return MPI_Testall(most, requests, found, statuses); }
static int look_test_any(int* found) {
  int at;
  return MPI_Testany(most, requests, &at, found, statuses);
}
static int look_test_some(int* found) {
  int ended = 0;
  const int code = MPI_Testsome(most, requests, &ended, statuses_of, statuses);
  *found = ended != 0;
  return code;
}
static int look_status(int* found) { return MPI_Request_get_status(requests[0], found, statuses); }
static int look_probe(int* found) { return MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, found, statuses); }
static int look_matched_probe(int* found) {
  MPI_Message message;
  return MPI_Improbe(1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, found, &message, statuses);
}
// Looks for several things, one of which is none, and one of another kind.
static int look_several(int* found) {
  MPI_Request none = MPI_REQUEST_NULL;
  int is_none, is_there;
  MPI_Test(&none, &is_none, statuses);
  expect(is_none, "no request has ended");
  const int code = MPI_Test(&requests[0], found, statuses);
  if (code != MPI_SUCCESS || *found) return code;
  const int second = MPI_Iprobe(1 - rank, 7, MPI_COMM_WORLD, &is_there, statuses);
  *found = is_there;
  return second;
}

static const struct Looking {
  const char* name;
  int (*look)(int* found);
} lookings[] = {{"MPI_Test", look_test},
                {"MPI_Testall", look_test_all},
                {"MPI_Testany", look_test_any},
                {"MPI_Testsome", look_test_some},
                {"MPI_Request_get_status", look_status},
                {"MPI_Iprobe", look_probe},
                {"MPI_Improbe", look_matched_probe},
                {"MPI_Test, MPI_Iprobe", look_several}};
enum { all_lookings = sizeof(lookings) / sizeof(lookings[0]) };

// A loop does nothing between its looks, yields, or sleeps.
static void pause_by(int way) {
  if (way % 4 == 1) sched_yield();
  if (way % 4 == 2) usleep(100);
  if (way % 4 == 3) usleep(20000);
}

static void loop_until_named(const struct Looking* looking, int way) {
  int found = 0, code = MPI_SUCCESS;
  while (!found) {
    code = looking->look(&found);
    pause_by(way);
  }
  expect_words(code, "ranks wait for one another, for ever: rank 0 waits for ");
  expect_words(code, looking->name);
}

// ---- Loops that never end: each is named, and ends by that

// On a busy machine the wait of rank 1 may be named as well.
static void wait_for_token(void) {
  while (MPI_Recv(to, 1, MPI_INT, 0, token, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) continue;
}

// Rank 1 waits for rank 0, which looks for what rank 1 sends only then.
static void each_of(int first, int end) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int way = first; way < end; ++way) {
    if (rank == 0) {
      for (int k = 0; k < most; ++k) MPI_Irecv(&to[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &requests[k]);
      loop_until_named(&lookings[way], way);
      MPI_Send(&way, 1, MPI_INT, 1, token, MPI_COMM_WORLD);
      expect(MPI_Waitall(most, requests, statuses) == MPI_SUCCESS && to[0] == way && to[1] == way, "what came at last");
    } else {
      wait_for_token();
      for (int k = 0; k < most; ++k) MPI_Send(&way, 1, MPI_INT, 0, k, MPI_COMM_WORLD);
    }
  }
}

static void each_test(void) { each_of(0, all_lookings / 2); }
static void each_other(void) { each_of(all_lookings / 2, all_lookings); }

// A nonblocking collective that rank 1 has not begun.
static void begun(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int k = 0; k < most && rank == 0; ++k) MPI_Ibarrier(MPI_COMM_WORLD, &requests[k]);
  for (int way = 0; way < 4; ++way) {
    if (rank == 0) loop_until_named(&lookings[way], 2);
    if (rank == 0) MPI_Send(&way, 1, MPI_INT, 1, token, MPI_COMM_WORLD);
    if (rank == 1) wait_for_token();
  }
  for (int k = 0; k < most && rank == 1; ++k) MPI_Ibarrier(MPI_COMM_WORLD, &requests[k]);
  expect(MPI_Waitall(most, requests, statuses) == MPI_SUCCESS, "the barriers");
}

// All ranks look for a message of the next one.
static void circle(void) {
  int found = 0;
  while (!found) {
    MPI_Iprobe((rank + 1) % size, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    pause_by(2 * rank);
  }
}

// Rank 1 has come to its end.
static void ended(void) {
  int found = 0;
  if (rank == 0) MPI_Irecv(to, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, requests);
  while (rank == 0 && !found) MPI_Test(requests, &found, MPI_STATUS_IGNORE);
}

// Rank 1 is in a collective.
static void collective(void) {
  int found = 0;
  while (rank == 0 && !found) {
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    usleep(100);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// All but the last rank take messages of any rank until all have come to the barrier.
static void consensus(void) {
  int found = 0, is_there;
  if (rank == size - 1) return;
  MPI_Ibarrier(MPI_COMM_WORLD, requests);
  while (!found) {
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    MPI_Test(requests, &found, MPI_STATUS_IGNORE);
    usleep(100);
  }
}

// ---- Loops that end

enum { seconds_of_loop = 6 };
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}
// Works for a time on the core, which a faster core does not shorten.
static void work(double seconds) {
  struct timespec core;
  double end = 0;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &core);
    if (end == 0) end = core.tv_sec + 1e-9 * core.tv_nsec + seconds;
  } while (core.tv_sec + 1e-9 * core.tv_nsec < end);
}
static volatile int is_over;
static void end_by_signal(int unused) { is_over = unused != 0; }
static void* end_by_thread(void* unused) {
  sleep(seconds_of_loop);
  is_over = 1;
  return unused;
}

static int look_once(int other) {
  int found = 0;
  MPI_Iprobe(other, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  return found;
}
static void by_work(int other) {
  const double end = now() + seconds_of_loop;
  while (!look_once(other) && now() < end) work(100e-6);
}
static void by_work_at_times(int other) {
  const double end = now() + seconds_of_loop;
  while (!look_once(other) && now() < end) {
    for (int k = 0; k < 1000; ++k) look_once(other);
    for (const double until = now() + 0.1; now() < until;) continue;
  }
}
static void by_sends(int other) {
  const double end = now() + seconds_of_loop;
  MPI_Request receipt;
  while (!look_once(other) && now() < end) {
    MPI_Irecv(to, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &receipt);
    MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&receipt, MPI_STATUS_IGNORE);
    usleep(1000);
  }
}
static void by_time(int other) {
  const double end = MPI_Wtime() + seconds_of_loop;
  while (!look_once(other) && MPI_Wtime() < end) usleep(1000);
}
static void by_thread(int other) {
  pthread_t thread;
  pthread_create(&thread, NULL, end_by_thread, NULL);
  while (!look_once(other) && !is_over) usleep(1000);
  pthread_join(thread, NULL);
}
static void by_signal(int other) {
  const struct itimerval after = {{0, 0}, {seconds_of_loop, 0}};
  signal(SIGALRM, end_by_signal);
  setitimer(ITIMER_REAL, &after, NULL);
  while (!look_once(other) && !is_over) usleep(1000);
}
// Tries so often and no more.
static void by_count(int other) {
  for (int k = 0; k < 100 && !look_once(other); ++k) usleep(10000);
}
// Looks for itself alone, by which programs let MPI get on.
static void by_nobody(int other) {
  const double end = now() + seconds_of_loop;
  int found = 0;
  while (other >= 0 && !found && now() < end) {
    MPI_Iprobe(0, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    usleep(1000);
  }
}

// Loops end at different times: messages are awaited for as long as their senders work, collectives until a timeout.
static void meet_by_messages(void) {
  for (int k = 1; rank == 0 && k < size; ++k) MPI_Recv(to, 1, MPI_INT, k, token, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 1; rank == 0 && k < size; ++k) MPI_Send(&rank, 1, MPI_INT, k, token, MPI_COMM_WORLD);
  if (rank == 0) return;
  MPI_Send(&rank, 1, MPI_INT, 0, token, MPI_COMM_WORLD);
  MPI_Recv(to, 1, MPI_INT, 0, token, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Each rank of an even number looks for a message of the next one, which waits for it, until something else ends that.
static void late(void) {
  static void (*const loops[])(int other) = {by_work,   by_work_at_times, by_sends, by_time,
                                             by_thread, by_signal,        by_count, by_nobody};
  const int pairs = sizeof(loops) / sizeof(loops[0]);
  expect(size == 2 * pairs, "a pair of ranks for each loop");
  if (rank % 2 == 0) {
    loops[rank / 2](rank + 1);
    MPI_Send(&rank, 1, MPI_INT, rank + 1, token, MPI_COMM_WORLD);
  } else {
    MPI_Recv(to, 1, MPI_INT, rank - 1, token, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  meet_by_messages();
}

// Another rank writes what ends the loop.
static void window(void) {
  static int memory[1];
  MPI_Win win;
  MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int one = 0; one == 0 && rank == 0; usleep(1000)) {
    look_once(1);
    MPI_Fetch_and_op(NULL, &one, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  }
  if (rank == 2) {
    const int one = 1;
    sleep(seconds_of_loop);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  MPI_Win_unlock_all(win);
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, token, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(to, 1, MPI_INT, 0, token, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  begin(MPI_THREAD_SINGLE);
  static const struct Way ways[] = {
      {"each_test", each_test},   {"each_other", each_other}, {"begun", begun}, {"circle", circle}, {"ended", ended},
      {"collective", collective}, {"consensus", consensus},   {"late", late},   {"window", window}, {NULL, NULL}};
  run_way(ways, argc > 1 ? argv[1] : "");
  MPI_Finalize();
  say_as_expected();
  return 0;
}
