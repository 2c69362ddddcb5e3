#include "support/interpreter.hpp"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/elements.hpp"

namespace tutti::testing {
namespace {

/// Why a run ends early.
struct Broken {
  std::string why;
};

struct Rank {
  const Program* program = nullptr;
  std::array<std::vector<Cell>, 3> memory;
  std::set<std::size_t> written;  // positions of the output
  std::size_t begin = 0;          // begin of the step
  std::size_t end = 0;            // end of the step
  std::size_t undone = 0;         // operations of the step
  std::set<std::size_t> done;     // operations of the step that are done
  bool entered = false;
  bool left = false;
};

/// An operation of a rank.
struct At {
  int rank;
  std::size_t op;
};

/// Something that may happen next: a rank goes on to its next step, a rank carries out an operation of its own, a
/// message passes.
struct Action {
  enum class Kind : std::uint8_t { go_on, compute, pass } kind;
  At at;  // pass: the receive
  At send{0, 0};
};

class Run {
 public:
  Run(const Schedule& schedule, std::uint64_t seed) : schedule_(schedule), random_(seed) {
    const Problem& problem = schedule.problem;
    // A barrier is tried with one rank that comes as late as it can.
    late_ = problem.collective == Collective::barrier
                ? static_cast<int>(seed % static_cast<std::uint64_t>(problem.ranks))
                : -1;
    ranks_.resize(schedule.programs.size());
    for (int rank = 0; rank < problem.ranks; ++rank) {
      prepare(rank);
      if (rank != late_) actions_.push_back({Action::Kind::go_on, {rank, 0}});
    }
  }

  Observed run() {
    try {
      while (step()) {
      }
      return judge();
    } catch (const Broken& broken) {
      return {.right = false, .why = broken.why};
    }
  }

 private:
  Rank& rank_of(const At& at) { return ranks_[static_cast<std::size_t>(at.rank)]; }
  const Op& op_of(const At& at) { return rank_of(at).program->ops[at.op]; }

  void prepare(int rank) {
    const Problem& problem = schedule_.problem;
    Rank& state = ranks_[static_cast<std::size_t>(rank)];
    state.program = &schedule_.programs[static_cast<std::size_t>(rank)];
    for (const Buffer buffer : {Buffer::input, Buffer::output}) {
      state.memory[static_cast<std::size_t>(buffer)].resize(
          static_cast<std::size_t>(buffer_size(problem, rank, buffer)));
    }
    state.memory[static_cast<std::size_t>(Buffer::scratch)].resize(static_cast<std::size_t>(state.program->scratch));
    const bool in_output = problem.in_place || (problem.collective == Collective::broadcast && rank == problem.root);
    auto& source = state.memory[static_cast<std::size_t>(in_output ? Buffer::output : Buffer::input)];
    for (std::size_t k = 0; k < source.size(); ++k) source[k] = contribution(rank, static_cast<std::int64_t>(k));
  }

  // One action, drawn by lot; false when none is left.
  bool step() {
    if (actions_.empty()) {
      if (late_ < 0) return false;
      actions_.push_back({Action::Kind::go_on, {late_, 0}});
      late_ = -1;
    }
    const std::size_t drawn = random_() % actions_.size();
    std::swap(actions_[drawn], actions_.back());
    const Action action = actions_.back();
    actions_.pop_back();
    switch (action.kind) {
      case Action::Kind::go_on:
        go_on(action.at.rank);
        break;
      case Action::Kind::compute:
        compute(action.at);
        done(action.at);
        break;
      case Action::Kind::pass:
        pass(action.at, action.send);
        done(action.at);
        done(action.send);
        break;
    }
    return true;
  }

  void go_on(int rank) {
    Rank& state = ranks_[static_cast<std::size_t>(rank)];
    state.entered = true;
    state.begin = state.end;
    if (state.begin == state.program->ops.size()) {
      state.left = true;
      if (schedule_.problem.collective != Collective::barrier) return;
      for (const Rank& other : ranks_) {
        if (!other.entered)
          throw Broken{"rank " + std::to_string(rank) + " left the barrier before every rank had entered"};
      }
      return;
    }
    while (!state.program->ops[state.end++].ends_step) {
    }
    state.undone = state.end - state.begin;
    state.done.clear();
    for (std::size_t op = state.begin; op < state.end; ++op) post({rank, op});
  }

  void post(const At& at) {
    const Op& op = op_of(at);
    check_chaining(at);
    if (!op.communicates()) {
      if (!op.chained) actions_.push_back({Action::Kind::compute, at});
      return;
    }
    if (op.peer < 0 || op.peer >= schedule_.problem.ranks || op.peer == at.rank)
      throw Broken{"a peer that does not exist"};
    const bool sends = op.kind == OpKind::send;
    auto& [waiting_sends, waiting_receives] =
        channels_[sends ? std::pair(at.rank, op.peer) : std::pair(op.peer, at.rank)];
    (sends ? waiting_sends : waiting_receives).push_back(at);
    if (waiting_sends.empty() || waiting_receives.empty()) return;
    const At receive = waiting_receives.front();
    const At send = waiting_sends.front();
    waiting_sends.pop_front();
    waiting_receives.pop_front();
    if (op_of(receive).chained && !rank_of(receive).done.contains(receive.op - 1)) {
      early_.emplace(std::pair(receive.rank, receive.op), send);
    } else {
      actions_.push_back({Action::Kind::pass, receive, send});
    }
  }

