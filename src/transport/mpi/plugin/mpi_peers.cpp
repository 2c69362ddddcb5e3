#include "transport/mpi/plugin/mpi_peers.hpp"

#include <utility>

namespace tutti::runtime {
namespace {

/// A rank that waits publishes its calls after so long, and again.
constexpr std::chrono::milliseconds patience(20);
constexpr std::uint32_t looks_between = 16;

}  // namespace

MpiPeers::MpiPeers(MpiLink& link, Mailboxes& mailboxes, std::uint64_t identity, int rank, std::vector<int> members)
    : link_(link), identity_(identity), rank_(rank), members_(std::move(members)), box_(mailboxes.of_member(identity)) {
  // The functions hold no pointer to this object: the rank has its part in the tree until all have left.
  box_.calls.join(
      rank_, size(),
      {.packet = [&link] { return link.packet(); },
       .send = [&link, members = members_](
                   int to, PacketPointer out) { link.send(members[static_cast<std::size_t>(to)], std::move(out)); }});
}

void MpiPeers::progress() {
  link_.progress();
  if (box_.arrivals != arrivals_) {
    arrivals_ = box_.arrivals;
    fruitless_ = 0;
    return;
  }
  if (++fruitless_ % looks_between != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (fruitless_ == looks_between) waits_since_ = now;
  if (now - waits_since_ < patience) return;
  waits_since_ = now;
  box_.calls.publish();
}

}  // namespace tutti::runtime
