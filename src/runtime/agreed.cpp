#include "runtime/agreed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "base/one_line.hpp"
#include "predict/stored_profile.hpp"
#include "runtime/settings.hpp"

namespace tutti::runtime {
namespace {

constexpr MachineCosts Profile::*transports[] = {&Profile::threads, &Profile::processes, &Profile::mpi};

using Name = std::array<char, 256>;  // ends with a zero

Name name_of(std::string_view text) {
  Name name = {};
  std::copy_n(text.begin(), std::min(text.size(), name.size() - 1), name.begin());
  return name;
}

std::string text_of(const Name& name) { return {name.begin(), std::find(name.begin(), name.end() - 1, '\0')}; }

/// Numbers of ranks, both ends included; the largest stands for all.
struct RankInterval {
  std::int32_t least = 0;
  std::int32_t most = 0;
};

constexpr std::int32_t all_ranks = std::numeric_limits<std::int32_t>::max();

RankInterval packed(const Interval& interval) {
  return {static_cast<std::int32_t>(interval.least),
          static_cast<std::int32_t>(std::min<std::int64_t>(interval.most, all_ranks))};
}

Interval unpacked(const RankInterval& interval) {
  if (interval.most == all_ranks) return {.least = interval.least};
  return {interval.least, interval.most};
}

/// A rule whose algorithm is told by its place in the catalogue, which all ranks have alike.
struct PackedRule {
  std::uint32_t algorithm = 0;
  std::int32_t line = 0;
  std::int32_t segments = 0;
  std::array<std::int32_t, 2> grid = {};
  RankInterval ranks;
  RankInterval ranks_per_node;
  std::int64_t least_bytes = 0;
  std::int64_t most_bytes = 0;
};

PackedRule packed(const Rule& rule) {
  const auto catalogue = algorithms::catalogue();
  const auto place = std::find(catalogue.begin(), catalogue.end(), rule.algorithm) - catalogue.begin();
  PackedRule packed_rule{.algorithm = static_cast<std::uint32_t>(place),
                         .line = rule.line,
                         .segments = rule.parameters.segments,
                         .ranks = packed(rule.ranks),
                         .ranks_per_node = packed(rule.ranks_per_node),
                         .least_bytes = rule.bytes.least,
                         .most_bytes = rule.bytes.most};
  const Shape& grid = rule.parameters.grid;
  if (!grid.empty()) packed_rule.grid = {grid.extent(0), grid.extent(1)};
  return packed_rule;
}

Rule unpacked(const PackedRule& packed_rule) {
  Rule rule{.algorithm = algorithms::catalogue()[packed_rule.algorithm],
            .parameters = {.segments = packed_rule.segments, .grid = {}},
            .bytes = {packed_rule.least_bytes, packed_rule.most_bytes},
            .ranks = unpacked(packed_rule.ranks),
            .ranks_per_node = unpacked(packed_rule.ranks_per_node),
            .line = packed_rule.line};
  if (packed_rule.grid[0] > 0) rule.parameters.grid = Shape({packed_rule.grid[0], packed_rule.grid[1]});
  return rule;
}

/// All that rank 0 says, as bytes. What transports decide by themselves every rank knows.
struct Words {
  std::array<std::array<double, 10>, 3> costs = {};
  Name origin = {};  ///< of the costs; empty: nothing was proposed
  Name rules_file = {};
  std::array<PackedRule, Rules::most> rules = {};
  std::uint32_t rules_told = 0;
  Planning planning = Planning::estimate;
};
static_assert(sizeof(Words) <= sizeof(Proposal));

Words agreed_words(const World& world) {
  Words words;
  std::memcpy(&words, world.agreed().bytes.data(), sizeof(words));
  return words;
}

void complain(const std::string& complaint) {
  if (!complaint.empty()) fmt::print(stderr, "tutti: {}\n", one_line(complaint));
}

}  // namespace

Proposal propose() {
  const FoundProfile found = find_profile();
  complain(found.complaint);
  Words words{.origin = name_of(found.profile.origin), .planning = planning_in_environment()};
  for (std::size_t t = 0; t < words.costs.size(); ++t) {
    const MachineCosts& costs = found.profile.*transports[t];
    for (std::size_t k = 0; k < cost_fields().size(); ++k) words.costs[t][k] = costs.*cost_fields()[k].value;
  }
  const FoundRules ruled = find_rules();
  complain(ruled.complaint);
  words.rules_file = name_of(ruled.rules.file);
  words.rules_told = static_cast<std::uint32_t>(ruled.rules.list.size());
  std::transform(ruled.rules.list.begin(), ruled.rules.list.end(), words.rules.begin(),
                 [](const Rule& rule) { return packed(rule); });
  Proposal proposal;
  std::memcpy(proposal.bytes.data(), &words, sizeof(words));
  return proposal;
}

Profile agreed_profile(const World& world) {
  const Words words = agreed_words(world);
  Profile profile;
  if (words.origin.front() == '\0') return profile;
  for (std::size_t t = 0; t < words.costs.size(); ++t) {
    MachineCosts& costs = profile.*transports[t];
    for (std::size_t k = 0; k < cost_fields().size(); ++k) costs.*cost_fields()[k].value = words.costs[t][k];
  }
  profile.origin = text_of(words.origin);
  return profile;
}

Planning agreed_planning(const World& world) {
  const Planning planning = agreed_words(world).planning;
  return planning == Planning::inherited ? Planning::estimate : planning;
}

std::shared_ptr<const Rules> agreed_rules(const World& world) {
  const Words words = agreed_words(world);
  auto rules = std::make_shared<Rules>();
  rules->file = text_of(words.rules_file);
  for (std::uint32_t k = 0; k < words.rules_told; ++k) rules->list.push_back(unpacked(words.rules[k]));
  return rules;
}

}  // namespace tutti::runtime