  void check_chaining(const At& at) {
    if (!op_of(at).chained) return;
    if (at.op == rank_of(at).begin) throw Broken{"a step that begins with a chained operation"};
    for (const std::size_t each : {at.op - 1, at.op}) {
      if (op_of({at.rank, each}).kind == OpKind::send) throw Broken{"a send in a chain"};
    }
  }

  void done(const At& at) {
    Rank& state = rank_of(at);
    state.done.insert(at.op);
    if (--state.undone == 0) return actions_.push_back({Action::Kind::go_on, {at.rank, 0}});
    const At next{at.rank, at.op + 1};
    if (next.op < state.end && op_of(next).chained) begin_chained(next);
  }

  // A message may have waited for the chain to come to it.
  void begin_chained(const At& at) {
    if (!op_of(at).communicates()) return actions_.push_back({Action::Kind::compute, at});
    const auto early = early_.find(std::pair(at.rank, at.op));
    if (early == early_.end()) return;
    actions_.push_back({Action::Kind::pass, at, early->second});
    early_.erase(early);
  }

  std::vector<Cell> read(const At& at, std::span<const Slice> slices) {
    std::vector<Cell> cells;
    for (const Slice& slice : slices) {
      for (std::int64_t k = slice.first; k < slice.end(); ++k) cells.push_back(cell(at, slice.buffer, k));
    }
    return cells;
  }

  void write(const At& at, const std::vector<Cell>& cells) {
    const auto slices = rank_of(at).program->slices(op_of(at));
    if (Slices(slices).elements() != static_cast<std::int64_t>(cells.size()))
      throw Broken{"lists or messages of unequal length"};
    std::size_t next = 0;
    for (const Slice& slice : slices) {
      if (slice.buffer == Buffer::input && slice.count > 0) throw Broken{"a write to the caller's input"};
      for (std::int64_t k = slice.first; k < slice.end(); ++k) {
        cell(at, slice.buffer, k) = cells[next++];
        if (slice.buffer == Buffer::output) rank_of(at).written.insert(static_cast<std::size_t>(k));
      }
    }
  }

  Cell& cell(const At& at, Buffer buffer, std::int64_t position) {
    auto& memory = rank_of(at).memory[static_cast<std::size_t>(buffer)];
    if (position < 0 || position >= static_cast<std::int64_t>(memory.size()))
      throw Broken{"memory that does not exist"};
    return memory[static_cast<std::size_t>(position)];
  }

  // Whatever is combined with nothing is nothing: it does harm only where it reaches a result.
  std::vector<Cell> combine(const std::vector<Cell>& left, const std::vector<Cell>& right) const {
    if (left.size() != right.size()) throw Broken{"lists or messages of unequal length"};
    std::vector<Cell> result(left.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (left[k] && right[k]) result[k] = combined(*left[k], *right[k], schedule_.problem.commutative);
    }
    return result;
  }

  void compute(const At& at) {
    const Program& program = *rank_of(at).program;
    const Op& op = op_of(at);
    const std::vector<Cell> left = read(at, program.operand(op));
    write(at, op.kind == OpKind::copy ? left : combine(left, read(at, program.second(op))));
  }

  void pass(const At& receive, const At& send) {
    const std::vector<Cell> message = read(send, rank_of(send).program->slices(op_of(send)));
    const Op& op = op_of(receive);
    if (op.kind == OpKind::receive) return write(receive, message);
    const std::vector<Cell> mine = read(receive, rank_of(receive).program->operand(op));
    write(receive, op.side == Side::mine_first ? combine(mine, message) : combine(message, mine));
  }

  Observed judge() {
    Observed observed;
    std::vector<std::uint64_t> prints;
    for (int rank = 0; rank < schedule_.problem.ranks; ++rank) {
      const Rank& state = ranks_[static_cast<std::size_t>(rank)];
      if (!state.left) throw Broken{"rank " + std::to_string(rank) + " waits for ever"};
      const auto& output = state.memory[static_cast<std::size_t>(Buffer::output)];
      const std::vector<Cell> expected = expected_output(schedule_.problem, rank);
      if (output.size() != expected.size()) throw Broken{"an output of another length than expected"};
      std::uint64_t print = 0;
      for (std::size_t k = 0; k < output.size(); ++k) {
        if (!expected[k] && !state.written.contains(k)) continue;
        if (!expected[k]) {
          throw Broken{"output[" + std::to_string(k) + "] of rank " + std::to_string(rank) + " must stay as it is"};
        }
        if (!output[k] || output[k]->value != expected[k]->value) {
          throw Broken{"output[" + std::to_string(k) + "] of rank " + std::to_string(rank) + " is wrong"};
        }
        print = scrambled(print ^ output[k]->bits);
      }
      prints.push_back(print);
      observed.bits = scrambled(observed.bits ^ print);
    }
    for (const std::uint64_t print : prints) {
      if (schedule_.problem.collective == Collective::all_reduce && print != prints[0])
        throw Broken{"ranks hold different bits"};
    }
    return observed;
  }

  const Schedule& schedule_;
  std::mt19937_64 random_;
  int late_ = -1;
  std::vector<Rank> ranks_;
  std::vector<Action> actions_;
  std::map<std::pair<int, int>, std::pair<std::deque<At>, std::deque<At>>> channels_;  // sends and receives that wait
  std::map<std::pair<int, std::size_t>, At> early_;  // sends that wait for the chain of their receive, by receive
};

}  // namespace

Observed interpret(const Schedule& schedule, std::uint64_t seed) { return Run(schedule, seed).run(); }

}  // namespace tutti::testing
