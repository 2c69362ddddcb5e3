#include "transport/mpi/hosts_world.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transport/communicator_name.hpp"
#include "transport/mpi/hosts_connection.hpp"
#include "transport/processes/process_world.hpp"
#include "transport/shared/shared_connection.hpp"

namespace tutti::runtime {
namespace {

/// The ranks of one host, as numbers of their segment.
class Here final : public ProcessWorld {
 public:
  using ProcessWorld::ground;
  using ProcessWorld::meet;
  using ProcessWorld::place_in;
  using ProcessWorld::ProcessWorld;

  ControlSegment whole_control() const { return segment().whole(); }
  int number() const { return segment().rank(); }
  /// This rank has ended.
  void end_here() { segment().end(segment().rank()); }
};

/// World of ranks on several hosts. Agreements, and what ranks do alone, are MPI's; memory is that of the host. MPI's
/// world knows how a rank is, and hears what is found in the host's segment.
///
/// A rank does not sleep: no futex wakes it when a packet comes. Guarded by the rank as MPI's world is.
class HostsWorld final : public World {
 public:
  HostsWorld(Segment&& segment, World& mpi, int rank)
      : here_(std::move(segment)),
        mpi_(mpi),
        ranks_here_(mpi.layout().ranks_by_node(mpi.size())[static_cast<std::size_t>(mpi.layout().node_of(rank))]) {
    mpi_.know_activities_by([this](int other) { return activity_of(other); });
  }

  int size() const override { return mpi_.size(); }
  RankRecord& record(int rank) override { return mpi_.record(rank); }
  std::uint32_t losses() const override { return mpi_.losses(); }
  std::uint64_t news() const override { return here_.news() + mpi_.losses(); }
  void tidy() override { here_.tidy(); }
  std::optional<int> first_lost() const override { return mpi_.first_lost(); }
  bool is_stopped(int rank) const override {
    const int number = number_of(rank);
    return number >= 0 && here_.is_stopped(number);
  }
  std::int64_t process_of(int rank) const override {
    const int number = number_of(rank);
    return number >= 0 ? here_.process_of(number) : 0;
  }
  std::string activity_of(int rank) const override {
    const int number = number_of(rank);
    return number >= 0 ? here_.activity_of(number) : std::string();
  }
  // The first rank of this host keeps what is told of a rank of another host.
  bool claim_telling(int rank, std::chrono::nanoseconds now, std::chrono::nanoseconds gap) override {
    return here_.claim_telling(std::max(number_of(rank), 0), now, gap);
  }
  bool tells_once() const override { return true; }
  void watch() override;
  void fail(int rank, const std::string& reason) override;

  // A packet that tells a wait state comes after all that its rank has written to shared memory before: see MpiLink. So
  // what deadlock.hpp says of ranks that look again holds of both.
  void announce(int rank, std::string_view text, const WaitState& wait_state) override {
    mpi_.announce(rank, text, wait_state);
  }
  void withdraw(int rank) override { mpi_.withdraw(rank); }
  std::uint64_t moment() override { return mpi_.moment(); }
  void note_quiet(int rank, std::uint64_t moment) override { mpi_.note_quiet(rank, moment); }
  void tell_quiet(int rank) override { mpi_.tell_quiet(rank); }
  bool were_quiet(std::span<const Stand> stands) const override { return mpi_.were_quiet(stands); }

  Membership whole(int rank) override;
  bool join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks, Membership& fresh) override;

  Foundation found(const std::vector<int>& members, int rank) override;
  Membership join(std::span<const Foundation> told, std::vector<int> members, int rank) override;

  std::byte* allocate(std::size_t bytes) override { return here_.allocate(bytes); }
  void free(std::byte* memory) noexcept override { here_.free(memory); }
  bool is_carrying() const override { return mpi_.is_carrying(); }
  void close() override;
  World& here() { return here_; }

  Transport transport() const override { return Transport::mpi; }
  Transport transport_inside() const override { return here_.transport(); }
  HostShare host() const override { return mpi_.host(); }
  const Layout& layout() const override { return mpi_.layout(); }
  HostShare most_crowded_host() const override { return mpi_.most_crowded_host(); }
  std::optional<LinkTimes> node_link() const override { return mpi_.node_link(); }

 private:
  int number_of(int rank) const {
    const auto found = std::lower_bound(ranks_here_.begin(), ranks_here_.end(), rank);
    return found == ranks_here_.end() || *found != rank ? -1 : static_cast<int>(found - ranks_here_.begin());
  }
  void tell_losses();
  /// Members of a communicator on this host, as numbers of the segment and as ranks of the communicator.
  struct Group {
    std::vector<int> numbers;
    std::vector<int> ranks;
    HereNumbers here;  ///< by rank of the communicator
    int own = 0;       ///< this rank's place among them
  };
  Group group_of(std::span<const int> members) const;
  static RankNames names_of(const Group& group, std::span<const int> members);
  void connect(const Group& group, SharedPlace place, Membership& membership);

  Here here_;
  World& mpi_;
  std::vector<int> ranks_here_;  // ascending: by number in the segment
  std::uint32_t losses_here_ = 0;
};

// ---- Communicators

HostsWorld::Group HostsWorld::group_of(std::span<const int> members) const {
  Group group;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const int number = number_of(members[rank]);
    group.here.push_back(number < 0 ? -1 : static_cast<int>(group.numbers.size()));
    if (number < 0) continue;
    if (number == here_.number()) group.own = group.here.back();
    group.numbers.push_back(number);
    group.ranks.push_back(static_cast<int>(rank));
  }
  return group;
}

