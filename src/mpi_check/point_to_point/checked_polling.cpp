#include "mpi_check/point_to_point/checked_polling.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/point_to_point/poll_end.hpp"
#include "mpi_check/point_to_point/poll_target.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/waits/message_wait.hpp"
#include "mpi_check/waits/poll_pace.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {
namespace {

using Instant = PollPace::Instant;

/// More things than these are not looked for again and again.
constexpr std::size_t most_things = 16;
/// Limit of a rank's other work in a call while it is taken to wait: so many looks, of a tenth of the time between two.
constexpr int most_looks = 1000;
constexpr int share_of_gap = 10;
/// Time between two questions whether other threads are there, while a loop is taken to wait.
constexpr std::chrono::milliseconds between_checks(20);

/// The loop of looks that the program is in, if it is in one.
class PollLoop {
 public:
  PollLoop() : here_(*job().ranks->host()), waited_(here_.clock->now()) {}

  /// A look begins. Returns false where the program has worked since the one before: then that loop is no wait.
  bool begin_look() {
    const Instant now = here_.clock->now();
    // A single look, with something else before and after it, costs no question to the system.
    if (!pace_) pace_.emplace(now);
    const PollPace::Verdict verdict = pace_->begin_poll(now);
    unlooked_ += pace_->latest_gap();
    is_idle_ = is_idle_ || verdict == PollPace::Verdict::idle;
    return verdict != PollPace::Verdict::working;
  }
  void end_look() {
    if (pace_) pace_->end_poll(here_.clock->now());
  }
  bool has(const PollCall& what) const { return find(what) != things_.end(); }

  /// The look has found nothing. Returns what is known of the loop where it never ends.
  std::optional<Hang> note_nothing(const PollCall& what) {
    const Instant now = here_.clock->now();
    const WaitingTime::Duration waited = waited_.look(now);
    if (!has(what)) {
      begin_anew(now);
      if (things_.size() == most_things) things_.erase(things_.begin());
      things_.emplace_back(what);
    }
    std::find_if(things_.begin(), things_.end(), [&](const PollTarget& each) { return each.look() == what; })->latest =
        now;
    if (wait_ ? !is_still_a_wait(now) : !is_a_wait(now, waited)) return std::nullopt;
    const int looks = look_more();
    return looks == 0 ? std::nullopt : wait_->note_looks(looks, [this] { return awaited().told(requests()); });
  }
  const ServedCommunicator& on() const {
    const std::optional<std::vector<TrackedRequest>> known = things_.front().posted_now();
    const ServedCommunicator* const own = known ? state_known_of(known->front().comm) : nullptr;
    return own != nullptr ? *own : *state_known_of(MPI_COMM_WORLD);
  }

 private:
  std::vector<PollTarget>::const_iterator find(const PollCall& what) const {
    return std::find_if(things_.begin(), things_.end(), [&](const PollTarget& each) { return each.look() == what; });
  }
  /// Begins anew: the loop looks for something else.
  void begin_anew(Instant now) {
    wait_.reset();
    waited_ = WaitingTime(now);
    is_idle_ = false;
    began_ = now;
  }
  /// Whether it counts as a wait by now; begins that.
  bool is_a_wait(Instant now, WaitingTime::Duration waited) {
    if (waited < 2 * here_.searches_after() || !is_idle_) return false;
    // Looks that the loop does not make any more are none of it.
    const Instant half = began_ + (now - began_) / 2;
    std::erase_if(things_, [&](const PollTarget& each) { return each.latest < half; });
    if (!ends_by_looks_alone() || !awaited().is_known()) {
      begin_anew(now);
      return false;
    }
    wait_.emplace(here_, MessageWait::Manner::polling);
    unlooked_ = {};
    checked_ = now;
    return true;
  }
  /// Asked more than once in each round of MessageWait: the program may have begun a thread meanwhile.
  bool is_still_a_wait(Instant now) {
    if (now - checked_ < between_checks) return true;
    checked_ = now;
    if (ends_by_looks_alone()) return true;
    begin_anew(now);
    return false;
  }
  /// Looks for all that the loop looks for, once in any case, and more often where the program sleeps between its own
  /// looks: what another rank has sent comes while both look. Returns how often; 0 where something is there.
  int look_more() {
    const Instant end = here_.clock->now() + std::exchange(unlooked_, {}) / share_of_gap;
    int looks = 1;
    for (; looks < most_looks && here_.clock->now() < end; ++looks) {
      if (std::any_of(things_.begin(), things_.end(), [](const PollTarget& each) { return each.is_there(); })) return 0;
    }
    return looks;
  }
  /// Empty where something is looked for of which nobody but MPI knows what it needs.
  AwaitedByLoop awaited() const {
    AwaitedByLoop all;
    for (const PollTarget& each : things_) {
      const std::optional<std::vector<TrackedRequest>> known = each.posted_now();
      if (!known) return {};
      all.add(each, *known);
    }
    return all;
  }
  std::vector<MPI_Request> requests() const {
    std::vector<MPI_Request> all;
    for (const PollTarget& each : things_)
      all.insert(all.end(), each.look().requests.begin(), each.look().requests.end());
    return all;
  }

  const HostRanks& here_;
  std::optional<PollPace> pace_;
  WaitingTime waited_;
  Instant began_{}, checked_{};
  PollPace::Duration
      unlooked_{};  // between the program's looks, since this rank has looked more often than the program
  bool is_idle_ = false;
  std::vector<PollTarget> things_;
  std::optional<MessageWait> wait_;
};

/// Never destroyed: the program may end in it.
std::unique_ptr<PollLoop>& loop() {
  static auto& only = *new std::unique_ptr<PollLoop>;
  return only;
}

/// Without memory to remember the look, it is none of a loop.
std::optional<Hang> note_nothing(const PollCall& what) {
  try {
    if (loop() == nullptr) loop() = std::make_unique<PollLoop>();
    polls = true;
    std::optional<Hang> hang = loop()->note_nothing(what);
    loop()->end_look();
    return hang;
  } catch (const std::bad_alloc&) {
    end_polling();
    return std::nullopt;
  }
}

int raised(int code, const OfMpi& let_go) {
  let_go();
  has_let_go = true;
  return code;
}

}  // namespace

void end_polling() {
  loop().reset();
  polls = false;
}

void begin_look() {
  if (loop() != nullptr && !loop()->begin_look()) end_polling();
}

int look(const PollCall& what, const OfMpi& call, const std::function<bool()>& has_found, const OfMpi& let_go) {
  const int code = call();
  const bool has_come = code != MPI_SUCCESS || has_found();
  if (has_come) {
    // A request that is none, or not active, is always found: the program goes on by the others.
    const bool is_known =
        code != MPI_SUCCESS || what.what == PollCall::For::message || (loop() != nullptr && loop()->has(what));
    if (is_known) end_polling();
    if (loop() != nullptr) loop()->end_look();
    return code;
  }
  if (const auto difference = raise_difference()) return raised(*difference, let_go);
  const std::optional<Hang> hang = note_nothing(what);
  if (!hang) return code;
  const ServedCommunicator& on = loop()->on();
  end_polling();
  return raised(raise(on, *hang), let_go);
}

}  // namespace tutti::interpose
