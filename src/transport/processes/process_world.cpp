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
#include "base/rank_lists.hpp"
#include "base/waiting_time.hpp"
#include "transport/failure.hpp"
#include "transport/processes/process_memory.hpp"
#include "transport/shared/shared_world.hpp"

namespace tutti::runtime {
namespace {

/// Throws where a rank has ended: without having joined, or by a failure. A rank that has not joined is looked for
/// first, and then the rank that failed first: others may have ended because of it.
void look_for_ends(const Segment& segment) {
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankRecord& record = segment.record(rank);
    if (!record.has_ended() || record.process() != 0) continue;
    fail(ErrorCode::peer_failed, "rank {} ended before it called tutti::world(): {}", rank,
         record.has_failed() ? record.failure() : "it returned");
  }
  const auto look_for_failure = [&](int rank) {
    const RankRecord& record = segment.record(rank);
    if (!record.has_ended() || !record.has_failed()) return;
    fail(ErrorCode::peer_failed, "rank {} failed: {}", rank, record.failure());
  };
  if (const std::optional<int> first = segment.first_lost()) look_for_failure(*first);
  for (int rank = 0; rank < segment.ranks(); ++rank) look_for_failure(rank);
}

/// Throws because of the ranks that have not joined; returns where all have meanwhile.
void fail_missing(const Segment& segment, std::chrono::duration<double> timeout) {
  std::vector<int> missing;
  std::vector<int> stopped;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    if (segment.record(rank).process() != 0) continue;
    missing.push_back(rank);
    if (segment.is_stopped(rank)) stopped.push_back(rank);
  }
  if (missing.empty()) return;
  fail(ErrorCode::timeout, "{} {} not called tutti::world() for {:g} s ({}){}", list_of(missing),
       missing.size() == 1 ? "has" : "have", timeout.count(), longer_wait_to_join,
       stopped.empty() ? std::string()
                       : fmt::format("; {} {} stopped", list_of(stopped), stopped.size() == 1 ? "is" : "are"));
}

/// How many cores the ranks may use together, once all have joined: the same on every rank.
int cores_of_all(const Segment& segment) {
  UsableCores all = segment.record(0).cores();
  for (int rank = 1; rank < segment.ranks(); ++rank) all.add(segment.record(rank).cores());
  return all.count();
}

/// Where each rank has found itself, once all have joined: the same on every rank.
Layout layout_of_all(const Segment& segment) {
  std::vector<Place> places;
  for (int rank = 0; rank < segment.ranks(); ++rank) places.push_back(segment.record(rank).place());
  return layout_of(places);
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

void wait_for_all(const Segment& segment, std::chrono::duration<double> timeout) {
  constexpr std::chrono::duration<double> look_interval(0.2);
  const Gathering& gathering = segment.gathering();
  WaitingTime waiting;
  Neighbour neighbour(segment);
  for (;;) {
    const std::uint32_t news = gathering.news();
    look_for_ends(segment);
    if (gathering.is_complete(segment.ranks())) return;
    while (gathering.news() == news) {
      const std::chrono::duration<double> left = timeout - waiting.look();
      if (left.count() < 0) fail_missing(segment, timeout);
      gathering.wait(news, std::chrono::ceil<std::chrono::nanoseconds>(std::min(left, look_interval)));
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
      SharedWorld(held->records(), held->whole(), std::make_unique<ProcessMemory>(*held), Engine::processes,
                  cores_of_all(*held), layout_of_all(*held),
                  held->gathering().have_all_barriers(held->ranks()) ? Waking::by_others : Waking::by_clock) {
  agree_on(held->gathering().proposal());
}

// Refused where every process of the user may read another, and then not needed.
void allow_ranks_to_read() { prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

Joined join_processes(std::chrono::duration<double> timeout, Propose propose) {
  allow_ranks_to_read();
  // A segment can be joined once: who calls again after a failure gets the same answer.
  if (failed_join != nullptr) throw Error(failed_join->error);
  std::shared_ptr<Segment> segment;
  try {
    std::optional<Segment> inherited = Segment::inherited(propose);
    if (!inherited) return {};
    segment = std::make_shared<Segment>(std::move(*inherited));
    wait_for_all(*segment, timeout);
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
