#include "tutti/communicator.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

#include "agreement/signature.hpp"
#include "base/check.hpp"
#include "calls/meeting_operation.hpp"
#include "runtime/communicator_context.hpp"

namespace tutti {
namespace {

using namespace runtime;

using Context = std::shared_ptr<CommunicatorContext>;

/// Makes the communicator of the ranks that came with the same color; null for a negative color.
Context meet(const Context& context, const Signature& signature) {
  ProgressEngine& engine = context->engine();
  auto operation = std::make_shared<MeetingOperation>(context->state(), signature);
  {
    const ProgressEngine::Guard guard = engine.guard();
    operation->arm();
    engine.begin(operation);
  }
  try {
    engine.wait(*operation);
  } catch (...) {
    // The communicator that the operation may have made is destroyed under the guard.
    const ProgressEngine::Guard guard = engine.guard();
    operation.reset();
    throw;
  }
  if (signature.color < 0) return nullptr;
  const ProgressEngine::Guard guard = engine.guard();
  try {
    return CommunicatorContext::make(context->shared_engine(), std::move(operation->made()), context->state().timeout);
  } catch (const std::exception& error) {
    // The others have the communicator, and would wait for this rank.
    context->state().failure().fail(
        ErrorCode::peer_failed,
        fmt::format("rank {} failed in {}: {}", context->state().rank(), operation->describe(), error.what()));
    throw;
  }
}

}  // namespace

void runtime::meet_for(const Context& context, std::string_view name) { meet(context, named_meeting(name)); }

std::optional<Communicator> Communicator::split(int color, int key) {
  auto fresh = meet(context(), meeting(Purpose::split, color, key));
  if (fresh == nullptr) return std::nullopt;
  return Communicator(std::move(fresh));
}

Communicator Communicator::split_by_node() {
  const CommunicatorState& state = context()->state();
  return *split(state.world().layout().node_of(state.member(rank())), rank());
}

Communicator Communicator::duplicate() { return Communicator(meet(context(), meeting(Purpose::duplicate, 0, rank()))); }

Duration Communicator::timeout() const {
  const ProgressEngine::Guard guard = context()->engine().guard();
  return context()->state().timeout;
}

void Communicator::set_timeout(Duration timeout) {
  require(timeout.count() > 0, "a timeout is more than 0 s, not {} s", timeout.count());
  const ProgressEngine::Guard guard = context()->engine().guard();
  context()->state().timeout = timeout;
}

Planning Communicator::planning() const {
  const ProgressEngine::Guard guard = context()->engine().guard();
  return context()->calls().planning();
}

void Communicator::set_planning(Planning planning) {
  const ProgressEngine::Guard guard = context()->engine().guard();
  context()->calls().set_planning(planning);
}

std::optional<std::size_t> Communicator::wait_any(std::span<Handle> handles) {
  std::vector<std::size_t> places;
  std::vector<AwaitedOperations> awaited;
  for (std::size_t k = 0; k < handles.size(); ++k) {
    if (handles[k].operation_ == nullptr || handles[k].told_) continue;
    places.push_back(k);
    awaited.push_back({handles[k].operation_.get(), handles[k].second_.get()});
  }
  if (awaited.empty()) return std::nullopt;
  const std::size_t done = handles[places.front()].engine_->wait_any(awaited);
  // An error is told once, too, so that a loop comes to the handles after it.
  handles[places[done]].told_ = true;
  awaited[done].rethrow();
  return places[done];
}

bool Communicator::test_all(std::span<Handle> handles) {
  bool all = true;
  for (Handle& handle : handles) all = handle.test() && all;
  return all;
}

void Communicator::wait_all() { context()->engine().wait_all(context()->state()); }

std::string_view Communicator::algorithm_of(Collective collective, std::int64_t count, std::size_t element_size) const {
  const ProgressEngine::Guard guard = context()->engine().guard();
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return context()
      ->calls()
      .plan_cache()
      .find(problem, {}, static_cast<std::int64_t>(element_size))
      ->choice.algorithm->name;
}

Duration Communicator::predicted_time(Collective collective, std::int64_t count, std::size_t element_size,
                                      std::string_view algorithm) const {
  const ProgressEngine::Guard guard = context()->engine().guard();
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return Duration(context()->calls().plan_cache().seconds(problem, {.algorithm = algorithm},
                                                          static_cast<std::int64_t>(element_size)));
}

}  // namespace tutti
