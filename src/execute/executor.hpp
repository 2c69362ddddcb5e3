/// @file
/// Runs one rank's compiled program over its connection.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "execute/fold_runner.hpp"
#include "execute/task.hpp"
#include "transport/interfaces/wait_state.hpp"

namespace tutti::runtime {

/// The most elements of a message or fold if the compiled program fits the fast path: at most one message to and from
/// each peer. Nothing otherwise.
std::optional<std::int64_t> fast_path_elements(const CompiledProgram& compiled);

/// One run of a compiled program. Nothing blocks: `advance` does what can be done now.
class Executor {
 public:
  explicit Executor(const Connection& connection)
      : channel_(connection.channel()),
        can_(connection.capabilities()),
        folding_(connection.folding()),
        folder_(connection, task_) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

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
    folder_.forget();
    sends_.clear();
  }
  /// Says whether anything moved. Throws what the user's operator throws.
  bool advance();
  /// Whether the channel has short slots for messages of so many bytes.
  bool fits_fast_path(std::int64_t bytes) const { return bytes <= can_.most_short_bytes; }
  /// Runs a compiled program with fast_path_elements() for which fits_fast_path(), from its begin, and says whether it
  /// is done. Where a message has not come after so many more looks, the rest is for advance().
  bool run_fast_path(int looks);
  bool done() const { return step_ == task_.compiled->steps.size(); }
  /// Whether a message of another call has come: ranks have called different things.
  bool met_another_call() const { return folder_.met_another_call(); }
  /// The message that tells so, where it is one of this call.
  const std::optional<OddMessage>& odd_message() const { return folder_.odd_message(); }
  /// Tells what the current step needs, and of which peers; false where the step can go on without them, or moves now.
  bool tell_dependencies(const std::function<void(Dependency::Kind kind, int peer)>& tell) const;
  /// Says what this rank waits for: "a message from rank 3". Only while the run is not done.
  std::string waits_for() const;

 private:
  struct PendingSend {
    std::uint32_t send = 0;  // index in the compiled program
    bool offered = false;
  };

  void begin_step();
  void tell_phase();
  void open_folds(std::size_t done);
  bool has_room(const ShortSlots& slots) const;
  bool fold_on_fast_path(ShortSlots& slots, const FoldStep& fold, int looks);
  Outgoing outgoing(const SendStep& send) const {
    return {task_.compiled->slices(send.slices), task_.bindings, task_.bytes(send.elements), task_.digest};
  }
  bool advance_sends();
  bool advance_folds();
  bool is_blocked(std::size_t k) const { return folds_[k].step->chained && k > 0 && !folds_[k - 1].done; }
  void open_places();
  PostResult post(std::uint32_t which);
  bool advance_send(PendingSend& pending);
  void lend_copies();
  bool advance_lent();
  bool make_copy(const SendStep& send, std::int64_t most);
  void settle_copy(const SendStep& send);
  void help();
  const CompiledStep& step() const { return task_.compiled->steps[step_]; }

  Channel& channel_;
  const ChannelCapabilities can_;
  Folding& folding_;
  Task task_;
  std::size_t step_ = 0;
  bool begun_ = false;
  std::size_t open_folds_ = 0;
  std::vector<PendingSend> sends_;  // sends of the step that are not delivered
  std::vector<OpenFold> folds_;     // all of the step
  std::vector<Arrival> arrivals_;   // by operand of the step
  FoldRunner folder_;
};

}  // namespace tutti::runtime
