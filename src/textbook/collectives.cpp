/// @file
/// The rows that are an algorithm of the catalogue on one of the textbook's networks.

#include <fmt/format.h>

#include "algorithms/table.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "textbook/tables.hpp"

namespace tutti::textbook {
namespace {

using namespace algorithms;

// Requirements of a row on the instance, beyond its network.
enum class Asks : std::uint8_t { nothing, power_of_two, whole_parts, power_of_two_and_whole_parts };

struct Claim {
  std::string_view id;
  const Algorithm* algorithm;
  NetworkFamily family;
  Switching switching;
  std::string_view formula;
  std::string_view sources;
  Asks asks = Asks::nothing;
  std::string_view remark = "";
  Engines engines = Engines::both;
};

std::string_view unmet(const Claim& claim, const Instance& instance) {
  const Asks asks = claim.asks;
  const bool power = asks == Asks::power_of_two || asks == Asks::power_of_two_and_whole_parts;
  const bool parts = asks == Asks::whole_parts || asks == Asks::power_of_two_and_whole_parts;
  if (instance.ranks == 1) return "needs p > 1";
  const bool shifts = claim.algorithm->collective == Collective::shift;
  if (shifts && instance.distance % instance.ranks == 0) return "needs a distance that is no multiple of p";
  if (power && !is_power_of_two(instance.ranks)) return "needs p = 2^d";
  if (parts && instance.bytes % instance.ranks != 0) return "needs an m that p divides";
  return "";
}

Problem problem_of(const Claim& claim, const Instance& instance) {
  Problem problem{.collective = claim.algorithm->collective, .ranks = instance.ranks, .count = instance.bytes};
  if (problem.collective == Collective::shift) problem.distance = instance.distance;
  return problem;
}

Answer answer_of(const Claim& claim, const Instance& instance) {
  Answer answer;
  const auto network = network_of(claim.family, instance.ranks);
  if (!network) add_note(answer, fmt::format("needs {}", needs_of(claim.family)));
  if (network) add_note(answer, unmet(claim, instance));
  if (!answer.note.empty()) return answer;
  const Problem problem = problem_of(claim, instance);
  const Choice choice(*claim.algorithm, {.grid = network->grid});
  const Machine machine = machine_of(instance, claim.switching);
  const auto priced = price(choice, problem, *network->topology, machine);
  if (!priced) fail(ErrorCode::internal, "the row {} has no closed form", claim.id);
  answer.closed_form = seconds(priced->terms, 1, machine);
  Workload workload(choice, problem, 1);
  answer.simulated = simulated(workload, *network->topology, machine, answer, claim.engines);
  answer.agrees = answer.agrees && same_time(*answer.closed_form, *answer.simulated);
  add_note(answer, claim.remark);
  note_wrap_around(answer, *network, workload, machine);
  if (problem.collective == Collective::shift)
    add_note(answer, fmt::format("q = {}", modulo(problem.distance, problem.ranks)));
  return answer;
}

constexpr std::string_view two_phases =
    "the source prints ts d + tw m (p - 1)²/3 for two equal phases; that is right for the first, but the second moves "
    "p/2 blocks in "
    "every step, which is p (r - 1)/2 in all; at the ranks' own pace alone, since rounds count a message on all links "
    "of its way at once";
constexpr std::string_view mean_way =
    "the source calls p/2 the mean distance on a ring: that is the one for messages that all go one way; the short way "
    "round it is about p/4";
constexpr std::string_view both_ways =
    "one send at a time, so that the two directions follow one another; the step in tw m is halved as the source says, "
    "to floor(p²/4)";
constexpr std::string_view without_hops = "the source leaves th out";
constexpr std::string_view small_blocks =
    "the source's condition n/P << alpha/beta has its sign turned round, as its own annotation says: the term in tw "
    "dominates where m >> ts/tw";
constexpr std::string_view cube_root = "the source prints ceil(p^(1/3)/2) in pieces; read as 3 (ts + tw m) ceil(c/2)";
constexpr std::string_view mesh_note =
    "the source says that the hypercube's time holds for a linear array and a mesh; so it does where a message costs "
    "the same over any number of links";

const std::vector<Claim>& claims() {
  using enum NetworkFamily;
  using enum Switching;
  static constexpr std::string_view slides_both =
      "Grama et al. slides, Basic Communication Operations; slide transcript, Basic Communication Operations: possible "
      "variants, # of nodes";
  static constexpr std::string_view slides_notes =
      "Grama et al. slides, Basic Communication Operations; lecture notes (Chinese), All2All on ring, mesh, hypercube "
      "and full connection";
  static constexpr std::string_view slides_lecture =
      "Grama et al. slides, Basic Communication Operations; lecture transcript, A Basic Model of Distributed Memory";
  static constexpr std::string_view slides_article =
      "Grama et al. slides, Basic Communication Operations; encyclopedia article, Hypercube (communication pattern)";
  static constexpr auto any = Asks::nothing;
  static constexpr auto divided = Asks::whole_parts;
  static constexpr auto both = Asks::power_of_two_and_whole_parts;
  static constexpr auto power = Asks::power_of_two;
  static const std::vector<Claim> all{
      {"broadcast.linear.ab", &broadcast_linear, full, alpha_beta, "(p - 1)(ts + m tw)", slides},
      {"broadcast.ring.sf", &broadcast_ring, ring, store_and_forward, "ceil(p/2)(ts + m tw)", slides_2},
      {"broadcast.mesh.sf", &broadcast_mesh, mesh, store_and_forward, "2 ceil(r/2)(ts + m tw)", slides_2},
      {"broadcast.mesh3d.sf", &broadcast_mesh, mesh_3d, store_and_forward, "3 ceil(c/2)(ts + m tw)", slides_2, any,
       cube_root},
      {"broadcast.hypercube.sf", &broadcast_binomial, hypercube, store_and_forward, "d (ts + m tw)", slides_both},
      {"broadcast.ring.ct", &broadcast_binomial, ring, cut_through, "ts d + m tw d + th (p - 1)", slides_2, power},
      {"broadcast.mesh.ct", &broadcast_binomial, mesh, cut_through, "(ts + m tw) d + 2 th (r - 1)", slides_2, power},
      {"broadcast.tree.ct", &broadcast_binomial, tree, cut_through, "(ts + m tw + th (d + 1)) d", slides_2},
      {"broadcast.binomial.ab", &broadcast_binomial, full, alpha_beta, "ceil(log2 p)(ts + m tw)", lecture},
      {"broadcast.scatter-all-gather.ab", &broadcast_scatter_all_gather, full, alpha_beta,
       "ts (d + p - 1) + 2 tw m (p - 1)/p", lecture, both},
      {"reduce.linear.ab", &reduce_linear, full, alpha_beta, "(p - 1)(ts + m tw)", slides},
      {"reduce.ring.sf", &reduce_ring, ring, store_and_forward, "ceil(p/2)(ts + m tw)", slides_2},
      {"reduce.mesh.sf", &reduce_mesh, mesh, store_and_forward, "2 ceil(r/2)(ts + m tw)", slides_2},
      {"reduce.mesh3d.sf", &reduce_mesh, mesh_3d, store_and_forward, "3 ceil(c/2)(ts + m tw)", slides_2, any,
       cube_root},
      {"reduce.hypercube.sf", &reduce_binomial, hypercube, store_and_forward, "d (ts + m tw)", slides_both},
      {"reduce.ring.ct", &reduce_binomial, ring, cut_through, "ts d + m tw d + th (p - 1)", slides_2, power},
      {"reduce.mesh.ct", &reduce_binomial, mesh, cut_through, "(ts + m tw) d + 2 th (r - 1)", slides_2, power},
      {"reduce.tree.ct", &reduce_binomial, tree, cut_through, "(ts + m tw + th (d + 1)) d", slides_2},
      {"reduce.binomial.ab", &reduce_binomial, full, alpha_beta, "ceil(log2 p)(ts + m tw)", lecture},
      {"reduce.scatter-all-gather.ab", &reduce_scatter_gather, full, alpha_beta, "ts (d + p - 1) + 2 tw m (p - 1)/p",
       lecture, both},
      {"all-gather.ring.sf", &all_gather_ring, ring, store_and_forward, "(ts + tw m)(p - 1)", slides_both},
      {"all-gather.bucket.ab", &all_gather_ring, linear, alpha_beta, "(ts + tw m)(p - 1)", lecture, any, small_blocks},
      {"all-gather.mesh.sf", &all_gather_mesh, mesh, store_and_forward, "2 ts (r - 1) + tw m (p - 1)", slides_both},
      {"all-gather.hypercube.sf", &all_gather_recursive_doubling, hypercube, store_and_forward, "ts d + tw m (p - 1)",
       slides_both},
      {"all-gather.gather-broadcast.ab", &all_gather_gather_broadcast, full, alpha_beta,
       "ts d + tw m (p - 1) + (ts + tw m p) d", lecture, power},
      {"reduce-scatter.ring.sf", &reduce_scatter_ring, ring, store_and_forward, "(ts + tw m)(p - 1)", slides_both},
      {"reduce-scatter.bucket.ab", &reduce_scatter_ring, linear, alpha_beta, "(ts + tw m)(p - 1)", lecture, any,
       small_blocks},
      {"reduce-scatter.mesh.sf", &reduce_scatter_mesh, mesh, store_and_forward, "2 ts (r - 1) + tw m (p - 1)",
       slides_both},
      {"reduce-scatter.hypercube.sf", &reduce_scatter_recursive_halving, hypercube, store_and_forward,
       "ts d + tw m (p - 1)", slides_both},
      {"reduce-scatter.gather-broadcast.ab", &reduce_scatter_reduce_then_scatter, full, alpha_beta,
       "ts d + tw m (p - 1) + (ts + tw m p) d", lecture, power},
      {"all-reduce.reduce-broadcast.ab", &all_reduce_reduce_broadcast, full, alpha_beta, "2 (ts + tw m) d", slides,
       power},
      {"all-reduce.hypercube.sf", &all_reduce_recursive_doubling, hypercube, store_and_forward, "(ts + tw m) d",
       slides_article},
      {"all-reduce.ring.sf", &all_reduce_ring, ring, store_and_forward, "2 (p - 1)(ts + tw m/p)", slides_lecture,
       divided},
      {"scan.hypercube.sf", &scan_recursive_doubling, hypercube, store_and_forward, "(ts + tw m) d", slides_article},
      {"scatter.linear.ab", &scatter_linear, full, alpha_beta, "(ts + tw m)(p - 1)", lecture},
      {"scatter.hypercube.sf", &scatter_binomial, hypercube, store_and_forward, "ts d + tw m (p - 1)", slides},
      {"scatter.ring.ab", &scatter_binomial, linear, alpha_beta, "ts d + tw m (p - 1)", slides_lecture, power,
       mesh_note},
      {"scatter.mesh.ab", &scatter_mesh, any_mesh, alpha_beta, "ts d + tw m (p - 1)", slides_lecture, power, mesh_note},
      {"gather.linear.ab", &gather_linear, full, alpha_beta, "(ts + tw m)(p - 1)", lecture},
      {"gather.hypercube.sf", &gather_binomial, hypercube, store_and_forward, "ts d + tw m (p - 1)", slides},
      {"gather.ring.ab", &gather_binomial, linear, alpha_beta, "ts d + tw m (p - 1)", slides_lecture, power, mesh_note},
      {"gather.mesh.ab", &gather_mesh, any_mesh, alpha_beta, "ts d + tw m (p - 1)", slides_lecture, power, mesh_note},
      {"all-to-all.ring.sf", &all_to_all_ring, ring, store_and_forward, "(ts + tw m p/2)(p - 1)", slides_notes, any,
       mean_way},
      {"all-to-all.ring-bidirectional.sf", &all_to_all_ring_bidirectional, ring, store_and_forward,
       "ts (p - 1) + tw m floor(p²/4)", slides_notes, any, both_ways},
      {"all-to-all.mesh.sf", &all_to_all_mesh, mesh, store_and_forward, "(2 ts + tw m p)(r - 1)", slides_notes},
      {"all-to-all.hypercube.sf", &all_to_all_hypercube, hypercube, store_and_forward, "(ts + tw m p/2) d",
       slides_notes},
      {"all-to-all.pairwise.ct", &all_to_all_pairwise, hypercube, cut_through, "(ts + tw m)(p - 1) + th p d/2",
       slides_notes, any, without_hops},
      {"all-to-all.bruck.ab", &all_to_all_bruck, full, alpha_beta,
       "sum over k = 1, 2, 4, … < p of ts + tw m #{0 <= i < p : i AND k != 0}", notes},
      {"all-to-all.tree.sf", &all_to_all_tree, mesh, store_and_forward,
       "sum over steps of ts + tw m b l, b blocks over l links; ts d + tw m ((p - 1)²/3 + p (r - 1)/2) for r = 2^k",
       notes, any, two_phases, Engines::flows},
      {"shift.ring.sf", &shift_ring, ring, store_and_forward, "min(q, p - q)(ts + tw m)", slides},
      {"shift.hypercube-ecube.ct", &shift_direct, hypercube, cut_through, "ts + tw m + th (longest way)", slides, any,
       without_hops},
  };
  return all;
}

}  // namespace

std::vector<Row> collective_rows() {
  std::vector<Row> rows;
  for (const Claim& claim : claims()) {
    rows.push_back({claim.id, name_of(claim.algorithm->collective), claim.algorithm->name, name_of(claim.family),
                    claim.switching, claim.formula, claim.sources,
                    [&claim](const Instance& instance) { return answer_of(claim, instance); }});
  }
  return rows;
}

}  // namespace tutti::textbook
