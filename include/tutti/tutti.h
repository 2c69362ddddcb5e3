/// @file
/// tutti in C, and in languages that call C: collectives, messages, groups of ranks.
///
///     tutti_communicator world;
///     if (tutti_world(&world) != TUTTI_OK) return fail(tutti_last_error());
///     tutti_all_reduce(world, in, out, n, TUTTI_DOUBLE, TUTTI_SUM);
///
/// Each function returns a status; tutti_last_error() is the sentence of this thread's last failure. No exception leaves
/// a function. Meaning, errors and cost of each call are those of C++, whose headers say them: communicator.hpp,
/// messages.hpp, join.hpp. NULL where an object or a place is needed is TUTTI_INVALID_ARGUMENT, whatever else a
/// function names.
///
/// Every collective is one function that takes tutti_call_arguments, in three ways: tutti_call(), tutti_start() and
/// tutti_plan_create(). The named functions below fill the arguments and call it. They are inline, so that other
/// languages fill the arguments themselves.
#pragma once

#include <string.h>

#include "tutti/c_types.h"
#include "tutti/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Marks functions that programs link against.
#define TUTTI_C_API __attribute__((visibility("default")))

// Library.

/// Returns the TUTTI_API_VERSION of the library. No errors, no cost.
TUTTI_C_API int32_t tutti_api_version(void);
/// Returns the sentence of the last call of this thread that failed, until another one fails; "" if none has. No
/// errors, no cost.
TUTTI_C_API const char* tutti_last_error(void);
/// Returns "mismatch" for TUTTI_MISMATCH, and so on; "unknown" for no status. No errors, no cost.
TUTTI_C_API const char* tutti_status_name(tutti_status status);

// Worlds.

/// Gives the communicator of all ranks of the job: under `tutti run`, under mpirun, or alone. Errors and cost: as
/// tutti::world().
TUTTI_C_API tutti_status tutti_world(tutti_communicator* world);
/// Ends the job before the program does: waits until the other ranks have come to all calls of this one. Errors and
/// cost: as tutti::finalize().
TUTTI_C_API tutti_status tutti_finalize(void);
/// Joins `size` processes of one machine and user, this one as rank `rank`, into a world of their own; returns when all
/// have come. Cost: four exchanges, whose `user` is passed on. Errors: as tutti::join(), and TUTTI_CALLBACK_FAILED on
/// this rank where an exchange returns a failure.
TUTTI_C_API tutti_status tutti_join(int32_t rank, int32_t size, tutti_exchange exchange, void* user,
                                    tutti_communicator* joined);
/// Calls `rank` on `ranks` threads at once, each with its own communicator of all of them; returns when all have ended.
/// Errors: as tutti::run(); of a rank that returns a failure, that failure, or TUTTI_CALLBACK_FAILED where no call of
/// its own has failed by it. Cost: that of starting as many threads.
TUTTI_C_API tutti_status tutti_run(int32_t ranks, tutti_rank_function rank, void* user);
/// Ends this rank's part in its world as a failure: the others' pending and next calls are TUTTI_PEER_FAILED with that
/// text. The communicator is one of tutti_join(), or that of tutti_world(), for which NULL stands, too. Errors:
/// TUTTI_INVALID_ARGUMENT for a part of a world. Cost: waits for nobody.
TUTTI_C_API tutti_status tutti_abandon(tutti_communicator communicator, const char* text);
/// From here on every wait of this process that lasts calls `look` some ten times a second, on the thread that waits. A
/// text that it returns ends the rank's part, as tutti_abandon() with that text does. NULL: no more. Errors and cost:
/// as tutti::interrupt_waits_by().
TUTTI_C_API tutti_status tutti_interrupt_waits_by(const char* (*look)(void));

// Groups.

