#include "runtime/communicator_context.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/system/tell_user.hpp"
#include "predict/model/machine_model.hpp"
#include "predict/profile/profile.hpp"
#include "runtime/agreed.hpp"
#include "runtime/settings.hpp"
#include "transport/shared/copy_rings.hpp"

namespace tutti::runtime {
namespace {

PlanCache plan_cache_of(const World& world, const Membership& membership) {
  Layout layout = world.layout().of(membership.members);
  auto model = cost_model_of(world, layout);
  // One rank speaks for all of them.
  PlanCache::Tell tell;
  if (membership.rank == 0 && explains_plans()) {
    tell = [](const std::string& explanation) { tell_user("tutti plans {}", explanation); };
  }
  return {membership.rank, std::move(layout), std::move(model), std::move(tell), agreed_rules(world)};
}

std::string place_in_words(const World& world, const Membership& membership) {
  return words_of_place(world, world.layout().of(membership.members));
}

// A message that passes through a ring has left its sender's memory once it is in the ring, as short messages have.
static_assert(system_copies_costs.short_bytes == CopyRings::streamed_bytes);

/// Between nodes as the ranks have measured it.
MachineCosts costs_between(const World& world, const Profile& profile, int ranks, int cores) {
  MachineCosts costs = profile.costs_of(agreed_transport(world, world.transport()), ranks, cores);
  const std::optional<LinkTimes> link = world.node_link();
  if (!link) return costs;
  costs.overhead = std::max(link->overhead, costs.overhead);
  costs.latency = std::max(link->latency - 2 * costs.overhead, costs.latency);
  costs.byte = std::max(link->byte, costs.byte);
  costs.link_byte = costs.byte;
  costs.exchange = link->exchange;
  return costs;
}

}  // namespace

std::shared_ptr<CommunicatorContext> CommunicatorContext::make(std::shared_ptr<ProgressEngine> engine,
                                                               Membership membership, Duration timeout) {
  auto context = std::make_shared<CommunicatorContext>(std::move(engine), std::move(membership), timeout);
  CommunicatorContext* const address = context.get();
  address->engine().add({context, &address->state()});
  // The program's owners share what tells the engine, which then forgets the communicator: its memory goes back.
  const auto tell_dropped = [context = std::move(context)](CommunicatorContext*) mutable {
    const std::shared_ptr<ProgressEngine> told = context->shared_engine();
    context.reset();
    told->note_dropped();
  };
  return {address, tell_dropped};
}

CommunicatorContext::CommunicatorContext(std::shared_ptr<ProgressEngine> engine, Membership membership,
                                         Duration timeout)
    : engine_(std::move(engine)),
      match_queue_(state_),
      state_(engine_->rank_state(), std::move(membership), timeout),
      calls_(state_.rank(), state_.size(), plan_cache_of(state_.world(), state_.membership()),
             {agreed_planning(state_.world()), place_in_words(state_.world(), state_.membership()),
              agreed_winners(state_.world())}) {}

std::string words_of_place(const World& world, const Layout& layout) {
  return text_of(PlacementKey{.inside = agreed_transport(world, world.transport_inside()),
                              .cores = cores_of(layout.size(), world.most_crowded_host()),
                              .nodes = layout.nodes(),
                              .between = agreed_transport(world, world.transport()),
                              .is_link_measured = world.node_link().has_value()});
}

std::unique_ptr<const CostModel> cost_model_of(const World& world, const Layout& layout) {
  const int cores = cores_of(layout.size(), world.most_crowded_host());
  const Profile profile = agreed_profile(world);
  const Transport inside = agreed_transport(world, world.transport_inside());
  return std::make_unique<MachineModel>(profile.costs_of(inside, layout.size(), cores),
                                        costs_between(world, profile, layout.size(), cores), cores, layout,
                                        words_of_place(world, layout) + ", " + profile.origins[inside]);
}

int cores_of(int ranks, const HostShare& most_crowded) {
  if (ranks <= most_crowded.ranks) return most_crowded.cores;
  return static_cast<int>(std::int64_t{most_crowded.cores} * ranks / most_crowded.ranks);
}

}  // namespace tutti::runtime
