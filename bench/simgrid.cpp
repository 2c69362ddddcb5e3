/// @file
/// tutti's simulator and SimGrid on the same schedules, in one run.
///
/// SimGrid runs every rank as an actor that does what the recorded schedule says: put_async, get_async, and a wait for
/// all at the end of each step. Each ordered pair of ranks that exchanges messages has a link of its own with latency
/// ts and bandwidth 1/tw, under the model CM02 without cross-traffic: there both compute ts + m tw a message. Building
/// the platform is not counted for SimGrid, nor recording for tutti.

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <chrono>
#include <map>

#include "bench/cases.hpp"
#include "simulate/simulate.hpp"
#include "topology/formats/named.hpp"

namespace tutti::bench {
namespace {

namespace s4u = simgrid::s4u;

s4u::Mailbox* mailbox(int from, int to) { return s4u::Mailbox::by_name(fmt::format("{}-{}", from, to)); }

// One rank: its moves, step by step.
void act(Workload& workload, int rank) {
  static char payload;
  std::vector<char*> received;
  for (std::size_t at = workload.begin(rank); at < workload.begin(rank + 1);) {
    const std::size_t end = workload.step_end(at);
    std::vector<s4u::CommPtr> step;
    received.assign(end - at, nullptr);
    for (std::size_t k = at; k < end; ++k) {
      const Move& move = workload.moves()[k];
      if (!move.communicates()) continue;
      if (move.receives()) {
        step.push_back(mailbox(move.peer, rank)->get_async<char>(&received[k - at]));
      } else {
        step.push_back(mailbox(rank, move.peer)->put_async(&payload, static_cast<std::uint64_t>(move.bytes)));
      }
    }
    for (const s4u::CommPtr& comm : step) comm->wait();
    at = end;
  }
}

void build_platform(const Workload& workload, std::span<const Move> moves, const Machine& machine) {
  s4u::NetZone* zone = s4u::create_full_zone("network");
  std::vector<s4u::Host*> hosts;
  for (int rank = 0; rank < workload.ranks(); ++rank)
    hosts.push_back(zone->create_host(fmt::format("rank {}", rank), 1e9));
  std::map<std::pair<int, int>, bool> joined;
  for (int rank = 0; rank < workload.ranks(); ++rank) {
    for (std::size_t at = workload.begin(rank); at < workload.begin(rank + 1); ++at) {
      const Move& move = moves[at];
      if (!move.communicates() || move.receives() || joined[{rank, move.peer}]) continue;
      joined[{rank, move.peer}] = true;
      const s4u::Link* link =
          zone->create_link(fmt::format("{}>{}", rank, move.peer), 1 / machine.tw)->set_latency(machine.ts)->seal();
      zone->add_route(hosts[static_cast<std::size_t>(rank)]->get_netpoint(),
                      hosts[static_cast<std::size_t>(move.peer)]->get_netpoint(), nullptr, nullptr,
                      {s4u::LinkInRoute(link)}, false);
    }
  }
  zone->seal();
  for (int rank = 0; rank < workload.ranks(); ++rank) hosts[static_cast<std::size_t>(rank)]->seal();
}

struct Measured {
  double wall = 0;
  double simulated = 0;
};

Measured run_simgrid(s4u::Engine& engine, Workload& workload) {
  build_platform(workload, workload.moves(), usual_machine());
  for (int rank = 0; rank < workload.ranks(); ++rank) {
    s4u::Actor::create(fmt::format("{}", rank), engine.host_by_name(fmt::format("rank {}", rank)),
                       [&workload, rank] { act(workload, rank); });
  }
  const auto begin = std::chrono::steady_clock::now();
  engine.run();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), s4u::Engine::get_clock()};
}

Measured run_tutti(Workload& workload, const Topology& network) {
  const auto begin = std::chrono::steady_clock::now();
  const Simulation result = simulate(workload, network, usual_machine());
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), result.seconds};
}

}  // namespace
}  // namespace tutti::bench

// One case a process, because SimGrid has one engine a process: bench_simgrid COLLECTIVE ALGORITHM RANKS.
int main(int argc, char** argv) {
  using namespace tutti;
  simgrid::s4u::Engine engine(&argc, argv);
  engine.set_config("network/model:CM02");
  engine.set_config("network/crosstraffic:0");
  if (argc != 4 || !collective_named(argv[1])) {
    fmt::print(
        stderr,
        "usage: bench_simgrid COLLECTIVE ALGORITHM RANKS, such as: bench_simgrid all-reduce recursive-doubling 1024\n");
    return 2;
  }
  const bench::Case c{*collective_named(argv[1]), argv[2], fmt::format("full:{}", argv[3])};
  const TopologyPtr network = topology_named(c.network);
  const int p = network->ranks();
  Workload workload(c.text(p), c.problem(p), 1);
  const auto theirs = bench::run_simgrid(engine, workload);
  const auto ours = bench::run_tutti(workload, *network);
  const auto messages = static_cast<double>(workload.messages());
  fmt::print("{} by {} over {} ranks, {} messages\n", argv[1], argv[2], p, workload.messages());
  fmt::print("  SimGrid {:>12.0f} messages/s, simulated {:.9e} s\n", messages / theirs.wall, theirs.simulated);
  fmt::print("  tutti   {:>12.0f} messages/s, simulated {:.9e} s\n", messages / ours.wall, ours.simulated);
  fmt::print("  ratio {:.0f}, simulated times differ by {:.1e} of the whole\n", theirs.wall / ours.wall,
             std::abs(theirs.simulated - ours.simulated) / ours.simulated);
}
