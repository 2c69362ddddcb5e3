/// @file
/// Runs one rank's program over a transport.
#pragma once

#include <vector>

#include "runtime/executor/walk.hpp"
#include "runtime/transport/transport.hpp"
#include "schedule/schedule.hpp"

namespace tutti::runtime {

/// How many messages this rank has sent to, and received from, each peer on each lane: the next message's number.
class Numbers {
 public:
  explicit Numbers(int ranks) : ranks_(ranks), sent_(size()), received_(size()) {}

  Route next_sent(int peer, int lane) { return {peer, lane, sent_[at(peer, lane)]++}; }
  Route next_received(int peer, int lane) { return {peer, lane, received_[at(peer, lane)]++}; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(ranks_) * lanes; }
  std::size_t at(int peer, int lane) const { return static_cast<std::size_t>(lane * ranks_ + peer); }

  int ranks_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

/// What a run reads and writes; all of it outlives the run.
struct Task {
  const Program* program = nullptr;
  const Bindings* bindings = nullptr;
  const detail::Datatype* type = nullptr;
  const detail::Operator* op = nullptr;
};

/// One run of a program. Nothing blocks: `advance` does what can be done now.
class Executor {
 public:
  Executor(Transport& transport, Numbers& numbers) : transport_(transport), numbers_(numbers) {}

  void begin(const Task& task, int lane);
  /// Says whether anything moved. Throws what the user's operator throws.
  bool advance();
  bool done() const { return pending_.empty() && next_ == task_.program->ops.size(); }
  /// A peer that this rank waits for, and for what: "a message from rank 3". Only while not done.
  std::string waits_for() const;

 private:
  struct Pending {
    const Op* op;
    Route route;
    bool posted;
  };

  void begin_step();
  bool advance_step();
  bool advance(Pending& pending);
  bool advance_send(Pending& pending);
  bool advance_receive(Pending& pending);
  void run_local(const Op& op);
  Extent extent(std::span<const Slice> slices) const { return {slices, task_.bindings}; }

  Transport& transport_;
  Numbers& numbers_;
  Task task_;
  int lane_ = 0;
  std::size_t next_ = 0;          // the op at which the next step begins
  std::vector<Pending> pending_;  // what the current step waits for, in the order of the program
};

}  // namespace tutti::runtime
