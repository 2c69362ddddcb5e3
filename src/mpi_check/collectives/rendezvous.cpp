#include "mpi_check/collectives/rendezvous.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/first_mismatch.hpp"
#include "mpi_check/collectives/intercomm_check.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/waits/message_wait.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/in_flight.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

AwaitedMeeting meeting_of(std::uint32_t communicator, const std::vector<int>& on_host) {
  const int own = job().ranks->host()->place;
  AwaitedMeeting meeting{communicator, {}};
  for (const int place : on_host) {
    if (place >= 0 && place != own) meeting.others.push_back(place);
  }
  return meeting;
}

AwaitedMessages told(const std::string& what, const AwaitedMeeting& meeting) {
  AwaitedMessages all;
  all.beside = RequestRegistry::all().under_way();
  all.text = with_call_site(what);
  all.meeting = meeting;
  return all;
}

/// Waits until `has_ended` says so, as meet() does; `what` follows "waits for".
void wait_for(ServedCommunicator& on, const std::string& what, const AwaitedMeeting& meeting,
              const std::function<bool()>& has_ended) {
  MessageWait wait(*job().ranks->host());
  std::string text;  // finding a call site takes milliseconds
  while (!has_ended()) {
    std::optional<Hang> hang = wait.pass_time([&] { return told(what, meeting); });
    if (!hang && wait.is_overdue()) {
      if (text.empty()) text = with_call_site(what);
      hang = wait.overdue(meeting, text);
    }
    if (!hang) continue;
    on.fail(hang->text);
    throw UnendingWait(std::move(*hang));
  }
}

/// Waits until all ranks have told. If they do not, or what they have told differs, the comparison is over.
void wait_for(ServedCommunicator& on, const std::string& what, const AwaitedMeeting& meeting,
              const std::shared_ptr<CallComparison>& comparison) {
  try {
    wait_for(on, what, meeting, [&] { return comparison->have_all_told(); });
  } catch (const UnendingWait&) {
    give_up(comparison);
    throw;
  }
  const std::optional<std::string> difference = comparison->difference();
  if (!difference) return;
  give_up(comparison);
  on.fail(*difference);
  throw Error(ErrorCode::mismatch, *difference);
}

/// Waits until MPI has done what was begun; returns whether it has without an error.
bool wait_for(ServedCommunicator& on, const std::string& what, const AwaitedMeeting& meeting, MPI_Request request) {
  bool has_failed = false;
  wait_for(on, what, meeting, [&] {
    int is_done = 0;
    has_failed = PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return has_failed || is_done != 0;
  });
  return !has_failed;
}

std::string first_collective_of(const ServedCommunicator& on, const char* function) {
  return fmt::format("all ranks to come to the first collective of communicator {}, in {}", on.title(), function);
}

AwaitedMeeting meeting_of(ServedCommunicator& on) { return meeting_of(on.peers()->digest, on.peers()->on_host); }

/// The ranks of both groups of an intercommunicator, by their places on this host.
std::vector<int> places_of_both(ServedCommunicator& on) {
  std::vector<int> places = on.peers()->on_host;
  for (const int rank : on.ranks_in_job()) places.push_back(job().ranks->host()->place_of(rank));
  return places;
}

/// One meeting of both groups of an intercommunicator. MPI tells each rank what those of the other group say, so that
/// each group hears of itself from the other one.
class MeetingBetween {
 public:
  MeetingBetween(ServedCommunicator& on, const char* function, const CallDescription& what)
      : on_(on),
        what_(fmt::format("all ranks to come to {} of intercommunicator {}", function, on.title())),
        meeting_(meeting_of(on.peers()->digest, places_of_both(on))),
        own_(on.ranks_in_job()),
        comparison_(CallComparison::begin(on, CallComparison::Kind::blocking, what)) {}

  /// Waits until all have come; throws where they do not call the same, or begin a nonblocking collective instead.
  void come() {
    if (comparison_ == nullptr) return;
    wait_for(on_, what_, meeting_, comparison_);
    // The function that is called next waits itself if MPI cannot say.
    const auto ours = told_by_others(comparison_->told());
    if (!ours) return;
    if (const auto sentence = difference_of(members(*ours), where())) throw Error(ErrorCode::mismatch, *sentence);
    if (const auto sentence = difference_of_flows()) throw Error(ErrorCode::mismatch, *sentence);
  }

 private:
  std::string where() const { return fmt::format("on intercommunicator {}", on_.title()); }
  const std::vector<int>& others() const { return on_.peers()->in_job; }

