#include "runtime/communicator_context.hpp"

#include <string>
#include <utility>

#include "base/tell_user.hpp"
#include "runtime/agreed.hpp"
#include "runtime/cost_model.hpp"
#include "runtime/settings.hpp"

namespace tutti::runtime {
namespace {

Recipes recipes_of(const World& world, const Membership& membership) {
  Layout layout = world.layout().of(membership.members);
  auto model = cost_model_of(world, layout);
  // One rank speaks for all of them.
  Recipes::Tell tell;
  if (membership.rank == 0 && explains_plans()) {
    tell = [](const std::string& explanation) { tell_user("tutti plans {}", explanation); };
  }
  return {membership.rank, std::move(layout), std::move(model), std::move(tell), agreed_rules(world)};
}

std::string place_in_words(const World& world, const Membership& membership) {
  return words_of_place(world, world.layout().of(membership.members));
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
      calls_(state_.rank(), state_.size(), recipes_of(state_.world(), state_.membership()),
             {agreed_planning(state_.world()), place_in_words(state_.world(), state_.membership()),
              agreed_winners(state_.world())}) {}

}  // namespace tutti::runtime
