#include "predict/play.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "schedule/routine.hpp"

namespace tutti {
namespace {

/// All ranks of one schedule, each at its own time.
class Play {
 public:
  Play(const MachineCosts& costs, int cores, const Schedule& schedule, std::int64_t element_size)
      : costs_(costs), cores_(cores), element_size_(static_cast<double>(element_size)) {
    for (const Program& program : schedule.programs) ranks_.emplace_back(program, costs.call);
  }

  double seconds() {
    move_all();
    // A step that takes two messages of a peer waits for both here, where the executor takes one after the other.
    slots_bind_ = false;
    move_all();
    double end = 0;
    double busiest = 0;
    double work = 0;
    for (const Player& player : ranks_) {
      end = std::max(end, player.time);
      busiest = std::max(busiest, player.work);
      work += player.work;
    }
    const double shared = work / std::min<double>(cores_, static_cast<double>(ranks_.size()));
    return runs_ahead() ? std::max(busiest, shared) + uneven * busiest + stalled * end
                        : std::max(end, shared) + turns();
  }

 private:
  // In a row of calls the busiest rank cannot make up for all lateness of others, and now and then all wait for all.
  static constexpr double uneven = 0.25;
  static constexpr double stalled = 0.1;

  enum class Stand : std::uint8_t { before, waits_for_messages, waits_for_readers };
  struct Player {
    Player(const Program& program, double start) : routine(program), time(start), work(start) {}

    Routine routine;
    std::size_t step = 0;
    Stand stand = Stand::before;
    double time;
    double work;
    int turns = 0;  // steps for which others must have run before
  };
  struct Sent {
    double ready = 0;
    double taken = -1;  // not yet
    bool is_short = false;
  };
  using Way = std::tuple<int, int, std::uint32_t>;  // from, to, index

  /// Where ranks outnumber cores, those that a step takes messages from have their turns before it.
  double turns() const {
    const auto n = static_cast<double>(ranks_.size());
    if (n <= cores_) return 0;
    int turns = 0;
    for (const Player& player : ranks_) turns = std::max(turns, player.turns);
    return costs_.turn * turns * n / cores_;
  }

  /// Whether ranks can be at different calls of a row, each at its own pace: messages go one way only, and who sends
  /// one does not have to wait until it is read.
  bool runs_ahead() const {
    std::vector<std::vector<int>> receivers(ranks_.size());
    std::vector<int> open(ranks_.size(), 0);  // senders that may have to wait for somebody
    for (const auto& [way, sent] : sent_) {
      const auto& [from, to, index] = way;
      if (index > 0 || !sent.is_short) return false;
      receivers[static_cast<std::size_t>(from)].push_back(to);
      ++open[static_cast<std::size_t>(to)];
    }
    std::vector<int> free;
    for (std::size_t rank = 0; rank < open.size(); ++rank) {
      if (open[rank] == 0) free.push_back(static_cast<int>(rank));
    }
    for (std::size_t k = 0; k < free.size(); ++k) {
      for (const int to : receivers[static_cast<std::size_t>(free[k])]) {
        if (--open[static_cast<std::size_t>(to)] == 0) free.push_back(to);
      }
    }
    return free.size() == ranks_.size();
  }

