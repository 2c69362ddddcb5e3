#include "predict/sketch/estimate.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/integers.hpp"
#include "predict/model/bound.hpp"
#include "predict/model/cost_model.hpp"
#include "predict/model/node_link.hpp"
#include "predict/replay/call_sums.hpp"
#include "predict/replay/messages_exceed.hpp"
#include "predict/replay/rank_programs.hpp"
#include "predict/sketch/rank_cost.hpp"

namespace tutti {
namespace {

/// Whether data flows from some ranks to others and never back, so that ranks may run ahead of one another.
bool is_one_way(Collective collective) {
  return has_root(collective) || collective == Collective::scan || collective == Collective::exclusive_scan;
}

/// The ranks whose programs stand for all. Where data flows one way these are the root, and both ends of chains and
/// trees with a rank in their midst; trees of a non-commutative operator begin at rank 0 whatever the root. Where all
/// ranks get the same, they are the first and the last, but not one that is a tree's whole second half; over several
/// nodes also the last of the first one's node, whose neighbour in a ring is on another.
std::vector<int> representatives(const Problem& problem, const Layout& layout) {
  const int p = problem.ranks;
  const bool stands_alone = p > 2 && is_power_of_two(p - 1);
  if (!is_one_way(problem.collective)) {
    std::vector<int> ranks{0, stands_alone ? p - 2 : p - 1};
    const int border = layout.nodes() > 1 ? layout.ranks_on(layout.node_of(0)).back() : 0;
    if (border != ranks[0] && border != ranks[1]) ranks.push_back(border);
    return ranks;
  }
  const int begin = problem.commutative ? problem.root : 0;
  std::vector<int> ranks{problem.root};
  for (const int offset : {0, 1, p - 1, p / 2}) {
    const int rank = (begin + offset) % p;
    if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
  }
  return ranks;
}

bool reduces_in_order(const Problem& problem) {
  return problem.collective == Collective::scan || problem.collective == Collective::exclusive_scan;
}

/// Whether no message of the problem is empty, and so all that is claimed is sent.
bool has_no_empty_blocks(const Problem& problem) {
  if (problem.collective == Collective::barrier) return true;
  return problem.count >= (has_blocks(problem.collective) ? 1 : problem.ranks);
}

/// Returns how many ranks have a block, or a part of the message, with elements in it.
std::int64_t blocks_with_elements(const Problem& problem) {
  if (!has_blocks(problem.collective)) return std::min<std::int64_t>(problem.count, problem.ranks);
  return problem.count > 0 ? problem.ranks : problem.extra;
}

/// All ranks of one schedule, judged by a few of them.
class Estimate {
 public:
  Estimate(RecordingContext& context, const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
           std::int64_t element_size)
      : context_(context),
        costs_(costs),
        cores_(cores),
        choice_(choice),
        problem_(problem),
        element_size_(static_cast<double>(element_size)),
        ranks_(representatives(problem, costs.layout())) {}

  /// Infinite where `limit` is_cheaper(); `least` is no more of anything than there is.
  double seconds(const Claims& claims, Calls calls, NodeLink& link, const Sums& least, double limit) {
    if (!look_at_ranks(claims, least, limit)) return no_limit;
    Sums sums{.ranks = problem_.ranks, .runs_ahead = calls == Calls::in_a_row && runs_ahead()};
    for (const RankCost& rank : rank_costs_) {
      sums.busiest = std::max(sums.busiest, rank.work);
      sums.turns = std::max(sums.turns, rank.turns);
    }
    find_end(claims, sums);
    if (sums.runs_ahead) find_chain(sums);
    if (is_star()) sums.turns = 1;
    sums.work = work(claims);
    for (std::size_t k = 0; k < ranks_.size(); ++k) link.know(ranks_[k], rank_costs_[k].across);
    while (true) {
      sums.link = link.least();
      const double seconds = seconds_of(sums, costs_.inside(), cores_);
      if (is_cheaper(limit, seconds)) return no_limit;
      sums.link = link.at_most(static_cast<double>(claims.elements) * element_size_);
      const bool matters = seconds_of(sums, costs_.inside(), cores_) > seconds;
      if (!matters || !link.look_at_next()) return seconds;
    }
  }