RankNames HostsWorld::names_of(const Group& group, std::span<const int> members) {
  std::vector<int> in_run;
  for (const int rank : group.ranks) in_run.push_back(members[static_cast<std::size_t>(rank)]);
  return {group.ranks, std::move(in_run)};
}

/// The membership, which MPI connects unless all are here, gets shared memory.
void HostsWorld::connect(const Group& group, SharedPlace place, Membership& membership) {
  RankNames names = names_of(group, membership.members);
  if (group.ranks.size() == membership.members.size()) {
    membership.connection = std::make_unique<SharedConnection>(std::move(place), std::move(names), here_.ground());
  } else {
    membership.connection = std::make_unique<HostsConnection>(std::move(membership.connection), std::move(place),
                                                              std::move(names), here_.ground(), group.here);
  }
}

Membership HostsWorld::whole(int rank) {
  Membership all = mpi_.whole(rank);
  const Group group = group_of(all.members);
  if (group.numbers.size() > 1)
    connect(group, {here_.whole_control(), here_.number(), group.numbers, Leftovers::Owner::other}, all);
  return all;
}

// Three kinds: all ranks are here, and need no packet; some are; or this one alone, which is as without shared memory.
// The first of those that are here makes their control segment. They come of a communicator that they have in common,
// and tell one another on its board.
bool HostsWorld::join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks,
                      Membership& fresh) {
  const Group group = group_of(fresh.members);
  const bool are_all_here = group.ranks.size() == fresh.members.size();
  if (group.numbers.size() == 1 && !are_all_here) return mpi_.join(parent, number, ranks, fresh);
  BoardAgreement* board = nullptr;
  int founder = ranks[static_cast<std::size_t>(group.ranks.front())];
  if (group.numbers.size() > 1 && group_of(parent.members).ranks.size() == parent.members.size()) {
    board = &static_cast<BoardAgreement&>(parent.connection->agreement());
  } else if (group.numbers.size() > 1) {
    auto& hosts = static_cast<HostsConnection&>(*parent.connection);
    board = &hosts.board();
    founder = hosts.number_here(founder);
  }
  const auto founded = here_.meet(board, number, founder, group.own, static_cast<int>(group.numbers.size()));
  if (!founded) {
    mpi_.watch();
    return false;
  }
  if (are_all_here) {
    fresh.identity = name_of_communicator(parent.identity, number, ranks.front());
  } else {
    mpi_.join(parent, number, ranks, fresh);  // at once: MPI's ranks need not tell one another
  }
  connect(group, here_.place_in(*founded, group.numbers, group.own), fresh);
  return true;
}

Foundation HostsWorld::found(const std::vector<int>& members, int rank) {
  Foundation mine = mpi_.found(members, rank);
  const Group group = group_of(members);
  const bool is_shared = group.numbers.size() > 1 || members.size() == 1;
  if (is_shared && group.own == 0) mine.place = here_.found_by_this_rank(static_cast<int>(group.numbers.size()));
  return mine;
}

Membership HostsWorld::join(std::span<const Foundation> told, std::vector<int> members, int rank) {
  const Group group = group_of(members);
  const bool are_all_here = group.ranks.size() == members.size();
  if (group.numbers.size() == 1 && !are_all_here) return mpi_.join(told, std::move(members), rank);
  Membership fresh;
  if (are_all_here) {
    Title title = title_of_founded(told.front().count, members.front());
    fresh = {told.front().name, std::move(title), std::move(members), rank, nullptr};
  } else {
    fresh = mpi_.join(told, std::move(members), rank);
  }
  const std::uint64_t place = told[static_cast<std::size_t>(group.ranks.front())].place;
  connect(group, here_.place_in(place, group.numbers, group.own), fresh);
  return fresh;
}

// ---- Failure, and the end

void HostsWorld::watch() {
  mpi_.watch();
  here_.watch();
  tell_losses();
}

/// Ranks of other hosts learn what was found in the segment: a process that is gone.
void HostsWorld::tell_losses() {
  if (here_.losses() == losses_here_) return;
  losses_here_ = here_.losses();
  for (std::size_t number = 0; number < ranks_here_.size(); ++number) {
    const RankRecord& lost = here_.record(static_cast<int>(number));
    const int rank = ranks_here_[number];
    if (lost.has_failed() && !mpi_.record(rank).has_failed()) mpi_.fail(rank, lost.failure());
  }
}

void HostsWorld::fail(int rank, const std::string& reason) {
  if (const int number = number_of(rank); number >= 0) here_.fail(number, reason);
  mpi_.fail(rank, reason);
}

void HostsWorld::close() {
  here_.end_here();
  tell_losses();
  mpi_.close();
}

}  // namespace

std::shared_ptr<World> world_of_hosts(Segment&& segment, World& mpi, int rank) {
  return std::make_shared<HostsWorld>(std::move(segment), mpi, rank);
}

World& world_of_this_host(World& hosts) { return static_cast<HostsWorld&>(hosts).here(); }

}  // namespace tutti::runtime