  void move_all() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        while (advance(static_cast<int>(rank), ranks_[rank])) moved = true;
      }
    }
  }

  static void spend(Player& player, double seconds) {
    player.time += seconds;
    player.work += seconds;
  }
  static void wait_until(Player& player, double time) { player.time = std::max(player.time, time); }

  bool advance(int rank, Player& player) {
    if (player.step == player.routine.steps.size()) return false;
    const RoutineStep& step = player.routine.steps[player.step];
    switch (player.stand) {
      case Stand::before:
        if (!slots_free(rank, player, step)) return false;
        post(rank, player, step);
        player.stand = Stand::waits_for_messages;
        return true;
      case Stand::waits_for_messages:
        if (!all_come(rank, player, step)) return false;
        if (takes_messages(player, step)) ++player.turns;
        for (std::uint32_t k = 0; k < step.folds; ++k) fold(rank, player, player.routine.folds[step.first_fold + k]);
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
  bool slots_free(int rank, Player& player, const RoutineStep& step) {
    double last = 0;
    for (std::uint32_t k = 0; k < step.sends; ++k) {
      const SendStep& send = player.routine.sends[step.first_send + k];
      const auto before = send.index == 0 ? sent_.end() : sent_.find({rank, send.peer, send.index - 1});
      if (before == sent_.end()) continue;
      if (before->second.taken < 0 && slots_bind_) return false;
      last = std::max(last, before->second.taken + costs_.latency);
    }
    wait_until(player, last);
    return true;
  }

  void post(int rank, Player& player, const RoutineStep& step) {
    for (std::uint32_t k = 0; k < step.sends; ++k) {
      const SendStep& send = player.routine.sends[step.first_send + k];
      const double bytes = static_cast<double>(send.elements) * element_size_;
      const bool is_short = bytes <= static_cast<double>(costs_.short_bytes);
      spend(player, costs_.overhead + (is_short ? costs_.short_byte * bytes : 0));
      sent_[{rank, send.peer, send.index}] = {player.time + costs_.latency, -1, is_short};
    }
  }

  static bool takes_messages(const Player& player, const RoutineStep& step) {
    const auto folds = std::span(player.routine.folds).subspan(step.first_fold, step.folds);
    return std::any_of(folds.begin(), folds.end(), [&](const FoldStep& fold) {
      const auto operands = std::span(player.routine.operands).subspan(fold.first_operand, fold.operands);
      return std::any_of(operands.begin(), operands.end(), [](const FoldOperand& each) { return each.peer >= 0; });
    });
  }

  bool all_come(int rank, const Player& player, const RoutineStep& step) const {
    for (std::uint32_t k = 0; k < step.folds; ++k) {
      const FoldStep& fold = player.routine.folds[step.first_fold + k];
      for (std::uint32_t j = 0; j < fold.operands; ++j) {
        const FoldOperand& operand = player.routine.operands[fold.first_operand + j];
        if (operand.peer >= 0 && !sent_.contains({operand.peer, rank, operand.index})) return false;
      }
    }
    return true;
  }

  void fold(int rank, Player& player, const FoldStep& fold) {
    const double bytes = static_cast<double>(fold.elements) * element_size_;
    // Beside others, what is the rank's own costs nothing: it is read at the same time.
    double byte = fold.operands == 1 && own(player, fold, 0) ? costs_.copy_byte : 0;
    double combine_byte = 0;
    double cost = 0;
    for (std::uint32_t j = 0; j < fold.operands; ++j) {
      if (own(player, fold, j)) continue;
      const FoldOperand& operand = player.routine.operands[fold.first_operand + j];
      const Sent& sent = sent_.at({operand.peer, rank, operand.index});
      wait_until(player, sent.ready);
      cost += costs_.overhead + (sent.is_short ? 0 : costs_.rendezvous);
      byte += sent.is_short ? costs_.short_byte : read_byte(fold, operand.peer, player);
      if (fold.operands > 1 && !sent.is_short) combine_byte = costs_.combine_byte;
    }
    cost += (byte + combine_byte) * bytes;
    spend(player, cost);
    for (std::uint32_t j = 0; j < fold.operands; ++j) {
      const FoldOperand& operand = player.routine.operands[fold.first_operand + j];
      if (operand.peer >= 0) sent_[{operand.peer, rank, operand.index}].taken = player.time;
    }
  }

  static bool own(const Player& player, const FoldStep& fold, std::uint32_t operand) {
    return player.routine.operands[fold.first_operand + operand].peer < 0;
  }

  /// A byte of a message read in place: half of it where its sender has nothing else to do than to help.
  double read_byte(const FoldStep& fold, int peer, const Player& reader) const {
    const Player& sender = ranks_[static_cast<std::size_t>(peer)];
    const Help kind = fold.operands > 1 ? Help::with_all : Help::with_copies;
    const bool idle = sender.stand == Stand::waits_for_readers && sender.time <= reader.time;
    const bool helps = idle && costs_.help >= kind && static_cast<int>(ranks_.size()) <= cores_;
    return helps ? costs_.byte / 2 : costs_.byte;
  }

  bool all_read(int rank, Player& player, const RoutineStep& step) {
    double last = 0;
    for (std::uint32_t k = 0; k < step.sends; ++k) {
      const SendStep& send = player.routine.sends[step.first_send + k];
      const Sent& sent = sent_.at({rank, send.peer, send.index});
      if (sent.is_short) continue;
      if (sent.taken < 0) return false;
      last = std::max(last, sent.taken + costs_.latency);
    }
    wait_until(player, last);
    return true;
  }

  const MachineCosts& costs_;
  int cores_;
  double element_size_;
  bool slots_bind_ = true;
  std::vector<Player> ranks_;
  std::map<Way, Sent> sent_;
};

}  // namespace

double played_seconds(const MachineCosts& costs, int cores, const Schedule& schedule, std::int64_t element_size) {
  return Play(costs, cores, schedule, element_size).seconds();
}

}  // namespace tutti
