/// @file
/// One rank's part in a collective.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "execute/executor.hpp"
#include "runtime/operation.hpp"
#include "runtime/prepared.hpp"
#include "runtime/scratch.hpp"

namespace tutti::runtime {

/// What all operations share that all ranks of a communicator must enter: a number, and the comparison of signatures.
class NumberedOperation : public Operation {
 public:
  using Operation::Operation;

  /// Makes it the communicator's next collective. To be begun at once.
  void arm();
  /// The collective's number in the communicator, from 0.
  std::uint64_t number() const { return number_; }

  std::string describe() const override;
  std::optional<Error> lost() override;
  std::optional<Error> explain() override;

 protected:
  virtual const Signature& signature() const = 0;
  /// The counts per rank that belong to it, which all ranks must give alike.
  virtual std::span<const std::int64_t> counts() const { return {}; }
  /// Looks at a collective that this rank has entered before.
  void look_at(std::uint64_t number) {
    number_ = number;
    entered_ = true;
  }
  bool is_entered() const { return entered_; }
  Deed deed() const override;
  /// Needs the ranks that have not entered.
  void need_absent(Standing& standing) const;
  /// Enters if it is its turn.
  bool enter();
  bool all_have_entered();
  /// Ends the communicator because ranks have signed `number` differently.
  void fail_disputed(std::uint64_t number);
  std::vector<int> absent() const;
  std::string call_number() const;
  /// Whom it waits for to enter, or to let it enter.
  std::string waits_to_enter() const;

 private:
  std::string waits_for_turn() const;
  /// In what those who have signed `number` differ; empty if in nothing.
  std::string disagreement_in(std::uint64_t number) const;

  std::uint64_t number_ = 0;
  bool entered_ = false;
};

/// Runs what was prepared, as often as it is armed: it enters once its call slot is free, moves the counts where ranks
/// only know their own, and then runs the compiled program. Messages carry the digest of the signature; a rank that
/// meets another call's message waits until all have signed, so that the error can name everyone.
class CollectiveOperation final : public NumberedOperation {
 public:
  explicit CollectiveOperation(CommunicatorState& communicator);
  ~CollectiveOperation() override;

  /// Makes it the communicator's next collective. To be begun at once.
  void arm() {
    NumberedOperation::arm();
    chosen_ = prepared_.get();
  }
  /// Binds the call to its buffers. Not while active; to be armed next.
  void prepare(const std::shared_ptr<const Prepared>& prepared, const untyped::Call& call);
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

 protected:
  bool advance() override;
  void tell_needs(Standing& standing) const override;
  const Signature& signature() const override { return prepared_->signature; }
  std::span<const std::int64_t> counts() const override { return prepared_->problem.counts; }

 private:
  enum class Phase : std::uint8_t { queued, exchanging, running, disputed };

  bool advance_phase();
  void begin();
  void begin_exchange();
  void end_exchange();
  /// The counts of the whole call, from those that have travelled; nothing where two ranks disagree.
  std::optional<std::vector<std::int64_t>> counts_of_pairs();
  std::optional<std::vector<std::int64_t>> counts_of_blocks();
  void begin_run(const Prepared& what, std::uint32_t part);
  void end_run();
  std::byte* scratch_for(const CompiledProgram& compiled, std::int64_t element_size);

  std::shared_ptr<const Prepared> prepared_;
  detail::Operator op_;
  Bindings bindings_;
  Executor executor_;
  Phase phase_ = Phase::queued;
  Scratch scratch_;
  /// What this call runs: what was prepared, or counted_ once the counts have travelled. Set anew for each call.
  const Prepared* chosen_ = nullptr;

  // Counts that travel first. All-to-all by counts: 2p a rank, what it sends to each, then what it receives from each.
  // Gather and scatter with counts at the root: the size of each rank's block.
  std::vector<std::int64_t> own_counts_;
  std::vector<std::int64_t> root_counts_;  // what the root expects of all, at the root alone
  std::vector<std::int64_t> all_counts_;
  std::shared_ptr<const Prepared> exchange_;
  std::shared_ptr<const Prepared> counted_;  // of the latest such call
  Bindings exchange_bindings_;
};

/// A call that only brings the ranks together: all of them have signed when it is done.
class MeetingOperation final : public NumberedOperation {
 public:
  MeetingOperation(CommunicatorState& communicator, const Signature& signature)
      : NumberedOperation(communicator), signature_(signature), met_(false) {}

  std::string waits_for() const override { return waits_to_enter(); }
  WokenBy woken_by() const override { return WokenBy::calls; }
  std::string title() const override;
  /// The communicator that the meeting makes, of the ranks that signed the same color; null for a negative color.
  const std::shared_ptr<CommunicatorState>& made() const { return made_; }

 protected:
  bool advance() override;
  void tell_needs(Standing& standing) const override {
    is_entered() && !met_ ? need_absent(standing) : standing.doubt();
  }
  const Signature& signature() const override { return signature_; }

 private:
  bool meet();
  bool join();

  Signature signature_;
  bool met_;
  std::vector<int> ranks_;  // of the new communicator, as this one numbers them
  Membership fresh_;
  std::shared_ptr<CommunicatorState> made_;
};

/// Waits until all ranks have signed all that this rank has, and have signed the same.
class SettlingOperation final : public NumberedOperation {
 public:
  explicit SettlingOperation(CommunicatorState& communicator);

  std::string waits_for() const override { return waits_to_enter(); }
  WokenBy woken_by() const override { return WokenBy::calls; }

 protected:
  bool advance() override;
  Deed deed() const override;
  void tell_needs(Standing& standing) const override { need_absent(standing); }
  const Signature& signature() const override { return signature_; }

 private:
  Signature signature_;
};

}  // namespace tutti::runtime
