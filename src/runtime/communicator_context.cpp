#include "runtime/communicator_context.hpp"

#include <utility>

#include "runtime/cost_model.hpp"

namespace tutti::runtime {
namespace {

Recipes recipes_of(const World& world, const Membership& membership) {
  Layout layout = world.layout().of(membership.members);
  auto model = cost_model_of(world, layout);
  return {membership.rank, std::move(layout), std::move(model)};
}

}  // namespace

std::shared_ptr<CommunicatorContext> CommunicatorContext::make(std::shared_ptr<ProgressEngine> engine,
                                                               Membership membership, Duration timeout) {
  auto context = std::make_shared<CommunicatorContext>(std::move(engine), std::move(membership), timeout);
  context->engine().add({context, &context->state()});
  return context;
}

CommunicatorContext::CommunicatorContext(std::shared_ptr<ProgressEngine> engine, Membership membership,
                                         Duration timeout)
    : engine_(std::move(engine)),
      inbox_(state_),
      state_(engine_->rank_state(), std::move(membership), timeout),
      calls_(state_.rank(), state_.size(), recipes_of(state_.world(), state_.membership())) {}

}  // namespace tutti::runtime
