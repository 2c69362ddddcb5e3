/// @file
/// Messages between two ranks: over the longest way, in packets, and two at a time.

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "cost/terms.hpp"
#include "textbook/tables.hpp"
#include "topology/shortest_ways.hpp"

namespace tutti::textbook {
namespace {

struct Endpoints {
  int from = 0;
  int to = 0;
};

// Every pair's message is under way at once. Broadcast's buffers serve, since every rank has one of m elements.
Workload messages_between(const std::vector<Endpoints>& pairs, int ranks, std::int64_t count) {
  const Problem problem{.collective = Collective::broadcast, .ranks = ranks, .count = count};
  const Record text = [&pairs](Script& me, const Problem&) {
    for (const Endpoints& pair : pairs) {
      if (me.rank() == pair.from) me.send(me.message(), pair.to);
      if (me.rank() == pair.to) me.receive(me.message(), pair.from);
    }
  };
  return Workload(text, problem, 1);
}

int farthest_from_first(const Topology& topology) {
  int farthest = 0;
  for (int rank = 1; rank < topology.ranks(); ++rank) {
    if (topology.distance(0, rank) > topology.distance(0, farthest)) farthest = rank;
  }
  return farthest;
}

// The message from rank 0 to a rank that is farthest away, `links` links by the formula.
Answer one_message(const Instance& instance, NetworkFamily family, const Machine& machine, int links) {
  Answer answer;
  const auto network = network_of(family, instance.ranks);
  if (!network || instance.ranks < 2) {
    add_note(answer, fmt::format("needs {}", network ? "p > 1" : needs_of(family)));
    return answer;
  }
  const int to = farthest_from_first(*network->topology);
  const Terms terms =
      message_terms(machine.switching, links, static_cast<double>(instance.bytes), static_cast<double>(machine.packet));
  answer.closed_form = seconds(terms, 1, machine);
  Workload workload = messages_between({{0, to}}, instance.ranks, instance.bytes);
  answer.simulated = simulated(workload, *network->topology, machine, answer);
  answer.agrees = answer.agrees && same_time(*answer.closed_form, *answer.simulated);
  return answer;
}

int longest_way(NetworkFamily family, int ranks) {
  const auto network = network_of(family, ranks);
  if (!network) return 0;
  if (family == NetworkFamily::ring) return ranks / 2;
  if (family == NetworkFamily::mesh) return 2 * (network->grid.extent(0) / 2);
  int d = 0;
  while (1 << d < ranks) ++d;
  return d;
}

Row farthest(std::string_view id, NetworkFamily family, Switching switching, std::string_view formula) {
  return {id,
          "point-to-point",
          "one message",
          name_of(family),
          switching,
          formula,
          slides_2,
          [=](const Instance& instance) {
            return one_message(instance, family, machine_of(instance, switching), longest_way(family, instance.ranks));
          }};
}

Answer pipelined(const Instance& instance) {
  Machine machine = machine_of(instance, Switching::store_and_forward);
  machine.packet = 1;
  Answer answer = one_message(instance, NetworkFamily::linear, machine, instance.ranks - 1);
  add_note(answer, "a word is a byte: a = ts, t = tw, n = m");
  return answer;
}

// The scenario's messages on its own network, whatever the number of ranks asked for.
Answer scenario(const Instance& instance, const std::vector<Endpoints>& pairs, int sharing) {
  const TopologyPtr array = grid_topology({8}, false);
  const Machine machine = machine_of(instance, Switching::alpha_beta);
  Answer answer{.note = "8 ranks, whatever p is"};
  answer.closed_form =
      seconds(message_terms(machine.switching, 1, sharing * static_cast<double>(instance.bytes)), 1, machine);
  Workload workload = messages_between(pairs, 8, instance.bytes);
  answer.simulated = simulated(workload, *array, machine, answer);
  answer.agrees = answer.agrees && same_time(*answer.closed_form, *answer.simulated);
  return answer;
}

// Two messages on a 3 x 3 mesh without wrap-around, over every choice of shortest ways.
Answer crossing_messages(const Instance& instance) {
  const TopologyPtr mesh = grid_topology({3, 3}, false);
  const Machine machine = machine_of(instance, Switching::alpha_beta);
  Answer answer{.note = "9 ranks, whatever p is"};
  Workload workload = messages_between({{0, 8}, {4, 6}}, 9, instance.bytes);
  double best = 0;
  double worst = 0;
  int choices = 0;
  for (const LinkPath& first : shortest_ways(*mesh, 0, 8)) {
    for (const LinkPath& second : shortest_ways(*mesh, 4, 6)) {
      const TopologyPtr chosen = rerouted(mesh, {{0, 8, first}, {4, 6, second}});
      const double time = simulated(workload, *chosen, machine, answer);
      best = choices == 0 ? time : std::min(best, time);
      worst = std::max(worst, time);
      ++choices;
    }
  }
  const auto bytes = static_cast<double>(instance.bytes);
  answer.closed_form = machine.ts + machine.tw * bytes;
  answer.simulated = best;
  const double twice = machine.ts + 2 * machine.tw * bytes;
  answer.agrees = answer.agrees && same_time(best, *answer.closed_form) && same_time(worst, twice);
  const double adaptive = simulate(workload, *mesh, machine, {.routing = Routing::minimal_adaptive}).seconds;
  workload.forget_meetings();
  add_note(answer,
           fmt::format("the best of {} choices of shortest ways; the worst takes {}; minimal-adaptive routing takes {}",
                       choices, text_of(Seconds{worst}), text_of(Seconds{adaptive})));
  return answer;
}

Row scenario_row(std::string_view id, std::vector<Endpoints> pairs, int sharing, std::string_view algorithm,
                 std::string_view formula) {
  return {id,
          "point-to-point",
          algorithm,
          "linear array of 8",
          Switching::alpha_beta,
          formula,
          lecture,
          [=](const Instance& instance) { return scenario(instance, pairs, sharing); }};
}

}  // namespace

std::vector<Row> point_to_point_rows() {
  using enum Switching;
  std::vector<Row> all{
      farthest("p2p.ring.sf", NetworkFamily::ring, store_and_forward, "ts + floor(p/2) m tw"),
      farthest("p2p.mesh.sf", NetworkFamily::mesh, store_and_forward, "ts + 2 floor(r/2) m tw"),
      farthest("p2p.hypercube.sf", NetworkFamily::hypercube, store_and_forward, "ts + d m tw"),
      farthest("p2p.ring.ct", NetworkFamily::ring, cut_through, "ts + floor(p/2) th + m tw"),
      farthest("p2p.mesh.ct", NetworkFamily::mesh, cut_through, "ts + 2 floor(r/2) th + m tw"),
      farthest("p2p.hypercube.ct", NetworkFamily::hypercube, cut_through, "ts + d th + m tw"),
      {"p2p.linear.pipelined", "point-to-point", "one message in packets of a word", "linear array", store_and_forward,
       "a + t (p - 1) + t (n - 1)", lecture, pipelined},
      scenario_row("p2p.scenario.1", {{0, 2}, {6, 3}}, 1, "0 to 2, 6 to 3", "ts + m tw"),
      scenario_row("p2p.scenario.2", {{1, 6}, {7, 4}}, 1, "1 to 6, 7 to 4", "ts + m tw"),
      scenario_row("p2p.scenario.3", {{1, 6}, {4, 7}}, 2, "1 to 6, 4 to 7", "ts + 2 m tw"),
      {"p2p.scenario.4", "point-to-point", "0 to 8, 4 to 6", "mesh 3 x 3 without wrap-around", alpha_beta,
       "ts + m tw on the best ways, ts + 2 m tw on the worst", lecture, crossing_messages},
  };
  return all;
}

}  // namespace tutti::textbook
