/// @file
/// The rounds engine: the textbook's own way to count.
///
/// In each round every message is under way that can be: both sides have come to it and neither port is taken. All of
/// them end before the next round begins. A message takes, with k the number of messages on a link in this round,
///
///     store-and-forward  ts + sum over links of m tw k        cut-through  ts + l th + m max(tw k)
///     alpha-beta         ts + m max(tw k)
///
/// and a round as long as its longest message and, after it, its longest combination.

#include <algorithm>

#include "simulate/engines.hpp"
#include "simulate/log.hpp"
#include "simulate/meeting.hpp"
#include "simulate/traffic_on_links.hpp"

namespace tutti {
namespace {

class RoundEngine {
 public:
  RoundEngine(Workload& workload, const Topology& topology, const Machine& machine, const SimulationOptions& options)
      : machine_(machine),
        options_(options),
        shuffle_(options),
        ranks_(workload, machine.ports, options.eager),
        traffic_(workload, topology, machine, options),
        telling_(options, workload.messages()) {
    for (const std::vector<LinkId>& way : traffic_.background()) {
      for (const LinkId link : way) traffic_.enter(link, 0);
    }
    result_.finished.resize(static_cast<std::size_t>(workload.ranks()));
    for (int rank = 0; rank < workload.ranks(); ++rank) entering_.push_back(rank);
    if (options.timeline) ranks_.note_taken(taken_);
  }

  Simulation run() {
    for (;;) {
      now_ += enter_all();
      messages_.clear();
      ranks_.start(messages_);
      if (messages_.empty()) break;
      // Ways are chosen one after the other where they depend on one another.
      if (looks_at_load(options_.routing) || options_.timeline) {
        std::sort(messages_.begin(), messages_.end(),
                  [](const MessageMeeting& a, const MessageMeeting& b) { return a.send < b.send; });
      }
      pass_round();
    }
    refuse_stall(ranks_);
    result_.seconds = now_;
    result_.most_shared = traffic_.most_shared();
    result_.busiest = traffic_.busiest();
    if (options_.timeline) {
      result_.loads = traffic_.loads();
      log_.give(result_);
    }
    return std::move(result_);
  }

 private:
  // Ranks enter their next steps; returns what they combined at most, in the step that they leave and in local ones.
  double enter_all() {
    double longest = 0;
    shuffle_(entering_);
    for (const int rank : entering_) {
      double local = combine(rank, 0);
      Ranks::Entry entry = enter(rank, local);
      for (; entry == Ranks::Entry::local; entry = enter(rank, local)) local += combine(rank, local);
      longest = std::max(longest, local);
      if (entry == Ranks::Entry::finished) result_.finished[static_cast<std::size_t>(rank)] = now_ + local;
    }
    entering_.clear();
    return longest;
  }

  // The rank comes to its next step, `after` the round's end.
  Ranks::Entry enter(int rank, double after) {
    const Ranks::Entry entry = ranks_.enter(rank, now_);
    if (options_.timeline && entry != Ranks::Entry::finished) log_.enter(rank, ranks_.phase(rank), now_ + after);
    return entry;
  }

  // Seconds in which the rank combines what the step brought, `before` after the round's end.
  double combine(int rank, double before) {
    const double time = combining_time(machine_, options_, rank, ranks_.combined_bytes(rank));
    if (options_.timeline) log_.add_combination(rank, now_ + before, now_ + before + time);
    return time;
  }

  void pass_round() {
    ++result_.rounds;
    paths_.clear();
    ends_.clear();
    costs_.clear();
    for (const MessageMeeting& message : messages_) {
      costs_.push_back(traffic_.choose_route(message, paths_));
      const std::size_t begin = ends_.empty() ? 0 : ends_.back();
      ends_.push_back(paths_.size());
      if (!traffic_.shared()) continue;
      for (std::size_t k = begin; k < paths_.size(); ++k) traffic_.enter(paths_[k], message.bytes);
    }
    double longest = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const double time = message_time(i);
      longest = std::max(longest, time);
      if (options_.timeline) log_.add(messages_[i], ranks_, now_, now_ + time);
    }
    if (traffic_.shared()) {
      for (const LinkId link : paths_) traffic_.leave(link);
      traffic_.pass(paths_);
    }
    now_ += longest;
    for (const MessageMeeting& message : messages_) {
      ranks_.complete(message, entering_);
      telling_.pass();
    }
    if (!options_.timeline) return;
    log_.release(taken_, now_);
    taken_.clear();
  }

  std::span<const LinkId> path(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {paths_.data() + begin, ends_[i] - begin};
  }

  double message_time(std::size_t i) const {
    double per_byte = costs_[i].per_byte;
    if (traffic_.shared()) {
      const std::span<const LinkId> links = path(i);
      const std::size_t ends = traffic_.ends();
      const bool adds = machine_.switching == Switching::store_and_forward && machine_.packet == 0;
      const auto time = [&](std::size_t k) { return traffic_.link_time(links[k]) * traffic_.carried_now(links[k]); };
      per_byte = 0;
      for (std::size_t k = ends; k + ends < links.size(); ++k) {
        double each = time(k);
        // A rank's way out is taken along with the first link, its way in with the last.
        if (ends > 0 && k == ends) each = std::max(each, time(0));
        if (ends > 0 && k + ends + 1 == links.size()) each = std::max(each, time(links.size() - 1));
        per_byte = adds ? per_byte + each : std::max(per_byte, each);
      }
    }
    return costs_[i].latency + static_cast<double>(messages_[i].bytes) * per_byte;
  }

  const Machine& machine_;
  const SimulationOptions& options_;
  Shuffle shuffle_;
  Ranks ranks_;
  LinkTraffic traffic_;
  Telling telling_;
  double now_ = 0;
  std::vector<int> entering_;
  std::vector<MessageMeeting> messages_;
  std::vector<LinkId> paths_;      // paths of all messages of the round, one after the other
  std::vector<std::size_t> ends_;  // end of each path
  std::vector<PathCost> costs_;    // cost of each path without other messages
  Log log_;
  std::vector<std::uint64_t> taken_;
  Simulation result_;
};

}  // namespace

Simulation simulate_rounds(Workload& workload, const Topology& topology, const Machine& machine,
                           const SimulationOptions& options) {
  return RoundEngine(workload, topology, machine, options).run();
}

}  // namespace tutti
