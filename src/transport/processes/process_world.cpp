#include "transport/processes/process_world.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/system/interruption.hpp"
#include "base/system/tell_user.hpp"
#include "base/system/waiting_time.hpp"
#include "base/text/rank_lists.hpp"
#include "transport/late_after.hpp"
#include "transport/processes/activity.hpp"
#include "transport/processes/process_memory.hpp"
#include "transport/shared/shared_world.hpp"

namespace tutti::runtime {
namespace {

/// Throws where a rank has ended: without having joined, or by a failure. A rank that has not joined is looked for
/// first; of failures the first is told.
void look_for_ends(const Segment& segment) {
  if (!segment.has_ends()) return;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankRecord& record = segment.record(rank);
    if (!record.has_ended() || record.process() != 0) continue;
    fail(ErrorCode::peer_failed, "rank {} ended before it called tutti::world(): {}", rank,
         record.has_failed() ? record.failure() : "it returned");
  }
  // The rank that failed first may not have ended when others have, because of it.
  const std::optional<int> first = segment.first_lost();
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankRecord& record = segment.record(rank);
    if (!record.has_ended() || !record.has_failed()) continue;
    const int cause = first && segment.record(*first).has_failed() ? *first : rank;
    fail(ErrorCode::peer_failed, "rank {} failed: {}", cause, segment.record(cause).failure());
  }
}

/// Returns the activity of a rank's process that has not joined.
std::string where_starting_rank_is(const Segment& segment, int rank) {
  const auto process = static_cast<pid_t>(segment.record(rank).started());
  const std::string name = fmt::format("rank {} (process {})", rank, process);
  if (segment.is_stopped(rank)) return name + " is stopped";
  const std::string activity = runtime::activity_of(process, process);
  return activity.empty() ? std::string() : fmt::format("{} {}", name, activity);
}

/// "ranks 1-3 have not called tutti::world() for 30 s: rank 1 (process 17) sleeps, in …; ranks 4-63 are yet to start".
std::string missing_in_words(const Segment& segment, std::chrono::duration<double> waited) {
  constexpr std::size_t most_told = 4;
  std::vector<int> missing;
  std::vector<int> unstarted;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    if (segment.record(rank).process() != 0) continue;
    (segment.record(rank).started() == 0 ? unstarted : missing).push_back(rank);
  }
  std::string text;
  if (!missing.empty()) {
    text = fmt::format("{} {} not called tutti::world() for {:.3g} s", list_of(missing),
                       missing.size() == 1 ? "has" : "have", waited.count());
  }
  for (std::size_t k = 0; k < std::min(most_told, missing.size()); ++k) {
    const std::string where = where_starting_rank_is(segment, missing[k]);
    if (!where.empty()) text += "; " + where;
  }
  if (!unstarted.empty())
    text += fmt::format("{}{} {} yet to be started", text.empty() ? "" : "; ", list_of(unstarted),
                        unstarted.size() == 1 ? "is" : "are");
  return text;
}

/// Tells the user which ranks have not joined, where no other rank has within `gap`.
void tell_missing(const Segment& segment, std::chrono::duration<double> waited, std::chrono::nanoseconds gap) {
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    RankRecord& record = segment.record(rank);
    if (record.process() != 0) continue;
    if (record.claim_telling(std::chrono::steady_clock::now().time_since_epoch(), gap))
      tell_user("tutti: {}; the others wait for them\n", missing_in_words(segment, waited));
    return;
  }
}

/// Looks after the next rank that has joined, so that all of them are looked after: a launcher learns of the end of a
/// rank behind a script only when the script ends.
class Neighbour {
 public:
  explicit Neighbour(const Segment& segment) : segment_(segment) {}

  /// A rank whose process is found gone twice is lost: the launcher, which says it at once, knows why.
  void look() {
    const int rank = next_joined();
    const bool is_gone = rank != segment_.rank() && !segment_.is_held(rank);
    if (is_gone && rank == gone_ && !segment_.record(rank).has_ended()) segment_.find_lost(rank, "its process is gone");
    gone_ = is_gone ? rank : -1;
  }