 private:
  /// Records the ranks; false as soon as those recorded show that `limit` is_cheaper().
  bool look_at_ranks(const Claims& claims, Sums least, double limit) {
    // The senders of a scan are busy themselves where they all send at once.
    const int most_helped = problem_.ranks > cores_ ? 0 : reduces_in_order(problem_) ? 1 : problem_.ranks;
    RankPrograms programs(context_, choice_, problem_, costs_.layout());
    const Pooled<CompiledProgram> program(context_.pool());
    for (const int rank : ranks_) {
      programs.compile(rank, *program);
      rank_costs_.push_back(rank_cost_of(costs_, rank, *program, element_size_, most_helped));
      // No rank has more rounds than are claimed: find_end() looks at this one, or at one that ends later.
      const RankCost& last = rank_costs_.back();
      if (may_run_ahead() || last.width < claims.rounds) continue;
      least.end = std::max(least.end, last.time);
      least.turns = std::max(least.turns, last.turns);
      if (is_cheaper(limit, seconds_of(least, costs_.inside(), cores_))) return false;
    }
    return true;
  }

  template <typename Of>
  double sum(const Of& of) const {
    return std::accumulate(rank_costs_.begin(), rank_costs_.end(), 0.0,
                           [&](double before, const RankCost& rank) { return before + of(rank); });
  }
  double messages_seen() const {
    return sum([](const RankCost& rank) { return rank.sends + rank.receives; });
  }
  /// Returns the mean cost of all seen messages, beside their bytes and for a byte.
  double mean_fixed() const {
    return sum([](const RankCost& rank) { return rank.fixed; }) / std::max(1.0, messages_seen());
  }
  double mean_byte() const {
    double bytes = sum([](const RankCost& rank) { return rank.bytes; });
    double by_bytes = sum([](const RankCost& rank) { return rank.by_bytes; });
    // Whether messages are combined at once, who sends one of them does not see.
    const double received = bytes - sum([](const RankCost& rank) { return rank.bytes_sent; });
    if (reduces(problem_.collective) && received > 0) {
      by_bytes -= sum([](const RankCost& rank) { return rank.by_bytes_sent; });
      bytes = received;
    }
    return bytes > 0 ? by_bytes / bytes : 0;
  }
  double mean_bytes() const {
    return sum([](const RankCost& rank) { return rank.bytes; }) / std::max(1.0, messages_seen());
  }

  /// Returns the mean lateness of a rank's message, over all seen messages.
  double mean_latency() const {
    if (!costs_.has_levels()) return costs_.inside().latency;
    const double crossing = sum([](const RankCost& rank) { return rank.crossing; }) / std::max(1.0, messages_seen());
    return crossing * costs_.between_nodes().latency + (1 - crossing) * costs_.inside().latency;
  }

  /// The rank with the most rounds is on the longest chain of messages; so is one that gets its last message from a
  /// rank that is not among these. Before them come the rounds of others that they have no part in.
  void find_end(const Claims& claims, Sums& sums) const {
    const double latency = mean_latency();
    const bool is_long = !is_short(costs_.inside(), mean_bytes());
    const double back = is_long ? latency : 0;
    const double hop = latency + back + mean_fixed() + mean_byte() * mean_bytes();
    const auto look_at = [&](const RankCost& rank) {
      const auto others = std::max<std::int64_t>(0, claims.rounds - rank.width);
      sums.end = std::max(sums.end, rank.time + static_cast<double>(others) * hop);
      sums.turns = std::max(sums.turns, rank.turns + static_cast<int>(others) * (is_long ? 2 : 1));
    };
    look_at(*std::max_element(rank_costs_.begin(), rank_costs_.end(), [](const RankCost& a, const RankCost& b) {
      return a.width != b.width ? a.width < b.width : a.time < b.time;
    }));
    for (const RankCost& rank : rank_costs_) {
      if (rank.last_source < 0) continue;
      const auto source = std::find(ranks_.begin(), ranks_.end(), rank.last_source);
      if (source == ranks_.end()) {
        look_at(rank);
      } else {
        const RankCost& sender = rank_costs_[static_cast<std::size_t>(source - ranks_.begin())];
        sums.turns = std::max(sums.turns, sender.turns_before_last_send + 1);
      }
    }
  }

  /// The sum over all ranks of what the first rank and the others have: one root among many, or as many as have blocks.
  template <typename Of>
  double over_all(const Of& of) const {
    if (rank_costs_.size() == 1) return of(rank_costs_.front());
    const bool some_have_none = !is_one_way(problem_.collective) && !has_no_empty_blocks(problem_);
    const double firsts = some_have_none ? static_cast<double>(blocks_with_elements(problem_)) : 1;
    const double others = (sum(of) - of(rank_costs_.front())) / static_cast<double>(rank_costs_.size() - 1);
    return firsts * of(rank_costs_.front()) + (problem_.ranks - firsts) * others;
  }

