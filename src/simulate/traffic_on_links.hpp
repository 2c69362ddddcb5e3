/// @file
/// Traffic on the links of a simulated network: the ways of messages, those at the moment, bytes over the whole run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulate/meeting.hpp"
#include "simulate/simulation.hpp"
#include "simulate/workload.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Whether messages may take longer ways than the shortest.
bool leaves_shortest(Routing routing);
/// Whether a message's way depends on what links carry when it begins.
bool looks_at_load(Routing routing);

/// Finds ways by a hash: the same seed gives the same ways, in whatever order messages begin. Keeps a reference to the
/// network.
class HashedWays {
 public:
  HashedWays(const Topology& topology, unsigned seed) : topology_(topology), seed_(seed) {}

  /// Appends one of the shortest ways, equal for all messages of the pair: at each node the hash of the pair and the
  /// node chooses among the links that come nearer. Source: C. Hopps, Analysis of an Equal-Cost Multi-Path Algorithm,
  /// RFC 2992, 2000.
  void append_hashed(int from, int to, std::vector<LinkId>& path);
  /// Over a rank that the hash of the message's number chooses among all, by the network's own routes there and on from
  /// there. Where that rank hangs on a switch, the message turns at the switch.
  /// Source: L. G. Valiant, A Scheme for Fast Parallel Communication, SIAM J. Comput. 11(2), 1982.
  void append_detour(int from, int to, std::uint64_t message, std::vector<LinkId>& path) const;
  /// The way that `routing` says, of those that look at no load.
  void append(Routing routing, int from, int to, std::uint64_t message, std::vector<LinkId>& path);

 private:
  const Topology& topology_;
  std::uint64_t seed_;
  std::vector<LinkId> choices_;
};

/// Two different ranks for each of so many endless messages, by a hash of the seed.
std::vector<std::pair<int, int>> random_pairs(const Background& background, int ranks);

/// Traffic on each link of a network. A link has one record of 16 bytes, so that a million ranks of a hypercube fit.
/// Networks whose pairs have links of their own need no records, unless messages meet there all the same, because a
/// pair has several under way, or ways are longer than need be: then the links that carry anything get one.
///
/// If ranks have a limit of their own (SimulationOptions::injection), a rank's way
/// out and its way in are links, too, numbered after those of the network: the first and the last of every way.
class LinkTraffic {
 public:
  /// Keeps references to all of them.
  LinkTraffic(const Workload& workload, const Topology& topology, const Machine& machine,
              const SimulationOptions& options);

  /// Whether messages can meet on links at all.
  bool shared() const { return sparse_ || !records_.empty(); }
  /// One more than the greatest number that a link has here.
  LinkId links() const { return static_cast<LinkId>(records_.size()); }
  /// Returns how many links of a way stand before those of the network, and as many after them.
  std::size_t ends() const { return options_.injection > 0 ? 1 : 0; }
  /// Seconds that a byte takes over the link.
  double link_time(LinkId link) const;

  /// Appends the way of a message, by the numbers that links have here: those of the network, unless links are recorded
  /// one by one. `own` gets what it costs by itself. From then on the message is expected on these links.
  PathCost choose_route(const MessageMeeting& message, std::vector<LinkId>& path);
  /// The ways of background traffic, one for each of its messages.
  std::vector<std::vector<LinkId>> background();
  /// The message that was expected on the links has passed them.
  void pass(std::span<const LinkId> links) {
    if (expected_.empty()) return;
    for (const LinkId link : links) --expected_[static_cast<std::size_t>(link)];
  }

  int carried_now(LinkId link) const { return record(link).now; }
  void enter(LinkId link, std::int64_t bytes);
  void leave(LinkId link) { --record(link).now; }
  /// The bytes have crossed the link, whoever counted its messages.
  void carry(LinkId link, std::int64_t bytes) { record(link).bytes += bytes; }

  int most_shared() const { return most_shared_; }
  std::optional<LinkLoad> busiest() const;
  /// The links of the network that have carried anything, in order.
  std::vector<LinkLoad> loads() const;

 private:
  struct Record {
    std::int64_t bytes = 0;
    std::int32_t now = 0;
  };
  Record& record(LinkId link) { return records_[static_cast<std::size_t>(link)]; }
  const Record& record(LinkId link) const { return records_[static_cast<std::size_t>(link)]; }

  void number(LinkId& link);
  LinkId network_number(LinkId record) const;
  LinkId least_loaded(int at, int to);
  void append_adaptive(const MessageMeeting& message, std::vector<LinkId>& path);
  std::int64_t load_of(std::span<const LinkId> path) const;
  void append_way(const MessageMeeting& message, std::vector<LinkId>& path);

  static constexpr LinkId most_sparse = LinkId{1} << 24;

  const Topology& topology_;
  const Machine& machine_;
  const SimulationOptions& options_;
  const bool sparse_;
  HashedWays ways_;
  std::vector<Record> records_;
  std::vector<std::int32_t> expected_;          // by link, where ways are chosen by load
  std::unordered_map<LinkId, LinkId> numbers_;  // sparse: of the links that have a record
  std::vector<LinkId> network_numbers_;         // sparse: by record
  std::vector<LinkId> choices_;
  std::vector<LinkId> detour_;
  int most_shared_ = 0;
};

/// Whether messages of one pair of ranks can be under way at the same time.
bool pairs_repeat(const Workload& workload, const Machine& machine);

}  // namespace tutti
