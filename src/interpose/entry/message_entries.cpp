// Entries of C of the functions that wait for messages, of those that begin and end what they wait for, and of those that
// look for it: taken over in a program that is watched, and else passed on.

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

#include "interpose/entry/mpich_alltoallw_workaround.hpp"
#include "mpi_check/point_to_point/checked_point_to_point.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/point_to_point/request_wait.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"

namespace tutti::interpose {
namespace {

MPI_Request* request_in(Word word) { return reinterpret_cast<MPI_Request*>(word); }

template <typename Count>
BufferRegion region(Word buffer, Word count, Word type) {
  return {argument<const void*, Count>(buffer), argument<MPI_Count, Count>(count), argument<MPI_Datatype, Count>(type)};
}

std::vector<MPI_Request> requests_in(int count, Word requests) {
  const MPI_Request* const first = request_in(requests);
  return first == nullptr || count < 0 ? std::vector<MPI_Request>() : std::vector<MPI_Request>(first, first + count);
}

/// A function of MPI's, with words as its arguments and a request as the last one.
template <typename Function, typename... Words>
BeginOfMpi beginning(Function* function, Words... words) {
  return [=](MPI_Request* request) {
    return reinterpret_cast<int (*)(Words..., Word)>(reinterpret_cast<void*>(function))(
        words..., reinterpret_cast<Word>(request));
  };
}

int begin_message(PendingMessage::Side side, Word comm, Word peer, Word tag, Word request, const OfMpi& call) {
  return begin(side, comm_in(comm), int_in(peer), int_in(tag), request_in(request), call);
}

/// Returns the result of `exchange` into the program's status.
template <typename Exchange>
int with_status(Word status, const OfMpi& call, Exchange exchange) {
  return exchange(reinterpret_cast<MPI_Status*>(status), call);
}

int end(const char* function, int count, Word requests, bool any_suffices, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_in(count, requests);
  const int code = wait(function, before, any_suffices, call);
  forget_ended(before, request_in(requests));
  return code;
}

bool is_positive(Word number) { return number != 0 && *reinterpret_cast<const int*>(number) > 0; }
bool is_true(Word flag) { return flag != 0 && *reinterpret_cast<const int*>(flag) != 0; }

int test(const char* function, PollCall::For what, int count, Word requests, const std::function<bool()>& has_found,
         const OfMpi& call, const OfMpi& let_go) {
  const std::vector<MPI_Request> before = requests_in(count, requests);
  const int code = look({function, what, before}, call, has_found, let_go);
  forget_ended(before, request_in(requests));
  return code;
}

/// The request stays as it is.
int ask(const char* function, Word request, Word flag, const OfMpi& call, const OfMpi& let_go) {
  return look(
      {function, PollCall::For::all_of, {argument<MPI_Request, int>(request)}}, call, [&] { return is_true(flag); },
      let_go);
}

int probe(const char* function, Word source, Word tag, Word comm, Word flag, const OfMpi& call, const OfMpi& let_go) {
  return look(
      {function, PollCall::For::message, {}, comm_in(comm), int_in(source), int_in(tag)}, call,
      [&] { return is_true(flag); }, let_go);
}

/// Arguments with which MPI finds nothing to look for: a program that would look for ever is told what MPI says then.
class NothingInWords {
 public:
  Word none() const { return 0; }
  Word nobody() const { return static_cast<Word>(static_cast<std::intptr_t>(MPI_PROC_NULL)); }
  Word request() const { return reinterpret_cast<Word>(&no_request); }
  Word handle() const {
    Word word = 0;
    static_assert(sizeof(MPI_Request) <= sizeof(Word));
    std::memcpy(&word, &no_request, sizeof(no_request));
    return word;
  }

 private:
  static inline MPI_Request no_request = MPI_REQUEST_NULL;
};

template <typename Next>
int free_by_mpi(const Next& next, Word request) {
  if (request != 0) forget_started(*request_in(request));  // MPI refuses null
  return next(request);
}

int free_request(Word request, const OfMpi& call) {
  note_other_call();
  if (request != 0) RequestRegistry::all().abandon(*request_in(request));  // MPI refuses null
  return call();
}

}  // namespace

#include "interpose/generated/message_c.inc"
#include "interpose/generated/polling_c.inc"

}  // namespace tutti::interpose