/// Returns this rank's number, in [0, size); -1 for NULL. No other errors, no cost.
TUTTI_C_API int32_t tutti_rank(tutti_communicator communicator);
/// Returns the number of ranks; -1 for NULL. No other errors, no cost.
TUTTI_C_API int32_t tutti_size(tutti_communicator communicator);
/// Parts the ranks by `color`, numbered by `key`. Ranks with a negative color get NULL. Errors and cost: as
/// Communicator::split().
TUTTI_C_API tutti_status tutti_split(tutti_communicator communicator, int32_t color, int32_t key,
                                     tutti_communicator* part);
/// Parts the ranks by the machines that they run on. Errors and cost: as Communicator::split_by_node().
TUTTI_C_API tutti_status tutti_split_by_node(tutti_communicator communicator, tutti_communicator* node);
/// Gives a communicator of its own for the same ranks. Errors and cost: as Communicator::duplicate().
TUTTI_C_API tutti_status tutti_duplicate(tutti_communicator communicator, tutti_communicator* copy);
/// Drops a communicator, and sets it to NULL. One of tutti_join() leaves its world, which waits until the others have
/// come to all calls of this rank. That of tutti_world() lasts until tutti_finalize(). Errors: TUTTI_INVALID_ARGUMENT
/// for the communicator of tutti_run(), which frees it; what leaving finds, as JoinedWorld::leave(). Cost: leaving
/// waits for the slowest rank, and nothing else waits.
TUTTI_C_API tutti_status tutti_free(tutti_communicator* communicator);
/// Bounds how long a rank waits without progress before the communicator fails; at first TUTTI_TIMEOUT, or never.
/// Errors: TUTTI_INVALID_ARGUMENT for 0 s or less. Cost: none.
TUTTI_C_API tutti_status tutti_set_timeout(tutti_communicator communicator, double seconds);

// Collectives.

/// Returns when this rank's part is done. Errors and cost: as the collective's member of Communicator.
TUTTI_C_API tutti_status tutti_call(tutti_communicator communicator, const tutti_call_arguments* arguments);
/// Returns at once. The buffers must stay until the handle is done; the arguments may go. Errors: those of wrong
/// arguments at once, all others at the wait. Cost: as tutti_call(), and an allocation.
TUTTI_C_API tutti_status tutti_start(tutti_communicator communicator, const tutti_call_arguments* arguments,
                                     tutti_handle* handle);
/// Waits for an operation, frees its handle, whatever the outcome, and sets it to NULL. `envelope`, of a receive, may
/// be NULL. Errors and cost: as Handle::wait().
TUTTI_C_API tutti_status tutti_wait(tutti_handle* handle, tutti_envelope* envelope);
/// Makes progress, and sets `done`. An operation that is done, or has failed, is as after tutti_wait(). Errors and
/// cost: as Handle::test().
TUTTI_C_API tutti_status tutti_test(tutti_handle* handle, int32_t* done, tutti_envelope* envelope);
/// Waits for every operation of this rank, and for all ranks to come to all collectives that this one has called.
/// Errors and cost: as Communicator::wait_all().
TUTTI_C_API tutti_status tutti_wait_all(tutti_communicator communicator);
/// Prepares a collective for many runs. A local call. The buffers must stay as long as the plan; the arguments may go.
/// Errors and cost: as Endpoint::plan().
TUTTI_C_API tutti_status tutti_plan_create(tutti_communicator communicator, const tutti_call_arguments* arguments,
                                           tutti_plan* plan);
/// Begins one run. Errors and cost: as Plan::start().
TUTTI_C_API tutti_status tutti_plan_start(tutti_plan plan);
/// Completes the run that was started. Errors and cost: as Plan::wait().
TUTTI_C_API tutti_status tutti_plan_wait(tutti_plan plan);
/// Makes progress, and sets `done`, also where the run has failed. Errors and cost: as Plan::test().
TUTTI_C_API tutti_status tutti_plan_test(tutti_plan plan, int32_t* done);
/// Drops a plan, and sets it to NULL, which is none. No other errors. Cost: that of freeing its memory.
TUTTI_C_API tutti_status tutti_plan_free(tutti_plan* plan);

