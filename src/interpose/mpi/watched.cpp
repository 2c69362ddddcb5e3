#include "interpose/mpi/watched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/rank_lists.hpp"
#include "interpose/message_wait.hpp"
#include "interpose/mpi/beginning.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/job.hpp"
#include "interpose/mpi/meeting.hpp"
#include "interpose/mpi/overlap.hpp"
#include "interpose/mpi/own_threads.hpp"
#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {
namespace {

/// The thread that has begun MPI, where any thread may be in MPI at once.
std::optional<std::thread::id>& only_thread() {
  static std::optional<std::thread::id> thread;
  return thread;
}

/// Whether all messages were begun and ended by that thread.
std::atomic<bool> knows_all = true;

/// "rank 1 to send with tag 7", "any rank to receive its message with tag 7", "all ranks to begin MPI_Ibarrier,
/// nonblocking collective 2".
std::string words_of(const Posted& what) {
  if (what.is_collective()) {
    std::vector<int> ranks;
    for (const int rank : what.needed) ranks.push_back(what.peers->in_job[static_cast<std::size_t>(rank)]);
    const bool are_all = ranks.size() + 1 == what.peers->in_job.size() && ranks.size() > 1;
    return fmt::format("{} to begin {}, nonblocking collective {}", are_all ? "all ranks" : list_of(ranks),
                       what.function, what.message.tag);
  }
  const std::string who = what.is_from_any() ? "any rank"
                          : what.rank < 0    ? "a rank of another job"
                                             : fmt::format("rank {}", what.rank);
  const bool is_any_tag = what.message.tag == Message::any_tag;
  return fmt::format("{} to {} with {}", who, what.message.side == Message::Side::sent ? "receive its message" : "send",
                     is_any_tag ? "any tag" : fmt::format("tag {}", what.message.tag));
}

/// What a call of the program's waits for, and what it is told as.
class WatchedCall {
 public:
  WatchedCall(const char* function, std::vector<Posted> awaited, bool any_suffices = false)
      : function_(function), awaited_(std::move(awaited)), any_suffices_(any_suffices), wait_(*job().ranks->host()) {}

  /// Returns once `has_come` says so, or the error's code where it never will. `requests` are those that are awaited.
  std::optional<int> wait_for(const std::function<bool()>& has_come, const std::vector<MPI_Request>& requests = {}) {
    while (!has_come()) {
      if (const auto code = raise_difference()) return code;
      const std::optional<Hang> hang = wait_.pass_time([&] { return told(requests); });
      if (hang) return raise(on(), *hang);
    }
    return std::nullopt;
  }
  /// Some have come: these have not.
  void set_awaited(std::vector<Posted> awaited) {
    awaited_ = std::move(awaited);
    wait_.begin_anew();
  }

 private:
  /// Where errors go: to the first message's communicator.
  const Taken& on() const {
    const Taken* const own = state_known_of(awaited_.front().comm);
    return own != nullptr ? *own : *state_known_of(MPI_COMM_WORLD);
  }

  AwaitedMessages told(const std::vector<MPI_Request>& requests) const {
    AwaitedMessages what;
    const Posted& first = awaited_.front();
    what.any_suffices = (any_suffices_ && !first.is_collective()) || (awaited_.size() == 1 && first.is_from_any());
    for (const Posted& each : awaited_) {
      if (each.is_collective()) {
        for (const int rank : each.needed) {
          what.awaited.push_back(each.message);
          what.awaited.back().peer = each.peers->on_host[static_cast<std::size_t>(rank)];
        }
      } else if (!each.is_from_any()) {
        what.awaited.push_back(each.message);
      } else if (what.any_suffices) {
        for (const int place : each.peers->on_host) {
          what.awaited.push_back(each.message);
          what.awaited.back().peer = place;
        }
      }
    }
    what.beside = Requests::all().under_way(requests);
    // Of several messages that are all awaited, one that any rank may send needs none of them in particular.
    for (const Posted& each : awaited_) {
      if (each.is_from_any() && !what.any_suffices) what.beside.messages.push_back(each.message);
    }
    what.text = with_call_site(text());
    return what;
  }

