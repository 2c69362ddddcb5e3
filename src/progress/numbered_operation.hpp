/// @file
/// Operations that all ranks of a communicator enter in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "progress/communicator_state.hpp"
#include "progress/operation.hpp"

namespace tutti::runtime {

/// Operation that all ranks of a communicator must enter: a number, and the comparison of signatures.
class NumberedOperation : public Operation {
 public:
  using Operation::Operation;

  /// Makes this operation the communicator's next collective. The caller begins it at once.
  void arm();
  /// The collective's number in the communicator, from 0.
  std::uint64_t number() const { return number_; }

  OperationLane* awaited_lane() override { return entered_ ? nullptr : &communicator().entering(); }
  std::string describe() const override;
  std::uint64_t arrivals() const override;
  std::optional<Error> lost() override;
  std::optional<Error> explain() override;

 protected:
  virtual const Signature& signature() const = 0;
  /// The counts per rank that belong to it, which all ranks must give alike, or counts_of() where has_balance().
  virtual std::span<const std::int64_t> counts() const { return {}; }
  /// Looks at a collective that this rank has entered before.
  void look_at(std::uint64_t number) {
    number_ = number;
    entered_ = true;
    come_ = 0;
    are_alike_ = false;
  }
  bool is_entered() const { return entered_; }
  OperationId id() const override;
  /// Needs the ranks that have not entered.
  void depend_on_absent(WaitState& wait_state) const;
  /// Enters if it is its turn.
  bool enter();
  bool all_have_entered();
  /// Ends the communicator because ranks have signed `number` differently.
  void fail_disputed(std::uint64_t number);
  /// The ranks that have not entered, as far as they have told, and those of them of which that is sure.
  std::vector<int> absent() const;
  std::vector<int> known_absent() const;
  std::string call_number() const;
  /// Whom it waits for to enter, or to let it enter.
  std::string waits_to_enter() const;
  /// "ranks 0, 2 (ranks 3, 5 of the run)".
  std::string named(const std::vector<int>& ranks) const;

 private:
  std::string waits_for_turn() const;
  /// In what those who have signed `number` differ, or which counts of theirs do not match; empty if nothing is wrong.
  std::string disagreement_in(std::uint64_t number) const;
  bool are_digests_alike(std::uint64_t number) const;
  std::optional<Error> missed();

  std::uint64_t number_ = 0;
  bool entered_ = false;
  int come_ = 0;            // all ranks below are known to have entered, and are not asked again
  bool are_alike_ = false;  // all ranks have entered, and signed the same
};

/// Waits until all ranks have signed all that this rank has, and have signed the same.
class SettlingOperation final : public NumberedOperation {
 public:
  explicit SettlingOperation(CommunicatorState& communicator);

  OperationLane* awaited_lane() override { return nullptr; }
  std::string waits_for() const override { return waits_to_enter(); }
  WokenBy woken_by() const override { return WokenBy::calls; }

 protected:
  bool advance() override;
  OperationId id() const override;
  void tell_dependencies(WaitState& wait_state) const override { depend_on_absent(wait_state); }
  const Signature& signature() const override { return signature_; }

 private:
  Signature signature_;
};

}  // namespace tutti::runtime
