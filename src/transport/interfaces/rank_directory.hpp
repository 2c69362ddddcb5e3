/// @file
/// Directory of the ranks of a run: how each of them is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "transport/rank_record.hpp"

namespace tutti::runtime {

/// Records of all ranks, and what is known of how they are. Thread-safe.
class RankDirectory {
 public:
  RankDirectory() = default;
  RankDirectory(const RankDirectory&) = delete;
  RankDirectory& operator=(const RankDirectory&) = delete;

  virtual int size() const = 0;
  virtual RankRecord& record(int rank) = 0;
  const RankRecord& record(int rank) const { return const_cast<RankDirectory&>(*this).record(rank); }
  /// Returns how many ranks have failed so far.
  virtual std::uint32_t losses() const = 0;
  /// Changes whenever losses() does, and whenever tidy() may find something: cheap, to be asked in each call.
  virtual std::uint64_t news() const { return losses(); }
  /// Returns the first rank that has failed, as far as is known: others may have failed because of it.
  virtual std::optional<int> first_lost() const;
  /// Whether a rank is known to be stopped, as by SIGSTOP.
  virtual bool is_stopped(int) const { return false; }
  /// The number by which this process knows the rank's, where that is one of this machine that it may look at and has
  /// not ended; else 0.
  virtual std::int64_t process_of(int) const { return 0; }
  /// Returns the activity of the rank's thread at this moment, as it follows "rank 2": "computes, in relax"; empty if
  /// that is not known. See processes/activity.hpp.
  virtual std::string activity_of(int) const { return {}; }
  /// Sets how activities are found out that this world does not know: `where` tells them, as activity_of() does.
  virtual void know_activities_by(std::function<std::string(int)>) {}

  /// To be called often while a rank waits: hears what others tell, and finds failures that nobody has told.
  virtual void watch() {}
  /// Rank `rank` has failed for that reason, which is told to all.
  virtual void fail(int rank, const std::string& reason) = 0;
  /// Rank `rank` takes part in nothing any more.
  virtual void end(int rank) { record(rank).end(); }
  /// False where it is known that no rank has ended yet: cheap, to be asked before all records are.
  virtual bool may_have_ends() const { return true; }
  /// Counts a piece of work of rank `rank`: see RankRecord::work().
  virtual void note_work(int rank) { record(rank).note_work(); }
  /// False where it is known that no rank has counted any.
  virtual bool may_have_work() const { return true; }

 protected:
  ~RankDirectory() = default;
};

inline std::optional<int> RankDirectory::first_lost() const {
  for (int rank = 0; rank < size(); ++rank) {
    if (record(rank).has_failed()) return rank;
  }
  return std::nullopt;
}

}  // namespace tutti::runtime
