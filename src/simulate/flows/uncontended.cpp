/// @file
/// The flows engine's short cut: where no message ever waits for a port or shares a link.
///
/// Then a message's time depends on its two ranks alone, and no calendar is needed: a rank goes on as soon as its step
/// is complete, whatever the time is elsewhere. Neighbouring ranks meet first and go deep before others begin, so the
/// working set stays in the caches, where the calendar would sweep a million ranks an instant.
///
/// The time of a sender whose message waits for the receiver's chain depends on other ranks, too: the full engine's.
///
/// Whether links are shared shows only while the times are found: each link remembers the span of time in which it was
/// used, and the first message that falls into it ends the attempt. The full engine then begins anew.

#include <algorithm>

#include "simulate/engines.hpp"
#include "simulate/log.hpp"
#include "simulate/traffic_on_links.hpp"

namespace tutti {
namespace {

class Uncontended {
 public:
  Uncontended(Workload& workload, const Topology& topology, const Machine& machine, const SimulationOptions& options)
      : topology_(topology),
        machine_(machine),
        options_(options),
        forwards_(machine.switching == Switching::store_and_forward && machine.packet == 0),
        ranks_(workload, machine.ports, options.eager),
        ways_(topology, options.routing_seed),
        clocks_(static_cast<std::size_t>(workload.ranks())) {
    if (!topology.dedicated()) links_.resize(static_cast<std::size_t>(topology.links()));
    for (int rank = workload.ranks(); rank-- > 0;) {
      clock(rank) = options.skew.empty() ? 0 : options.skew[static_cast<std::size_t>(rank)].start;
      ready_.push_back(rank);
    }
    Shuffle shuffle(options);
    shuffle(ready_);
  }

  std::optional<Simulation> run() {
    while (!ready_.empty()) {
      const int rank = ready_.back();
      ready_.pop_back();
      enter(rank);
      started_.clear();
      ranks_.start(started_);
      for (const MessageMeeting& meeting : started_) {
        if (!pass(meeting)) return std::nullopt;
        if (is_late_) return Simulation{.is_whole = false};
      }
    }
    refuse_stall(ranks_);
    finish();
    return std::move(result_);
  }

 private:
  struct Use {
    double first = 0;
    double last = -1;
    std::int64_t bytes = 0;
  };

  // When the rank came to its step; then when the last of its messages so far ended.
  double& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  // After the step the rank combines what it received.
  void end_step(int rank) {
    const double begin = clock(rank);
    clock(rank) += combining_time(machine_, options_, rank, ranks_.combined_bytes(rank));
    if (options_.timeline) log_.add_combination(rank, begin, clock(rank));
  }

  void enter(int rank) {
    for (;;) {
      const Ranks::Entry entry = ranks_.enter(rank, clock(rank));
      if (options_.timeline && entry != Ranks::Entry::finished) log_.enter(rank, ranks_.phase(rank), clock(rank));
      if (entry != Ranks::Entry::local) return;
      end_step(rank);
    }
  }

  // The message passes; false where it meets another on a link.
  bool pass(const MessageMeeting& meeting) {
    const double begin = std::max(ranks_.entered(meeting.from), ranks_.entered(meeting.to));
    const std::int64_t bytes = meeting.bytes;
    path_.clear();
    ways_.append(options_.routing, meeting.from, meeting.to, meeting.send, path_);
    const PathCost cost = path_cost(machine_, topology_, path_, bytes);
    const double end = begin + cost.latency + static_cast<double>(bytes) * cost.per_byte;
    if (!links_.empty() && !use_links(begin + cost.latency, end, bytes)) return false;

    is_late_ = options_.until && end > *options_.until;
    for (const int rank : {meeting.from, meeting.to}) clock(rank) = std::max(clock(rank), end);
    if (options_.timeline) log_.add(meeting, ranks_, begin, end);
    done_.clear();
    ranks_.complete(meeting, done_);
    for (const int rank : done_) {
      end_step(rank);
      ready_.push_back(rank);
    }
    return true;
  }

  // Marks the message's links as used from `begin` to `end`, one after the other where they are stored and forwarded.
  bool use_links(double begin, double end, std::int64_t bytes) {
    const double slack = end * 1e-12;
    for (const LinkId link : path_) {
      double until = end;
      if (forwards_) until = begin + static_cast<double>(bytes) * link_time(machine_, topology_, link);
      Use& use = links_[static_cast<std::size_t>(link)];
      const bool apart = use.last < use.first || begin >= use.last - slack || until <= use.first + slack;
      if (!apart && bytes > 0) return false;
      use.first = use.last < use.first ? begin : std::min(use.first, begin);
      use.last = std::max(use.last, until);
      use.bytes += bytes;
      if (forwards_) begin = until;
    }
    return true;
  }

  void finish() {
    result_.rounds = ranks_.longest_chain();
    result_.seconds = *std::max_element(clocks_.begin(), clocks_.end());
    result_.finished = std::move(clocks_);
    const auto busiest =
        std::max_element(links_.begin(), links_.end(), [](const Use& a, const Use& b) { return a.bytes < b.bytes; });
    if (busiest != links_.end() && busiest->bytes > 0)
      result_.busiest = LinkLoad{busiest - links_.begin(), busiest->bytes};
    for (std::size_t link = 0; options_.timeline && link < links_.size(); ++link) {
      if (links_[link].bytes > 0) result_.loads.push_back({static_cast<LinkId>(link), links_[link].bytes});
    }
    log_.give(result_);
  }

  const Topology& topology_;
  const Machine& machine_;
  const SimulationOptions& options_;
  const bool forwards_;
  Ranks ranks_;
  HashedWays ways_;
  std::vector<double> clocks_;
  std::vector<Use> links_;  // empty where links are never shared
  std::vector<int> ready_;  // a stack: the rank that was completed last goes on first
  std::vector<int> done_;
  std::vector<MessageMeeting> started_;
  std::vector<LinkId> path_;
  bool is_late_ = false;  // beyond the time at which the simulation is given up
  Log log_;
  Simulation result_;
};

}  // namespace

std::optional<Simulation> simulate_uncontended(Workload& workload, const Topology& topology, const Machine& machine,
                                               const SimulationOptions& options) {
  const bool ports_free = workload.one_ported() || machine.ports == Ports::multiple;
  if (!ports_free || workload.has_chains() || looks_at_load(options.routing) || options.eager) return std::nullopt;
  if (options.injection > 0 || options.background.messages > 0) return std::nullopt;
  if (topology.dedicated() && (pairs_repeat(workload, machine) || leaves_shortest(options.routing)))
    return std::nullopt;
  std::optional<Simulation> result = Uncontended(workload, topology, machine, options).run();
  if (!result) workload.forget_meetings();
  return result;
}

}  // namespace tutti
