#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "calls/collective_operation.hpp"
#include "runtime/communicator_context.hpp"
#include "runtime/message_calls.hpp"
#include "tutti/communicator.hpp"

namespace tutti {
namespace {

using namespace runtime;

/// The call, bound to its buffers, as an operation that outlives the call which makes it.
std::shared_ptr<CollectiveOperation> prepared(const std::shared_ptr<CommunicatorContext>& context,
                                              const untyped::Call& call) {
  auto operation = std::make_shared<CollectiveOperation>(context->state(), context->calls());
  operation->keep(context);
  operation->prepare(context->calls().find(call), call);
  return operation;
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
    if (is_away_) return;
    ProgressEngine& engine = context_.engine();
    // In a child of the process nobody else is there, and the guard may be locked for ever.
    const ProgressEngine::Guard guard = engine.is_at_home() ? engine.guard() : ProgressEngine::Guard();
    context_.give_back();
  }

  const std::shared_ptr<CollectiveOperation>& shared() const { return operation_; }
  /// Keeps the operation, under the guard: it lasts as long as its handle.
  std::shared_ptr<CollectiveOperation> keep() {
    is_away_ = true;
    return context_.give_away();
  }
  CollectiveOperation* operator->() const { return operation_.get(); }
  CollectiveOperation& operator*() const { return *operation_; }

 private:
  CommunicatorContext& context_;
  const std::shared_ptr<CollectiveOperation>& operation_;
  bool is_away_ = false;
};

/// Looks by a call that returns whether its messages have come or not: together they take a microsecond or two.
constexpr int brief_looks = 64;

}  // namespace

int Endpoint::rank() const { return context_->state().rank(); }

int Endpoint::size() const { return context_->state().size(); }

void Endpoint::run(const untyped::Call& call) {
  ProgressEngine& engine = context_->engine();
  ProgressEngine::Guard guard = engine.guard();
  const Loan loan(*context_);
  loan->prepare(context_->calls().find(call), call);
  loan->arm();
  if (engine.is_quiet() && loan->run_fast_path(engine.looks())) return;
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
  operation->run_once();
  operation->arm();
  context_->engine().begin(operation);
  return {operation, context_->shared_engine()};
}

std::optional<Handle> Endpoint::run_or_start(const untyped::Call& call) {
  ProgressEngine& engine = context_->engine();
  const ProgressEngine::Guard guard = engine.guard();
  if (!engine.is_quiet()) return start(call);
  Loan loan(*context_);
  loan->prepare(context_->calls().find(call), call);
  loan->arm();
  if (loan->run_fast_path(std::min(engine.looks(), brief_looks))) return std::nullopt;
  const std::shared_ptr<CollectiveOperation> operation = loan.keep();
  operation->keep(context_);
  operation->run_once();
  engine.begin(operation);
  return Handle(operation, context_->shared_engine());
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

}  // namespace tutti
