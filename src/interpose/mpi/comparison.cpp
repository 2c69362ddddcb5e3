#include "interpose/mpi/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "base/units.hpp"
#include "interpose/mpi/between.hpp"
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

Comparison::Comparison(Taken& on, Kind kind, const Beginning& what)
    : state_(on.life()),
      handle_(on.handle()),
      communicator_(on.title()),
      place_(fmt::format("nonblocking collective {}", on.begun() + 1)),
      rank_(on.rank()),
      others_in_job_(on.is_between_groups() ? on.peers()->in_job : std::vector<int>()),
      mine_(on.is_between_groups() ? others_in_job_.size() : static_cast<std::size_t>(on.size())),
      told_(mine_.size()),
      begun_at_(Frames::here()) {
  Told to_all;
  to_all.is_blocking = kind == Kind::blocking;
  what.words.copy(to_all.words, Told::longest - 1);
  what.kind.copy(to_all.elements, sizeof(to_all.elements) - 1);
  what.amount.copy(to_all.amount, sizeof(to_all.amount) - 1);
  what.blocks.copy(to_all.blocks, sizeof(to_all.blocks) - 1);
  to_all.root = what.root.value_or(Told::no_root);
  for (std::size_t rank = 0; rank < mine_.size(); ++rank) {
    mine_[rank] = to_all;
    if (rank < what.flows.sent.size()) mine_[rank].sent = what.flows.sent[rank];
    if (rank < what.flows.awaited.size()) mine_[rank].awaited = what.flows.awaited[rank];
  }
}

std::shared_ptr<Comparison> Comparison::begin(Taken& on, Kind kind, const Beginning& what) {
  if (!beginnings_are_told.load(std::memory_order_relaxed) || !on.has_all_ranks_here()) return nullptr;
  std::shared_ptr<Comparison> fresh(new Comparison(on, kind, what));
  constexpr int bytes = sizeof(Told);
  const Inside inside;
  const std::lock_guard lock(open().mutex);
  open().all.push_back(fresh);
  PMPI_Ialltoall(fresh->mine_.data(), bytes, MPI_BYTE, fresh->told_.data(), bytes, MPI_BYTE, on.handle(),
                 &fresh->request_);
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
  const auto are_blocking = [](const std::vector<Told>& all) {
    return std::all_of(all.begin(), all.end(), [](const Told& each) { return each.is_blocking; });
  };
  if (are_blocking(told_) && are_blocking(mine_)) return std::nullopt;
  if (!others_in_job_.empty()) return difference_between();
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) groups.add(static_cast<int>(rank), told_[rank].words);
  if (auto sentence = sentence_of(groups)) return sentence;
  if (auto sentence = difference_of_elements()) return sentence;
  return difference_of_flows();
}

std::optional<std::string> Comparison::sentence_of(const RankGroups& groups) const {
  const std::string sentence = groups.difference();
  if (sentence.empty()) return std::nullopt;
  return fmt::format("{} ({} of communicator {})", sentence, place_, communicator_);
}

// Whoever does not know it may have any.
std::optional<std::string> Comparison::difference_of_elements() const {
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) {
    const Told& each = told_[rank];
    if (each.elements[0] != '\0')
      groups.add(static_cast<int>(rank), fmt::format("{}, of elements of type {}", each.words, each.elements));
  }
  return sentence_of(groups);
}

// The first that concerns this rank; the rank at its other end finds it, too.
std::optional<std::string> Comparison::difference_of_flows() const {
  const auto differ = [](std::int64_t sent, std::int64_t awaited) {
    return sent >= 0 && awaited >= 0 && sent != awaited;
  };
  const auto sentence = [&](int from, int to, std::int64_t sent, std::int64_t awaited) {
    return fmt::format("rank {} sends {} to rank {}, which expects {}; all {} ({} of communicator {})", from,
                       counted(sent, "byte"), to, awaited, mine_.front().words, place_, communicator_);
  };
  for (std::size_t k = 0; k < told_.size(); ++k) {
    const int other = static_cast<int>(k);
    if (differ(told_[k].sent, mine_[k].awaited)) return sentence(other, rank_, told_[k].sent, mine_[k].awaited);
    if (differ(mine_[k].sent, told_[k].awaited)) return sentence(rank_, other, mine_[k].sent, told_[k].awaited);
  }
  return std::nullopt;
}

std::optional<std::string> Comparison::difference_between() const {
  const std::string where = fmt::format("{} of intercommunicator {}", place_, communicator_);
  std::vector<Member> members = {{rank_, job().rank, true, &mine_.front()}};
  for (std::size_t k = 0; k < told_.size(); ++k)
    members.push_back({static_cast<int>(k), others_in_job_[k], false, &told_[k]});
  if (auto sentence = difference_of(members, where)) return sentence;
  const Flow wrong = first_wrong_flow(job().rank, others_in_job_, mine_, told_);
  return wrong.is_there() ? std::optional(interpose::sentence_of(wrong, mine_.front(), where)) : std::nullopt;
}

std::string Comparison::title() const {
  return fmt::format("{} ({} of communicator {})", mine_.front().words, place_, communicator_);
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
