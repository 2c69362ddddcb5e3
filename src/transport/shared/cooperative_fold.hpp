/// @file
/// Folds over memory of several ranks, done together by those who have nothing else to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/system/waiting_time.hpp"
#include "transport/fold_here.hpp"
#include "transport/interfaces/failure.hpp"
#include "transport/late_after.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/rank_names.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// A byte that peers write, by the same call of the system, before what they mean to write: PeerMemory::write(). Once
/// the gate is shut that byte cannot be written, so that such a call writes nothing. A peer that is stopped cannot have
/// passed the gate and not have written yet, because a process stops outside of the system's calls.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  /// Returns its address, for peers; made when first asked for, and 0, which no peer can write to, if there is no
  /// memory.
  std::uint64_t address();
  /// For good. Nothing else ever comes to lie at its address.
  void shut() noexcept;

 private:
  void* page_ = nullptr;
  bool is_shut_ = false;
};

/// One rank's part in the work on a communicator's jobs.
///
/// A rank that receives is busy, while the rank that sends only waits for it: so large folds are cut into chunks, which
/// the receiver, from the front, and those who wait for it claim one by one. The result does not depend on who did
/// what: elements do not depend on one another.
///
/// Helpers do what they have claimed, or give it back if it cannot reach the memory: then the owner does it, and the
/// helper helps no more. A helper that ends or stands still with a claim may have done a part of it, which must not be
/// done again where the result replaces an operand; and one that stands still may go on later. So nobody else takes
/// over such a claim: the owner waits for it as long as for any message, and then the communicator fails.
class CooperativeFold {
 public:
  /// `failure` says how long to wait for a helper that does not move.
  CooperativeFold(const ControlSegment& control, int rank, const std::vector<int>& members, const RankNames& names,
                  PeerMemory& memory, const Alarm& alarm, const Failure& failure)
      : control_(control),
        rank_(rank),
        members_(members),
        names_(names),
        memory_(memory),
        alarm_(alarm),
        failure_(failure) {}

  /// Computes the fold, with help where it is large. False if a rank has ended whose memory or help it needs, if memory
  /// cannot be reached, or if help does not end. Then the fold may be half done, and all later ones are refused.
  bool carry_out(const Fold& fold, const Combination& how, int call_slot);
  /// Why the latest fold has failed, where it is for this rank to say so: because of who helped. Told once.
  std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }
  /// Works on what `peer` carries out on the call slot, if anything is left of it.
  void help(int peer, int call_slot, const Combination& how);
  /// After the communicator has failed: helpers that write by calls of the system write nothing from here on.
  void shut_gate() noexcept { gate_.shut(); }
  /// Whether that rank, a helper or one that fills places, may still write into memory of this rank's then.
  bool may_be_written_by(int rank) const;

 private:
  bool share(const Fold& fold, const Combination& how, int call_slot);
  void open(FoldJob& job, const Fold& fold, const Combination& how, int call_slot);
  template <typename Over>
  bool wait(const FoldJob& job, const Over& over);
  bool may_wait(const FoldJob& job, WaitingTime::Duration waited, LateMoments& late);
  bool take_back(const Fold& fold, const Combination& how, int call_slot, std::int32_t& taken);
  /// Work that a helper was told of; ranges as this process reaches them.
  struct Heard {
    MemoryRange into;
    std::vector<MemoryRange> operands;
    std::vector<MemoryRange> also;
    MemoryRange copy;
    std::int32_t copied = 0;

    Fold fold() const { return {into, operands, also, copy, copied}; }
  };

  class Helping;
  bool hear(const FoldJob& job, int peer, Heard& heard) const;
  bool make_room(const Fold& fold, const Combination& how);
  bool begin_filling();
  void end_filling();
  /// While it lives, peers know that this rank may write into their memory. Ends with an exception of the user's
  /// operator, too.
  class Filling {
   public:
    Filling(CooperativeFold& fold, bool needed)
        : fold_(fold), fills_(needed && fold.begin_filling()), needed_(needed) {}
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;
    ~Filling() {
      if (fills_) fold_.end_filling();
    }
    bool may_write() const { return fills_ || !needed_; }

   private:
    CooperativeFold& fold_;
    bool fills_;
    bool needed_;
  };

  void work_as_helper(FoldJob& job, const Fold& fold, const Combination& how, std::uint64_t place);
  void give_back(FoldJob& job, std::uint64_t place, std::int64_t first, bool is_spoiled);
  bool has_failed() const { return control_.header().closed.load(std::memory_order_relaxed) != 0; }
  /// The job of this rank's that the rank works on just now, or null.
  const FoldJob* job_helped_by(int rank) const;
  bool is_helped_by_system_calls(const FoldJob& job) const;
  std::int64_t fold_part(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                         detail::Stores stores);
  static bool is_here(const Fold& fold);
  static bool needs_stage(const Fold& fold);
  std::byte* make_stage(const Fold& fold, const Combination& how);
  std::int64_t fold_through_stage(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes);
  const void* brought(const MemoryRange& from, std::byte* stage, bool& reached) const;
  bool is_private_copy(const Fold& fold) const;
  ToldRange told(const MemoryRange& range) const;
  int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }

  ControlSegment control_;
  int rank_;
  const std::vector<int>& members_;
  const RankNames& names_;
  PeerMemory& memory_;
  Alarm alarm_;
  const Failure& failure_;
  Gate gate_;
  std::uint64_t owners_gate_ = 0;  // gate of the owner that this rank helps
  std::uint64_t jobs_ = 0;
  bool helps_ = true;
  bool is_broken_ = false;  // a fold was left half done
  std::size_t written_ =
      0;  // bytes written by the latest step of a fold that could not be ended, into memory elsewhere
  std::vector<int> gave_up_;  // ranks whose chunk was taken back
  std::optional<Error> trouble_;
  int fillings_ = 0;  // begun and not ended: one within another where a user's operator calls tutti
  FoldRoom room_;
};

}  // namespace tutti::runtime