  /// Tells each rank of the other group all of `mine`; returns what each of them tells of each of `own_`.
  template <typename Each>
  std::optional<std::vector<Each>> gathered(const std::vector<Each>& mine, std::size_t of_each) {
    struct Gathered {
      std::vector<Each> mine, all;
    };
    InFlight lent(Gathered{mine, std::vector<Each>(others().size() * of_each)});
    const auto bytes = [](std::size_t count) { return static_cast<int>(count * sizeof(Each)); };
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = PMPI_Iallgather(lent->mine.data(), bytes(mine.size()), MPI_BYTE, lent->all.data(), bytes(of_each),
                                     MPI_BYTE, on_.handle(), &request);
    const bool has_come = code == MPI_SUCCESS && wait_for(on_, what_, meeting_, request);
    std::vector<Each> all = std::move(lent.take_back().all);
    return has_come ? std::optional(std::move(all)) : std::nullopt;
  }

  std::optional<std::vector<CallSignature>> told_by_others(const std::vector<CallSignature>& theirs) {
    return gathered(theirs, own_.size());
  }

  /// `ours`: what those of this group have told the first of the other one, before what they have told the next.
  std::vector<GroupMember> members(const std::vector<CallSignature>& ours) const {
    std::vector<GroupMember> all;
    for (std::size_t k = 0; k < own_.size(); ++k) all.push_back({static_cast<int>(k), own_[k], true, &ours[k]});
    for (std::size_t k = 0; k < others().size(); ++k)
      all.push_back({static_cast<int>(k), others()[k], false, &comparison_->told()[k]});
    return all;
  }

  /// The first one, alike on all ranks. Both ends of a flow find what is wrong with it, and one of them is in the other
  /// group.
  std::optional<std::string> difference_of_flows() {
    const CallSignature& mine = comparison_->mine().front();
    const FlowMismatch own = first_wrong_flow(job().rank, others(), comparison_->mine(), comparison_->told());
    const auto found = gathered(std::vector<FlowMismatch>(1, own), 1);
    if (!found) return std::nullopt;
    const FlowMismatch first = first_mismatch(*found);
    return first.is_there() ? std::optional(sentence_of(first, mine, where())) : std::nullopt;
  }

  ServedCommunicator& on_;
  std::string what_;
  AwaitedMeeting meeting_;
  std::vector<int> own_;
  std::shared_ptr<CallComparison> comparison_;
};

}  // namespace

bool meet(ServedCommunicator& on, const char* function, MPI_Request request) {
  return wait_for(on, first_collective_of(on, function), meeting_of(on), request);
}

bool await(ServedCommunicator& on, const std::string& what, int leader, MPI_Request request) {
  const Peers& peers = *on.peers();
  const AwaitedMeeting meeting = meeting_of(peers.digest, {peers.on_host[static_cast<std::size_t>(leader)]});
  MessageWait wait(*job().ranks->host());
  for (int is_done = 0; PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS;) {
    if (is_done != 0) return true;
    if (std::optional<Hang> hang = wait.pass_time([&] { return told(what, meeting); })) {
      on.fail(hang->text);
      throw UnendingWait(std::move(*hang));
    }
  }
  return false;
}

void all_have_called(ServedCommunicator& on, const char* function) {
  const auto comparison = CallComparison::begin(
      on, CallComparison::Kind::blocking,
      {.words = fmt::format("called {}", function), .kind = {}, .flows = {}, .root = {}, .amount = {}});
  if (comparison != nullptr) wait_for(on, first_collective_of(on, function), meeting_of(on), comparison);
}

std::optional<int> meet_between(MPI_Comm handle, const char* function, const void* entry,
                                const std::function<CallDescription(const ServedCommunicator& on)>& what) {
  if (!is_checked() || !is_job_ready() || ReentrancyGuard::is_reentrant(entry)) return std::nullopt;
  ServedCommunicator* const on = state_known_of(handle);
  if (on == nullptr || !on->is_between_groups() || !on->has_all_ranks_here()) return std::nullopt;
  if (!on->failure().empty()) return raise_again(*on);
  return done_or_raised(*on, [&]() -> std::optional<int> {
    const ReentrancyGuard guard;
    CallDescription own = what ? what(*on) : CallDescription();
    own.words = fmt::format("called {}", without_width(function));
    MeetingBetween(*on, function, own).come();
    return std::nullopt;
  });
}

}  // namespace tutti::interpose
