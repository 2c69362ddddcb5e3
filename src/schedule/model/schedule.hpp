/// @file
/// A recorded algorithm: what every rank does, step by step, as data.
///
/// A schedule has one writer, the `Script`, and several readers: the verifier, the simulator, the drawing and the
/// executor.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/layout.hpp"
#include "schedule/model/problem.hpp"

namespace tutti {

/// A rank's memory as algorithms see it. Positions count elements.
enum class Buffer : std::uint8_t { input, output, scratch };

std::string_view name_of(Buffer buffer);

/// `count` consecutive elements of a buffer.
struct Slice {
  Buffer buffer = Buffer::input;
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
  friend bool operator==(const Slice&, const Slice&) = default;
};

/// A list of slices that travels as one message, in the order of the list.
using Message = std::vector<Slice>;

/// A borrowed list of slices; lives as long as the full expression that made it.
class Slices {
 public:
  Slices() = default;
  Slices(const Slice& slice) : view_(&slice, 1) {}          // NOLINT: conversions are the point
  Slices(const Message& message) : view_(message) {}        // NOLINT
  Slices(std::span<const Slice> slices) : view_(slices) {}  // NOLINT
  Slices(std::initializer_list<Slice> slices) : view_(slices.begin(), slices.size()) {}

  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  const Slice& operator[](std::size_t i) const { return view_[i]; }
  /// The elements of all slices together.
  std::int64_t elements() const;

 private:
  std::span<const Slice> view_;
};

enum class OpKind : std::uint8_t {
  send,            ///< to `peer`: reads slices()
  receive,         ///< from `peer`: writes slices()
  receive_reduce,  ///< from `peer`: slices() = mine ∘ received, or received ∘ mine
  copy,            ///< slices() = operand()
  reduce,          ///< slices() = operand() ∘ second()
};

std::string_view name_of(OpKind kind);

/// Operand that stands on the left of the operator in a receive_reduce.
enum class Side : std::uint8_t { mine_first, received_first };

/// One operation of one rank. Its slices lie in the pool of the rank's `Program`.
struct Op {
  OpKind kind = OpKind::send;
  Side side = Side::mine_first;
  bool ends_step = false;  ///< the rank waits here for everything since its last wait
  bool chained = false;    ///< begins when the operation before it is done; both belong to one step
  std::int32_t peer = -1;
  std::uint32_t at = 0;      ///< first slice in the pool
  std::uint32_t slices = 0;  ///< number of slices that are sent, or written
  std::uint32_t operand = 0;
  std::uint32_t second = 0;

  bool communicates() const {
    return kind == OpKind::send || kind == OpKind::receive || kind == OpKind::receive_reduce;
  }
  bool receives() const { return kind == OpKind::receive || kind == OpKind::receive_reduce; }
};

/// Beginning of a phase: a part of the algorithm that its text has given a name.
struct PhaseMark {
  std::uint32_t op = 0;   ///< its first operation
  std::string_view name;  ///< lasts as long as the program runs
};

/// A send that the algorithm's pattern has and its text leaves out, because nobody needs what it would carry.
struct PrunedSend {
  std::uint32_t op = 0;  ///< the first operation after it
  std::int32_t to = 0;
};

/// Program of one rank.
///
/// Operations between two waits form a step: all of them are in flight together, so none may write what another of
/// them reads or writes. A message between two ranks meets the operation that the peer posted first for this rank.
///
/// Operations of a step that are chained, each to the one before it, form a chain: they are carried out one after the
/// other, and each may read and write what earlier ones of the chain wrote. Towards all other operations of the step
/// the rule holds for each of them. A chain has receives and local operations; no send, because all sends of a step
/// begin with the step. Its receives, too, are posted when the step begins: a message may come early and wait, and its
/// send is done when the chain has come to it and taken it in.
struct Program {
  std::vector<Op> ops;
  std::vector<Slice> pool;
  std::int64_t scratch = 0;             ///< elements of scratch that the rank needs
  std::vector<PhaseMark> phases = {};   ///< in order; empty where the text names none
  std::vector<PrunedSend> pruned = {};  ///< in order

  std::span<const Slice> slices(const Op& op) const { return {pool.data() + op.at, op.slices}; }
  std::span<const Slice> operand(const Op& op) const { return {pool.data() + op.at + op.slices, op.operand}; }
  std::span<const Slice> second(const Op& op) const {
    return {pool.data() + op.at + op.slices + op.operand, op.second};
  }
  /// The end of the step that begins at op `begin`: one past its last op.
  std::size_t step_end(std::size_t begin) const;
  /// The end of the chain whose first op is `begin`; `begin` + 1 where nothing is chained to it.
  std::size_t chain_end(std::size_t begin) const;
};

/// Returns the number of elements of a rank's buffer. In place, the input has none of its own and the output is as long
/// as both need. Scratch is the program's, not the problem's: 0 here.
std::int64_t buffer_size(const Problem& problem, int rank, Buffer buffer);

/// The programs of all ranks for one problem, and where the ranks are.
struct Schedule {
  Problem problem;
  std::vector<Program> programs;
  Layout layout = {};
};

/// Cost of a schedule, whatever the machine.
struct Traffic {
  std::int64_t rounds = 0;  ///< steps on the longest chain of messages, a rank taking one send and one receive a round
  std::int64_t messages = 0;  ///< sends of all ranks
  std::int64_t elements = 0;  ///< elements in all messages

  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Counts messages and elements, and rounds as the longest chain: a port takes a message a round, each once both of its
/// ranks have begun its step, and a step ends with its last message. Receives of a chain count like any others.
/// Throws `Error(internal)` where messages do not meet.
Traffic traffic_of(const Schedule& schedule);

/// The readable form: one line an operation, steps numbered, ranks in order.
std::string text_of(const Schedule& schedule);
/// Returns the lines of that text about one rank, its steps numbered from 1, each phase's name above its first step and
/// pruned sends below theirs. On several nodes the rank's is named, and what crosses to another node says so.
std::string text_of_rank(int rank, const Program& program, const Layout& layout = {});
/// One operation in words: "send input[0..8) to 3", "then receive …" where it is chained.
std::string text_of(const Program& program, const Op& op);
/// A list of slices in words: "input[0..8) output[16..24)".
std::string text_of(Slices slices);

}  // namespace tutti
