/// @file
/// One rank's run through a program: what it holds, and what it sends, receives and combines.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "user_programs/language/held_blocks.hpp"
#include "user_programs/user_program.hpp"
#include "verify/failure.hpp"

namespace tutti::language {

/// One thing that a rank does.
struct RankAction {
  enum class Kind : std::uint8_t { send, receive, copy, reduce };
  Kind kind = Kind::send;
  int peer = -1;
  std::int64_t bytes = 0;  ///< size of a message without data; 0: a receive has that of its send
  Message slices = {};     ///< places that are sent or written
  Message operand = {};
  Message second = {};
};

using ActionKind = RankAction::Kind;

/// Actions of a rank up to a wait: first what it does alone, in order, then its messages, all under way together.
struct RankStep {
  int line = 0;
  std::vector<RankAction> alone = {};
  std::vector<RankAction> messages = {};
  std::int64_t operations_before = 0;  ///< computed before the messages
  std::int64_t operations_beside = 0;  ///< computed while they are under way

  std::int64_t operations() const { return operations_before + operations_beside; }
};

/// Content of a message.
struct SentBlocks {
  HeldBlocks blocks;
};

/// Messages under way from one rank to another, in order.
struct ProgramChannel {
  std::deque<SentBlocks> messages;
  int owed = 0;  ///< messages without which the receiver has gone on
};

using ProgramChannels = std::map<std::pair<int, int>, ProgramChannel>;  ///< by sender and receiver

/// Value that a rank has printed.
struct PrintedValue {
  std::string what;
  std::string value;
};

/// Sends are taken to be buffered here: which message meets which, and what it brings, does not depend on that.
class RankRun {
 public:
  RankRun(const Code& code, const RunShape& shape, int rank);

  /// Goes on until the rank has to wait for what nobody has sent yet, or its end. Returns whether it came further.
  bool advance(ProgramChannels& channels);
  bool at_end() const { return next_ >= code_.instructions.size() && !waiting_; }
  /// Lets the rank go on without the messages that it waits for, as if a block of no value had come.
  void give_up_waiting(ProgramChannels& channels);
  /// Copies the output variable to the output where it does not lie there.
  void deliver();

  /// The value of an expression over ranks and numbers.
  std::int64_t number(const Expression& expression);
  const std::optional<ProofFailure>& fault() const { return fault_; }
  const std::vector<RankStep>& steps() const { return steps_; }
  std::int64_t scratch() const { return scratch_; }
  const std::vector<PrintedValue>& printed() const { return printed_; }
  const std::vector<std::string>& actions() const { return actions_; }
  const std::vector<LineVisit>& visits() const { return visits_; }
  /// Returns what the output variable holds.
  const HeldBlocks& outcome() const { return variables_[static_cast<std::size_t>(code_.computes->output)].blocks; }
  std::string text_of(const HeldBlocks& blocks) const;

 private:
  struct Variable {
    enum class Kind : std::uint8_t { nothing, number, numbers, blocks };
    Kind kind = Kind::nothing;
    std::int64_t number = 0;
    std::map<std::int64_t, std::int64_t> numbers = {};
    HeldBlocks blocks = {};
    std::map<BlockLabel, Slice> places = {};
    bool arriving = false;  // a message for all of it is under way
    std::set<BlockLabel> blocks_arriving = {};
  };
  struct Value {
    bool is_number = true;
    std::int64_t number = 0;
    HeldBlocks blocks = {};
  };
  using PlaceOf = std::function<Slice(const BlockLabel&)>;
  struct Pending {
    const Instruction* receive = nullptr;
    int peer = -1;
    std::optional<BlockLabel> label = {};
  };

  // Instructions (rank_run.cpp).
  void define_numbers();
  void carry_out(const Instruction& instruction);
  bool is_being_sent(const Variable& variable) const;
  void refuse_while_sent(const Instruction& instruction, std::string_view verb);
  void assign(const Instruction& instruction);
  void assign_blocks(const Expression& target, Value value);
  void send(const Instruction& instruction, ProgramChannels& channels);
  void receive(const Instruction& instruction);
  void bare_message(const Instruction& instruction);
  bool take_in(ProgramChannels& channels);
  void arrive(const Pending& pending, const SentBlocks& message);
  void end_step();
  void swap(const Instruction& instruction);
  int peer_of(const Instruction& instruction);
  void do_alone(RankAction action);
  RankStep& open();
  void visit(const Instruction& instruction);
  void visit(int line, std::string what) { visits_.push_back({line, std::move(what)}); }
  void fault(ProofFailure::Kind kind, TextPosition at, std::string reason);

  // Expressions (evaluate.cpp).
  Value evaluate(const Expression& expression, const PlaceOf& place_of);
  Value evaluate_variable(const Expression& expression);
  Value evaluate_operation(const Expression& expression, const PlaceOf& place_of);
  std::int64_t calculate(const Expression& expression, std::int64_t left, std::int64_t right);
  Value combine(const Expression& expression, const Value& left, const Value& right, const PlaceOf& place_of);
  Value unite(const Expression& expression, const Value& left, const Value& right) const;
  Value divide(const Expression& expression, Value value, std::int64_t by) const;
  Value blocks_of(const Expression& expression);
  BlockLabel label_of(const Expression& variable);
  Variable& variable_of(const Expression& expression) {
    return variables_[static_cast<std::size_t>(expression.variable)];
  }
  const std::string& name_of(const Expression& expression) const {
    return code_.names[static_cast<std::size_t>(expression.variable)];
  }
  Slice place_in(int variable, const BlockLabel& label);
  Slice new_place();

  const Code& code_;
  const RunShape& shape_;
  int rank_;
  std::size_t next_ = 0;   // instruction
  std::int64_t done_ = 0;  // instructions so far
  bool waiting_ = false;
  int line_ = 0;  // line of the instruction at hand
  std::vector<Variable> variables_;
  std::map<const Expression*, std::map<BlockLabel, Slice>> intermediate_;  // places of operations within others
  std::vector<Pending> pending_;
  std::optional<RankStep> open_;
  std::vector<RankStep> steps_;
  std::vector<PrintedValue> printed_;
  std::vector<std::string> actions_;  // in words
  std::vector<LineVisit> visits_;
  std::int64_t scratch_ = 0;
  std::optional<ProofFailure> fault_;
  std::optional<Operator> combines_by_;
  std::set<std::int64_t> outputs_given_;  // places of the output that some variable has had
};

}  // namespace tutti::language
