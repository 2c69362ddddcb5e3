#include "predict/replay/replay.hpp"

#include <algorithm>
#include <vector>

#include "predict/model/cost_model.hpp"
#include "predict/model/node_link.hpp"
#include "predict/replay/call_sums.hpp"
#include "predict/replay/rank_programs.hpp"
#include "predict/replay/sent_messages.hpp"
#include "schedule/record/recording_context.hpp"
#include "schedule/rewrite/program_compiler.hpp"

namespace tutti {
namespace {

/// All ranks of one schedule, each at its own time.
class Replay {
 public:
  Replay(RecordingPool& pool, const LevelCosts& costs, int cores, std::int64_t element_size, std::size_t ranks)
      : costs_(costs), cores_(cores), element_size_(static_cast<double>(element_size)), memory_(pool) {
    ranks_.reserve(ranks);
    if (programs_.size() < ranks) programs_.resize(ranks);
  }

  /// The next rank's program, compiled for pricing by `compile(rank, program)`.
  template <typename Compile>
  void add(Compile&& compile) {
    const auto rank = static_cast<int>(ranks_.size());
    CompiledProgram& program = programs_[ranks_.size()];
    compile(rank, program);
    for (const SendStep& send : program.sends) {
      if (!costs_.crosses(rank, send.peer)) continue;
      const double bytes = static_cast<double>(send.elements) * element_size_;
      links_.add(rank, send.peer, costs_.between_nodes().link_byte * bytes);
    }
    ranks_.emplace_back(program, costs_.call());
  }

  /// No more than seconds(), from the programs of the ranks that were added; `ranks` are to be. To be asked after each.
  double at_least(int ranks) {
    const auto rank = static_cast<int>(ranks_.size()) - 1;
    const double work = least_work(costs_, rank, ranks_.back().compiled, element_size_);
    ranks_.back().least = work;
    least_.ranks = ranks;
    least_.end = std::max(least_.end, work);
    least_.work += work;
    Sums sums = least_;
    sums.work += (ranks - 1 - rank) * costs_.call();
    sums.link = links_.busiest();
    return seconds_of(sums, costs_.inside(), cores_);
  }

  void start_at(std::span<const double> starts) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].time += starts[rank];
  }

  /// Infinite where `limit` is_cheaper(), which ends the replay as soon as it is seen. Needs all ranks.
  double seconds(Calls calls, double limit = no_limit) {
    sent_.make_room(ranks_.size(), [&](std::size_t rank) -> const CompiledProgram& { return ranks_[rank].compiled; });
    if (!move_all(limit)) return no_limit;
    // A step that takes two messages of a peer waits for both here, where the executor takes one after the other.
    slots_bind_ = false;
    if (!move_all(limit)) return no_limit;
    for (Player& player : ranks_) player.least = 0;  // but for rounding nothing is left
    Sums sums = sums_so_far();
    sums.runs_ahead = calls == Calls::in_a_row && sent_.run_ahead();
    const double seconds = seconds_of(sums, costs_.inside(), cores_);
    return is_cheaper(limit, seconds) ? no_limit : seconds;
  }

 private:
  enum class Stand : std::uint8_t { before, waits_for_messages, waits_for_readers };
  struct Player {
    Player(const CompiledProgram& program, double start) : compiled(program), time(start), work(start) {}

    const CompiledProgram& compiled;
    std::size_t step = 0;
    Stand stand = Stand::before;
    double time;
    double work;
    double least = 0;  // lower bound of all that it will have worked
    int turns = 0;     // the longest chain of messages that led here: for each a rank must have run after another
  };
  struct Memory {
    std::vector<CompiledProgram> programs;  // by rank; there may be more
    SentMessages sent;
  };

