#include "predict/model/machine_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/transport.hpp"
#include "base/units.hpp"
#include "predict/model/bound.hpp"
#include "predict/model/node_link.hpp"
#include "predict/replay/messages_exceed.hpp"
#include "predict/replay/replay.hpp"
#include "predict/sketch/estimate.hpp"

namespace tutti {
namespace {

/// Above this a schedule of few ranks is too long to be replayed, too: of messages in many segments.
constexpr std::int64_t most_played_messages = 20'000;

/// Returns the bytes that the ranks of a core have in their buffers together, as a mean over the cores.
double data_of_a_core(const Problem& problem, std::int64_t element_size, int cores) {
  const Problem even = with_even_blocks(problem);
  const auto of_rank = [&](int rank) {
    return static_cast<double>(buffer_size(even, rank, Buffer::input) + buffer_size(even, rank, Buffer::output));
  };
  const double others = even.ranks - 1;
  const double elements = of_rank(even.root) + others * of_rank(even.root == 0 ? even.ranks - 1 : 0);
  return elements * static_cast<double>(element_size) / std::min(cores, even.ranks);
}

/// The part of the prices of bytes that holds for so much data of a core: from `near_bytes` on the caches keep less and
/// less of it, and nothing of twice as much.
double part_of_prices(const MachineCosts& costs, double data) {
  const double beyond = std::clamp(data / std::max(costs.near_bytes, 1.0) - 1, 0.0, 1.0);
  return costs.near + (1 - costs.near) * beyond;
}

/// Makes messages and turns as dear as they are where a core has so many ranks.
void crowd(MachineCosts& costs, double ranks_of_a_core) {
  const auto doublings = [&](double beyond) { return std::max(0.0, std::log2(ranks_of_a_core / beyond)); };
  costs.overhead *= 1 + costs.crowded_overhead * doublings(2);
  costs.turn *= 1 + costs.crowded_turn * doublings(4);
}

/// Returns the costs of messages inside a node in calls of the problem, whose fullest node has `neighbours` ranks.
/// Calls of a row find their data where the call before has left them; whether one call by itself does, nobody knows.
MachineCosts costs_in(const MachineCosts& costs, const Problem& problem, std::int64_t element_size, int cores,
                      int neighbours, Calls calls) {
  MachineCosts found = costs;
  if (costs.in_cells) found.short_bytes = std::min(costs.short_bytes, longest_short_message(neighbours));
  crowd(found, static_cast<double>(problem.ranks) / cores);
  const double of_alone = problem.ranks <= cores ? costs.alone : 1;
  const double of_near =
      calls == Calls::in_a_row ? part_of_prices(costs, data_of_a_core(problem, element_size, cores)) : 1;
  found.byte *= of_alone * of_near;
  found.copy_byte *= of_alone * of_near;
  found.combine_byte *= of_alone;  // adding takes as long wherever the data are
  return found;
}

/// Returns the claims of the choice if its schedule is replayed; nothing if it is estimated.
std::optional<Claims> claims_if_played(const Choice& choice, const Problem& problem, const Layout& layout) {
  if (problem.ranks > MachineModel::most_played_ranks || problem.known_to >= 0) return std::nullopt;
  const Claims claims = claims_or_traffic(choice, problem, layout);
  return claims.messages <= most_played_messages ? std::optional(claims) : std::nullopt;
}

/// Whether the limit is_cheaper() than what the link of the root's node takes. Records nothing where all messages
/// together would not keep a link so long.
bool messages_of_a_node_exceed(RecordingContext& context, double limit, const LevelCosts& costs, int cores,
                               const Choice& choice, const Claims& claims, const Problem& problem,
                               std::int64_t element_size) {
  if (!costs.has_levels()) return false;
  const double all = static_cast<double>(claims.elements) * static_cast<double>(element_size);
  if (!is_cheaper(limit, costs.between_nodes().link_byte * all)) return false;
  NodeLink link(context, costs, choice, problem, static_cast<double>(element_size), problem.root);
  return link_exceeds(limit, link, {.ranks = problem.ranks}, costs, cores);
}

}  // namespace

Problem with_even_blocks(const Problem& problem) {
  Problem even = without_counts(problem);
  if (problem.counts.empty()) return even;
  // Ranks that do not know the same of the counts come to the same choice all the same.
  constexpr std::int64_t middling = 256;
  if (problem.known_to >= 0) {
    even.count = middling;
    return even;
  }
  const std::int64_t total = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
  const auto blocks = static_cast<std::int64_t>(problem.counts.size());
  // Blocks of pairs are all alike, so that few elements are one each rather than none.
  const bool of_pairs = problem.collective == Collective::all_to_all;
  even.count = of_pairs ? (total + blocks - 1) / blocks : total / blocks;
  even.extra = of_pairs ? 0 : total % blocks;
  return even;
}

/// The costs for one problem.
class MachineModel::Costs {
 public:
  Costs(const MachineModel& model, const Problem& problem, std::int64_t element_size, Calls calls = Calls::in_a_row)
      : inside_(costs_in(model.inside_, problem, element_size, model.cores_,
                         model.layout_.on_fullest_node(problem.ranks), calls)),
        levels_(inside_, model.layout_.nodes() > 1 ? model.between_ : inside_, model.layout_) {}
  Costs(const Costs&) = delete;
  Costs& operator=(const Costs&) = delete;

