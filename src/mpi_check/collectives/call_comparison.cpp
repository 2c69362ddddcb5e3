#include "mpi_check/collectives/call_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/units.hpp"
#include "mpi_check/collectives/intercomm_check.hpp"
#include "mpi_job/communicators/errors.hpp"

namespace tutti::interpose {
namespace {

/// Comparisons of which this rank has not heard all, or that differ. MPI writes into them until then, and into those
/// that were given up for as long as the program runs.
struct OpenComparisons {
  std::mutex mutex;
  std::vector<std::shared_ptr<CallComparison>> all;
  std::vector<std::shared_ptr<CallComparison>> given_up;
};

OpenComparisons& open() {
  static OpenComparisons& only = *new OpenComparisons;
  return only;
}

/// Takes those out of which all ranks have told the same; returns, and takes out, one that differs.
std::shared_ptr<CallComparison> take_difference() {
  const std::lock_guard lock(open().mutex);
  std::shared_ptr<CallComparison> found;
  std::erase_if(open().all, [&](const std::shared_ptr<CallComparison>& each) {
    if (found != nullptr || !each->have_all_told()) return false;
    if (each->difference()) found = each;
    return true;
  });
  return found;
}

}  // namespace

CallComparison::CallComparison(ServedCommunicator& on, Kind kind, const CallDescription& what)
    : state_(on.life()),
      handle_(on.handle()),
      communicator_(on.title()),
      place_(fmt::format("nonblocking collective {}", on.begun() + 1)),
      rank_(on.rank()),
      others_in_job_(on.is_between_groups() ? on.peers()->in_job : std::vector<int>()),
      mine_(on.is_between_groups() ? others_in_job_.size() : static_cast<std::size_t>(on.size())),
      told_(mine_.size()),
      begun_at_(CallFrames::here()) {
  CallSignature to_all;
  to_all.is_blocking = kind == Kind::blocking;
  what.words.copy(to_all.words, CallSignature::longest - 1);
  what.kind.copy(to_all.elements, sizeof(to_all.elements) - 1);
  what.amount.copy(to_all.amount, sizeof(to_all.amount) - 1);
  what.blocks.copy(to_all.blocks, sizeof(to_all.blocks) - 1);
  to_all.root = what.root.value_or(CallSignature::no_root);
  for (std::size_t rank = 0; rank < mine_.size(); ++rank) {
    mine_[rank] = to_all;
    what.flows.put(mine_[rank], rank);
  }
}

std::shared_ptr<CallComparison> CallComparison::begin(ServedCommunicator& on, Kind kind, const CallDescription& what) {
  if (!beginnings_are_told.load(std::memory_order_relaxed) || !on.has_all_ranks_here()) return nullptr;
  std::shared_ptr<CallComparison> fresh(new CallComparison(on, kind, what));
  constexpr int bytes = sizeof(CallSignature);
  const ReentrancyGuard guard;
  const std::lock_guard lock(open().mutex);
  open().all.push_back(fresh);
  PMPI_Ialltoall(fresh->mine_.data(), bytes, MPI_BYTE, fresh->told_.data(), bytes, MPI_BYTE, on.handle(),
                 &fresh->request_);
  return fresh;
}

bool CallComparison::have_all_told() {
  const std::lock_guard lock(mutex_);
  if (request_ == MPI_REQUEST_NULL) return true;
  int is_done = 0;
  return PMPI_Test(&request_, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
}

const ServedCommunicator& CallComparison::on() const {
  const ServedCommunicator* const own = state_.expired() ? nullptr : state_known_of(handle_);
  return own != nullptr ? *own : *state_known_of(MPI_COMM_WORLD);
}

std::optional<std::string> CallComparison::difference() const {
  const auto are_blocking = [](const std::vector<CallSignature>& all) {
    return std::all_of(all.begin(), all.end(), [](const CallSignature& each) { return each.is_blocking; });
  };
  if (are_blocking(told_) && are_blocking(mine_)) return std::nullopt;
  if (!others_in_job_.empty()) return difference_between();
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) groups.add(static_cast<int>(rank), told_[rank].words);
  if (auto sentence = sentence_of(groups)) return sentence;
  if (auto sentence = difference_of_elements()) return sentence;
  if (auto sentence = difference_of_flows()) return sentence;
  return difference_of_folded();
}

std::optional<std::string> CallComparison::sentence_of(const RankGroups& groups) const {
  const std::string sentence = groups.difference();
  if (sentence.empty()) return std::nullopt;
  return fmt::format("{} ({} of communicator {})", sentence, place_, communicator_);
}

// Whoever does not know it may have any.
std::optional<std::string> CallComparison::difference_of_elements() const {
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) {
    const CallSignature& each = told_[rank];
    if (each.elements[0] != '\0')
      groups.add(static_cast<int>(rank), fmt::format("{}, of elements of type {}", each.words, each.elements));
  }
  return sentence_of(groups);
}

