/// @file
/// Values of the C interface: statuses, element types, operators, and the arguments of a collective. See tutti.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Version of this header. A program asks the library for its own by tutti_api_version().
#define TUTTI_API_VERSION 1

/// Outcome of a function: TUTTI_OK, or the kind of an error, whose sentence is tutti_last_error().
typedef int32_t tutti_status;
enum {
  TUTTI_OK = 0,
  TUTTI_INVALID_ARGUMENT = 1,  ///< a value that no call accepts: a negative count, a root outside the communicator
  TUTTI_UNSUPPORTED = 2,       ///< a valid request that this algorithm, type or operator cannot serve
  TUTTI_MISMATCH = 3,          ///< ranks entered a collective, or met in a message, with different arguments
  TUTTI_TIMEOUT = 4,           ///< a rank waited longer than the timeout, or ranks wait for one another for ever
  TUTTI_PEER_FAILED = 5,       ///< another rank ended, with or without an error, while this one still needed it
  TUTTI_INTERNAL = 6,          ///< tutti broke its own rule: a defect worth reporting
  TUTTI_OUT_OF_MEMORY = 7,     ///< no memory for the call
  TUTTI_CALLBACK_FAILED = 8    ///< a function of the program's, called by tutti, has returned a failure or thrown
};

/// Type of an element: one of these, or TUTTI_BYTES(n).
typedef int32_t tutti_type;
enum {
  TUTTI_BOOL = 1,
  TUTTI_INT8 = 2,
  TUTTI_INT16 = 3,
  TUTTI_INT32 = 4,
  TUTTI_INT64 = 5,
  TUTTI_UINT8 = 6,
  TUTTI_UINT16 = 7,
  TUTTI_UINT32 = 8,
  TUTTI_UINT64 = 9,
  TUTTI_FLOAT16 = 10,
  TUTTI_BFLOAT16 = 11,
  TUTTI_FLOAT = 12,
  TUTTI_DOUBLE = 13,
  TUTTI_COMPLEX_FLOAT = 14,
  TUTTI_COMPLEX_DOUBLE = 15
};
/// Elements of n bytes, as of a struct: they are moved, and combined by an operator of the program's. The call that
/// takes them says TUTTI_INVALID_ARGUMENT for no bytes. Cost: none.
#ifdef __cplusplus
#define TUTTI_BYTES(n) (-static_cast<tutti_type>(n))
#else
#define TUTTI_BYTES(n) (-(tutti_type)(n))
#endif

/// Operator of a reduction. TUTTI_USER: the one of `user_operator`.
typedef int32_t tutti_operator;
enum {
  TUTTI_SUM = 1,
  TUTTI_PRODUCT = 2,
  TUTTI_MINIMUM = 3,
  TUTTI_MAXIMUM = 4,
  TUTTI_LOGICAL_AND = 5,
  TUTTI_LOGICAL_OR = 6,
  TUTTI_LOGICAL_XOR = 7,
  TUTTI_BITWISE_AND = 8,
  TUTTI_BITWISE_OR = 9,
  TUTTI_BITWISE_XOR = 10,
  TUTTI_AVERAGE =
      11,  ///< the sum, divided once by the number of ranks; floating-point and complex types, not for scans
  TUTTI_USER = 100
};

/// result[i] = left[i] ∘ right[i] for `count` elements, associative. The result overlaps neither operand.
typedef void (*tutti_combine)(void* result, const void* left, const void* right, int64_t count, void* state);

/// Operator of the program's. Without `commutative` the order of ranks is kept.
typedef struct tutti_user_operator {
  tutti_combine combine;  ///< the function
  void* state;            ///< passed to `combine`; must outlive the operation
  int32_t commutative;    ///< not 0: left ∘ right = right ∘ left, bit for bit
  const char* name;       ///< ranks compare it, and errors say it; NULL: they compare where `combine` is in its program
} tutti_user_operator;

/// Collective of tutti_call_arguments.
typedef int32_t tutti_collective;
enum {
  TUTTI_BROADCAST = 1,
  TUTTI_REDUCE = 2,
  TUTTI_ALL_REDUCE = 3,
  TUTTI_SCAN = 4,
  TUTTI_EXCLUSIVE_SCAN = 5,
  TUTTI_SCATTER = 6,
  TUTTI_GATHER = 7,
  TUTTI_ALL_GATHER = 8,
  TUTTI_REDUCE_SCATTER = 9,
  TUTTI_ALL_TO_ALL = 10,
  TUTTI_SHIFT = 11,
  TUTTI_BARRIER = 12
};

