#include "interpose/mpi/meeting.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpose/message_wait.hpp"
#include "interpose/mpi/between.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/first_wrong.hpp"
#include "interpose/mpi/inside.hpp"
#include "interpose/mpi/requests.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {
namespace {

Meeting meeting_of(std::uint32_t communicator, const std::vector<int>& on_host) {
  const int own = job().ranks->host()->place;
  Meeting meeting{communicator, {}};
  for (const int place : on_host) {
    if (place >= 0 && place != own) meeting.others.push_back(place);
  }
  return meeting;
}

AwaitedMessages told(const std::string& what, const Meeting& meeting) {
  AwaitedMessages all;
  all.beside = Requests::all().under_way();
  all.text = with_call_site(what);
  all.meeting = meeting;
  return all;
}

/// Waits until `has_ended` says so, as meet() does; `what` follows "waits for".
void wait_for(Taken& on, const std::string& what, const Meeting& meeting, const std::function<bool()>& has_ended) {
  MessageWait wait(*job().ranks->host());
  bool is_told = false;
  std::string text;  // finding a call site takes milliseconds
  while (!has_ended()) {
    std::optional<Hang> hang = wait.pass_time([&] { return told(what, meeting); });
    if (is_told) continue;
    if (!hang && wait.is_overdue()) {
      if (text.empty()) text = with_call_site(what);
      hang = wait.overdue(meeting, text);
    }
    if (!hang) continue;
    is_told = true;
    raise(on, *hang);
  }
}

/// The same until MPI has done what was begun; returns whether it has without an error.
bool wait_for(Taken& on, const std::string& what, const Meeting& meeting, MPI_Request request) {
  bool has_failed = false;
  wait_for(on, what, meeting, [&] {
    int is_done = 0;
    has_failed = PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return has_failed || is_done != 0;
  });
  return !has_failed;
}

std::string first_collective_of(const Taken& on, const char* function) {
  return fmt::format("all ranks to come to the first collective of communicator {}, in {}", on.title(), function);
}

Meeting meeting_of(Taken& on) { return meeting_of(on.peers()->digest, on.peers()->on_host); }

/// The ranks of both groups of an intercommunicator, by their places on this host.
std::vector<int> places_of_both(Taken& on) {
  std::vector<int> places = on.peers()->on_host;
  for (const int rank : on.ranks_in_job()) places.push_back(job().ranks->host()->place_of(rank));
  return places;
}

/// One meeting of both groups of an intercommunicator. MPI tells each rank what those of the other group say, so that
/// each group hears of itself from the other one.
class MeetingBetween {
 public:
  MeetingBetween(Taken& on, const char* function, const Beginning& what)
      : on_(on),
        what_(fmt::format("all ranks to come to {} of intercommunicator {}", function, on.title())),
        meeting_(meeting_of(on.peers()->digest, places_of_both(on))),
        own_(on.ranks_in_job()),
        comparison_(Comparison::begin(on, Comparison::Kind::blocking, what)) {}

  /// Waits until all have come; throws where they do not call the same. Where some have begun a nonblocking collective
  /// instead, returns the code of that error.
  std::optional<int> come() {
    if (comparison_ == nullptr) return std::nullopt;
    wait_for(on_, what_, meeting_, [&] { return comparison_->have_all_told(); });
    if (comparison_->difference()) return raise_difference();
    // Where MPI cannot say, the function that is called next waits itself.
    const auto ours = told_by_others(comparison_->told());
    if (!ours) return std::nullopt;
    if (const auto sentence = difference_of(members(*ours), where())) throw Error(ErrorCode::mismatch, *sentence);
    if (const auto sentence = difference_of_flows()) throw Error(ErrorCode::mismatch, *sentence);
    return std::nullopt;
  }

 private:
  std::string where() const { return fmt::format("on intercommunicator {}", on_.title()); }
  const std::vector<int>& others() const { return on_.peers()->in_job; }

  /// Tells each rank of the other group all of `mine`; returns what each of them tells of each of `own_`.
  template <typename Each>
  std::optional<std::vector<Each>> gathered(const std::vector<Each>& mine, std::size_t of_each) {
    std::vector<Each> all(others().size() * of_each);
    const auto bytes = [](std::size_t count) { return static_cast<int>(count * sizeof(Each)); };
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = PMPI_Iallgather(mine.data(), bytes(mine.size()), MPI_BYTE, all.data(), bytes(of_each), MPI_BYTE,
                                     on_.handle(), &request);
    const bool has_come = code == MPI_SUCCESS && wait_for(on_, what_, meeting_, request);
    return has_come ? std::optional(std::move(all)) : std::nullopt;
  }

  std::optional<std::vector<Told>> told_by_others(const std::vector<Told>& theirs) {
    return gathered(theirs, own_.size());
  }

  /// `ours`: what those of this group have told the first of the other one, before what they have told the next.
  std::vector<Member> members(const std::vector<Told>& ours) const {
    std::vector<Member> all;
    for (std::size_t k = 0; k < own_.size(); ++k) all.push_back({static_cast<int>(k), own_[k], true, &ours[k]});
    for (std::size_t k = 0; k < others().size(); ++k)
      all.push_back({static_cast<int>(k), others()[k], false, &comparison_->told()[k]});
    return all;
  }

  /// The first one, alike on all ranks. Both ends of a flow find what is wrong with it, and one of them is in the other
  /// group.
  std::optional<std::string> difference_of_flows() {
    const Told& mine = comparison_->mine().front();
    const Flow own = first_wrong_flow(job().rank, others(), comparison_->mine(), comparison_->told());
    const auto found = gathered(std::vector<Flow>(1, own), 1);
    if (!found) return std::nullopt;
    const Flow first = first_of(*found);
    return first.is_there() ? std::optional(sentence_of(first, mine, where())) : std::nullopt;
  }

  Taken& on_;
  std::string what_;
  Meeting meeting_;
  std::vector<int> own_;
  std::shared_ptr<Comparison> comparison_;
};

}  // namespace

bool meet(Taken& on, const char* function, MPI_Request request) {
  return wait_for(on, first_collective_of(on, function), meeting_of(on), request);
}

bool await(Taken& on, const std::string& what, int leader, MPI_Request request) {
  const Peers& peers = *on.peers();
  return wait_for(on, what, meeting_of(peers.digest, {peers.on_host[static_cast<std::size_t>(leader)]}), request);
}

bool all_have_called(Taken& on, const char* function) {
  const auto comparison = Comparison::begin(
      on, Comparison::Kind::blocking,
      {.words = fmt::format("called {}", function), .kind = {}, .flows = {}, .root = {}, .amount = {}});
  if (comparison == nullptr) return true;
  wait_for(on, first_collective_of(on, function), meeting_of(on), [&] { return comparison->have_all_told(); });
  return !comparison->difference() || !raise_difference();
}

std::optional<int> meet_between(MPI_Comm handle, const char* function, const void* entry,
                                const std::function<Beginning(const Taken& on)>& what) {
  if (!is_checked() || !is_job_ready() || Inside::is_so(entry)) return std::nullopt;
  Taken* const on = state_known_of(handle);
  if (on == nullptr || !on->is_between_groups() || !on->has_all_ranks_here()) return std::nullopt;
  return done_or_raised(*on, [&] {
    const Inside inside;
    Beginning own = what ? what(*on) : Beginning();
    own.words = fmt::format("called {}", without_width(function));
    return MeetingBetween(*on, function, own).come();
  });
}

std::string_view without_width(std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  return function;
}

}  // namespace tutti::interpose