// Messages.

/// Returns when rank `to` has received the data; the second at once. Errors and cost: as Messages::send() and
/// send_async().
TUTTI_C_API tutti_status tutti_send(tutti_communicator communicator, const void* data, int64_t count, tutti_type type,
                                    int32_t to, int32_t tag);
TUTTI_C_API tutti_status tutti_send_start(tutti_communicator communicator, const void* data, int64_t count,
                                          tutti_type type, int32_t to, int32_t tag, tutti_handle* handle);
/// Returns when `data` holds what rank `from` has sent, which must be as many elements. `envelope` may be NULL. The
/// second returns at once. Errors and cost: as Messages::receive() and receive_async().
TUTTI_C_API tutti_status tutti_receive(tutti_communicator communicator, void* data, int64_t count, tutti_type type,
                                       int32_t from, int32_t tag, tutti_envelope* envelope);
TUTTI_C_API tutti_status tutti_receive_start(tutti_communicator communicator, void* data, int64_t count,
                                             tutti_type type, int32_t from, int32_t tag, tutti_handle* handle);
/// Sends `sent` to rank `to` and receives `received` from rank `from`, both under way together. Errors and cost: as
/// Messages::send_receive().
TUTTI_C_API tutti_status tutti_send_receive(tutti_communicator communicator, const void* sent, int64_t sent_count,
                                            int32_t to, void* received, int64_t received_count, int32_t from,
                                            tutti_type type, int32_t tag);
/// Returns when a message has come that such a receive would take, and leaves it where it is. Errors and cost: as
/// Messages::probe().
TUTTI_C_API tutti_status tutti_probe(tutti_communicator communicator, int32_t from, int32_t tag,
                                     tutti_envelope* envelope);

// Memory.

/// Memory that the other ranks reach in place, zero at first, aligned to 64 bytes: the fastest buffers where ranks are
/// processes. A local call. Errors and cost: as Communicator::allocate().
TUTTI_C_API tutti_status tutti_allocate(tutti_communicator communicator, size_t bytes, void** memory);
/// Frees memory of tutti_allocate(). NULL is none. Errors: TUTTI_INVALID_ARGUMENT for other memory. Cost: a look-up.
TUTTI_C_API tutti_status tutti_free_memory(void* memory);

// Collectives by name: blocking, with the arguments that most calls have. Others set fields, and start or plan them:
//
//     tutti_call_arguments sum = tutti_arguments_of(TUTTI_ALL_REDUCE, in, out, n, TUTTI_DOUBLE);
//     sum.op = TUTTI_SUM;
//     sum.algorithm = "ring";
//     tutti_start(world, &sum, &handle);

/// Returns arguments of a collective, whose other fields are 0. No errors, no cost.
static inline tutti_call_arguments tutti_arguments_of(tutti_collective collective, const void* input, void* output,
                                                      int64_t count, tutti_type type) {
  tutti_call_arguments arguments;
  memset(&arguments, 0, sizeof(arguments));
  arguments.size = sizeof(arguments);
  arguments.collective = collective;
  arguments.input = input;
  arguments.output = output;
  arguments.count = count;
  arguments.type = type;
  return arguments;
}

/// Returns when all ranks have called it. Errors and cost: as Communicator::barrier().
static inline tutti_status tutti_barrier(tutti_communicator communicator) {
  const tutti_call_arguments arguments = tutti_arguments_of(TUTTI_BARRIER, NULL, NULL, 0, TUTTI_UINT8);
  return tutti_call(communicator, &arguments);
}

/// Gives the root's message to all ranks, in place. Errors and cost: as Communicator::broadcast().
static inline tutti_status tutti_broadcast(tutti_communicator communicator, void* message, int64_t count,
                                           tutti_type type, int32_t root) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_BROADCAST, NULL, message, count, type);
  arguments.root = root;
  return tutti_call(communicator, &arguments);
}

