#include "transport/mpi/hosts_connection.hpp"

namespace tutti::runtime {
namespace {

/// A rank that waits for one of its host hears MPI after so many looks: others may wait for what it passes on.
constexpr std::uint32_t looks_between = 16;

}  // namespace

// ---- Messages

/// The route as the ranks of this host number it. The message before is asked for even where a call begins: see the
/// head. Where numbers begin anew it is whatever was posted last, so that its number here only says that there is one.
Route HostsChannel::within(const Route& route) const {
  Route inside = route;
  inside.peer = here_[static_cast<std::size_t>(route.peer)];
  if (inside.previous == 0) inside.previous = 1;
  return inside;
}

/// Hears MPI now and then where nothing has moved.
bool HostsChannel::heard(bool has_moved) {
  if (has_moved) {
    fruitless_ = 0;
  } else if (++fruitless_ % looks_between == 0) {
    mpi_.hear();
  }
  return has_moved;
}

PostResult HostsChannel::post(const Route& route, const Outgoing& message) {
  if (!is_here(route)) return mpi_.post(route, message);
  const PostResult offer = shared_.post(within(route), message);
  heard(offer != PostResult::refused);
  return offer;
}

bool HostsChannel::delivered(const Route& route) {
  return is_here(route) ? heard(shared_.delivered(within(route))) : mpi_.delivered(route);
}

bool HostsChannel::arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) {
  return is_here(route) ? heard(shared_.arrived(within(route), landing, arrival))
                        : mpi_.arrived(route, landing, arrival);
}

std::span<const std::byte> HostsChannel::part(const Route& route) {
  const std::span<const std::byte> part = shared_.part(within(route));
  heard(!part.empty());
  return part;
}

void HostsChannel::release(const Route& route) {
  is_here(route) ? shared_.release(within(route)) : mpi_.release(route);
}

// ---- Failure

void HostsFailure::fail(ErrorCode code, const std::string& message) {
  if (failed()) return;
  shared_.fail(code, message);
  mpi_.fail(code, message);
}

// Whoever told it, it is told on both ways: who reads this rank's memory looks at the segment, and who waits for a
// transfer at packets.
void HostsFailure::withdraw() noexcept {
  const Error why = error();
  shared_.fail(why.code(), why.what());
  mpi_.fail(why.code(), why.what());
  shared_.timeout = timeout;
  mpi_.timeout = timeout;
  shared_.withdraw();
  mpi_.withdraw();
}

// ---- Folds

bool HostsFolding::carry_out(const Fold& fold, const Combination& how, int call_slot) {
  const MemoryRange& first = fold.operands.front();
  if (fold.operands.size() == 1 && first.here && first.address == fold.into.address)
    return true;  // the operand has come there
  shared_failure_.timeout = failure_.timeout;
  shared_failure_.late_after = failure_.late_after;
  return shared_.carry_out(fold, how, call_slot);
}

void HostsFolding::help(int peer, int call_slot, const Combination& how) {
  const int here = here_[static_cast<std::size_t>(peer)];
  if (here >= 0) shared_.help(here, call_slot, how);
}

}  // namespace tutti::runtime
