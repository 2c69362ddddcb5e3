#include "tutti/communicator.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "runtime/collective_operation.hpp"
#include "runtime/node.hpp"
#include "runtime/plan_state.hpp"
#include "runtime/receive_operation.hpp"
#include "runtime/send_operation.hpp"

namespace tutti {
namespace {

using namespace runtime;

/// Begins the call, and keeps what it needs until it is done.
std::shared_ptr<CollectiveOperation> begin(const std::shared_ptr<CommunicatorState>& communicator,
                                           const untyped::Call& call) {
  auto operation = std::make_shared<CollectiveOperation>(*communicator);
  operation->keep(communicator);
  operation->prepare(communicator->preparations().find(call, *communicator), call);
  operation->arm();
  communicator->owner().begin(operation);
  return operation;
}

/// Makes the communicator of the ranks that came with the same color; null for a negative color.
std::shared_ptr<CommunicatorState> meet(const std::shared_ptr<CommunicatorState>& communicator, Purpose purpose,
                                        std::int64_t color, std::int64_t key) {
  const auto operation = std::make_shared<MeetingOperation>(*communicator, meeting(purpose, color, key));
  {
    const ProgressEngine::Guard guard = communicator->owner().guard();
    operation->arm();
    communicator->owner().begin(operation);
  }
  communicator->owner().wait(*operation);
  return operation->made();
}

void check_peer(const CommunicatorState& communicator, int peer, std::string_view what) {
  require(peer >= 0 && peer < communicator.size(), "{} rank {}: not one of the ranks 0 to {}", what, peer,
          communicator.size() - 1);
}

void check_sending(const CommunicatorState& communicator, int to, const MessageOptions& options) {
  check_peer(communicator, to, "send to");
  require(options.tag >= 0, "send to rank {} with tag {}: tags are at least 0", to, options.tag);
}

void check_receiving(const CommunicatorState& communicator, int from, const MessageOptions& options) {
  if (from != any_rank) check_peer(communicator, from, "receive from");
  require(options.tag >= 0 || options.tag == any_tag, "receive with tag {}: tags are at least 0, or tutti::any_tag",
          options.tag);
}

template <typename Kind, typename... Arguments>
std::shared_ptr<Kind> begin_message(const std::shared_ptr<CommunicatorState>& communicator, Arguments&&... arguments) {
  auto operation = std::make_shared<Kind>(*communicator, arguments...);
  operation->keep(communicator);
  communicator->owner().begin(operation);
  return operation;
}

/// The communicator's own operation, for one call: a call that is waited for at once allocates nothing.
class Loan {
 public:
  explicit Loan(CommunicatorState& communicator) : communicator_(communicator), operation_(communicator.borrow()) {}
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  ~Loan() { communicator_.give_back(); }

  const std::shared_ptr<CollectiveOperation>& shared() const { return operation_; }
  CollectiveOperation* operator->() const { return operation_.get(); }
  CollectiveOperation& operator*() const { return *operation_; }

