#include "transport/mpi/first_proposal.hpp"

#include <array>
#include <exception>
#include <string_view>

#include "base/check.hpp"

namespace tutti::runtime {
namespace {

/// Plain bytes.
struct Told {
  Proposal proposal;
  std::array<char, 256> failure = {};  ///< ends with a zero; empty: there is a proposal

  void fail_for(std::string_view reason) {
    if (reason.empty()) reason = "it does not say why";
    reason.copy(failure.data(), failure.size() - 1);
  }
};

}  // namespace

Proposal first_proposal(const Plugin& plugin, int rank, Propose propose) {
  Told told;
  std::exception_ptr failure;
  if (rank == 0) {
    try {
      told.proposal = propose();
    } catch (const std::exception& error) {
      failure = std::current_exception();
      told.fail_for(error.what());
    }
  }
  plugin.broadcast(&told, sizeof(told));
  if (failure) std::rethrow_exception(failure);
  if (told.failure.front() != '\0') fail(ErrorCode::peer_failed, "rank 0 failed: {}", told.failure.data());
  return told.proposal;
}

}  // namespace tutti::runtime