  const LevelCosts& levels() const { return levels_; }

 private:
  MachineCosts inside_;
  LevelCosts levels_;  // costs of both levels
};

double MachineModel::seconds_of(RecordingContext& context, const Choice& choice, const Problem& problem,
                                std::int64_t element_size, Calls calls, double limit) const {
  const Costs costs(*this, problem, element_size, calls);
  const std::optional<Claims> claims = claims_if_played(choice, problem, layout_);
  if (!claims) {
    const Problem even = with_even_blocks(problem);
    // An estimate from few ranks may miss a message that no schedule does without.
    return std::max(estimated_seconds(context, costs.levels(), cores_, choice, even, element_size, calls, limit),
                    bound_seconds(costs.levels(), cores_, even, element_size));
  }
  if (claims->messages == 0) return 0;
  if (messages_of_a_node_exceed(context, limit, costs.levels(), cores_, choice, *claims, problem, element_size))
    return no_limit;
  return replayed_seconds(context, costs.levels(), cores_, choice, problem, element_size, calls, limit);
}

double MachineModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  RecordingContext context;
  return seconds_of(context, choice, problem, element_size, Calls::in_a_row, no_limit);
}

double MachineModel::seconds_within(RecordingContext& context, double limit, const Choice& choice,
                                    const Problem& problem, std::int64_t element_size) const {
  return seconds_of(context, choice, problem, element_size, Calls::in_a_row, limit);
}

double MachineModel::seconds_once(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  RecordingContext context;
  return seconds_of(context, choice, problem, element_size, Calls::one, no_limit);
}

double MachineModel::at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  const Costs costs(*this, problem, element_size);
  if (const std::optional<Claims> claims = claims_if_played(choice, problem, layout_))
    return least_seconds(costs.levels(), cores_, *claims, problem, element_size);
  const Problem even = with_even_blocks(problem);
  return least_seconds(costs.levels(), cores_, claims_or_traffic(choice, even, layout_), even, element_size);
}

double MachineModel::bound(const Problem& problem, std::int64_t element_size) const {
  const Costs costs(*this, problem, element_size);
  return bound_seconds(costs.levels(), cores_, essence(problem), element_size);
}

Problem MachineModel::essence(const Problem& problem) const {
  return problem.ranks <= most_played_ranks && problem.known_to < 0 ? problem : with_even_blocks(problem);
}

double MachineModel::seconds_unevenly(const Choice& choice, const Problem& problem, std::int64_t element_size,
                                      std::span<const double> starts) const {
  if (claims_or_traffic(choice, problem, layout_).messages > most_played_messages)
    return std::numeric_limits<double>::infinity();
  const Costs costs(*this, problem, element_size, Calls::one);
  return replayed_seconds(costs.levels(), cores_, choice, problem, element_size, starts);
}

/// The last rank to come is done no sooner than it comes.
double UnevenModel::bound(const Problem& problem, std::int64_t element_size) const {
  return std::max(machine_.bound(problem, element_size), *std::max_element(starts_.begin(), starts_.end()));
}

std::string UnevenModel::describe() const {
  std::string words = machine_.describe() + "; one call";
  for (std::size_t rank = 0; rank < starts_.size(); ++rank) {
    if (starts_[rank] > 0) words += fmt::format(", rank {} comes after {}", rank, text_of(Seconds{starts_[rank]}));
  }
  return words;
}

}  // namespace tutti
