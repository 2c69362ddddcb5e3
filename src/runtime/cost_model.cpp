#include "runtime/cost_model.hpp"

#include <algorithm>
#include <optional>

#include "predict/machine_model.hpp"
#include "predict/surroundings.hpp"
#include "runtime/agreed.hpp"
#include "transport/shared/copy_rings.hpp"

namespace tutti::runtime {
namespace {

// A message that passes through a ring has left its sender's memory once it is in the ring, as short messages have.
static_assert(system_copies_costs.short_bytes == static_cast<std::int64_t>(CopyRings::ring_bytes));

/// Between nodes as the ranks have measured it.
MachineCosts costs_between(const World& world, const Profile& profile) {
  MachineCosts costs = profile.costs[agreed_transport(world, world.engine())];
  const std::optional<NodeLink> link = world.node_link();
  if (!link) return costs;
  costs.overhead = std::max(link->overhead, costs.overhead);
  costs.latency = std::max(link->latency - 2 * costs.overhead, costs.latency);
  costs.byte = std::max(link->byte, costs.byte);
  costs.link_byte = costs.byte;
  costs.exchange = link->exchange;
  return costs;
}

}  // namespace

std::string words_of_place(const World& world, const Layout& layout) {
  return text_of(Surroundings{.inside = agreed_transport(world, world.engine_inside()),
                              .cores = cores_of(layout.size(), world.most_crowded_host()),
                              .nodes = layout.nodes(),
                              .between = agreed_transport(world, world.engine()),
                              .is_link_measured = world.node_link().has_value()});
}

std::unique_ptr<const CostModel> cost_model_of(const World& world, const Layout& layout) {
  const int cores = cores_of(layout.size(), world.most_crowded_host());
  const Profile profile = agreed_profile(world);
  const Transport inside = agreed_transport(world, world.engine_inside());
  return std::make_unique<MachineModel>(profile.costs[inside], costs_between(world, profile), cores, layout,
                                        words_of_place(world, layout) + ", " + profile.origins[inside]);
}

int cores_of(int ranks, const HostShare& most_crowded) {
  if (ranks <= most_crowded.ranks) return most_crowded.cores;
  return static_cast<int>(std::int64_t{most_crowded.cores} * ranks / most_crowded.ranks);
}

}  // namespace tutti::runtime