/// Combines the ranks' inputs, in their order, at the root. Errors and cost: as Communicator::reduce().
static inline tutti_status tutti_reduce(tutti_communicator communicator, const void* input, void* output, int64_t count,
                                        tutti_type type, tutti_operator op, int32_t root) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_REDUCE, input, output, count, type);
  arguments.op = op;
  arguments.root = root;
  return tutti_call(communicator, &arguments);
}

/// Combines the ranks' inputs, in their order, on every rank. Errors and cost: as Communicator::all_reduce().
static inline tutti_status tutti_all_reduce(tutti_communicator communicator, const void* input, void* output,
                                            int64_t count, tutti_type type, tutti_operator op) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_REDUCE, input, output, count, type);
  arguments.op = op;
  return tutti_call(communicator, &arguments);
}

/// Combines the inputs of ranks 0 to this one. Errors and cost: as Communicator::scan().
static inline tutti_status tutti_scan(tutti_communicator communicator, const void* input, void* output, int64_t count,
                                      tutti_type type, tutti_operator op) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_SCAN, input, output, count, type);
  arguments.op = op;
  return tutti_call(communicator, &arguments);
}

/// Combines the inputs of ranks 0 to the one before this; leaves the output of rank 0 alone. Errors and cost: as
/// Communicator::exclusive_scan().
static inline tutti_status tutti_exclusive_scan(tutti_communicator communicator, const void* input, void* output,
                                                int64_t count, tutti_type type, tutti_operator op) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_EXCLUSIVE_SCAN, input, output, count, type);
  arguments.op = op;
  return tutti_call(communicator, &arguments);
}

/// Gives block r of the root's input to rank r. Errors and cost: as Communicator::scatter().
static inline tutti_status tutti_scatter(tutti_communicator communicator, const void* input, void* output,
                                         int64_t count, tutti_type type, int32_t root) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_SCATTER, input, output, count, type);
  arguments.root = root;
  return tutti_call(communicator, &arguments);
}

/// Collects the ranks' inputs at the root, by rank. Errors and cost: as Communicator::gather().
static inline tutti_status tutti_gather(tutti_communicator communicator, const void* input, void* output, int64_t count,
                                        tutti_type type, int32_t root) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_GATHER, input, output, count, type);
  arguments.root = root;
  return tutti_call(communicator, &arguments);
}

/// Collects the ranks' inputs on every rank, by rank. Errors and cost: as Communicator::all_gather().
static inline tutti_status tutti_all_gather(tutti_communicator communicator, const void* input, void* output,
                                            int64_t count, tutti_type type) {
  const tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_GATHER, input, output, count, type);
  return tutti_call(communicator, &arguments);
}

/// Combines the ranks' inputs; block r of the result is rank r's output. Errors and cost: as
/// Communicator::reduce_scatter().
static inline tutti_status tutti_reduce_scatter(tutti_communicator communicator, const void* input, void* output,
                                                int64_t count, tutti_type type, tutti_operator op) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_REDUCE_SCATTER, input, output, count, type);
  arguments.op = op;
  return tutti_call(communicator, &arguments);
}

/// Gives block r of the input to rank r; block r of the output is from rank r. Errors and cost: as
/// Communicator::all_to_all().
static inline tutti_status tutti_all_to_all(tutti_communicator communicator, const void* input, void* output,
                                            int64_t count, tutti_type type) {
  const tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_TO_ALL, input, output, count, type);
  return tutti_call(communicator, &arguments);
}

/// Gives the input to rank r + distance, counted round, where r is this rank. Errors and cost: as
/// Communicator::shift().
static inline tutti_status tutti_shift(tutti_communicator communicator, const void* input, void* output, int64_t count,
                                       tutti_type type, int32_t distance) {
  tutti_call_arguments arguments = tutti_arguments_of(TUTTI_SHIFT, input, output, count, type);
  arguments.distance = distance;
  return tutti_call(communicator, &arguments);
}

#ifdef __cplusplus
}  // extern "C"
#endif