 private:
  CommunicatorState& communicator_;
  const std::shared_ptr<CollectiveOperation>& operation_;
};

}  // namespace

int Endpoint::rank() const { return state_->rank(); }

int Endpoint::size() const { return state_->size(); }

void Endpoint::run(const untyped::Call& call) {
  ProgressEngine& owner = state_->owner();
  ProgressEngine::Guard guard = owner.guard();
  const Loan loan(*state_);
  loan->prepare(state_->preparations().find(call, *state_), call);
  loan->arm();
  if (owner.is_quiet() && loan->run_briefly(owner.looks())) return;
  owner.begin(loan.shared());
  const bool goes_on = loan->active();
  if (guard) guard.unlock();
  if (goes_on) {
    owner.wait(*loan);
  } else {
    loan->rethrow();
  }
}

Handle Endpoint::start(const untyped::Call& call) {
  const ProgressEngine::Guard guard = state_->owner().guard();
  return Handle(begin(state_, call));
}

Plan Endpoint::plan(const untyped::Call& call) {
  const ProgressEngine::Guard guard = state_->owner().guard();
  return Plan(std::make_shared<PlanState>(state_, call));
}

Handle Endpoint::start_send(const untyped::Parcel& parcel, int to, const MessageOptions& options) {
  check_sending(*state_, to, options);
  const ProgressEngine::Guard guard = state_->owner().guard();
  return Handle(begin_message<SendOperation>(state_, parcel, to, options.tag));
}

Handle Endpoint::start_receive(const untyped::Parcel& parcel, int from, const MessageOptions& options) {
  check_receiving(*state_, from, options);
  const ProgressEngine::Guard guard = state_->owner().guard();
  return Handle(begin_message<ReceiveOperation>(state_, parcel, from, options.tag));
}

Handle Endpoint::start_send_receive(const untyped::Parcel& sent, int to, const untyped::Parcel& received, int from,
                                    const MessageOptions& options) {
  check_sending(*state_, to, options);
  check_receiving(*state_, from, options);
  const ProgressEngine::Guard guard = state_->owner().guard();
  // A handle at once: it ends the receive where the send cannot begin.
  Handle receiving(begin_message<ReceiveOperation>(state_, received, from, options.tag));
  return std::move(receiving).with(begin_message<SendOperation>(state_, sent, to, options.tag));
}

Envelope Messages::probe(int from, const MessageOptions& options) {
  check_receiving(*state(), from, options);
  ProgressEngine& owner = state()->owner();
  std::shared_ptr<ReceiveOperation> operation;
  {
    const ProgressEngine::Guard guard = owner.guard();
    operation = begin_message<ReceiveOperation>(state(), std::nullopt, from, options.tag);
  }
  owner.wait(*operation);
  return operation->envelope();
}

std::optional<Envelope> Messages::test_probe(int from, const MessageOptions& options) {
  check_receiving(*state(), from, options);
  ProgressEngine& owner = state()->owner();
  const ProgressEngine::Guard guard = owner.guard();
  const auto operation = begin_message<ReceiveOperation>(state(), std::nullopt, from, options.tag);
  operation->cancel();
  owner.look();
  if (operation->is_waiting()) return std::nullopt;
  return operation->envelope();
}

std::byte* Endpoint::allocate_bytes(std::size_t n, std::size_t element_size) {
  constexpr std::size_t most = std::size_t{1} << 47;  // more than any process can address
  if (n > most / element_size)
    fail(ErrorCode::unsupported, "no machine has room for {} elements of {} bytes", n, element_size);
  return state_->owner().world().allocate(n * element_size);
}

std::shared_ptr<void> Endpoint::owner_of(std::byte* memory) {
  return {memory,
          [rank = state_->shared_owner()](void* address) { rank->world().free(static_cast<std::byte*>(address)); }};
}

std::optional<Communicator> Communicator::split(int color, int key) {
  auto fresh = meet(state(), Purpose::split, color, key);
  if (fresh == nullptr) return std::nullopt;
  return Communicator(std::move(fresh));
}

Communicator Communicator::split_by_node() {
  const std::vector<std::uint64_t> nodes = all_gather(node_identity());
  const auto own = nodes[static_cast<std::size_t>(rank())];
  // The color of a node is the lowest rank on it.
  const auto lowest = std::find(nodes.begin(), nodes.end(), own);
  return *split(static_cast<int>(lowest - nodes.begin()), rank());
}

Communicator Communicator::duplicate() { return Communicator(meet(state(), Purpose::duplicate, 0, rank())); }

Duration Communicator::timeout() const { return state()->timeout; }

void Communicator::set_timeout(Duration timeout) {
  require(timeout.count() > 0, "a timeout is more than 0 s, not {} s", timeout.count());
  state()->timeout = timeout;
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
  const std::size_t done = places[awaited.front().operation->communicator().owner().wait_any(awaited)];
  handles[done].told_ = true;
  return done;
}

bool Communicator::test_all(std::span<Handle> handles) {
  bool all = true;
  for (Handle& handle : handles) all = handle.test() && all;
  return all;
}

void Communicator::wait_all() { state()->owner().wait_all(*state()); }

std::string_view Communicator::algorithm_of(Collective collective, std::int64_t count, std::size_t element_size) const {
  const ProgressEngine::Guard guard = state()->owner().guard();
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return state()
      ->preparations()
      .recipes()
      .find(problem, {}, static_cast<std::int64_t>(element_size))
      ->choice.algorithm->name;
}

Duration Communicator::predicted_time(Collective collective, std::int64_t count, std::size_t element_size,
                                      std::string_view algorithm) const {
  const ProgressEngine::Guard guard = state()->owner().guard();
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return Duration(state()->preparations().recipes().seconds(problem, {.algorithm = algorithm},
                                                            static_cast<std::int64_t>(element_size)));
}

}  // namespace tutti
