/// @file
/// The symbolic run of all ranks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "verify/expressions.hpp"
#include "verify/failure.hpp"
#include "verify/matching.hpp"
#include "verify/memory.hpp"

namespace tutti::proof {

class Execution;

/// Is told of a run while it goes on. Ranks run in one of the possible orders: what is told of each rank, and of each
/// message, would be the same in every other.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The inputs are filled and nothing has been done.
  virtual void run_begins(const Execution& execution) = 0;
  /// A message passes, with its content; the receiver has yet to take it in.
  virtual void message_passes(OpPosition send, OpPosition receive, std::span<const Piece> content) = 0;
  /// All operations of the rank's step are done; its next step begins with operation `next`.
  virtual void step_ends(int rank, std::size_t next) = 0;
};

/// Runs the ranks under rendezvous: a rank posts all operations of a step at once, a message passes when both of its
/// ends are posted and the receiver's chain, if it has one, has come to it; a step ends when all of its operations are
/// done.
///
/// Needs a schedule that is well formed, without conflicts, and matched. Borrows what it is given; the observer may be
/// null.
/// Cost: O(operations) in time, apart from the runs of elements that the messages cut the buffers into.
class Execution {
 public:
  Execution(const Schedule& schedule, const Matching& matching, Expressions& expressions, Observer* observer = nullptr);

  /// Runs all ranks to their ends; the first failure otherwise.
  std::optional<ProofFailure> run();

  const Memory& memory(int rank) const { return memories_[static_cast<std::size_t>(rank)]; }
  const Expressions& expressions() const { return expressions_; }
  /// For a barrier: who is known to have entered, by rank.
  const Arrivals& arrivals() const { return arrivals_; }

 private:
  /// Progress of a rank: operations before `begin` are done, those before `posted` are in flight or done.
  struct Progress {
    std::size_t begin = 0;
    std::size_t posted = 0;
    std::size_t pending = 0;
    std::vector<bool> done = {};  // from `begin` on
  };

  void fill_inputs();
  std::optional<ProofFailure> advance(int rank);
  std::optional<ProofFailure> drive(OpPosition place);
  void finish(OpPosition place);
  std::optional<ProofFailure> pass(OpPosition receive, OpPosition send);
  std::optional<ProofFailure> compute(OpPosition place);
  std::optional<ProofFailure> read(OpPosition place, std::span<const Slice> slices, std::vector<Piece>& pieces);
  std::optional<ProofFailure> combine(OpPosition place, std::span<const Piece> left, std::span<const Piece> right);
  ProofFailure misfit(OpPosition place, const Value& left, const Value& right, Expressions::Fault fault) const;
  void write(OpPosition place, std::span<const Piece> pieces);
  const Progress& progress(int rank) const { return progress_[static_cast<std::size_t>(rank)]; }
  bool is_posted(OpPosition place) const { return place.op < progress(place.rank).posted; }
  bool is_done(OpPosition place) const;
  bool is_reached(OpPosition place) const;
  OpPosition counterpart_of(OpPosition place) const {
    return {op_at(schedule_, place).peer, matching_.counterpart(place)};
  }
  std::optional<ProofFailure> find_deadlock() const;
  OpPosition blocked_at(int rank) const;
  OpPosition blocked_by(OpPosition place) const;

  const Schedule& schedule_;
  const Matching& matching_;
  Expressions& expressions_;
  Observer* observer_;
  std::vector<Memory> memories_;
  std::vector<Progress> progress_;
  Arrivals arrivals_;
  std::vector<int> ready_;  // ranks whose step is done
  int advancing_ = -1;      // the rank that is posting, which sees for itself when its step is done
  // Kept between operations to spare allocations.
  std::vector<Piece> left_;
  std::vector<Piece> right_;
  std::vector<Piece> result_;
};

}  // namespace tutti::proof
