/// @file
/// The flows engine: every rank at its own pace, messages as fluid.
///
/// A message waits its latency (ts, and th for each hop), then flows over its links: over all of them at once at the
/// rate of the tightest, or, stored and forwarded whole, over one after the other. Messages on a link share it max-min
/// fairly (fair_shares.hpp). A link that takes no time holds nobody up: messages cross it together, and share nothing.
///
/// Order matters: the first of two events decides what competes for ports and links afterwards, so times are kept to 32
/// digits (precise.hpp). A message that is late by a rounding makes others late, and along a chain of shared links the
/// error grows by a constant factor a link, until the order of events is no longer that of the exact times. Ranks
/// compare the numbers of instants, not times.

#include <algorithm>
#include <utility>

#include "simulate/engines.hpp"
#include "simulate/flows/fair_shares.hpp"
#include "simulate/flows/flights.hpp"
#include "simulate/log.hpp"
#include "simulate/traffic_on_links.hpp"

namespace tutti {
namespace {

class FlowEngine {
 public:
  FlowEngine(Workload& workload, const Topology& topology, const Machine& machine, const SimulationOptions& options)
      : machine_(machine),
        options_(options),
        forwards_(machine.switching == Switching::store_and_forward && machine.packet == 0),
        shuffle_(options),
        ranks_(workload, machine.ports, options.eager),
        traffic_(workload, topology, machine, options),
        shares_([this](LinkId link) { return traffic_.link_time(link); }),
        telling_(options, workload.messages()) {
    result_.finished.resize(static_cast<std::size_t>(workload.ranks()));
    for (int rank = 0; rank < workload.ranks(); ++rank) {
      const double start = options.skew.empty() ? 0 : options.skew[static_cast<std::size_t>(rank)].start;
      calendar_.add(start, {Event::Kind::wake, static_cast<std::uint32_t>(rank), 0});
    }
    for (const Release& release : options.releases) {
      const std::uint64_t send = send_of(workload, release);
      ranks_.hold(send);
      log_.note_release(send, release.start);
      calendar_.add(release.start, {Event::Kind::release, static_cast<std::uint32_t>(released_sends_.size()), 0});
      released_sends_.push_back(send);
    }
    if (options.timeline) ranks_.note_taken(taken_);
    if (options.most_work) ranks_.limit_looks(*options.most_work / work_of_a_look);
    add_background();
  }

  Simulation run() {
    std::vector<Event> events;
    while (!calendar_.empty()) {
      now_ = calendar_.take(events);
      ++instant_;
      given_up_ = !is_over() && is_given_up();
      if (given_up_) break;
      if (options_.timeline) log_.note_instant(time());
      pass_instant(events);
    }
    result_.work = work();
    result_.is_whole = !given_up_;
    if (!result_.is_whole) return std::move(result_);
    refuse_stall(ranks_);
    result_.rounds = ranks_.longest_chain();
    result_.seconds = *std::max_element(result_.finished.begin(), result_.finished.end());
    result_.most_shared = shares_.most_shared();
    shares_.cover(traffic_.links());
    for (LinkId link = 0; link < traffic_.links(); ++link) traffic_.carry(link, shares_.carried(link));
    result_.busiest = traffic_.busiest();
    if (options_.timeline) {
      result_.loads = traffic_.loads();
      log_.give(result_);
    }
    return std::move(result_);
  }

 private:
  // Endless flows, over all links of their ways at once.
  void add_background() {
    for (std::vector<LinkId>& way : traffic_.background()) {
      const std::uint32_t id = flights_.add();
      flights_[id].path = std::move(way);
      flights_[id].background = true;
      shares_.cover(traffic_.links());
      shares_.join(id, flights_[id].path, 0);
    }
  }

  double time() const { return static_cast<double>(now_); }

  // The calendar then still has arrivals of messages that have become faster since.
  bool is_over() const { return over_ == result_.finished.size(); }

  bool is_given_up() const {
    return (options_.most_work && work() > *options_.most_work) || (options_.until && time() > *options_.until);
  }

  // A message costs as much as some looks at links.
  std::int64_t work() const { return begun_ * work_of_a_message + ranks_.looks() * work_of_a_look + shares_.work(); }

  // Messages that leave links go first, then those that enter them, then the ranks move on: the order among equals has
  // no effect.
  void pass_instant(std::vector<Event>& events) {
    shuffle_(events);
    for (const Event& event : events) {
      if (event.kind == Event::Kind::arrive) arrive(event);
      if (event.kind == Event::Kind::wake) entering_.push_back(static_cast<int>(event.subject));
      if (event.kind == Event::Kind::transfer) transferring_.push_back(event.subject);
    }
    // A transfer that takes no time is followed by that over the next link.
    for (std::size_t k = 0; k < transferring_.size(); ++k) transfer(transferring_[k]);
    transferring_.clear();
    for (const int rank : done_) pause(rank);
    done_.clear();
    shuffle_(entering_);
    for (const int rank : entering_) enter(rank);
    entering_.clear();
    for (const Event& event : events) {
      if (event.kind == Event::Kind::release)
        ranks_.release(released_sends_[event.subject], static_cast<double>(instant_));
    }
    start_messages();
    update_rates();
    flights_.free_ended();
  }

  // After a step the rank combines, then comes to the next one.
  void pause(int rank) {
    const double combining = combine(rank);
    if (combining > 0) {
      calendar_.add(now_ + combining, {Event::Kind::wake, static_cast<std::uint32_t>(rank), 0});
    } else {
      entering_.push_back(rank);
    }
  }

