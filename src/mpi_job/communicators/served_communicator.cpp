#include "mpi_job/communicators/served_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "base/digest.hpp"
#include "base/text/rank_lists.hpp"
#include "mpi_job/job/null_safe_queries.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// Counts communicators that have gone: a thread forgets what it remembers of a handle.
std::atomic<std::uint64_t> generation = 0;

/// Memory of a thread about a handle.
struct CachedState {
  MPI_Comm handle = {};
  ServedCommunicator* state = nullptr;
  std::uint64_t generation = 0;
};

/// Programs use some communicators in turn.
CachedState& known_of(MPI_Comm handle) {
  constexpr int bits = 3;
  thread_local std::array<CachedState, 1U << bits> all;
  return all[(key_of(handle) * 0x9e3779b97f4a7c15U) >> (64 - bits)];
}

/// Returns what hangs on the communicator; no value if MPI does not know the handle.
std::optional<ServedCommunicator*> attached_to(MPI_Comm handle) {
  const NullSafeQueries quiet;
  void* state = nullptr;
  int is_there = 0;
  if (PMPI_Comm_get_attr(handle, job().attribute, static_cast<void*>(&state), &is_there) != MPI_SUCCESS)
    return std::nullopt;
  return is_there != 0 ? static_cast<ServedCommunicator*>(state) : nullptr;
}

std::string name_of(MPI_Comm handle) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  PMPI_Comm_get_name(handle, name, &length);
  return name;
}

}  // namespace

void forget_known_states() { generation.fetch_add(1, std::memory_order_release); }

// Local, as MPI wants it: the other ranks may still be in calls of the communicator that this one has left.
int drop_state(MPI_Comm, int, void* state, void*) {
  forget_known_states();
  delete static_cast<ServedCommunicator*>(state);
  return MPI_SUCCESS;
}

void leave_state(MPI_Comm handle) {
  if (attached_to(handle).value_or(nullptr) != nullptr) PMPI_Comm_delete_attr(handle, job().attribute);
}

ServedCommunicator* state_of(MPI_Comm handle) {
  const std::optional<ServedCommunicator*> attached = attached_to(handle);
  if (!attached || *attached != nullptr) return attached.value_or(nullptr);
  auto fresh = std::make_unique<ServedCommunicator>(handle);
  if (PMPI_Comm_set_attr(handle, job().attribute, fresh.get()) != MPI_SUCCESS) return nullptr;
  return fresh.release();
}

ServedCommunicator* state_known_of(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL) return nullptr;
  CachedState& known = known_of(handle);
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  if (known.state == nullptr || known.handle != handle || known.generation != now)
    known = {handle, state_of(handle), now};
  return known.state;
}

ServedCommunicator::ServedCommunicator(MPI_Comm handle) : handle_(handle) {
  const ReentrancyGuard guard;
  int is_between = 0;
  PMPI_Comm_test_inter(handle, &is_between);
  PMPI_Comm_rank(handle, &rank_);
  PMPI_Comm_size(handle, &size_);
  is_between_ = is_between != 0;
  others_ = size_;
  if (is_between_) PMPI_Comm_remote_size(handle, &others_);
  if (is_between == 0 && size_ > 1) return;
  stands_ = Stands::forwarded;
  why_forwarded_ = is_between != 0 ? "an intercommunicator" : "one rank";
}

ServedCommunicator::Alone::Alone(ServedCommunicator& on) : on_(on) {
  if (!is_checked()) return;
  std::thread::id nobody;
  is_noted_ = on.in_call_.compare_exchange_strong(nobody, std::this_thread::get_id(), std::memory_order_relaxed);
  // A call that this thread has left by a jump out of an error handler is none.
  is_so_ = is_noted_ || nobody == std::this_thread::get_id();
}

ServedCommunicator::Alone::~Alone() {
  if (is_noted_) on_.in_call_.store(std::thread::id(), std::memory_order_relaxed);
}

Error ServedCommunicator::Alone::error(std::string_view function) const {
  return Error(
      ErrorCode::invalid_argument,
      fmt::format("{}: two threads of rank {} are in collectives of communicator {} at once, which MPI forbids",
                  function, on_.rank(), on_.title()));
}

void ServedCommunicator::fail(std::string sentence) {
  failure_ = std::move(sentence);
  stands_ = Stands::failed;
}

std::vector<int> ServedCommunicator::ranks_in_job() const {
  MPI_Group here = MPI_GROUP_NULL;
  PMPI_Comm_group(handle_, &here);
  std::vector<int> in_job = interpose::ranks_in_job(here);
  PMPI_Group_free(&here);
  return in_job;
}

const std::shared_ptr<const Peers>& ServedCommunicator::peers() {
  if (!peers_) {
    Peers fresh = peers_of(handle_);
    if (origin_.number != 0) fresh.digest = static_cast<std::uint32_t>(mixed(fresh.digest, origin_.number));
    peers_ = std::make_shared<const Peers>(std::move(fresh));
  }
  return peers_;
}

// The first rank says which it is: the others may have made some that it has not, in ways that nobody sees.
ServedCommunicator::Origin ServedCommunicator::next_derived() {
  ++derived_;
  std::array<std::uint64_t, 2> told = {mixed(mixed(digest_of_nothing, origin_.number), derived_), derived_};
  PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_UINT64_T, 0, handle_);
  const std::string name = name_of(handle_);
  return {told[0], fmt::format("number {} made of {}", told[1], name.empty() ? "one without a name" : name)};
}

std::optional<std::vector<int>> ServedCommunicator::places() const { return job().ranks->places_of(ranks_in_job()); }

bool ServedCommunicator::has_all_ranks_here() {
  if (!has_all_ranks_here_)
    has_all_ranks_here_ = is_between_ ? are_both_groups_here() : size_ > 1 && places().has_value();
  return *has_all_ranks_here_;
}

bool ServedCommunicator::are_both_groups_here() {
  const HostRanks* const here = job().ranks->host();
  if (here == nullptr) return false;
  const auto is_here = [](int place) { return place >= 0; };
  const std::vector<int> own = ranks_in_job();
  return std::all_of(own.begin(), own.end(), [&](int rank) { return is_here(here->place_of(rank)); }) &&
         std::all_of(peers()->on_host.begin(), peers()->on_host.end(), is_here);
}

bool ServedCommunicator::has_library_on_all() {
  if (!has_library_on_all_) {
    std::vector<int> all = ranks_in_job();
    if (is_between_) {
      MPI_Group there = MPI_GROUP_NULL;
      PMPI_Comm_remote_group(handle_, &there);
      const std::vector<int> others = interpose::ranks_in_job(there);
      PMPI_Group_free(&there);
      all.insert(all.end(), others.begin(), others.end());
    }
    has_library_on_all_ = job().ranks->places_of(all).has_value();
  }
  return *has_library_on_all_;
}

std::string ServedCommunicator::title() const {
  if (std::string name = name_of(handle_); !name.empty()) return name;
  std::vector<int> ranks = ranks_in_job();
  std::sort(ranks.begin(), ranks.end());
  return fmt::format("(no name; {}{}{} of MPI_COMM_WORLD)", origin_.words, origin_.words.empty() ? "" : "; ",
                     list_of(ranks));
}

std::size_t ServedCommunicator::row() const {
  const auto at = places();
  return FallbackTable::row_of(size_, at && job().ranks->are_on_several_hosts(*at));
}

}  // namespace tutti::interpose
