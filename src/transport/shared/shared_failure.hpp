/// @file
/// The end of a communicator of ranks that read one another's memory.
#pragma once

#include <string>
#include <vector>

#include "transport/interfaces/failure.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/cooperative_fold.hpp"
#include "transport/shared/peer_memory.hpp"
#include "transport/shared/rank_names.hpp"

namespace tutti::runtime {

/// The failure of a communicator, told in its ControlSegment.
///
/// Withdrawal. A rank that leaves a failed communicator may free its buffers while a peer is just reading them. So a
/// reader marks itself before it looks at `closed`, and who leaves looks at the marks after `closed` was set. Both
/// sides write one flag and then read the other's, in sequentially consistent order: either the reader sees `closed`
/// and leaves the memory alone, or the leaver sees the mark and waits until the reading is over (Dekker's argument).
///
/// A reader that is stopped, or gets no core to run on, is not waited for without end. What it can do once it goes on:
/// - A process that reads gets other bytes, or is refused. It looks at `closed` after each fold, which this rank has
///   set before it changed its memory, and drops what it computed. So nothing comes of it.
/// - A process that helps this rank, and writes into its own memory by calls of the system, finds the Gate shut: it
///   writes nothing.
/// - A process that helps with a result in memory that all reach writes it directly, whenever it goes on, into whatever
///   lies there by then; and a thread that reads what was given back may find no memory there. Neither can be kept from
///   it, so that this process ends, with a sentence, rather than going on with data of which nobody knows what they
///   are.
class SharedFailure final : public Failure {
 public:
  /// `members` are the ranks that have these numbers in the segment.
  SharedFailure(const ControlSegment& control, int rank, const std::vector<int>& members, const RankNames& names,
                PeerMemory& memory, const Alarm& alarm, CooperativeFold& cooperative_fold)
      : control_(control),
        rank_(rank),
        members_(members),
        names_(names),
        memory_(memory),
        alarm_(alarm),
        cooperative_fold_(cooperative_fold) {}

  bool failed() const override { return control_.header().closed.load(std::memory_order_acquire) != 0; }
  void fail(ErrorCode code, const std::string& message) override;
  Error error() const override;
  void withdraw() noexcept override;
  bool begin_reading() override;
  void end_reading() noexcept override;

 private:
  void wait_for_reader(int peer) const;

  ControlSegment control_;
  int rank_;
  const std::vector<int>& members_;
  const RankNames& names_;
  PeerMemory& memory_;
  const Alarm& alarm_;
  CooperativeFold& cooperative_fold_;
  bool withdrawn_ = false;
  int readings_ = 0;  // begun and not ended: one within another where a user's operator calls tutti
};

}  // namespace tutti::runtime
