#include "transport/shared/shared_folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

namespace tutti::runtime {

bool SharedFolding::carry_out(const Fold& fold, const Combination& how, int call_slot) {
  // Whether the communicator has failed is asked afterwards: see SharedFailure.
  if (cooperative_fold_.carry_out(fold, how, call_slot)) return !failure_.failed();
  if (const auto trouble = cooperative_fold_.take_trouble()) {
    failure_.fail(trouble->code(), trouble->what());
    return false;
  }
  if (const auto refusal = memory_.take_refusal()) refuse(*refusal, fold);
  return false;
}

void SharedFolding::refuse(const Refusal& refusal, const Fold& fold) const {
  const auto found = std::find(members_.begin(), members_.end(), refusal.rank);
  const auto owner = static_cast<int>(found - members_.begin());
  const int reader = names_.in_communicator(rank_);
  // The refused address may be of a part of the buffer.
  std::uint64_t address = refusal.address;
  auto bytes = static_cast<std::int64_t>(refusal.bytes);
  for (const MemoryRange& each : fold.operands) {
    const bool holds = !each.here && each.rank == owner && address >= each.address &&
                       address - each.address < static_cast<std::uint64_t>(each.bytes);
    if (!holds) continue;
    address = each.address;
    bytes = each.bytes;
    break;
  }
  const bool is_fault = refusal.error == EFAULT;
  throw Unreachable(
      is_fault ? ErrorCode::invalid_argument : ErrorCode::unsupported,
      fmt::format("rank {} cannot {} {} bytes at {:#x} of rank {}: {} ({})", reader, refusal.writes ? "write" : "read",
                  bytes, address, names_.in_communicator(owner), std::generic_category().message(refusal.error),
                  is_fault ? "the buffer must stay as it is until the call has ended"
                           : "what a process may do has changed since the ranks joined: set TUTTI_PEER_READS=0"));
}

void SharedFolding::help(int peer, int call_slot, const Combination& how) {
  // Relaxed: a first look, which spares the marks; CooperativeFold::help looks again.
  const std::uint64_t open = control_.fold_job(peer, call_slot).open.load(std::memory_order_relaxed);
  if (!FoldJob::is_open(open, call_slot) || !failure_.begin_reading()) return;
  const std::unique_ptr<Failure, decltype([](Failure* failure) { failure->end_reading(); })> reading(&failure_);
  cooperative_fold_.help(peer, call_slot, how);
  memory_.take_refusal();  // the rank that needs the memory says that it cannot be reached, and not the one that helps
}

}  // namespace tutti::runtime
