/// @file
/// Report of a wait that was too long.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "base/text/rank_lists.hpp"
#include "progress/operation.hpp"
#include "transport/interfaces/rank_directory.hpp"

namespace tutti::runtime {

/// "no progress for 30 s (…): rank 0 waits for …; rank 3 waits for …; rank 7 is stopped": what `operation`, which
/// stands still, waits for, what its communicator's other ranks do, and where the late ones are. The caller is rank
/// `number` of the run, whose wait stands as `mine` says.
std::string timeout_report(const Operation& operation, int number, const WaitState& mine);

/// The ranks of the run whose program is to go on before the wait of rank `number` can end, which stands as `mine`
/// says: those that it needs and that do not wait themselves, and the same of those that do. Ascending.
std::vector<int> late_ranks(const RankDirectory& directory, int number, const WaitState& mine);

/// "no progress for 30 s: rank 1 waits for …; rank 0 (process 17) sleeps, in clock_nanosleep; its last call was …; the
/// wait goes on …": the same of a wait that goes on.
std::string long_wait_report(const Operation& operation, std::chrono::duration<double> waited, int number,
                             const WaitState& mine);

/// "rank 0 (process 17) sleeps, in clock_nanosleep", of a rank that sentences call `name`; "… has not called yet" where
/// nothing is known.
std::string where_rank_is(const RankDirectory& directory, int rank, const std::string& name);

/// "rank 0 waits for …; ranks 1, 2 wait for …": what each group of ranks waits for, the largest first.
std::string waits_in_words(const RankGroups& groups);

/// Returns how a wait that has lasted for so long goes on, as the end of a sentence.
std::string how_it_goes_on(std::chrono::duration<double> timeout);

}  // namespace tutti::runtime
