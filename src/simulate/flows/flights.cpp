#include "simulate/flows/flights.hpp"

#include "base/check.hpp"

namespace tutti {

std::uint64_t send_of(const Workload& workload, const Release& release) {
  require(release.rank >= 0 && release.rank < workload.ranks(), "the rank {} that keeps a message back is none of {}",
          release.rank, workload.ranks());
  int left = release.send;
  for (std::size_t at = workload.begin(release.rank); at < workload.begin(release.rank + 1); ++at) {
    if (workload.moves()[at].kind == OpKind::send && left-- == 0) return at;
  }
  fail(ErrorCode::invalid_argument, "rank {} has no send number {} to keep back", release.rank, release.send);
}

}  // namespace tutti
