#include "tutti/communicator.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

#include "agreement/signature.hpp"
#include "base/check.hpp"
#include "calls/meeting_operation.hpp"
#include "calls/receive_operation.hpp"
#include "calls/send_operation.hpp"
#include "runtime/communicator_context.hpp"

namespace tutti {
namespace {

using namespace runtime;

using Context = std::shared_ptr<CommunicatorContext>;

/// The call, bound to its buffers, as an operation that outlives the call which makes it.
std::shared_ptr<CollectiveOperation> prepared(const Context& context, const untyped::Call& call) {
  auto operation = std::make_shared<CollectiveOperation>(context->state(), context->calls());
  operation->keep(context);
  operation->prepare(context->calls().find(call), call);
  return operation;
}

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

void check_peer(const CommunicatorState& communicator, int peer, std::string_view what) {
  require(peer >= 0 && peer < communicator.size(), "{} rank {}: not one of the ranks 0 to {}", what, peer,
          communicator.size() - 1);
}

void check_sending(const CommunicatorState& communicator, const untyped::Parcel& parcel, int to,
                   const MessageOptions& options) {
  check_peer(communicator, to, "send to");
  require(parcel.count >= 0, "send to rank {}: a count is at least 0, not {}", to, parcel.count);
  require(options.tag >= 0, "send to rank {} with tag {}: tags are at least 0", to, options.tag);
}

/// `count` elements are to be received.
void check_receiving(const CommunicatorState& communicator, std::int64_t count, int from,
                     const MessageOptions& options) {
  if (from != any_rank) check_peer(communicator, from, "receive from");
  require(count >= 0, "receive: a count is at least 0, not {}", count);
  require(options.tag >= 0 || options.tag == any_tag, "receive with tag {}: tags are at least 0, or tutti::any_tag",
          options.tag);
}

template <typename Kind>
std::shared_ptr<Kind> begun(const Context& context, std::shared_ptr<Kind> operation) {
  operation->keep(context);
  context->engine().begin(operation);
  return operation;
}

std::shared_ptr<SendOperation> begin_send(const Context& context, const untyped::Parcel& parcel, int to, int tag) {
  return begun(context, std::make_shared<SendOperation>(context->state(), parcel, to, tag));
}

std::shared_ptr<ReceiveOperation> begin_receive(const Context& context, std::optional<untyped::Parcel> parcel, int from,
                                                int tag) {
  return begun(context,
               std::make_shared<ReceiveOperation>(context->state(), context->inbox(), std::move(parcel), from, tag));
}

/// The communicator's own operation, for one call: a call that is waited for at once allocates nothing. Borrowed under
/// the guard, and given back under it: while the call waited without it, a user's operator that a progress thread runs
/// may have borrowed another one.
class Loan {
 public:
  explicit Loan(CommunicatorContext& context) : context_(context), operation_(context.borrow()) {}
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  ~Loan() {
    ProgressEngine& engine = context_.engine();
    // In a child of the process nobody else is there, and the guard may be locked for ever.
    const ProgressEngine::Guard guard = engine.is_at_home() ? engine.guard() : ProgressEngine::Guard();
    context_.give_back();
  }

  const std::shared_ptr<CollectiveOperation>& shared() const { return operation_; }
  CollectiveOperation* operator->() const { return operation_.get(); }
  CollectiveOperation& operator*() const { return *operation_; }