std::optional<std::string> CallComparison::difference_of_folded() const {
  std::vector<SignatureDigest> all;
  for (const CallSignature& each : told_) all.push_back(each.folded_types);
  RankGroups groups;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) {
    if (all[rank].is_known())
      groups.add(static_cast<int>(rank), fmt::format("{}, of {}", told_[rank].words, words_of(all, rank)));
  }
  return sentence_of(groups);
}

// The first that concerns this rank; the rank at its other end finds it, too.
std::optional<std::string> CallComparison::difference_of_flows() const {
  std::vector<int> all(told_.size());
  std::iota(all.begin(), all.end(), 0);
  const FlowMismatch first = first_wrong_flow(rank_, all, mine_, told_);
  if (!first.is_there()) return std::nullopt;
  return fmt::format("{}; all {} ({} of communicator {})", words_of(first), mine_.front().words, place_, communicator_);
}

std::optional<std::string> CallComparison::difference_between() const {
  const std::string where = fmt::format("{} of intercommunicator {}", place_, communicator_);
  std::vector<GroupMember> members = {{rank_, job().rank, true, &mine_.front()}};
  for (std::size_t k = 0; k < told_.size(); ++k)
    members.push_back({static_cast<int>(k), others_in_job_[k], false, &told_[k]});
  if (auto sentence = difference_of(members, where)) return sentence;
  const FlowMismatch wrong = first_wrong_flow(job().rank, others_in_job_, mine_, told_);
  return wrong.is_there() ? std::optional(interpose::sentence_of(wrong, mine_.front(), where)) : std::nullopt;
}

std::string CallComparison::title() const {
  return fmt::format("{} ({} of communicator {})", mine_.front().words, place_, communicator_);
}

void give_up(const std::shared_ptr<CallComparison>& comparison) {
  if (comparison == nullptr) return;
  const std::lock_guard lock(open().mutex);
  if (std::erase(open().all, comparison) > 0) open().given_up.push_back(comparison);
}

std::optional<int> raise_difference() {
  const std::shared_ptr<CallComparison> found = take_difference();
  if (found == nullptr) return std::nullopt;
  return raise(found->on(), Error(ErrorCode::mismatch, *found->difference()), found->begun_at());
}

std::shared_ptr<CallComparison> first_open_comparison(std::optional<MPI_Comm> handle) {
  const std::lock_guard lock(open().mutex);
  const auto found = std::find_if(open().all.begin(), open().all.end(),
                                  [&](const auto& each) { return !handle || each->is_on(*handle); });
  return found == open().all.end() ? nullptr : *found;
}

bool is_comparison_given_up_on(MPI_Comm handle) {
  const std::lock_guard lock(open().mutex);
  return std::any_of(open().given_up.begin(), open().given_up.end(),
                     [&](const auto& each) { return each->is_on(handle); });
}

}  // namespace tutti::interpose
