#include "schedule/model/node_traffic.hpp"

namespace tutti {

NodeTraffic::Sums& NodeTraffic::Sums::operator+=(const Sums& other) {
  messages += other.messages;
  elements += other.elements;
  return *this;
}

void NodeTraffic::add(int from, int to, std::int64_t elements) {
  const Sums message{1, elements};
  Node& sender = nodes_[static_cast<std::size_t>(layout_.node_of(from))];
  Node& receiver = nodes_[static_cast<std::size_t>(layout_.node_of(to))];
  if (&sender == &receiver) {
    sender.within += message;
  } else {
    sender.sent += message;
    receiver.received += message;
  }
}

void NodeTraffic::add(int rank, const Program& program) {
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::send) add(rank, op.peer, Slices(program.slices(op)).elements());
  }
}

NodeTraffic::Sums NodeTraffic::between() const {
  Sums sums;
  for (const Node& node : nodes_) sums += node.sent;
  return sums;
}

NodeTraffic::Sums NodeTraffic::all() const {
  Sums sums = between();
  for (const Node& node : nodes_) sums += node.within;
  return sums;
}

}  // namespace tutti
