#include "runtime/agreed.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "base/system/tell_user.hpp"
#include "base/text/one_line.hpp"
#include "heap/own_arena.hpp"
#include "predict/profile/stored_profile.hpp"
#include "runtime/settings.hpp"

namespace tutti::runtime {
namespace {

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

/// All ranks have the same catalogue.
std::uint16_t place_of(const Algorithm& algorithm) {
  const auto catalogue = algorithms::catalogue();
  return static_cast<std::uint16_t>(std::find(catalogue.begin(), catalogue.end(), &algorithm) - catalogue.begin());
}

/// A rule whose algorithm is told by its place in the catalogue.
struct PackedRule {
  std::uint16_t algorithm = 0;
  std::uint16_t radix = 0;
  std::int32_t line = 0;
  std::int32_t segments = 0;
  std::array<std::int32_t, 2> grid = {};
  RankInterval ranks;
  RankInterval ranks_per_node;
  std::int64_t least_bytes = 0;
  std::int64_t most_bytes = 0;
};

PackedRule packed(const Rule& rule) {
  PackedRule packed_rule{.algorithm = place_of(*rule.algorithm),
                         .radix = static_cast<std::uint16_t>(rule.parameters.radix),
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
            .parameters = {.segments = packed_rule.segments, .radix = packed_rule.radix, .grid = {}},
            .bytes = {packed_rule.least_bytes, packed_rule.most_bytes},
            .ranks = unpacked(packed_rule.ranks),
            .ranks_per_node = unpacked(packed_rule.ranks_per_node),
            .line = packed_rule.line};
  if (packed_rule.grid[0] > 0) rule.parameters.grid = Shape({packed_rule.grid[0], packed_rule.grid[1]});
  return rule;
}

/// A winner, of the same places in the catalogue.
struct PackedWinner {
  std::uint64_t call = 0;
  std::uint16_t algorithm = 0;
  std::uint16_t radix = 0;
  std::int32_t segments = 0;
  std::array<std::int32_t, 2> grid = {};
};

PackedWinner packed(const KnownWinner& winner) {
  const Parameters& parameters = winner.choice.parameters;
  PackedWinner packed_winner{.call = winner.call,
                             .algorithm = place_of(*winner.choice.algorithm),
                             .radix = static_cast<std::uint16_t>(parameters.radix),
                             .segments = parameters.segments};
  if (!parameters.grid.empty()) packed_winner.grid = {parameters.grid.extent(0), parameters.grid.extent(1)};
  return packed_winner;
}

KnownWinner unpacked(const PackedWinner& packed_winner) {
  Parameters parameters{.segments = packed_winner.segments, .radix = packed_winner.radix, .grid = {}};
  if (packed_winner.grid[0] > 0) parameters.grid = Shape({packed_winner.grid[0], packed_winner.grid[1]});
  return {packed_winner.call, {*algorithms::catalogue()[packed_winner.algorithm], parameters}};
}

using Costs = std::array<double, std::tuple_size_v<std::remove_cvref_t<decltype(cost_fields())>>>;

Costs packed(const MachineCosts& costs) {
  Costs values;
  std::transform(cost_fields().begin(), cost_fields().end(), values.begin(),
                 [&](const CostField& field) { return costs.*field.value; });
  return values;
}

void unpack(const Costs& values, MachineCosts& costs) {
  for (std::size_t k = 0; k < values.size(); ++k) costs.*cost_fields()[k].value = values[k];
}

/// All that rank 0 says, as bytes. What transports decide by themselves every rank knows.
struct Words {
  ByTransport<Costs> costs;
  ByTransport<Costs> on_shared_cores;
  ByTransport<Name> origins;  ///< origins of the costs; empty: nothing was proposed
  bool shares_heap = false;
  Name rules_file = {};
  std::array<PackedRule, Rules::most> rules = {};
  std::uint32_t rules_told = 0;
  std::uint32_t winners_told = 0;
  std::array<PackedWinner, KnownWinners::most> winners = {};
  Planning planning = Planning::estimate;
};
static_assert(sizeof(Words) <= sizeof(Proposal));

Words agreed_words(const World& world) {
  Words words;
  std::memcpy(&words, world.agreed().bytes.data(), sizeof(words));
  return words;
}

void complain(const std::string& complaint) {
  if (!complaint.empty()) tell_user("tutti: {}\n", one_line(complaint));
}

}  // namespace

Proposal propose() {
  const FoundProfile found = find_profile();
  complain(found.complaint);
  complain(misnamed_algorithm_variables());
  Words words{.planning = planning_in_environment()};
  words.shares_heap = heap::own_arena().base != 0;
  for (const Transport transport : all_transports) {
    words.origins[transport] = name_of(found.profile.origins[transport]);
    words.costs[transport] = packed(found.profile.costs[transport]);
    words.on_shared_cores[transport] = packed(found.profile.on_shared_cores[transport]);
  }
  const FoundRules ruled = find_rules();
  complain(ruled.complaint);
  words.rules_file = name_of(ruled.rules.file);
  words.rules_told = static_cast<std::uint32_t>(ruled.rules.list.size());
  std::transform(ruled.rules.list.begin(), ruled.rules.list.end(), words.rules.begin(),
                 [](const Rule& rule) { return packed(rule); });
  const KnownWinners known = known_winners();
  words.winners_told = static_cast<std::uint32_t>(known.list.size());
  std::transform(known.list.begin(), known.list.end(), words.winners.begin(),
                 [](const KnownWinner& winner) { return packed(winner); });
  Proposal proposal;
  std::memcpy(proposal.bytes.data(), &words, sizeof(words));
  return proposal;
}

Profile agreed_profile(const World& world) {
  const Words words = agreed_words(world);
  Profile profile;
  if (words.origins[Transport::threads].front() == '\0') return profile;
  for (const Transport transport : all_transports) {
    profile.origins[transport] = text_of(words.origins[transport]);
    unpack(words.costs[transport], profile.costs[transport]);
    unpack(words.on_shared_cores[transport], profile.on_shared_cores[transport]);
  }
  return profile;
}

Transport agreed_transport(const World& world, Transport found) {
  if (found != Transport::processes || agreed_words(world).shares_heap) return found;
  return Transport::system_copies;
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

std::shared_ptr<const KnownWinners> agreed_winners(const World& world) {
  const Words words = agreed_words(world);
  auto known = std::make_shared<KnownWinners>();
  for (std::uint32_t k = 0; k < words.winners_told; ++k) known->list.push_back(unpacked(words.winners[k]));
  return known;
}

}  // namespace tutti::runtime
