#include "transport/mpi/host_world.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "transport/mpi/hosts_world.hpp"
#include "transport/processes/process_world.hpp"

namespace tutti::runtime {
namespace {

/// Messages go through the segment; the job ends as MPI's does.
class HostWorld final : public ProcessWorld {
 public:
  HostWorld(Segment&& joined, World& mpi) : ProcessWorld(std::move(joined)), mpi_(mpi) {
    mpi_.know_activities_by([this](int rank) { return activity_of(rank); });
  }

  void fail(int rank, const std::string& reason) override {
    ProcessWorld::fail(rank, reason);
    mpi_.fail(rank, reason);
  }

  // A rank whose process is gone was found in the segment, and MPI is told of it.
  void close() override {
    segment().end(segment().rank());
    if (const std::optional<int> lost = first_lost(); lost && mpi_.losses() == 0)
      mpi_.fail(*lost, record(*lost).failure());
    mpi_.close();
  }

 private:
  World& mpi_;
};

bool do_all(const Plugin& plugin, int ranks, bool mine) {
  const std::vector<char> all = told_by_all(plugin, ranks, static_cast<char>(mine));
  return std::find(all.begin(), all.end(), 0) == all.end();
}

/// The segment that the first of these ranks, all those of this rank's node, has made or is about to make, joined in
/// their order; nothing where it cannot be.
std::optional<Segment> common_segment(const Plugin& plugin, int ranks, std::span<const int> here, int rank) {
  std::optional<Segment> segment;
  Invitation mine;
  const auto attempt = [](const auto& step) {
    try {
      step();
    } catch (const std::exception&) {
      // Then no rank shares memory: see do_all().
    }
  };
  if (rank == here.front())
    attempt([&] { mine = segment.emplace(Segment::create(static_cast<int>(here.size()))).invitation(); });
  const Invitation first = told_by_all(plugin, ranks, mine)[static_cast<std::size_t>(here.front())];
  bool has_joined = false;
  attempt([&] {
    if (!segment) segment.emplace(Segment::invited(first));
    segment->join(static_cast<int>(std::find(here.begin(), here.end(), rank) - here.begin()));
    has_joined = true;
  });
  if (!has_joined) segment.reset();
  return segment;
}

}  // namespace

bool may_share_memory() {
  const char* const setting = environment_variable("TUTTI_SHARED_MEMORY");
  if (setting == nullptr) return true;
  const std::string_view value = setting;
  require(value == "0" || value == "1",
          "TUTTI_SHARED_MEMORY is '{}': 0 has ranks of one host send messages of MPI, 1 lets them share memory", value);
  return value == "1";
}

std::shared_ptr<World> world_of_host(const Plugin& plugin, const MpiRank& joined, bool may_share) {
  const int ranks = joined.world->size();
  const Layout& layout = joined.world->layout();
  const bool are_all_alone = layout.nodes() == ranks && ranks > 1;
  if (!do_all(plugin, ranks, may_share) || are_all_alone) return nullptr;
  allow_ranks_to_read();
  const auto here = layout.ranks_by_node(ranks)[static_cast<std::size_t>(layout.node_of(joined.rank))];
  std::optional<Segment> segment = common_segment(plugin, ranks, here, joined.rank);
  if (!do_all(plugin, ranks, segment.has_value())) return nullptr;
  if (layout.nodes() > 1) return world_of_hosts(std::move(*segment), *joined.world, joined.rank);
  return std::make_shared<HostWorld>(std::move(*segment), *joined.world);
}

}  // namespace tutti::runtime