  std::string text() const {
    constexpr std::size_t most_named = 2;
    std::string what;
    for (std::size_t k = 0; k < std::min(awaited_.size(), most_named); ++k)
      what += fmt::format("{}{}", k == 0 ? "" : any_suffices_ ? " or " : " and ", words_of(awaited_[k]));
    if (awaited_.size() > most_named) what += fmt::format(", and {} messages more", awaited_.size() - most_named);
    return fmt::format("{}, in {} of {}", what, function_, on().title());
  }

  const char* function_;
  std::vector<Posted> awaited_;
  bool any_suffices_;
  MessageWait wait_;
};

/// Takes what has ended out of `open`; returns whether that was any.
bool take_out_done(std::vector<MPI_Request>& open) { return std::erase_if(open, has_ended) > 0; }

std::vector<Posted> what_is_known(const std::vector<MPI_Request>& requests) {
  std::vector<Posted> known;
  for (const MPI_Request request : requests) {
    if (const Posted* const what = Requests::all().find(request)) known.push_back(*what);
  }
  return known;
}

/// Whether what these requests need can be told: each of several collectives may need several ranks, which is too much
/// to say where one of them suffices.
bool can_be_told(const std::vector<Posted>& known, bool any_suffices) {
  return !any_suffices || known.size() == 1 ||
         std::none_of(known.begin(), known.end(), [](const Posted& each) { return each.is_collective(); });
}

/// Returns once all of the requests have ended, or one of them where that suffices, or where there are some among them
/// of which nobody but MPI knows what they need; or the error's code where they never will.
std::optional<int> wait_for_known(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices) {
  std::vector<MPI_Request> open = requests;
  std::erase(open, MPI_REQUEST_NULL);
  const bool has_any = take_out_done(open);
  std::vector<Posted> known = what_is_known(open);
  if (open.empty() || known.size() != open.size() || (has_any && any_suffices)) return std::nullopt;
  if (!can_be_told(known, any_suffices)) return std::nullopt;
  WatchedCall wait(function, std::move(known), any_suffices);
  const auto have_come = [&] {
    if (!take_out_done(open)) return false;
    if (any_suffices || open.empty()) return true;
    wait.set_awaited(what_is_known(open));
    return false;
  };
  return wait.wait_for(have_come, requests);
}

/// The same where there is memory to tell of the wait. Where there is none, MPI waits unseen: it has begun already.
std::optional<int> watch(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices) {
  try {
    return wait_for_known(function, requests, any_suffices);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

/// A request of this library's own for what the program calls; one that goes nowhere ends at once. Where there is no
/// memory to remember it, its wait is MPI's.
int begin_known(const std::optional<Posted>& what, const BeginOfMpi& begin, MPI_Request* request) {
  const int code = begin(request);
  if (code != MPI_SUCCESS || !what) return code;
  try {
    Requests::all().add(*request, *what);
  } catch (const std::bad_alloc&) {
    Requests::all().remove(*request);
  }
  return code;
}

/// Leaves the requests of a call whose wait never ends to MPI; returns that code.
int give_up(std::vector<MPI_Request> requests, int code) {
  std::erase(requests, MPI_REQUEST_NULL);
  for (MPI_Request& request : requests) {
    try {
      Requests::all().abandon(request);
    } catch (const std::bad_alloc&) {
      Requests::all().remove(request);
    }
    PMPI_Cancel(&request);
    PMPI_Request_free(&request);
  }
  return code;
}

Beginning beginning_of(const Taken& on, const char* function, const Needed& needed, const Amount& amount) {
  Beginning what;
  if (on.is_between_groups()) {
    what = passed_between(on, needed, amount);
    what.words = fmt::format("began {}", without_width(function));
    return what;
  }
  what.words = "began " + words_of(function, needed, amount, on.rank());
  what.kind = kind_of(amount);
  if (amount.flows) what.flows = amount.flows(on.rank(), on.size());
  return what;
}

}  // namespace

void begin_to_watch() {
  if (job().ranks->host() == nullptr) return;
  beginnings_are_told.store(true, std::memory_order_relaxed);
  job().ranks->tell_beside_calls([] { return Requests::all().under_way(); });
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) only_thread() = std::this_thread::get_id();
  watched.store(true, std::memory_order_relaxed);
}

// Requests are known of one thread.
bool is_watched_here() {
  const bool is_known = !only_thread() || *only_thread() == std::this_thread::get_id();
  if (!is_known) {
    knows_all.store(false, std::memory_order_relaxed);
    stop_watching();
  }
  return is_known;
}

bool has_one_thread() { return knows_all.load(std::memory_order_relaxed) && has_no_other_thread(); }

void tell_the_end() {
  const HostRanks* const here = job().ranks->host();
  if (here != nullptr && (here->may_tell == nullptr || here->may_tell()))
    tell_the_end(*here, Requests::all().under_way());
}

int receive(const char* function, MPI_Comm comm, int source, int tag, const OfMpi& call) {
  const std::optional<Posted> what = posted(Message::Side::received, comm, source, tag);
  if (!what) return call();
  WatchedCall wait(function, {*what});
  const auto has_come = [&] {
    int is_there = 0;
    return PMPI_Iprobe(source, tag, comm, &is_there, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_there != 0;
  };
  if (const auto error = wait.wait_for(has_come)) return *error;
  return call();
}

int send(const char* function, MPI_Comm comm, int rank, int tag, const BeginOfMpi& begin, const OfMpi& call) {
  const std::optional<Posted> what = posted(Message::Side::sent, comm, rank, tag);
  if (!what) return call();
  std::vector<MPI_Request> begun(1, MPI_REQUEST_NULL);
  MPI_Request& request = begun.front();
  if (const int code = begin_known(what, begin, &request); code != MPI_SUCCESS) return code;
  if (const auto error = watch(function, begun, false)) return give_up(std::move(begun), *error);
  Requests::all().remove(request);
  return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

namespace {

/// After the exchange: what the rank has sent, and where it has received, are to be apart.
int apart_or_raised(const char* function, const Exchange& what) {
  const std::int64_t common = bytes_in_common(what.sent, what.received);
  const Taken* const on = common == 0 ? nullptr : state_known_of(what.comm);
  if (on == nullptr) return MPI_SUCCESS;
  return raise_of_this_rank(*on, overlap(function, on->rank(), common, "; MPI_Sendrecv_replace has one buffer"));
}

}  // namespace

int exchange(const char* function, const Exchange& what, MPI_Status* status, const OfMpi& call) {
  const auto received = posted(Message::Side::received, what.comm, what.from, what.tag_from);
  const auto sent = posted(Message::Side::sent, what.comm, what.to, what.tag_to);
  if (!received && !sent) return call();
  // All memory that is needed once they are begun.
  std::vector<MPI_Request> begun(2, MPI_REQUEST_NULL);
  if (const int code = begin_known(received, what.receive, &begun[0]); code != MPI_SUCCESS) return code;
  if (const int code = begin_known(sent, what.send, &begun[1]); code != MPI_SUCCESS)
    return give_up(std::move(begun), code);
  if (const auto error = watch(function, begun, false)) return give_up(std::move(begun), *error);
  for (const MPI_Request request : begun) Requests::all().remove(request);
  MPI_Status both[2];
  const int code = PMPI_Waitall(2, begun.data(), both);
  if (status != MPI_STATUS_IGNORE) {
    const int error = std::exchange(*status, both[0]).MPI_ERROR;
    status->MPI_ERROR = error;  // which functions with one status leave as it is
  }
  if (code == MPI_SUCCESS && received && sent) return apart_or_raised(function, what);
  if (code != MPI_ERR_IN_STATUS) return code;
  return both[0].MPI_ERROR != MPI_SUCCESS ? both[0].MPI_ERROR : both[1].MPI_ERROR;
}

int exchange_in_place(const char* function, const Exchange& what, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status, const OfMpi& call) {
  int bytes = 0;
  MPI_Count each = 0;
  // Where MPI refuses the arguments, the program's error handler has heard of it.
  if (const int code = PMPI_Pack_size(count, type, what.comm, &bytes); code != MPI_SUCCESS) return code;
  if (bytes < 0) return call();
  // Of a size that is too large for an int, Open MPI tells the lower half.
  if (PMPI_Type_size_x(type, &each) != MPI_SUCCESS || (count > 0 && each > bytes / count)) return call();
  std::unique_ptr<std::byte[]> packed(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
  if (packed == nullptr) return call();
  int end = 0;
  if (const int code = PMPI_Pack(buffer, count, type, packed.get(), bytes, &end, what.comm); code != MPI_SUCCESS)
    return code;
  // It is nobody's until the exchange has ended: MPI may still read it where that fails.
  std::byte* const sent = packed.release();
  Exchange apart = what;
  apart.send = [&](MPI_Request* request) {
    return PMPI_Isend(sent, end, MPI_PACKED, what.to, what.tag_to, what.comm, request);
  };
  const int code = exchange(function, apart, status, call);
  if (code == MPI_SUCCESS) packed.reset(sent);
  return code;
}

int begin(Message::Side side, MPI_Comm comm, int peer, int tag, const MPI_Request* request, const OfMpi& call) {
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  Requests::all().remove(*request);
  if (const auto what = posted(side, comm, peer, tag)) Requests::all().add(*request, *what);
  return code;
}

namespace {

/// What a rank gives to a collective, and where it gets something, are to be apart.
int apart_or_raised(const char* function, const Taken& on, const Needed& needed, const Amount& amount) {
  if (on.is_between_groups()) return MPI_SUCCESS;
  const std::int64_t common = bytes_in_common(needed, amount, on.rank(), on.size());
  return common == 0 ? MPI_SUCCESS : raise_of_this_rank(on, overlap(function, on.rank(), common, ", or MPI_IN_PLACE"));
}

}  // namespace

// Other ranks tell what they begin whether this one has several threads or not.
int begin_collective(const char* function, MPI_Comm comm, const Needed& needed, const Amount& amount,
                     const MPI_Request* request, const OfMpi& call) {
  if (const auto code = raise_difference()) return *code;
  Taken* const on = state_known_of(comm);
  std::shared_ptr<Comparison> comparison;
  if (on != nullptr && on->has_all_ranks_here()) {
    comparison = Comparison::begin(*on, Comparison::Kind::nonblocking, beginning_of(*on, function, needed, amount));
  }
  // Told before the call: MPICH ends programs that it makes copy within one buffer. The others need the call.
  const int wrong = comparison == nullptr ? MPI_SUCCESS : apart_or_raised(function, *on, needed, amount);
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (is_watched()) {
    Requests::all().remove(*request);
    if (const auto what = begun(function, comm, needed, std::move(comparison))) Requests::all().add(*request, *what);
  }
  return wrong;
}

int wait(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices, const OfMpi& call) {
  if (const auto error = watch(function, requests, any_suffices)) return *error;
  const auto difference = raise_difference();
  return difference ? *difference : call();
}

void forget_ended(const std::vector<MPI_Request>& before, const MPI_Request* now) {
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (now[k] == MPI_REQUEST_NULL && before[k] != MPI_REQUEST_NULL) Requests::all().remove(before[k]);
  }
}

}  // namespace tutti::interpose
