#include "mpi_job/process/job_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "runtime/settings.hpp"
#include "transport/mpi/hosts_world.hpp"
#include "transport/processes/process_world.hpp"

namespace tutti::interpose {

using namespace runtime;

namespace {

constexpr std::chrono::microseconds longest_nap_beside_mpi{50};

/// MPI's own ranks wait awake. Ours nap, so that on a crowded host those who have something to do get on, but never so
/// long that a message of MPI in several steps would take a nap for each. While others need this rank's MPI, it yields
/// instead, unless its core is taken from it for long: who wakes from a nap gets the core back at once.
class ClockBesideMpi final : public Clock {
 public:
  ClockBesideMpi(void (*let_mpi_work)() noexcept, const MpiNeed& need) : let_mpi_work_(let_mpi_work), need_(need) {}

  void nap(Duration time) override {
    let_mpi_work_();
    need_.is_recent() && !is_crowded() ? yield() : Clock::nap(std::min<Duration>(time, longest_nap_beside_mpi));
  }

 private:
  static constexpr std::chrono::milliseconds long_yield{1};
  static constexpr std::chrono::milliseconds crowded_for{200};

  bool is_crowded() { return now().time_since_epoch().count() < crowded_until_.load(std::memory_order_relaxed); }
  void yield() {
    const Instant before = now();
    std::this_thread::yield();
    const Instant after = now();
    if (after - before < long_yield) return;
    crowded_until_.store((after + crowded_for).time_since_epoch().count(), std::memory_order_relaxed);
  }

  void (*let_mpi_work_)() noexcept;
  MpiNeed need_;
  // Time of any thread that waits: what one of them has seen holds for all, and nothing is ordered by it.
  std::atomic<Duration::rep> crowded_until_ = 0;
};

/// Ranks look by the clock, and MPI gets its turn between looks.
class WorldBesideMpi final : public ProcessWorld {
 public:
  WorldBesideMpi(Segment&& joined, const Conduct& conduct)
      : ProcessWorld(std::move(joined)),
        let_mpi_work_(conduct.let_mpi_work),
        has_threads_(conduct.has_threads),
        need_(record(0).mpi_needed()) {}

  void watch() override {
    let_mpi_work_();
    ProcessWorld::watch();
  }
  // Asked at each look: what others need is MPI's to move, and the clock says how to wait for it.
  bool is_carrying() const override {
    if (need_.is_recent()) let_mpi_work_();
    return false;
  }
  // A rank that slept until others woke it would not see what MPI's messages ask of it. While others need its MPI, it
  // does not sleep at all; nor where several of its threads may wait, because one thread of a rank sleeps.
  bool sleeps_for_long() const override { return false; }
  bool prepare_sleep(int rank, WokenBy what) override {
    return !has_threads_ && !need_.is_recent() && ProcessWorld::prepare_sleep(rank, what);
  }
  bool sleep(int rank, std::chrono::nanoseconds most) override {
    let_mpi_work_();
    return ProcessWorld::sleep(rank, std::min<std::chrono::nanoseconds>(most, longest_nap_beside_mpi));
  }
  void close() override { segment().end(segment().rank()); }

