/// @file
/// The recorder on which an algorithm's text runs, once for each rank.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/layout.hpp"
#include "schedule/parameters.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace tutti {

class StagePlacement;
struct Stage;

/// An operand of a fold: this rank's own slices, or what another rank sends.
struct Operand {
  Message mine = {};  ///< where `from` is negative
  int from = -1;
};

/// How much of what a rank does is recorded: all of it, or which messages it sends and receives and how many elements
/// each of them has. Such a program has one slice a message, which lies nowhere, and no more steps than the whole one
/// has; it takes less time.
enum class Detail : std::uint8_t { all, messages };

/// The message-passing notation of the textbooks: send, receive, wait. Collectives never look at data, so running the
/// text on a Script for each rank gives the whole Schedule.
///
/// Operations between two waits are in flight together. Messages of no elements are not sent: sender and receiver know
/// all counts, so both leave them out. Adjacent slices are joined. A copy onto itself is left out.
class Script {
 public:
  /// Records what `rank` does into `program`. What it is given outlives the script.
  Script(const Problem& problem, int rank, Program& program, const Parameters& parameters, const Layout& layout,
         Detail detail = Detail::all);
  /// Records what this rank does in a stage of `whole`, at once and where the placement says; all outlive the script.
  Script(const Stage& stage, Script& whole, const StagePlacement& placement);
  /// Records what this rank does for another problem of the ranks of `told`, into a program apart, and tells parameters
  /// and layout as `told` does. All outlive the script.
  Script(const Problem& problem, Program& program, const Script& told, Detail detail = Detail::all);
  /// Records what this rank does for another problem of the ranks of `whole`, at once and each message turned round:
  /// what the text sends is received, and what it receives is sent. Needs Detail::messages; all outlive the script.
  Script(const Problem& problem, Script& whole);

  int rank() const { return rank_; }
  int size() const { return problem_->ranks; }
  const Problem& problem() const { return *problem_; }
  /// How the algorithm is to go about it.
  const Parameters& parameters() const { return *parameters_; }
  /// Where the ranks are. In a stage of some ranks, O(ranks of the stage) when it is asked for the first time.
  const Layout& layout() const;
  /// What is recorded of what the text says; where that is messages alone, a text may say no more.
  Detail detail() const { return detail_; }
  /// Where a stage lies in the whole; null outside of stages.
  const StagePlacement* placement() const { return placement_; }

  // Where data lies. `block` counts as in input_blocks() and output_blocks().

  /// The message of a broadcast: it lies in the output buffer of every rank, at the root from the start.
  Slice message() const { return output(); }
  /// All of this rank's input; in place, it lies in the output buffer.
  Slice input() const;
  /// Block (or part) `block` of the input.
  Slice input(int block) const;
  /// All of this rank's output.
  Slice output() const;
  Slice output(int block) const;
  /// How many blocks there are of each.
  int blocks_of_input() const { return input_.size(); }
  int blocks_of_output() const { return output_.size(); }
  /// `count` elements of scratch from `first`; the program's need grows to hold them.
  Slice scratch(std::int64_t first, std::int64_t count);
  /// Block `i` of all_blocks() at its position in a buffer that holds them all.
  Slice block(Buffer buffer, int i) { return blocks(buffer, i, 1).front(); }
  /// `n` blocks from block `first` on, around the end of the ranks: one slice, or two. Needs 1 <= n <= p.
  Message blocks(Buffer buffer, int first, int n);

  // What the rank does.

