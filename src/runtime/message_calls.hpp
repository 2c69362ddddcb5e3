/// @file
/// Sends and receives of a communicator, checked and begun. In a header, because each message passes here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.hpp"
#include "calls/message_operations.hpp"
#include "runtime/communicator_context.hpp"
#include "tutti/communicator.hpp"

namespace tutti::runtime {

inline void check_peer(const CommunicatorState& communicator, int peer, std::string_view what) {
  require(peer >= 0 && peer < communicator.size(), "{} rank {}: not one of the ranks 0 to {}", what, peer,
          communicator.size() - 1);
}

inline void check_sending(const CommunicatorState& communicator, const untyped::Parcel& parcel, int to,
                          const MessageOptions& options) {
  check_peer(communicator, to, "send to");
  require(parcel.count >= 0, "send to rank {}: a count is at least 0, not {}", to, parcel.count);
  require(options.tag >= 0, "send to rank {} with tag {}: tags are at least 0", to, options.tag);
}

/// `count` elements are to be received.
inline void check_receiving(const CommunicatorState& communicator, std::int64_t count, int from,
                            const MessageOptions& options) {
  if (from != any_rank) check_peer(communicator, from, "receive from");
  require(count >= 0, "receive: a count is at least 0, not {}", count);
  require(options.tag >= 0 || options.tag == any_tag, "receive with tag {}: tags are at least 0, or tutti::any_tag",
          options.tag);
}

template <typename Kind>
std::shared_ptr<Kind> begun(const std::shared_ptr<CommunicatorContext>& context, std::shared_ptr<Kind> operation) {
  operation->keep(context);
  context->engine().begin(operation);
  return operation;
}

inline std::shared_ptr<SendOperation> begin_send(const std::shared_ptr<CommunicatorContext>& context,
                                                 const untyped::Parcel& parcel, int to, int tag) {
  return begun(context, std::make_shared<SendOperation>(context->state(), parcel, to, tag));
}

inline std::shared_ptr<ReceiveOperation> begin_receive(const std::shared_ptr<CommunicatorContext>& context,
                                                       std::optional<untyped::Parcel> parcel, int from, int tag) {
  return begun(context, std::make_shared<ReceiveOperation>(context->state(), context->match_queue(), std::move(parcel),
                                                           from, tag));
}

}  // namespace tutti::runtime
