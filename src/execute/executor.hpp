/// @file
/// Runs one rank's compiled program over a transport.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/compiled_program.hpp"
#include "trace/recorder.hpp"
#include "transport/standing.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// What a run reads and writes; all of it outlives the run.
struct Task {
  const CompiledProgram* compiled = nullptr;
  const Bindings* bindings = nullptr;
  Combination how;
  std::uint64_t call = 0;    ///< the collective's number
  std::uint32_t part = 0;    ///< compiled programs of one collective are numbered: 0 or 1
  std::uint64_t digest = 0;  ///< of the collective's signature: messages of another call are not touched
};

class ShortSlots;

/// The most elements of a message or fold if the compiled program is brief: at most one message to and from each peer,
/// and every fold of pieces that are whole. Nothing otherwise.
std::optional<std::int64_t> brief_elements(const CompiledProgram& compiled);

/// One run of a compiled program. Nothing blocks: `advance` does what can be done now.
class Executor {
 public:
  /// `trace` is null unless the rank is traced.
  explicit Executor(Transport& transport, Trace* trace = nullptr) : transport_(&transport), trace_(trace) {}

  void begin(const Task& task) {
    // Member by member: copied as a whole, it would be read back in wider words than it was just written in, which has
    // to wait for the stores before it, some of which wait for other cores.
    task_.compiled = task.compiled;
    task_.bindings = task.bindings;
    task_.how.op = task.how.op;
    task_.how.element_size = task.how.element_size;
    task_.call = task.call;
    task_.part = task.part;
    task_.digest = task.digest;
    step_ = 0;
    begun_ = false;
    met_another_call_ = false;
    sends_.clear();
  }
  /// Says whether anything moved. Throws what the user's operator throws.
  bool advance();
  /// Runs a compiled program with brief_elements(), none of them longer than the slots hold, from its begin, and says
  /// whether it is done. Where a message has not come after so many more looks, the rest is for advance().
  bool run_briefly(ShortSlots& slots, int looks);
  bool done() const { return step_ == task_.compiled->steps.size(); }
  /// Whether a message of another call has come: ranks have called different things.
  bool met_another_call() const { return met_another_call_; }
  /// Tells what the step needs of whom; false where it may go on without, or is just doing so.
  bool tell_needs(const std::function<void(Need::Kind kind, int peer)>& tell) const;
  /// A peer that this rank waits for, and for what: "a message from rank 3". Only while not done.
  std::string waits_for() const;

 private:
  struct PendingSend {
    std::uint32_t send = 0;  // of the compiled program
    bool offered = false;
  };
  struct PendingFold {
    std::uint32_t come = 0;   // operands that are there, or begin to be: the first so many
    std::int64_t folded = 0;  // bytes, where operands come in parts
    bool done = false;
  };

  void begin_step();
  void open_folds(std::size_t done);
  bool has_room(const ShortSlots& slots) const;
  bool fold_briefly(ShortSlots& slots, const FoldStep& fold, int looks);
  Outgoing outgoing(const SendStep& send) const {
    return {task_.compiled->slices(send.slices), task_.bindings, bytes(send.elements), task_.digest, {}, true};
  }
  bool advance_sends();
  bool advance_folds();
  Offer post(const SendStep& send);
  bool advance_send(PendingSend& pending);
  void help();
  bool come(const FoldStep& fold, PendingFold& pending, std::size_t first_arrival);
  bool carry_out(const FoldStep& fold, std::size_t first_arrival);
  bool carry_out_pieces(const FoldStep& fold, std::size_t first_arrival);
  void bring_side(const FoldStep& fold, std::uint32_t k, std::size_t first_arrival);
  bool reads_in_place(const FoldStep& fold, std::size_t first_arrival) const;
  bool comes_in_parts(const FoldStep& fold, std::size_t first_arrival) const;
  bool carry_out_parts(const FoldStep& fold, PendingFold& pending, std::size_t first_arrival);
  std::optional<std::int64_t> next_part(const FoldStep& fold, const PendingFold& pending, std::size_t first_arrival);
  void release(const FoldStep& fold);
  void own(const SliceRange& range, std::vector<Stretch>& stretches) const;
  bool at_hand(const FoldStep& fold, std::size_t first_arrival) const;
  void combine_at_hand(const FoldStep& fold, std::size_t first_arrival);
  Route route(int peer, std::uint32_t index) const;
  int call_slot() const { return static_cast<int>(task_.call % collective_slots); }
  const FoldOperand& operand(const FoldStep& fold, std::uint32_t k) const {
    return task_.compiled->operands[fold.first_operand + k];
  }
  const CompiledStep& step() const { return task_.compiled->steps[step_]; }
  std::int64_t bytes(std::int64_t elements) const { return elements * task_.how.element_size; }

  void note_fold(const FoldStep& fold, Instant began);

  Transport* transport_;
  Trace* trace_;
  Task task_;
  std::size_t step_ = 0;
  bool begun_ = false;
  bool met_another_call_ = false;
  std::size_t open_folds_ = 0;
  std::vector<PendingSend> sends_;  // of the step, those that are not delivered
  std::vector<PendingFold> folds_;  // all of the step
  std::vector<Arrival> arrivals_;   // by operand of the step
  std::vector<std::vector<Stretch>> sides_;
  std::vector<Stretch> operands_;
  std::vector<const void*> pointers_;
};

}  // namespace tutti::runtime
