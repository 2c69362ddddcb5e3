/// @file
/// Collective operation: one rank's part in a collective call.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calls/call_cache.hpp"
#include "execute/executor.hpp"
#include "progress/numbered_operation.hpp"
#include "progress/rank_state.hpp"

namespace tutti::runtime {

/// Operation that runs one prepared collective call, as often as it is armed. It enters the call once its call slot is
/// free, moves the counts where its algorithm asks for those of other ranks, and then runs the compiled program.
/// Messages carry the digest of the signature; a rank that meets another call's message waits until all have signed, so
/// that the error can name everyone.
///
/// An all-to-all whose algorithm asks for the rank's own counts alone moves none, nor does such a gather or scatter
/// whose root has the counts, and whether another rank has changed its counts is noticed all the same. Let s be what
/// rank a sends to rank b, and r what b expects of a, with s != r.
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
    // Work that may lack memory comes before the number, with which the other ranks wait for this one.
    if (!prepared_->contenders.empty()) take_ticket();
    NumberedOperation::arm();
    chosen_ = prepared_.get();
  }
  /// Tells that the operation is armed only once: it takes what its run needs when it enters, and gives it back when
  /// the run is done, so that a call which waits for its turn, or to be waited for, takes no more memory than this
  /// object.
  void run_once() { runs_once_ = true; }
  /// Binds the call to its buffers. Not while active; to be armed next.
  void prepare(const std::shared_ptr<const PreparedCall>& prepared, const untyped::Call& call);
  /// Runs the armed call at once, where its messages are short and each of them comes before this rank has looked for
  /// it `looks` times. Returns whether the call is done. If it is not, the caller begins the operation, and the
  /// executor continues after the last step that was done here.
  bool run_fast_path(int looks);

  std::string waits_for() const override;
  WokenBy woken_by() const override {
    return phase_ == Phase::queued || phase_ == Phase::disputed ? WokenBy::calls : WokenBy::messages;
  }
  std::string title() const override;
  std::string_view algorithm() const override;
  /// Why that: PlanCache::explanation() of the prepared call, or of the latest whose counts have travelled.
  std::string explanation() const;

 protected:
  bool advance() override;
  void tell_dependencies(WaitState& wait_state) const override;
  const Signature& signature() const override { return prepared_->signature; }
  std::span<const std::int64_t> counts() const override {
    const bool own_alone = prepared_->problem.known_to >= 0;
    return own_alone ? prepared_->own_counts : prepared_->problem.counts;
  }

 private:
  enum class Phase : std::uint8_t { queued, held, exchanging, agreeing, running, disputed };

  bool advance_phase();
  bool is_tried() const { return !prepared_->contenders.empty(); }
  void begin();
  /// Takes the ticket of a call by which algorithms are tried: it says which of them makes the call, and what comes
  /// before.
  void take_ticket();
  void begin_trial();
  void run_contender();
  void end_trial();
  void begin_exchange();
  void end_exchange();
  void begin_part(std::uint32_t part);
  /// Returns the counts of the whole call from those that have travelled; nothing where two ranks disagree.
  std::optional<std::vector<std::int64_t>> counts_of_pairs();
  std::optional<std::vector<std::int64_t>> counts_of_blocks();
  void fail_by_pair(std::size_t from, std::size_t to, std::int64_t sent, std::int64_t expected);
  void fail_by_message(const OddMessage& odd);
  void begin_run(const PreparedCall& what, std::uint32_t part);
  void end_run();
  std::byte* scratch_for(const CompiledProgram& compiled, std::int64_t element_size);
  void give_back_scratch();
  void take_executor() {
    if (executor_ == nullptr) [[unlikely]]
      executor_ = communicator().executors().take();
  }

  CallCache& calls_;
  std::shared_ptr<const PreparedCall> prepared_;
  detail::Operator op_;
  Bindings bindings_;
  std::unique_ptr<Executor> executor_;  // from its first run on, or while it runs once
  bool runs_once_ = false;
  Phase phase_ = Phase::queued;
  Scratch scratch_;
  /// Call that is run: the prepared one, or counted_ once the counts have travelled. Set anew for each call.
  const PreparedCall* chosen_ = nullptr;

  std::int64_t ticket_ = 0;
  std::uint32_t parts_ = 0;  // parts before the elements, of a call by which algorithms are tried
  std::chrono::steady_clock::time_point begun_;
  detail::Operator largest_;  // operator on what the ranks tell one another

  // Counts that travel first. All-to-all by counts, where its algorithm asks for those of all ranks: PreparedCall's.
  // Gather and scatter with counts at the root: the size of each rank's block.
  std::vector<std::int64_t> own_counts_;
  std::vector<std::int64_t> root_counts_;  // counts that the root expects of all, at the root alone
  std::vector<std::int64_t> all_counts_;
  std::shared_ptr<const PreparedCall> exchange_;
  std::shared_ptr<const PreparedCall> counted_;  // prepared call of the latest such call
  Bindings exchange_bindings_;
};

}  // namespace tutti::runtime
