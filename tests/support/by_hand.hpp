/// @file
/// Schedules written by hand for the tests of the verifier, and what is expected of their proofs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "schedule/record/script.hpp"
#include "verify/verify.hpp"

namespace tutti::testing {

using Kind = ProofFailure::Kind;
using Text = std::function<void(Script& me)>;

inline Schedule recorded(const Problem& problem, const Text& text) {
  return record_all([&](Script& me, const Problem&) { text(me); }, problem);
}

inline Proof proof_of(const Problem& problem, const Text& text) { return verify(recorded(problem, text)); }

/// Expects a failure of that kind at that rank and step, with a reason that contains `words`.
inline void expect_failure(const Proof& proof, Kind kind, int rank, int step, const std::string& words) {
  ASSERT_FALSE(proof.proved());
  const ProofFailure& failure = *proof.failure;
  EXPECT_EQ(name_of(failure.kind), name_of(kind)) << describe(failure);
  EXPECT_EQ(failure.rank, rank) << describe(failure);
  EXPECT_EQ(failure.step, step) << describe(failure);
  EXPECT_NE(failure.reason.find(words), std::string::npos) << describe(failure);
}

/// The failure in words; empty where there is none.
inline std::string words_of(const Proof& proof) { return proof.proved() ? "" : describe(*proof.failure); }
inline std::string slice_of(const Proof& proof) { return proof.proved() ? "" : proof.failure->slice; }
inline std::vector<int> cycle_of(const Proof& proof) {
  return proof.proved() ? std::vector<int>{} : proof.failure->cycle;
}

inline Slice in(std::int64_t first, std::int64_t count) { return {Buffer::input, first, count}; }
inline Slice out(std::int64_t first, std::int64_t count) { return {Buffer::output, first, count}; }

inline const Problem broadcast_2{.collective = Collective::broadcast, .ranks = 2, .count = 4};
inline const Problem all_reduce_2{.collective = Collective::all_reduce, .ranks = 2, .count = 4};
inline const Problem all_gather_2{.collective = Collective::all_gather, .ranks = 2, .count = 4};

/// The all-gather of two ranks: they hand each other their blocks.
inline void exchange(Script& me) {
  const int peer = 1 - me.rank();
  me.send(me.input(), peer);
  me.receive(me.output(peer), peer);
  me.copy(me.output(me.rank()), me.input());
}

inline Problem all_reduce_over(int ranks, bool commutative = false) {
  return {.collective = Collective::all_reduce, .ranks = ranks, .count = 4, .commutative = commutative};
}

/// The inputs of all ranks in rank order, for a fold.
inline std::vector<Operand> all_inputs(const Script& me) {
  std::vector<Operand> operands;
  for (int rank = 0; rank < me.size(); ++rank) {
    operands.push_back(rank == me.rank() ? Operand{.mine = {me.input()}} : Operand{.from = rank});
  }
  return operands;
}

/// Sends what the fold of the others needs.
inline void send_to_all(Script& me) {
  for (int k = 1; k < me.size(); ++k) me.send(me.input(), (me.rank() + k) % me.size());
}

/// Rank 0 takes in rank 1's message, then rank 2's. Rank 2 is to send to rank 1 only when rank 0 has taken its message,
/// and rank 1 to rank 0 only when it has heard from rank 2: chained, that is a circle.
inline void wait_in_a_circle(Script& me, bool chained) {
  const Slice own = me.input();
  if (me.rank() == 0) {
    const auto receive_both = [&] {
      me.receive(me.output(1), 1);
      me.receive(me.output(2), 2);
    };
    chained ? me.chain(receive_both) : receive_both();
  } else if (me.rank() == 1) {
    me.receive(me.output(2), 2);
    me.wait();
    me.send(own, 0);
  } else {
    me.send(own, 0);
    me.wait();
    me.send(own, 1);
  }
}

}  // namespace tutti::testing
