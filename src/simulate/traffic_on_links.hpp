/// @file
/// What links carry: at the moment, and over the whole run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulate/simulate.hpp"

namespace tutti {

/// Counts the messages on each link. One record of 16 bytes a link, so that a million ranks of a hypercube fit;
/// networks whose pairs have links of their own need no records, unless two messages of a pair are under way at once:
/// then the links that carry anything get one.
class LinkTraffic {
 public:
  /// `pairs_repeat`: whether a pair may have several messages under way at a time. `adaptive`: whether ways are chosen
  /// by load.
  LinkTraffic(const Topology& topology, bool pairs_repeat, bool adaptive);

  /// Whether messages can meet on links at all.
  bool shared() const { return sparse_ || !records_.empty(); }
  /// One more than the greatest number that a link has here.
  LinkId links() const { return static_cast<LinkId>(records_.size()); }

  /// Appends the way of a message, chosen as `routing` says, by the numbers that links have here: those of the network,
  /// unless links are recorded one by one. From then on the message is expected on these links.
  void choose_route(Routing routing, int from, int to, std::vector<LinkId>& path);
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
  /// The links that have carried anything, in order.
  std::vector<LinkLoad> loads() const;

 private:
  struct Record {
    std::int64_t bytes = 0;
    std::int32_t now = 0;
  };
  Record& record(LinkId link) { return records_[static_cast<std::size_t>(link)]; }
  const Record& record(LinkId link) const { return records_[static_cast<std::size_t>(link)]; }

  void number(LinkId& link);
  LinkId network_number(std::size_t record) const;
  LinkId least_loaded(int at, int to);

  static constexpr LinkId most_sparse = LinkId{1} << 24;

  const Topology& topology_;
  const bool sparse_;
  std::vector<Record> records_;
  std::vector<std::int32_t> expected_;          // by link, where ways are chosen by load
  std::unordered_map<LinkId, LinkId> numbers_;  // sparse: of the links that have a record
  std::vector<LinkId> network_numbers_;         // sparse: by record
  std::vector<LinkId> choices_;
  int most_shared_ = 0;
};

/// Whether messages of one pair of ranks can be under way at the same time.
bool pairs_repeat(const Workload& workload, const Machine& machine);

}  // namespace tutti
