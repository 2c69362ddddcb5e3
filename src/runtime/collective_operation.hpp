/// @file
/// One rank's part in a collective.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/invocation.hpp"
#include "runtime/operation.hpp"

namespace tutti::runtime {

/// Runs an invocation, as often as it is armed. It signs the board once its lane is free, waits until all ranks have
/// signed and compares, moves the counts where ranks only know their own, and then runs its program.
class CollectiveOperation final : public Operation {
 public:
  CollectiveOperation(std::shared_ptr<Member> member, Invocation invocation);
  ~CollectiveOperation() override;

  /// Makes it the communicator's next collective. To be begun at once.
  void arm();
  /// The collective's number in the communicator, from 0.
  std::uint64_t number() const { return number_; }

  std::string describe() const override;
  std::string waits_for() const override;
  std::optional<Error> lost() override;
  std::optional<Error> explain() override;
  std::string_view algorithm() const override;

 protected:
  bool advance() override;

 private:
  enum class Phase : std::uint8_t { queued, entering, exchanging, running };

  bool advance_phase();
  bool enter();
  bool all_have_entered();
  void begin_exchange();
  void end_exchange();
  void begin_run();
  void end_run();
  std::byte* scratch_for(const Recipe& recipe, std::int64_t element_size);
  /// In what those who have signed differ; empty if in nothing.
  std::string disagreement_so_far() const;
  std::vector<int> absent() const;
  std::string call_number() const;

  Invocation invocation_;
  Executor executor_;
  Phase phase_ = Phase::queued;
  std::uint64_t number_ = 0;
  int entered_ = 0;       // ranks 0 .. entered_-1 have signed
  bool differs_ = false;  // one of them otherwise than this rank
  Scratch scratch_;

  // While the counts of all ranks travel.
  std::shared_ptr<const Recipe> exchange_;
  Bindings exchange_bindings_;
  std::vector<std::int64_t> all_counts_;  // 2p a rank: what it sends to each, what it receives from each
};

}  // namespace tutti::runtime