  /// Messages that are claimed and have no elements are not sent.
  double work(const Claims& claims) const {
    double messages = static_cast<double>(claims.messages);
    double bytes = static_cast<double>(claims.elements) * element_size_;
    if (!has_no_empty_blocks(problem_)) {
      messages = std::min(messages, over_all([](const RankCost& rank) { return rank.sends; }));
      bytes = std::min(bytes, over_all([](const RankCost& rank) { return rank.bytes_sent; }));
    }
    const double copying = over_all([](const RankCost& rank) { return rank.copying; });
    return problem_.ranks * costs_.call() + messages * mean_fixed() + bytes * mean_byte() + copying;
  }

  /// By the first rank alone.
  bool may_run_ahead() const { return rank_costs_.front().sends == 0 || rank_costs_.front().receives == 0; }
  /// See Sums::runs_ahead: one end of the flow only sends, the other only receives.
  bool runs_ahead() const {
    if (!may_run_ahead()) return false;
    bool begins = false;
    bool ends = false;
    for (const RankCost& rank : rank_costs_) {
      if (rank.long_messages > 0 || rank.repeats_peers) return false;
      begins = begins || (rank.receives == 0 && rank.sends > 0);
      ends = ends || (rank.sends == 0 && rank.receives > 0);
    }
    return begins && ends;
  }

  /// Estimates the chain of ranks that run ahead. A rank that passes to m others what has come is followed by m turns
  /// in a binomial tree, and by one if these are leaves. Its program does not tell which, so that something in between
  /// is taken.
  void find_chain(Sums& sums) const {
    for (const RankCost& rank : rank_costs_) {
      if (rank.receives > 0) sums.turns = std::max(sums.turns, rank.turns + ceil_log2(rank.sends_at_end + 1));
    }
  }

  /// Whether the first rank alone sends to all others, or receives from all, which so wait for nobody else.
  bool is_star() const {
    const RankCost& center = rank_costs_.front();
    const bool is_end = center.sends == 0 || center.receives == 0;
    if (!is_end || center.repeats_peers || center.sends + center.receives < problem_.ranks - 1) return false;
    return std::all_of(rank_costs_.begin() + 1, rank_costs_.end(), [&](const RankCost& rank) {
      return !rank.repeats_peers && (center.sends > 0 ? rank.sends : rank.receives) == 0 && rank.long_messages == 0;
    });
  }

  RecordingContext& context_;
  const LevelCosts& costs_;
  int cores_;
  const Choice& choice_;
  const Problem& problem_;
  double element_size_;
  std::vector<int> ranks_;
  std::vector<RankCost> rank_costs_;
};

/// No more than what is estimated, from the claims alone.
Sums least_sums(const LevelCosts& costs, int cores, const Claims& claims, const Problem& problem,
                std::int64_t element_size) {
  if (!has_no_empty_blocks(problem)) return {.ranks = problem.ranks};
  const double long_byte = least_byte(costs, problem.collective) / (problem.ranks > cores ? 1 : 2);
  const double byte = std::min(2 * least_of(costs, &MachineCosts::short_byte), long_byte);
  const double overhead = least_of(costs, &MachineCosts::overhead);
  return {.ranks = problem.ranks,
          .work = problem.ranks * costs.call() + static_cast<double>(claims.messages) * 2 * overhead +
                  static_cast<double>(claims.elements) * static_cast<double>(element_size) * byte,
          .turns = is_one_way(problem.collective) ? 0 : 1};
}

}  // namespace

Claims claims_or_traffic(const Choice& choice, const Problem& problem, const Layout& layout) {
  return choice.algorithm->claims ? choice.claims(problem, layout) : traffic_of(record_all(choice, problem, layout));
}

double estimated_seconds(RecordingContext& context, const LevelCosts& costs, int cores, const Choice& choice,
                         const Problem& problem, std::int64_t element_size, Calls calls, double limit) {
  const Claims claims = claims_or_traffic(choice, problem, costs.layout());
  if (claims.messages == 0) return 0;  // one rank, too
  if (moves_nothing(problem))
    return seconds_of({.ranks = problem.ranks, .work = problem.ranks * costs.call()}, costs.inside(), cores);
  const int first = representatives(problem, costs.layout()).front();
  NodeLink link(context, costs, choice, problem, static_cast<double>(element_size), first);
  const Sums least = least_sums(costs, cores, claims, problem, element_size);
  if (limit < no_limit && messages_exceed(limit, link, claims, least, costs, cores)) return no_limit;
  return Estimate(context, costs, cores, choice, problem, element_size).seconds(claims, calls, link, least, limit);
}

double least_seconds(const LevelCosts& costs, int cores, const Claims& claims, const Problem& problem,
                     std::int64_t element_size) {
  if (claims.messages == 0 || !has_no_empty_blocks(problem)) return 0;
  return seconds_of(least_sums(costs, cores, claims, problem, element_size), costs.inside(), cores);
}

}  // namespace tutti
