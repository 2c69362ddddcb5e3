/// @file
/// The recorder on which an algorithm's text runs, once for each rank.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/layout.hpp"
#include "schedule/model/parameters.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {

class StagePlacement;
struct Stage;

/// An operand of a fold: this rank's own slices, or what another rank sends.
struct Operand {
  Message mine = {};  ///< meaningful if `from` is negative
  int from = -1;
};

/// Detail of a recording: all that a rank does, or the messages that it sends and receives and how many elements each
/// of them has. The latter program has one slice a message, which lies nowhere, and no more steps than the whole one
/// has; recording it takes less time.
enum class Detail : std::uint8_t { all, messages };

/// The message-passing notation of the textbooks: send, receive, wait. Collectives never look at data, so running the
/// text on a Script for each rank gives the whole Schedule.
///
/// Operations between two waits are in flight together. Messages of no elements are not sent: sender and receiver know
/// all counts, so both leave them out. Adjacent slices are joined. A copy onto itself is left out.
class Script {
 public:
  /// Records what `rank` does into `program`. What it is given outlives the script.
  Script(RecordingContext& context, const Problem& problem, int rank, Program& program, const Parameters& parameters,
         const Layout& layout, Detail detail = Detail::all);
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
  /// Returns the context of the recording, for what a text records beside.
  RecordingContext& context() const { return context_; }
  /// Returns the parameters of the algorithm, to be passed on: a text that goes by them asks the next three.
  const Parameters& parameters() const { return *parameters_; }
  /// Returns how many segments a message of `count` elements is cut into: see Parameters::segments_for().
  int segments_for(std::int64_t count) const {
    ++context_.access().at_segments;
    return parameters_->segments_for(count);
  }
  /// Returns the radix for `ranks` ranks: see Parameters::radix_for().
  int radix_for(int ranks) const {
    ++context_.access().at_radix;
    return parameters_->radix_for(ranks);
  }
  /// Returns the grid of `ranks` ranks: see Parameters::grid_for().
  Shape grid_for(int ranks) const {
    ++context_.access().at_grid;
    return parameters_->grid_for(ranks);
  }
  /// Returns the places of the ranks. In a stage of some ranks, O(ranks of the stage) when it is asked for the first
  /// time.
  const Layout& layout() const;
  /// Returns how much of the text is recorded; if that is messages alone, a text may say no more.
  Detail detail() const { return detail_; }
  /// Returns the placement of a stage in the whole; null outside of stages.
  const StagePlacement* placement() const { return placement_; }

  // Places of data. `block` counts as in input_blocks() and output_blocks().

  /// The message of a broadcast: it lies in the output buffer of every rank, at the root from the start.
  Slice message() const { return output(); }
  /// All of this rank's input; in place, it lies in the output buffer.
  Slice input() const;
  /// Block (or part) `block` of the input.
  Slice input(int block) const;
  /// All of this rank's output.
  Slice output() const;
  Slice output(int block) const;
  /// Returns all_blocks() of the problem.
  const Blocks& all_blocks() const { return all_; }
  /// Returns the number of blocks of each buffer.
  int blocks_of_input() const { return input_.size(); }
  int blocks_of_output() const { return output_.size(); }
  /// `count` elements of scratch from `first`; the program's need grows to hold them.
  Slice scratch(std::int64_t first, std::int64_t count);
  /// Block `i` of all_blocks() at its position in a buffer that holds them all.
  Slice block(Buffer buffer, int i) { return blocks(buffer, i, 1).front(); }
  /// `n` blocks from block `first` on, around the end of the ranks: one slice, or two. Needs 1 <= n <= p.
  Message blocks(Buffer buffer, int first, int n);

  // Operations of the rank.

