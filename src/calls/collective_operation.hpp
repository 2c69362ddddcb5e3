/// @file
/// One rank's part in a collective.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calls/call_cache.hpp"
#include "execute/executor.hpp"
#include "progress/numbered_operation.hpp"
#include "progress/scratch.hpp"

namespace tutti::runtime {

/// Runs what was prepared, as often as it is armed: it enters once its call slot is free, moves the counts where its
/// algorithm asks for those of other ranks, and then runs the compiled program. Messages carry the digest of the
/// signature; a rank that meets another call's message waits until all have signed, so that the error can name
/// everyone.
///
/// An all-to-all whose algorithm asks for the rank's own counts alone moves none, and whether another rank has changed
/// its counts is noticed all the same. Let s be what rank a sends to rank b, and r what b expects of a, with s != r.
/// - s > 0 and r > 0: b takes a's message, whose length is compared with what b expects before any byte is used.
/// - s = 0 or r = 0: one of the two has a message to exchange and the other has none. The message that nobody reads is
///   not taken for one of a later call, because its call slot is used again only after all ranks have compared this
///   call; and who waits for a message that is not sent looks at what all have signed.
/// - In each case the balances of the signatures do not add up to 0 (balance_of()), which every rank learns where it
///   compares the call, in wait_all() or before its call slot is used again: also who has no part in that pair.
/// So no rank takes what was not meant for it, every rank fails in the end, and ranks whose counts match need no word
/// of one another.
class CollectiveOperation final : public NumberedOperation {
 public:
  /// `calls` are the communicator's, and outlive it as the communicator does.
  CollectiveOperation(CommunicatorState& communicator, CallCache& calls);
  ~CollectiveOperation() override;

  /// Makes this operation the communicator's next collective. The caller begins it at once.
  void arm() {
    // What may lack memory comes before the number, with which the other ranks wait for this one.
    if (!prepared_->contenders.empty()) take_ticket();
    NumberedOperation::arm();
    chosen_ = prepared_.get();
  }
  /// Binds the call to its buffers. Not while active; to be armed next.
  void prepare(const std::shared_ptr<const PreparedCall>& prepared, const untyped::Call& call);
  /// Runs the armed call at once, where its messages are short and each of them comes before this rank has looked for
  /// it `looks` times. Returns whether the call is done. If it is not, the caller begins the operation, and the
  /// executor continues after the last step that was done here.
  bool run_briefly(int looks);

  std::string waits_for() const override;
  WokenBy woken_by() const override {
    return phase_ == Phase::queued || phase_ == Phase::disputed ? WokenBy::calls : WokenBy::messages;
  }
  std::string title() const override;
  std::string_view algorithm() const override;
  /// Why that: Recipes::explanation() of the prepared call, or of the latest whose counts have travelled.
  std::string explanation() const;

 protected:
  bool advance() override;
  void tell_needs(Standing& standing) const override;
  const Signature& signature() const override { return prepared_->signature; }
  std::span<const std::int64_t> counts() const override { return prepared_->problem.counts; }

 private:
  enum class Phase : std::uint8_t { queued, held, exchanging, agreeing, running, disputed };

  bool advance_phase();
  bool is_tried() const { return !prepared_->contenders.empty(); }
  void begin();
  /// A call by which algorithms are tried. Its ticket says by whom it is made, and what it has to do before.
  void take_ticket();
  void begin_trial();
  void run_contender();
  void end_trial();
  void begin_exchange();
  void end_exchange();
  void begin_part(std::uint32_t part);
  /// The counts of the whole call from those that have travelled; nothing where two ranks disagree.
  std::optional<std::vector<std::int64_t>> counts_of_pairs();
  std::optional<std::vector<std::int64_t>> counts_of_blocks();
  void fail_by_pair(std::size_t from, std::size_t to, std::int64_t sent, std::int64_t expected);
  void fail_by_message(const OddMessage& odd);
  void begin_run(const PreparedCall& what, std::uint32_t part);
  void end_run();
  std::byte* scratch_for(const CompiledProgram& compiled, std::int64_t element_size);

  CallCache& calls_;
  std::shared_ptr<const PreparedCall> prepared_;
  detail::Operator op_;
  Bindings bindings_;
  Executor executor_;
  Phase phase_ = Phase::queued;
  Scratch scratch_;
  /// What this call runs: what was prepared, or counted_ once the counts have travelled. Set anew for each call.
  const PreparedCall* chosen_ = nullptr;

  std::int64_t ticket_ = 0;
  std::uint32_t parts_ = 0;  // of a call by which algorithms are tried: those before the elements
  std::chrono::steady_clock::time_point begun_;
  detail::Operator largest_;  // of what the ranks tell one another

  // Counts that travel first. All-to-all by counts, where its algorithm asks for those of all ranks: PreparedCall's.
  // Gather and scatter with counts at the root: the size of each rank's block.
  std::vector<std::int64_t> own_counts_;
  std::vector<std::int64_t> root_counts_;  // what the root expects of all, at the root alone
  std::vector<std::int64_t> all_counts_;
  std::shared_ptr<const PreparedCall> exchange_;
  std::shared_ptr<const PreparedCall> counted_;  // of the latest such call
  Bindings exchange_bindings_;
};

}  // namespace tutti::runtime
