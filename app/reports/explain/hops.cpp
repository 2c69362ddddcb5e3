#include "app/reports/explain/hops.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace tutti::app {

std::optional<HopCounts> hops_of(const Topology& topology) {
  constexpr int most_ranks = 512;
  const int p = topology.ranks();
  if (p < 2 || p > most_ranks) return std::nullopt;
  HopCounts hops;
  for (int from = 0; from < p; ++from) {
    for (int to = 0; to < p; ++to) {
      if (from == to) continue;
      const std::size_t links = route_of(topology, from, to).size();
      if (hops.messages.size() <= links) hops.messages.resize(links + 1);
      ++hops.messages[links];
      hops.total += static_cast<std::int64_t>(links);
    }
  }
  hops.mean = static_cast<double>(hops.total) / p / (p - 1);
  // A message to the rank d places on crosses d links, for d from 1 to p - 1.
  if (topology.name().starts_with("ring:")) hops.mean_one_way = p / 2.0;
  return hops;
}

std::string in_words(const HopCounts& hops) {
  constexpr std::size_t most_listed = 8;
  std::string words;
  std::size_t listed = 0;
  for (std::size_t links = 0; links < hops.messages.size(); ++links) {
    if (hops.messages[links] == 0) continue;
    if (++listed > most_listed && links + 1 < hops.messages.size()) continue;
    const char* const gap = listed == 1 ? "" : listed > most_listed + 1 ? ", …, " : ", ";
    words += listed == 1 ? fmt::format("{} messages over {} link{}", hops.messages[links], links, links == 1 ? "" : "s")
                         : fmt::format("{}{} over {}", gap, hops.messages[links], links);
  }
  words += fmt::format(": {} links in all, {:.4g} on average", hops.total, hops.mean);
  return hops.mean_one_way ? words + fmt::format("; {:.4g} if all go one way round", *hops.mean_one_way) : words;
}

Json json_of(const HopCounts& hops) {
  Json fields{{"messages", hops.messages}, {"total", hops.total}, {"mean", hops.mean}, {"mean_one_way", nullptr}};
  if (hops.mean_one_way) fields["mean_one_way"] = *hops.mean_one_way;
  return fields;
}

}  // namespace tutti::app