  void send(Slices message, int to);
  void receive(Slices message, int from);
  /// into = mine ∘ received, or received ∘ mine; the three have the same number of elements.
  void receive_reduce(Slices into, Slices mine, int from, Side side);
  /// Receives and combines on the side that keeps rank order: contributions of a higher rank stand on the right.
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
  /// Records the ops [from, to) of a program that was recorded for this rank. They are whole chains; their waits are
  /// left out. Slices of the output are moved by `ahead` elements.
  void play(const Program& program, std::size_t from, std::size_t to, std::int64_t ahead = 0);
  /// Begins a phase of that name: "rows", "reduce-scatter". Names last as long as the program runs; an empty one begins
  /// none, and stages that follow name their own. Within a stage of a text that names phases itself it does nothing:
  /// that text's hold.
  void phase(std::string_view name);
  /// The step has no send to that rank although the algorithm's pattern has one there, because nobody needs what it
  /// would carry: for listings. To be told before other operations of the step.
  void prune_send(int to);
  /// Ends the step: waits for everything since the last wait. Without operations since then, nothing.
  void wait();

 private:
  Script(RecordingContext& context, const Problem& problem, int rank, Program& program, const Parameters& parameters);
  void add_message(OpKind kind, int peer, Slices slices);
  void add(OpKind kind, Side side, int peer, Slices slices, Slices operand, Slices second);
  std::uint32_t pour(Slices slices);

  RecordingContext& context_;
  const Problem* problem_;
  const Parameters* parameters_;
  const Layout* layout_ = nullptr;  // null: that of the script whose stage this is, or of `told_`
  const Script* told_ = nullptr;
  int rank_;
  Program* program_;                           // program of the whole
  Script* whole_ = nullptr;                    // script of which this is a stage
  const StagePlacement* placement_ = nullptr;  // placement of a stage
  mutable std::optional<Layout> own_layout_;   // layout of the stage, once it was asked for
  Detail detail_ = Detail::all;
  bool turns_round_ = false;  // sends are recorded as receives, receives as sends
  bool names_phases_ = false;
  std::int64_t ahead_ = 0;  // offset of the places that are played
  bool in_step_ = false;    // an operation was recorded since the last wait
  Blocks input_;
  Blocks output_;
  Blocks all_;
  static constexpr std::size_t no_chain = static_cast<std::size_t>(-1);
  std::size_t chain_begin_ = no_chain;  // the first op of the chain that is being recorded
};

/// The text of an algorithm: what rank `me.rank()` does.
using Record = std::function<void(Script& me, const Problem& problem)>;

/// Runs `record` for one rank. A form with a `program` replaces what that holds and keeps its memory; one without a
/// context takes a fresh one.
Program record_rank(const Record& record, const Problem& problem, int rank, const Parameters& parameters = {},
                    const Layout& layout = {});
void record_rank(const Record& record, const Problem& problem, int rank, Program& program,
                 const Parameters& parameters = {}, const Layout& layout = {}, Detail detail = Detail::all);
Program record_rank(RecordingContext& context, const Record& record, const Problem& problem, int rank,
                    const Parameters& parameters = {}, const Layout& layout = {});
void record_rank(RecordingContext& context, const Record& record, const Problem& problem, int rank, Program& program,
                 const Parameters& parameters = {}, const Layout& layout = {}, Detail detail = Detail::all);
/// Runs `record` for this rank, told of parameters and layout what `told` is: for texts that work on programs.
Program record_rank(const Record& record, const Problem& problem, const Script& told, Detail detail = Detail::all);
/// Runs `record` for this rank of `whole`, which records messages alone, and turns them round.
void record_turned_round(const Record& record, const Problem& problem, Script& whole);
/// Runs `record` for every rank; the first form in a fresh context.
Schedule record_all(const Record& record, const Problem& problem, const Parameters& parameters = {},
                    const Layout& layout = {});
Schedule record_all(RecordingContext& context, const Record& record, const Problem& problem,
                    const Parameters& parameters = {}, const Layout& layout = {});

}  // namespace tutti