  void send(Slices message, int to);
  void receive(Slices message, int from);
  /// into = mine ∘ received, or received ∘ mine; the three have the same number of elements.
  void receive_reduce(Slices into, Slices mine, int from, Side side);
  /// The same with the side that keeps rank order: what a higher rank sends stands on the right.
  void receive_reduce(Slices into, Slices mine, int from) {
    receive_reduce(into, mine, from, from > rank_ ? Side::mine_first : Side::received_first);
  }
  void copy(Slices to, Slices from);
  /// into = left ∘ right.
  void reduce(Slices into, Slices left, Slices right);
  /// into = the operands combined from left to right, in one chain. Each has as many elements as `into`. The first two
  /// are combined with one another; an own operand that comes later must not lie in `into`, which is overwritten by
  /// then. Needs at least one operand.
  void fold(Slices into, std::span<const Operand> operands);
  /// Makes one chain of what `members()` records: each operation begins when the one before it is done. Not nested.
  template <typename Members>
  void chain(Members&& members) {
    chain_begin_ = program_->ops.size();
    members();
    chain_begin_ = no_chain;
  }
  /// An empty message that is sent all the same, and its counterpart: how a barrier tells "I am here".
  void signal(int to);
  void await(int from);
  /// What the ops [from, to) of a program do that was recorded for this rank. They are whole chains; their waits are
  /// left out. What lies in the output lies `ahead` elements farther on here.
  void play(const Program& program, std::size_t from, std::size_t to, std::int64_t ahead = 0);
  /// What follows belongs to a phase of that name: "rows", "reduce-scatter". Names last as long as the program runs;
  /// an empty one begins none, and stages that follow name their own. Within a stage of a text that names phases itself
  /// it does nothing: that text's hold.
  void phase(std::string_view name);
  /// The step has no send to that rank although the algorithm's pattern has one there, because nobody needs what it
  /// would carry: for listings. To be told before other operations of the step.
  void prune_send(int to);
  /// Ends the step: waits for everything since the last wait. Without operations since then, nothing.
  void wait();

 private:
  Script(const Problem& problem, int rank, Program& program, const Parameters& parameters);
  void add_message(OpKind kind, int peer, Slices slices);
  void add(OpKind kind, Side side, int peer, Slices slices, Slices operand, Slices second);
  std::uint32_t pour(Slices slices);

  const Problem* problem_;
  const Parameters* parameters_;
  const Layout* layout_ = nullptr;  // null: that of the script whose stage this is, or of `told_`
  const Script* told_ = nullptr;
  int rank_;
  Program* program_;                           // of the whole
  Script* whole_ = nullptr;                    // what this is a stage of
  const StagePlacement* placement_ = nullptr;  // of a stage
  mutable std::optional<Layout> own_layout_;   // of the stage, once it was asked for
  Detail detail_ = Detail::all;
  bool turns_round_ = false;  // sends are recorded as receives, receives as sends
  bool names_phases_ = false;
  std::int64_t ahead_ = 0;  // of the places that are played
  bool in_step_ = false;    // an operation was recorded since the last wait
  Blocks input_;
  Blocks output_;
  Blocks all_;
  static constexpr std::size_t no_chain = static_cast<std::size_t>(-1);
  std::size_t chain_begin_ = no_chain;  // the first op of the chain that is being recorded
};

/// The text of an algorithm: what rank `me.rank()` does.
using Record = std::function<void(Script& me, const Problem& problem)>;

/// Runs `record` for one rank. The second form replaces what `program` holds and keeps its memory.
Program record_rank(const Record& record, const Problem& problem, int rank, const Parameters& parameters = {},
                    const Layout& layout = {});
void record_rank(const Record& record, const Problem& problem, int rank, Program& program,
                 const Parameters& parameters = {}, const Layout& layout = {}, Detail detail = Detail::all);
/// Runs `record` for this rank, told of parameters and layout what `told` is: for texts that work on programs.
Program record_rank(const Record& record, const Problem& problem, const Script& told, Detail detail = Detail::all);
/// Runs `record` for this rank of `whole`, which records messages alone, and turns them round.
void record_turned_round(const Record& record, const Problem& problem, Script& whole);
/// Runs `record` for every rank.
Schedule record_all(const Record& record, const Problem& problem, const Parameters& parameters = {},
                    const Layout& layout = {});

}  // namespace tutti
