#include "calls/inbox.hpp"

#include <algorithm>

#include "calls/receive_operation.hpp"
#include "progress/communicator_state.hpp"

namespace tutti::runtime {

Inbox::Inbox(CommunicatorState& communicator) : communicator_(communicator) {}

void Inbox::post(ReceiveOperation& operation) {
  const auto found = std::find_if(set_aside_.begin(), set_aside_.end(),
                                  [&](const auto& each) { return operation.accepts(each->announced.envelope); });
  if (found == set_aside_.end()) {
    waiting_.push_back(&operation);
  } else if (operation.is_probe()) {
    operation.see((*found)->announced.envelope);
  } else {
    operation.take_over(std::move(*found));
    set_aside_.erase(found);
  }
}

void Inbox::forget(const ReceiveOperation& operation) { std::erase(waiting_, &operation); }

bool Inbox::is_setting_aside() const {
  return std::any_of(set_aside_.begin(), set_aside_.end(), [](const auto& each) { return !each->reception.done(); });
}

bool Inbox::advance_set_aside() {
  bool moved = false;
  for (const auto& each : set_aside_) moved |= each->reception.advance(communicator_);
  return moved;
}

bool Inbox::look(const ReceiveOperation& operation) {
  bool moved = advance_set_aside();
  const int from = operation.from();
  const int first = from == any_rank ? 0 : from;
  const int end = from == any_rank ? communicator_.size() : from + 1;
  for (int source = first; source < end && operation.is_waiting(); ++source) moved |= look_at(source, operation);
  return moved;
}

bool Inbox::look_at(int source, const ReceiveOperation& operation) {
  bool moved = false;
  while (operation.is_waiting()) {
    const Route route = communicator_.coming(source);
    if (!communicator_.channel().peek(route, arrival_)) break;
    moved = true;
    Announced announced{{source, arrival_.tag, arrival_.bytes / arrival_.element_size},
                        arrival_.bytes,
                        arrival_.element_size,
                        arrival_.digest,
                        std::string(arrival_.type_name)};
    const auto taker = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const ReceiveOperation* each) { return each->accepts(announced.envelope); });
    if (taker != waiting_.end() && (*taker)->is_probe()) {
      ReceiveOperation* const probe = *taker;
      waiting_.erase(taker);
      probe->see(announced.envelope);
      continue;
    }
    communicator_.take_over(source);
    if (taker == waiting_.end()) {
      set_aside_.push_back(std::make_unique<SetAside>(std::move(announced), route));
      set_aside_.back()->reception.advance(communicator_);
    } else {
      ReceiveOperation* const receive = *taker;
      waiting_.erase(taker);
      receive->take_over(announced, route);
    }
  }
  return moved;
}

}  // namespace tutti::runtime