  /// False as soon as the limit is_cheaper() than what has been replayed.
  bool move_all(double limit) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        while (advance(static_cast<int>(rank), ranks_[rank])) moved = true;
      }
      if (limit < no_limit && exceeds(limit)) return false;
    }
    return true;
  }

  /// No more of anything than there is in the end.
  Sums sums_so_far() const {
    Sums sums{.ranks = static_cast<int>(ranks_.size()), .link = links_.busiest()};
    for (const Player& player : ranks_) {
      const double left = std::max(0.0, player.least - player.work);
      sums.end = std::max(sums.end, player.time + left);
      sums.busiest = std::max(sums.busiest, player.work + left);
      sums.work += player.work + left;
      sums.turns = std::max(sums.turns, player.turns);
    }
    return sums;
  }

  /// Whether the ranks run ahead is not asked before the end.
  bool exceeds(double limit) const {
    Sums sums = sums_so_far();
    if (!is_cheaper(limit, seconds_of(sums, costs_.inside(), cores_))) return false;
    sums.runs_ahead = true;
    return is_cheaper(limit, seconds_of(sums, costs_.inside(), cores_));
  }

  static void spend(Player& player, double seconds) {
    player.time += seconds;
    player.work += seconds;
  }
  static void wait_until(Player& player, double time) { player.time = std::max(player.time, time); }

  bool advance(int rank, Player& player) {
    if (player.step == player.compiled.steps.size()) return false;
    const CompiledStep& step = player.compiled.steps[player.step];
    switch (player.stand) {
      case Stand::before:
        if (!slots_free(rank, player, step)) return false;
        post(rank, player, step);
        player.stand = Stand::waits_for_messages;
        return true;
      case Stand::waits_for_messages:
        if (!all_come(rank, player, step)) return false;
        count_turn(rank, player, step);
        exchanges_.begin(rank, player.compiled.sends_of(step));
        for (const FoldStep& each : player.compiled.folds_of(step)) fold(rank, player, each);
        player.stand = Stand::waits_for_readers;
        return true;
      case Stand::waits_for_readers:
        break;
    }
    if (!all_read(rank, player, step)) return false;
    ++player.step;
    player.stand = Stand::before;
    return true;
  }

  /// A pair of ranks has room for one message of a call: the next waits until the last was taken.
  bool slots_free(int rank, Player& player, const CompiledStep& step) {
    double last = 0;
    for (const SendStep& send : player.compiled.sends_of(step)) {
      if (send.index == 0) continue;
      const SentMessage& before = sent_.at(rank, send.peer, send.index - 1);
      if (before.taken < 0 && slots_bind_) return false;
      last = std::max(last, before.taken + costs_.of(rank, send.peer).latency);
      player.turns = std::max(player.turns, before.taken_turns);
    }
    wait_until(player, last);
    return true;
  }

  void post(int rank, Player& player, const CompiledStep& step) {
    for (const SendStep& send : player.compiled.sends_of(step)) {
      const double bytes = static_cast<double>(send.elements) * element_size_;
      const MachineCosts& costs = costs_.of(rank, send.peer);
      spend(player, send_seconds(costs, bytes));
      sent_.at(rank, send.peer, send.index) = {player.time + costs.latency, -1, is_short(costs, bytes), player.turns};
    }
  }

  bool all_come(int rank, const Player& player, const CompiledStep& step) const {
    for (const FoldStep& fold : player.compiled.folds_of(step)) {
      for (const FoldOperand& operand : player.compiled.operands_of(fold)) {
        if (operand.peer >= 0 && !sent_.is_sent(operand.peer, rank, operand.index)) return false;
      }
    }
    return true;
  }

  /// The step's messages are there once their senders have run.
  void count_turn(int rank, Player& player, const CompiledStep& step) {
    int turns = 0;
    for (const FoldStep& fold : player.compiled.folds_of(step)) {
      for (const FoldOperand& operand : player.compiled.operands_of(fold)) {
        if (operand.peer >= 0) turns = std::max(turns, sent_.at(operand.peer, rank, operand.index).turns + 1);
      }
    }
    player.turns = std::max(player.turns, turns);
  }

  void fold(int rank, Player& player, const FoldStep& fold) {
    const double bytes = static_cast<double>(fold.elements) * element_size_;
    spend(player, fold_seconds(costs_, rank, player.compiled, fold, bytes, [&](const FoldOperand& operand) {
            wait_until(player, sent_.at(operand.peer, rank, operand.index).ready);
            return read_byte(fold, operand.peer, rank, player);
          }));
    for (const FoldOperand& operand : player.compiled.operands_of(fold)) {
      if (operand.peer < 0) continue;
      SentMessage& message = sent_.at(operand.peer, rank, operand.index);
      message.taken = player.time;
      message.taken_turns = player.turns;
    }
  }

  /// A byte of a message read in place: half of it where its sender has nothing else to do than to help.
  double read_byte(const FoldStep& fold, int peer, int rank, const Player& reader) const {
    const MachineCosts& costs = costs_.of(peer, rank);
    const Player& sender = ranks_[static_cast<std::size_t>(peer)];
    const Help kind = fold.operands > 1 ? Help::with_all : Help::with_copies;
    const bool idle = sender.stand == Stand::waits_for_readers && sender.time <= reader.time;
    const bool helps = idle && costs.help >= kind && static_cast<int>(ranks_.size()) <= cores_;
    return (helps ? costs.byte / 2 : costs.byte) * exchanges_.times(peer);
  }

  bool all_read(int rank, Player& player, const CompiledStep& step) {
    double last = 0;
    for (const SendStep& send : player.compiled.sends_of(step)) {
      const SentMessage& message = sent_.at(rank, send.peer, send.index);
      if (message.is_short) continue;
      if (message.taken < 0) return false;
      last = std::max(last, message.taken + costs_.of(rank, send.peer).latency);
      player.turns = std::max(player.turns, message.taken_turns + 1);
    }
    wait_until(player, last);
    return true;
  }

  const LevelCosts& costs_;
  int cores_;
  double element_size_;
  Exchanges exchanges_{costs_};
  bool slots_bind_ = true;
  Sums least_;  // sums of the ranks that were added
  std::vector<Player> ranks_;
  Pooled<Memory> memory_;
  std::vector<CompiledProgram>& programs_{memory_->programs};
  SentMessages& sent_{memory_->sent};
  LinkUse links_{costs_.layout()};
};