 private:
  CommunicatorContext& context_;
  const std::shared_ptr<CollectiveOperation>& operation_;
};

}  // namespace

void runtime::meet_for(const Context& context, std::string_view name) { meet(context, named_meeting(name)); }

int Endpoint::rank() const { return context_->state().rank(); }

int Endpoint::size() const { return context_->state().size(); }

void Endpoint::run(const untyped::Call& call) {
  ProgressEngine& engine = context_->engine();
  ProgressEngine::Guard guard = engine.guard();
  const Loan loan(*context_);
  loan->prepare(context_->calls().find(call), call);
  loan->arm();
  if (engine.is_quiet() && loan->run_briefly(engine.looks())) return;
  engine.begin(loan.shared());
  const bool goes_on = loan->active();
  if (guard) guard.unlock();
  if (goes_on) {
    engine.wait(*loan);
  } else {
    loan->rethrow();
  }
}

Handle Endpoint::start(const untyped::Call& call) {
  const ProgressEngine::Guard guard = context_->engine().guard();
  const auto operation = prepared(context_, call);
  operation->arm();
  context_->engine().begin(operation);
  return {operation, context_->shared_engine()};
}

Plan Endpoint::plan(const untyped::Call& call) {
  const ProgressEngine::Guard guard = context_->engine().guard();
  return {prepared(context_, call), context_->shared_engine()};
}

Handle Endpoint::start_send(const untyped::Parcel& parcel, int to, const MessageOptions& options) {
  check_sending(context_->state(), parcel, to, options);
  const ProgressEngine::Guard guard = context_->engine().guard();
  return {begin_send(context_, parcel, to, options.tag), context_->shared_engine()};
}

Handle Endpoint::start_receive(const untyped::Parcel& parcel, int from, const MessageOptions& options) {
  check_receiving(context_->state(), parcel.count, from, options);
  const ProgressEngine::Guard guard = context_->engine().guard();
  return {begin_receive(context_, parcel, from, options.tag), context_->shared_engine()};
}

Handle Endpoint::start_send_receive(const untyped::Parcel& sent, int to, const untyped::Parcel& received, int from,
                                    const MessageOptions& options) {
  check_sending(context_->state(), sent, to, options);
  check_receiving(context_->state(), received.count, from, options);
  const ProgressEngine::Guard guard = context_->engine().guard();
  // The receive is a handle before the send begins, so that it is ended where the send throws.
  Handle receiving(begin_receive(context_, received, from, options.tag), context_->shared_engine());
  return std::move(receiving).with(begin_send(context_, sent, to, options.tag));
}

Envelope Messages::probe(int from, const MessageOptions& options) {
  check_receiving(context()->state(), 0, from, options);
  // A handle, because it forgets its operation under the guard: the inbox knows that, and the progress thread looks
  // there.
  Handle probing;
  {
    const ProgressEngine::Guard guard = context()->engine().guard();
    probing = {begin_receive(context(), std::nullopt, from, options.tag), context()->shared_engine()};
  }
  probing.wait();
  return probing.envelope();
}

std::optional<Envelope> Messages::test_probe(int from, const MessageOptions& options) {
  check_receiving(context()->state(), 0, from, options);
  ProgressEngine& engine = context()->engine();
  const ProgressEngine::Guard guard = engine.guard();
  engine.world().watch();  // a loop of these hears of a rank that is lost
  const auto operation = begin_receive(context(), std::nullopt, from, options.tag);
  operation->cancel();
  engine.look();
  if (operation->is_waiting()) return std::nullopt;
  return operation->envelope();
}

std::byte* Endpoint::allocate_bytes(std::size_t n, std::size_t element_size) {
  constexpr std::size_t most = std::size_t{1} << 47;  // more than any process can address
  if (n > most / element_size)
    fail(ErrorCode::unsupported, "no machine has room for {} elements of {} bytes", n, element_size);
  return context_->engine().world().allocate(n * element_size);
}

std::shared_ptr<void> Endpoint::owner_of(std::byte* memory) {
  return {memory, [engine = context_->shared_engine()](void* address) {
            engine->world().free(static_cast<std::byte*>(address));
          }};
}

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
  std::vector<Awaited> awaited;
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
      .recipes()
      .find(problem, {}, static_cast<std::int64_t>(element_size))
      ->choice.algorithm->name;
}

Duration Communicator::predicted_time(Collective collective, std::int64_t count, std::size_t element_size,
                                      std::string_view algorithm) const {
  const ProgressEngine::Guard guard = context()->engine().guard();
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return Duration(
      context()->calls().recipes().seconds(problem, {.algorithm = algorithm}, static_cast<std::int64_t>(element_size)));
}

}  // namespace tutti
