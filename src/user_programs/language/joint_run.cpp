#include "user_programs/language/joint_run.hpp"

#include <algorithm>

namespace tutti::language {

std::vector<RankRun> run_together(const Code& code, const RunShape& shape) {
  std::vector<RankRun> runs;
  runs.reserve(static_cast<std::size_t>(shape.ranks));
  for (int rank = 0; rank < shape.ranks; ++rank) runs.emplace_back(code, shape, rank);
  ProgramChannels channels;
  while (true) {
    bool further = false;
    for (RankRun& run : runs) further = run.advance(channels) || further;
    if (further) continue;
    if (std::any_of(runs.begin(), runs.end(), [](const RankRun& run) { return run.fault().has_value(); })) break;
    // A rank that waits for what nobody sends goes on without it: the proof says that it waits for ever.
    const auto waits = std::find_if(runs.begin(), runs.end(), [](const RankRun& run) { return !run.at_end(); });
    if (waits == runs.end()) break;
    waits->give_up_waiting(channels);
  }
  if (code.has_data()) {
    for (RankRun& run : runs) run.deliver();
  }
  return runs;
}

}  // namespace tutti::language