 private:
  int next_joined() const {
    int rank = segment_.rank();
    do {
      rank = (rank + 1) % segment_.ranks();
    } while (rank != segment_.rank() && !segment_.record(rank).has_joined());
    return rank;
  }

  const Segment& segment_;
  int gone_ = -1;
};

/// Without a limit: how long a rank takes to start says nothing of what it waits for later, and one whose process ends
/// is told of.
void wait_for_all(const Segment& segment) {
  // All ranks together look as often as 200 do.
  const std::chrono::milliseconds look_interval(std::max(200, segment.ranks()));
  const Gathering& gathering = segment.gathering();
  LateMoments late(late_after());
  WaitingTime waiting;
  Neighbour neighbour(segment);
  for (;;) {
    const std::uint32_t news = gathering.news();
    look_for_ends(segment);
    if (gathering.is_complete(segment.ranks())) return;
    while (gathering.news() == news) {
      const std::chrono::duration<double> waited = waiting.look();
      if (const std::string why = reason_to_interrupt(); !why.empty())
        fail(ErrorCode::peer_failed, "rank {} failed: {}", segment.rank(), why);
      if (late.take(waited)) tell_missing(segment, waited, late.gap());
      gathering.wait(news, look_interval);
      neighbour.look();
    }
  }
}

/// Why this process could not join, and the segment, if it came so far: of that only the rank's record is used any
/// more. Never destroyed, because a program may fail in its last destructors.
struct FailedJoin {
  Error error;
  std::shared_ptr<Segment> segment;
};
const FailedJoin* failed_join = nullptr;

/// Throws the error, and keeps it for who calls again. If this rank ends now, the others learn that it was not the
/// first.
[[noreturn]] void fail_to_join(ErrorCode code, const char* text, std::shared_ptr<Segment> segment) {
  if (segment != nullptr) {
    segment->record(segment->rank()).note_failure(text);
    segment->leave();
  }
  failed_join = new FailedJoin{Error(code, text), std::move(segment)};
  throw Error(failed_join->error);
}

}  // namespace

// The segment is there before the world that rests on it.
ProcessWorld::ProcessWorld(std::shared_ptr<const Segment> joined)
    : SegmentHolder{std::move(joined)},
      SharedWorld(held->records(), held->whole(), std::make_unique<ProcessMemory>(*held), Transport::processes,
                  held->gathering().cores().count(), layout_of(held->places()),
                  held->gathering().have_all_barriers(held->ranks()) ? Waking::by_others : Waking::by_clock) {
  agree_on(held->gathering().proposal());
}

// The first thread, where the rank's own is not known by the same number here.
std::string ProcessWorld::activity_of(int rank) const {
  const std::int64_t process = process_of(rank);
  const std::int64_t thread = World::record(rank).thread();
  return process == 0 ? std::string() : runtime::activity_of(static_cast<pid_t>(process), static_cast<pid_t>(thread));
}

// Refused where every process of the user may read another, and then not needed.
void allow_ranks_to_read() { prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

Joined join_processes(Propose propose) {
  allow_ranks_to_read();
  // A segment can be joined once: who calls again after a failure gets the same answer.
  if (failed_join != nullptr) throw Error(failed_join->error);
  std::shared_ptr<Segment> segment;
  try {
    std::optional<Segment> inherited = Segment::inherited(propose);
    if (!inherited) return {};
    segment = std::make_shared<Segment>(std::move(*inherited));
    wait_for_all(*segment);
    return {std::make_shared<ProcessWorld>(segment), segment->rank()};
  } catch (const Error& error) {
    fail_to_join(error.code(), error.what(), std::move(segment));
  } catch (const std::exception& error) {  // no memory, for one
    fail_to_join(ErrorCode::unsupported, error.what(), std::move(segment));
  }
}

bool leave_refusal(const std::string& text) {
  if (failed_join == nullptr || !failed_join->segment || failed_join->error.what() != text) return false;
  return failed_join->segment->record(failed_join->segment->rank()).leave_words();
}

}  // namespace tutti::runtime