/// Adds the programs of all ranks; false as soon as they show that the limit is_cheaper().
bool add_all(RecordingContext& context, Replay& replay, const LevelCosts& costs, const Choice& choice,
             const Problem& problem, double limit = no_limit) {
  RankPrograms programs(context, choice, problem, costs.layout());
  for (int rank = 0; rank < problem.ranks; ++rank) {
    replay.add([&](int next, CompiledProgram& program) { programs.compile(next, program); });
    if (limit < no_limit && is_cheaper(limit, replay.at_least(problem.ranks))) return false;
  }
  return true;
}

}  // namespace

double replayed_seconds(const LevelCosts& costs, int cores, const Schedule& schedule, std::int64_t element_size,
                        Calls calls) {
  RecordingPool pool;
  Replay replay(pool, costs, cores, element_size, schedule.programs.size());
  for (const Program& program : schedule.programs)
    replay.add([&](int, CompiledProgram& compiled) { compile_into(pool, compiled, program, CompiledFor::pricing); });
  return replay.seconds(calls);
}

double replayed_seconds(RecordingContext& context, const LevelCosts& costs, int cores, const Choice& choice,
                        const Problem& problem, std::int64_t element_size, Calls calls, double limit) {
  Replay replay(context.pool(), costs, cores, element_size, static_cast<std::size_t>(problem.ranks));
  return add_all(context, replay, costs, choice, problem, limit) ? replay.seconds(calls, limit) : no_limit;
}

double replayed_seconds(const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
                        std::int64_t element_size, std::span<const double> starts) {
  RecordingContext context;
  Replay replay(context.pool(), costs, cores, element_size, static_cast<std::size_t>(problem.ranks));
  add_all(context, replay, costs, choice, problem);
  replay.start_at(starts);
  return replay.seconds(Calls::one);
}

}  // namespace tutti
