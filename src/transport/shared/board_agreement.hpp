/// @file
/// Ranks that share memory tell one another what they call on a board.
#pragma once

#include <array>
#include <vector>

#include "agreement/agreement.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/control_segment.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// The agreement over the lines of a ControlSegment's board: each rank writes its own and reads all others.
class BoardAgreement final : public Agreement {
 public:
  BoardAgreement(const ControlSegment& control, int rank, PeerMemory& memory, const Alarm& alarm)
      : control_(control),
        rank_(rank),
        counters_(control_.counters(rank)),
        digests_(control_.digests(rank)),
        memory_(memory),
        alarm_(alarm) {}

  bool may_enter(std::uint64_t number) override;
  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) override;
  bool has_signed(int rank, std::uint64_t number) override;
  const Signature& signature(int rank, std::uint64_t number) override;
  std::uint64_t digest(int rank, std::uint64_t number) override {
    return control_.digests(rank).of[number % kept_calls];
  }
  MeetingWords meeting_words(int rank, std::uint64_t number) override;
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) override;
  void complete(std::uint64_t number) override;
  bool has_completed(int rank, std::uint64_t number) override;
  void flush() override;
  bool settled() override;
  std::optional<std::uint64_t> disputed() const override { return disputed_; }
  bool has_finished(int rank, std::uint64_t number) const override;

  /// A word that this rank tells all others within collective `number`, which all of them have signed.
  void tell(std::uint64_t number, std::uint64_t word);
  std::optional<std::uint64_t> told(int rank, std::uint64_t number);

  /// The memory of counts, which others may read until all have left the communicator.
  std::vector<std::byte*> let_go_counts();

 private:
  struct Counts {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  void meet(std::uint64_t number);
  void compare_until(std::uint64_t number);
  std::int64_t keep_counts(std::size_t at, std::span<const std::int64_t> counts);

  ControlSegment control_;
  int rank_;
  BoardCounters& counters_;
  BoardDigests& digests_;
  PeerMemory& memory_;
  const Alarm& alarm_;

  std::uint64_t free_below_ = collective_slots;  // all collectives below may be entered
  std::uint64_t compared_ = 0;                   // all collectives below were compared
  std::uint64_t entered_ = 0;
  std::uint64_t settling_ = 0;  // number of calls for which ranks were last looked for
  int come_ = 0;                // all ranks below have signed so many
  std::uint64_t completed_ = 0;
  std::uint64_t told_completed_ = 0;
  std::optional<std::uint64_t> disputed_;
  std::array<Counts, kept_calls> counts_ = {};  // counts of the calls on the board
};

}  // namespace tutti::runtime
