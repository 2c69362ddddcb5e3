#include "mpi_check/collectives/comparison_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_check/waits/message_dependencies.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "transport/late_after.hpp"
#include "transport/rank_record.hpp"

namespace tutti::interpose {
namespace {

/// Waits for those, and raises what differs. Returns one for which this rank has waited until `gives_up` said so, which
/// is asked with the time so far.
using GivesUp = std::function<bool(std::chrono::duration<double> waited, const CallComparison& open)>;
std::shared_ptr<CallComparison> wait_for_all(std::optional<MPI_Comm> handle, const GivesUp& gives_up) {
  const ReentrancyGuard guard;
  const HostRanks& here = *job().ranks->host();
  const auto begin = here.clock->now();
  for (;;) {
    while (raise_difference()) continue;
    std::shared_ptr<CallComparison> open = first_open_comparison(handle);
    if (open == nullptr || gives_up(here.clock->now() - begin, *open)) return open;
    here.clock->nap(std::chrono::microseconds(50));
  }
}

/// Whether all other ranks of the job have come to the end of the program, so that none of them begins anything more.
bool have_all_others_ended(const HostRanks& here) {
  if (std::ssize(here.ranks) < job().size) return false;
  for (int place = 0; place < here.world->size(); ++place) {
    runtime::WaitState told;
    const runtime::RankRecord& record = here.world->record(place);
    const bool has_ended = record.has_ended() || (record.wait_state(told) != 0 && is_at_the_end(told));
    if (place != here.place && !has_ended) return false;
  }
  return true;
}

}  // namespace

bool end_comparisons_on(MPI_Comm handle) {
  // Only ranks of a program that is checked know their host.
  if (are_beginnings_told() && first_open_comparison(handle) != nullptr) {
    constexpr std::chrono::seconds longest(30);
    const std::chrono::duration<double> limit =
        std::min<std::chrono::duration<double>>(job().ranks->host()->timeout, longest);
    wait_for_all(handle, [&](auto waited, const CallComparison&) { return waited >= limit; });
  }
  return is_comparison_given_up_on(handle);
}

// Whoever waits for a message of this rank's waits for ever, while this one waits.
void end_comparisons() {
  if (!stop_telling_beginnings()) return;
  const HostRanks& here = *job().ranks->host();
  bool is_told = false;
  runtime::LateMoments late(here.late_after);
  const auto gives_up = [&](std::chrono::duration<double> waited, const CallComparison& open) {
    if (!std::exchange(is_told, true)) tell_the_end();
    if (late.take(waited))
      say(
          fmt::format("rank {} of {}: no progress for {:.3g} s: it has come to MPI_Finalize and waits for other ranks, "
                      "because it {}; the wait goes on",
                      job().rank, job().size, waited.count(), open.title()));
    return waited >= here.timeout || (waited >= here.searches_after() && have_all_others_ended(here));
  };
  const std::shared_ptr<CallComparison> open = wait_for_all(std::nullopt, gives_up);
  if (open == nullptr) return;
  const std::string text =
      fmt::format("this rank {}, and other ranks have not begun it when this one ends the program", open->title());
  raise(open->on(), Error(ErrorCode::timeout, text), open->begun_at());
}

}  // namespace tutti::interpose