/// Lengths of the blocks of scatter, gather, all_gather, reduce_scatter, all_to_all and shift.
enum {
  TUTTI_EQUAL_BLOCKS = 0,       ///< `count` elements each
  TUTTI_BY_COUNTS = 1,          ///< counts[r] elements of rank r; every rank passes the counts
  TUTTI_BY_COUNTS_AT_ROOT = 2,  ///< gather and scatter: the root alone passes them, the others `count`, their own
};

/// One rank's arguments of one collective. tutti_arguments_of() fills it; fields that a collective does not use stay 0.
///
/// | collective | count m | input | output | also |
/// |---|---|---|---|---|
/// | broadcast | the message | – | m | root; `output` is the message, read at the root |
/// | reduce | the message | m | m at the root | op, root |
/// | all_reduce, scan, exclusive_scan | the message | m | m | op |
/// | scatter | one block | p·m at the root | m | root |
/// | gather | one block | m | p·m at the root | root |
/// | all_gather | one block | m | p·m | |
/// | reduce_scatter | one block | p·m | m | op |
/// | all_to_all | one block | p·m | p·m | |
/// | shift | the message | m | m | distance: rank r's block goes to rank r + distance |
/// | barrier | – | – | – | |
///
/// In place: reduce, all_reduce and the scans take one buffer as input and output; in a gather and all_gather the input
/// may be the rank's own block of the output, in a scatter the output its own block of the input.
typedef struct tutti_call_arguments {
  size_t size;  ///< sizeof(tutti_call_arguments), by which the library knows what a program's header had
  tutti_collective collective;               ///< call that is made
  tutti_type type;                           ///< type of the elements
  const void* input;                         ///< see above, as for the next two
  void* output;                              ///< place of the result
  int64_t count;                             ///< m
  tutti_operator op;                         ///< operator of reductions and scans
  int32_t root;                              ///< rank; 0 where the collective has none
  int32_t distance;                          ///< distance of a shift
  int32_t blocks;                            ///< TUTTI_EQUAL_BLOCKS, or whose counts
  const int64_t* counts;                     ///< p; all-to-all: what this rank sends to each
  const int64_t* displacements;              ///< first elements of these blocks; NULL: one after the other
  const int64_t* receive_counts;             ///< p; all-to-all: what this rank receives from each
  const int64_t* receive_displacements;      ///< all-to-all: first elements of these blocks in the output
  const tutti_user_operator* user_operator;  ///< operator for TUTTI_USER; read by the call that takes it
  const char* algorithm;                     ///< name (`tutti list`); NULL: the one with the lowest price
  int32_t segments;                          ///< parts of a message; 0, here and below: the algorithm's own choice
  int32_t radix;                             ///< radix of a tree or of digits
  int32_t rows;                              ///< rows of a grid of ranks
  int32_t columns;                           ///< its columns
} tutti_call_arguments;

/// Sender, tag and number of elements of a message.
typedef struct tutti_envelope {
  int32_t rank;   ///< sender
  int32_t tag;    ///< tag that it was sent under
  int64_t count;  ///< number of elements
} tutti_envelope;

enum {
  TUTTI_ANY_RANK = -1,  ///< in the place of a sender's rank: whoever sends first
  TUTTI_ANY_TAG = -1    ///< in the place of a tag, of receives and probes: whatever it is
};

/// One rank's handle of a group of ranks. It belongs to the rank's thread.
typedef struct tutti_communicator_object* tutti_communicator;
/// An operation that was started, and is to be waited for. NULL: none, which is done.
typedef struct tutti_handle_object* tutti_handle;
/// A collective bound to its buffers: prepared once, run often.
typedef struct tutti_plan_object* tutti_plan;

/// All-gather of bytes that a program has by other means, for tutti_join(): puts the `size` bytes of rank r to
/// `all` + r · size. Returns 0, or a failure.
typedef int (*tutti_exchange)(const void* mine, void* all, size_t size, void* user);
/// A rank of tutti_run(). Returns TUTTI_OK, or the status that the rank has failed by.
typedef tutti_status (*tutti_rank_function)(tutti_communicator communicator, void* user);