 private:
  void (*let_mpi_work_)() noexcept;
  bool has_threads_;
  MpiNeed need_;
};

}  // namespace

std::unique_ptr<JobRanks> JobRanks::of_one_host(Segment&& segment, std::vector<int> ranks, const Conduct& conduct) {
  const int place = segment.rank();
  auto world = std::make_shared<WorldBesideMpi>(std::move(segment), conduct);
  World& here = *world;
  std::unique_ptr<JobRanks> all(new JobRanks(std::move(world), here, std::move(ranks), place, conduct));
  all->watch_messages(here, all->ranks_);
  return all;
}

std::unique_ptr<JobRanks> JobRanks::of_all_hosts(std::shared_ptr<World> world, int rank, const Conduct& conduct) {
  std::vector<int> ranks(static_cast<std::size_t>(world->size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  World& here = world_of_this_host(*world);
  std::unique_ptr<JobRanks> all(new JobRanks(std::move(world), here, std::move(ranks), rank, conduct));
  const Layout& layout = all->world_->layout();
  all->watch_messages(here, layout.ranks_by_node(all->world_->size())[static_cast<std::size_t>(layout.node_of(rank))]);
  return all;
}

JobRanks::JobRanks(std::shared_ptr<World> world, World& here, std::vector<int> ranks, int place, const Conduct& conduct)
    : world_(std::move(world)),
      ranks_(std::move(ranks)),
      place_(place),
      conduct_(conduct),
      timeout_(conduct.is_checked ? timeout_of({}) : no_timeout),
      mpi_need_(here.record(0).mpi_needed()),
      clock_(std::make_unique<ClockBesideMpi>(conduct.let_mpi_work, mpi_need_)) {
  if (!conduct_.has_threads) engine_ = new_engine();
}

JobRanks::~JobRanks() { end(); }

/// `here` is the world of these ranks of the job, in this order.
void JobRanks::watch_messages(World& here, std::vector<int> ranks) {
  if (!conduct_.is_checked) return;
  const int own = ranks_[static_cast<std::size_t>(place_)];
  bool (*const may_tell)() = conduct_.has_threads ? conduct_.has_one_thread : nullptr;
  host_ = HostRanks{&here, std::move(ranks), 0, clock_.get(), timeout_, may_tell, late_after()};
  host_->place = host_->place_of(own);
}

void JobRanks::tell_work_beside_calls(std::function<bool(runtime::WaitState&)> tell) {
  tell_work_ = std::move(tell);
  if (engine_) tell_work_beside_calls_of(*engine_);
}

void JobRanks::tell_work_beside_calls_of(ProgressEngine& engine) const { engine.tell_also(tell_work_); }

// Nobody is told what a rank waits for unless the program is to be checked. A rank with several threads has no one
// thing that it waits for.
std::shared_ptr<ProgressEngine> JobRanks::new_engine() {
  auto engine = std::make_shared<ProgressEngine>(world_, place_, Progress::when_waiting, *clock_);
  if (!conduct_.is_checked) {
    engine->tell_wait_state_where([] { return false; });
    engine->say_late_after(runtime::no_limit);
  }
  if (conduct_.is_checked && conduct_.has_threads) engine->tell_wait_state_where(conduct_.has_one_thread);
  if (tell_work_) tell_work_beside_calls_of(*engine);
  return engine;
}

std::optional<std::vector<int>> JobRanks::places_of(std::span<const int> ranks) const {
  std::vector<int> places;
  for (const int rank : ranks) {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end() || *found != rank) return std::nullopt;
    places.push_back(static_cast<int>(found - ranks_.begin()));
  }
  return places;
}

std::optional<Foundation> JobRanks::found(const std::vector<int>& places, int rank) {
  try {
    return world_->found(places, rank);
  } catch (const std::exception&) {  // the other ranks wait to hear of it
    return std::nullopt;
  }
}

std::optional<MpiCommunicator> JobRanks::join(std::span<const Foundation> told, std::vector<int> places, int rank,
                                              Title title) {
  try {
    Membership membership = world_->join(told, std::move(places), rank);
    membership.title = std::move(title);
    return communicator(std::move(membership));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Communicator JobRanks::whole() { return communicator(world_->whole(place_)); }

// Threads that are in collectives of different communicators share nothing that changes: each has an engine. That one
// and its communicator own each other, so that the program's drop frees neither before the engine forgets it.
MpiCommunicator JobRanks::communicator(Membership membership) {
  membership.connection->failure().remedy = longer_wait_of_mpi;
  if (engine_) return MpiCommunicator(CommunicatorContext::make(engine_, std::move(membership), timeout_));
  std::shared_ptr<ProgressEngine> fresh = new_engine();
  auto context = CommunicatorContext::make(fresh, std::move(membership), timeout_);
  const std::lock_guard lock(engines_mutex_);
  std::erase_if(engines_, [](const std::shared_ptr<ProgressEngine>& engine) { return !engine->forget_dropped(); });
  engines_.push_back(std::move(fresh));
  return MpiCommunicator(std::move(context));
}

bool JobRanks::are_on_several_hosts(std::span<const int> places) const {
  const Layout& layout = world_->layout();
  return std::any_of(places.begin(), places.end(),
                     [&](int place) { return layout.node_of(place) != layout.node_of(places.front()); });
}

void JobRanks::end() {
  if (std::exchange(has_ended_, true)) return;
  const auto end = [](ProgressEngine& engine) {
    engine.clear();
    engine.close();
  };
  if (engine_) end(*engine_);
  const std::lock_guard lock(engines_mutex_);
  for (const std::shared_ptr<ProgressEngine>& engine : engines_) end(*engine);
  engines_.clear();
  world_->close();
}

}  // namespace tutti::interpose
