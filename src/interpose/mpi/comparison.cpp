#include "interpose/mpi/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "base/rank_lists.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/watched.hpp"

namespace tutti::interpose {
namespace {

/// Those of which this rank has not heard all, or that differ. MPI writes into them until then.
struct Open {
  std::mutex mutex;
  std::vector<std::shared_ptr<Comparison>> all;
};

Open& open() {
  static Open& only = *new Open;
  return only;
}

/// Takes those out of which all ranks have told the same; returns, and takes out, one that differs.
std::shared_ptr<Comparison> take_difference() {
  const std::lock_guard lock(open().mutex);
  std::shared_ptr<Comparison> found;
  std::erase_if(open().all, [&](const std::shared_ptr<Comparison>& each) {
    if (found != nullptr || !each->have_all_told()) return false;
    if (each->difference()) found = each;
    return true;
  });
  return found;
}

/// The first of those that are not known to be alike, on that communicator, or on any.
std::shared_ptr<Comparison> first_open(std::optional<MPI_Comm> handle) {
  const std::lock_guard lock(open().mutex);
  const auto found = std::find_if(open().all.begin(), open().all.end(),
                                  [&](const auto& each) { return !handle || each->is_on(*handle); });
  return found == open().all.end() ? nullptr : *found;
}

/// Waits for those, and raises what differs. Calls `is_waiting` where it takes a while. Returns one for which this rank
/// has waited in vain until the timeout.
std::shared_ptr<Comparison> wait_for_all(std::optional<MPI_Comm> handle, const std::function<void()>& is_waiting) {
  const Inside inside;
  const HostRanks& here = *job().ranks->host();
  const auto begin = here.clock->now();
  for (bool is_first = true;; is_first = false) {
    while (raise_difference()) continue;
    std::shared_ptr<Comparison> open = first_open(handle);
    if (open == nullptr || here.clock->now() - begin >= here.timeout) return open;
    if (is_first) is_waiting();
    here.clock->nap(std::chrono::microseconds(50));
  }
}

}  // namespace

Comparison::Comparison(Taken& on, Kind kind, std::string_view words)
    : state_(on.life()),
      handle_(on.handle()),
      communicator_(on.title()),
      place_(fmt::format("nonblocking collective {}", on.begun() + 1)),
      told_(static_cast<std::size_t>(on.size())),
      begun_at_(Frames::here()) {
  mine_.kind = kind;
  words.copy(mine_.words, longest - 1);
}

std::shared_ptr<Comparison> Comparison::begin(Taken& on, Kind kind, std::string_view words) {
  if (!beginnings_are_told.load(std::memory_order_relaxed) || !on.has_all_ranks_here()) return nullptr;
  std::shared_ptr<Comparison> fresh(new Comparison(on, kind, words));
  constexpr int bytes = sizeof(Told);
  const Inside inside;
  const std::lock_guard lock(open().mutex);
  open().all.push_back(fresh);
  PMPI_Iallgather(&fresh->mine_, bytes, MPI_BYTE, fresh->told_.data(), bytes, MPI_BYTE, on.handle(), &fresh->request_);
  return fresh;
}

bool Comparison::have_all_told() {
  const std::lock_guard lock(mutex_);
  if (request_ == MPI_REQUEST_NULL) return true;
  int is_done = 0;
  return PMPI_Test(&request_, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
}

const Taken& Comparison::on() const {
  const Taken* const own = state_.expired() ? nullptr : state_known_of(handle_);
  return own != nullptr ? *own : *state_known_of(MPI_COMM_WORLD);
}

std::optional<std::string> Comparison::difference() const {
  const bool are_all_blocking =
      std::all_of(told_.begin(), told_.end(), [](const Told& each) { return each.kind == Kind::blocking; });
  if (are_all_blocking) return std::nullopt;
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) groups.add(static_cast<int>(rank), told_[rank].words);
  std::vector<RankGroup> all = groups.largest_first();
  if (all.size() == 1) return std::nullopt;
  std::reverse(all.begin(), all.end());  // the odd ones first
  std::string sentence;
  for (const auto& [ranks, words] : all)
    sentence += fmt::format("{}{} {}", sentence.empty() ? "" : "; ", list_of(ranks), words);
  return fmt::format("{} ({} of communicator {})", sentence, place_, communicator_);
}

std::string Comparison::title() const {
  return fmt::format("{} ({} of communicator {})", mine_.words, place_, communicator_);
}

std::optional<int> raise_difference() {
  const std::shared_ptr<Comparison> found = take_difference();
  if (found == nullptr) return std::nullopt;
  return raise(found->on(), Error(ErrorCode::mismatch, *found->difference()), found->begun_at());
}

void end_comparisons_on(MPI_Comm handle) {
  if (are_beginnings_told() && first_open(handle) != nullptr) wait_for_all(handle, [] {});
}

// Whoever waits for a message of this rank's waits for ever, while this one waits.
void end_comparisons() {
  if (!beginnings_are_told.exchange(false, std::memory_order_relaxed)) return;
  const std::shared_ptr<Comparison> open = wait_for_all(std::nullopt, [] { tell_the_end(); });
  if (open == nullptr) return;
  const std::string text =
      fmt::format("this rank {}, and other ranks have not begun it when this one ends the program", open->title());
  raise(open->on(), Error(ErrorCode::timeout, text), open->begun_at());
}

}  // namespace tutti::interpose
