/// @file
/// The symbolic run of all ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "verify/arrivals.hpp"
#include "verify/expressions.hpp"
#include "verify/matching.hpp"
#include "verify/memory.hpp"
#include "verify/observe.hpp"
#include "verify/verify.hpp"

namespace tutti::proof {

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
  std::optional<Failure> run();

  const Memory& memory(int rank) const { return memories_[static_cast<std::size_t>(rank)]; }
  const Expressions& expressions() const { return expressions_; }
  /// For a barrier: who is known to have entered, by rank.
  const Arrivals& arrivals() const { return arrivals_; }

 private:
  /// How far a rank is: operations before `begin` are done, those before `posted` are in flight or done.
  struct Progress {
    std::size_t begin = 0;
    std::size_t posted = 0;
    std::size_t pending = 0;
    std::vector<bool> done = {};  // from `begin` on
  };

  void fill_inputs();
  std::optional<Failure> advance(int rank);
  std::optional<Failure> drive(Place place);
  void finish(Place place);
  std::optional<Failure> pass(Place receive, Place send);
  std::optional<Failure> compute(Place place);
  std::optional<Failure> read(Place place, std::span<const Slice> slices, std::vector<Piece>& pieces);
  std::optional<Failure> combine(Place place, std::span<const Piece> left, std::span<const Piece> right);
  Failure misfit(Place place, const Value& left, const Value& right, Expressions::Fault fault) const;
  void write(Place place, std::span<const Piece> pieces);
  const Progress& progress(int rank) const { return progress_[static_cast<std::size_t>(rank)]; }
  bool is_posted(Place place) const { return place.op < progress(place.rank).posted; }
  bool is_done(Place place) const;
  bool is_reached(Place place) const;
  Place counterpart_of(Place place) const { return {op_at(schedule_, place).peer, matching_.counterpart(place)}; }
  std::optional<Failure> find_deadlock() const;
  Place blocked_at(int rank) const;
  Place blocked_by(Place place) const;

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