  // Seconds in which the rank combines what its step brought.
  double combine(int rank) {
    const double time = combining_time(machine_, options_, rank, ranks_.combined_bytes(rank));
    if (options_.timeline) log_.add_combination(rank, this->time(), this->time() + time);
    return time;
  }

  void end(int rank) {
    result_.finished[static_cast<std::size_t>(rank)] = time();
    ++over_;
  }

  void enter(int rank) {
    for (;;) {
      const Ranks::Entry entry = ranks_.enter(rank, instant_);
      if (entry == Ranks::Entry::finished) end(rank);
      if (options_.timeline && entry != Ranks::Entry::finished) log_.enter(rank, ranks_.phase(rank), time());
      if (entry != Ranks::Entry::local) return;
      const double combining = combine(rank);
      if (combining == 0) continue;
      return calendar_.add(now_ + combining, {Event::Kind::wake, static_cast<std::uint32_t>(rank), 0});
    }
  }

  void start_messages() {
    started_.clear();
    ranks_.start(started_);
    if (started_.empty()) return;
    if (looks_at_load(options_.routing) || options_.timeline) {
      std::sort(started_.begin(), started_.end(),
                [](const MessageMeeting& a, const MessageMeeting& b) { return a.send < b.send; });
    }
    for (const MessageMeeting& meeting : started_) begin(meeting);
  }

  void begin(const MessageMeeting& meeting) {
    const std::uint32_t id = flights_.add();
    Flight& flight = flights_[id];
    ++begun_;
    flight.meeting = meeting;
    flight.begun = time();
    const std::int64_t bytes = meeting.bytes;
    const PathCost cost = traffic_.choose_route(meeting, flight.path);
    if (traffic_.shared() && bytes > 0) {
      calendar_.add(now_ + cost.latency, {Event::Kind::transfer, id, 0});
    } else {
      calendar_.add(now_ + cost.latency + Precise(static_cast<double>(bytes)) * cost.per_byte,
                    {Event::Kind::arrive, id, flight.version});
      flight.alone = true;
    }
  }

  // The links that the flight is on while it flows.
  std::span<const LinkId> links_of(const Flight& flight) const {
    const std::span<const LinkId> path(flight.path);
    if (!forwards_) return path;
    // A rank's way out is taken along with the first link, its way in with the last.
    const std::size_t ends = traffic_.ends();
    const std::size_t first = flight.hop == 0 ? 0 : flight.hop + ends;
    const std::size_t last = flight.hop + 1 == hops(flight) ? path.size() : flight.hop + ends + 1;
    return path.subspan(first, last - first);
  }

  std::size_t hops(const Flight& flight) const { return flight.path.size() - 2 * traffic_.ends(); }

  void transfer(std::uint32_t id) {
    Flight& flight = flights_[id];
    flight.remaining = static_cast<double>(flight.meeting.bytes);
    flight.rate = 0;
    flight.since = now_;
    shares_.cover(traffic_.links());
    flight.flows = shares_.join(id, links_of(flight), flight.meeting.bytes);
    if (!flight.flows) leave_links(id);
  }

  void update_rates() {
    changed_.clear();
    shares_.update(changed_);
    for (const std::uint32_t id : changed_) {
      Flight& flight = flights_[id];
      if (flight.background) continue;
      if (flight.since != now_) {
        flight.remaining = std::max(Precise(0), flight.remaining - flight.rate * (now_ - flight.since));
        flight.since = now_;
      }
      flight.rate = shares_.rate(id);
      ++flight.version;
      calendar_.add(now_ + shares_.time_for(id, flight.remaining), {Event::Kind::arrive, id, flight.version});
    }
  }

  void arrive(const Event& event) {
    Flight& flight = flights_[event.subject];
    if (event.version != flight.version) return;
    if (!flight.alone) return leave_links(event.subject);
    traffic_.pass(flight.path);
    finish(event.subject);
  }

  // The flight has crossed the links that it was on; stored and forwarded, it comes to the next one.
  void leave_links(std::uint32_t id) {
    Flight& flight = flights_[id];
    traffic_.pass(links_of(flight));
    if (flight.flows) shares_.leave(id);
    flight.flows = false;
    ++flight.version;
    if (forwards_ && ++flight.hop < hops(flight)) return transferring_.push_back(id);
    finish(id);
  }

  void finish(std::uint32_t id) {
    Flight& flight = flights_[id];
    if (options_.timeline) log_.add(flight.meeting, ranks_, flight.begun, time());
    ranks_.complete(flight.meeting, done_);
    if (options_.timeline) {
      log_.release(taken_, time());
      taken_.clear();
    }
    ++flight.version;
    flights_.end(id);
    telling_.pass();
  }

  const Machine& machine_;
  const SimulationOptions& options_;
  const bool forwards_;
  Shuffle shuffle_;
  Ranks ranks_;
  LinkTraffic traffic_;
  FairShares shares_;
  Telling telling_;
  Calendar<Event> calendar_;
  Precise now_;
  double instant_ = 0;      // its number
  std::int64_t begun_ = 0;  // messages
  std::size_t over_ = 0;    // ranks that are done
  bool given_up_ = false;
  Flights flights_;
  std::vector<std::uint32_t> transferring_;
  std::vector<int> done_;
  std::vector<int> entering_;
  std::vector<MessageMeeting> started_;
  std::vector<FairShares::Flow> changed_;
  Log log_;
  std::vector<std::uint64_t> taken_;
  std::vector<std::uint64_t> released_sends_;
  Simulation result_;
};

}  // namespace

Simulation simulate_flows(Workload& workload, const Topology& topology, const Machine& machine,
                          const SimulationOptions& options) {
  return FlowEngine(workload, topology, machine, options).run();
}

}  // namespace tutti
