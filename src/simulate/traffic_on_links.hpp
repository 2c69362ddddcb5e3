/// @file
/// What links carry: at the moment, and over the whole run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulate/simulate.hpp"

namespace tutti {

/// Counts the messages on each link. One record of 16 bytes a link, so that a million ranks of a hypercube fit;
/// networks whose pairs have links of their own need no records.
class LinkTraffic {
 public:
  explicit LinkTraffic(const Topology& topology);

  /// Whether messages can meet on links at all.
  bool shared() const { return !records_.empty(); }

  int carried_now(LinkId link) const { return record(link).now; }
  /// Returns how many messages the link carries now.
  int enter(LinkId link, std::int64_t bytes);
  void leave(LinkId link) { --record(link).now; }

  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  /// The message that entered the link last, if it is still there; the engine keeps it.
  std::uint32_t& holder(LinkId link) { return record(link).holder; }

  int most_shared() const { return most_shared_; }
  std::optional<LinkLoad> busiest() const;
  /// The links that have carried anything, in order.
  std::vector<LinkLoad> loads() const;

 private:
  struct Record {
    std::int64_t bytes = 0;
    std::uint32_t holder = nobody;
    std::int32_t now = 0;
  };
  Record& record(LinkId link) { return records_[static_cast<std::size_t>(link)]; }
  const Record& record(LinkId link) const { return records_[static_cast<std::size_t>(link)]; }

  std::vector<Record> records_;
  int most_shared_ = 0;
};

/// Appends the way of a message, chosen as `routing` says.
void choose_route(const Topology& topology, Routing routing, const LinkTraffic& traffic, int from, int to,
                  std::vector<LinkId>& path);

}  // namespace tutti
