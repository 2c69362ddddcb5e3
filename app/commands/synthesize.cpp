/// @file
/// `tutti synthesize`: a schedule made for a network, beside its optimum and the best of the catalogue.

#include "app/commands/synthesize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/network_words.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule_file/schedule_file.hpp"
#include "synthesize/pairs/pairs.hpp"
#include "topology/cuts/capacities.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

Outcome run_synthesis(const SynthesizeRequest& request) {
  require(request.collective && request.topology,
          "synthesize needs a collective and a network, such as: tutti synthesize all-gather --topology dgx-1v");
  require(request.bytes >= 1, "there is nothing to send; give --bytes at least 1");
  if (request.output) check_output_file(*request.output, {".json"});
  Machine machine = request.machine;
  if (!*request.names_tw) machine.tw = request.topology->usual_tw().value_or(machine.tw);
  check(machine);
  const auto blocks = synthesize::pair_collectives();
  const bool of_blocks = std::find(blocks.begin(), blocks.end(), *request.collective) != blocks.end();
  if (!of_blocks) check_nodes(*request.topology);
  const SynthesizeAnswer answer = of_blocks ? synthesize_blocks(request, machine) : synthesize_trees(request, machine);
  if (request.output) write_file(*request.output, file_of(answer.schedule));
  return {answer.text};
}

}  // namespace

Problem problem_asked(const SynthesizeRequest& request) {
  Request sized = request;
  if (request.collective != Collective::barrier) sized.count = request.bytes;
  return problem_of(sized, *request.collective, request.topology->ranks());
}

Json json_asked(const Problem& problem, const Topology& topology, const Machine& machine, const LowerBound& bound) {
  return Json{{"collective", name_of(problem.collective)},
              {"topology", topology.name()},
              {"ranks", problem.ranks},
              {"forwarding", name_of(forwarding_on(machine, topology))},
              {"root", has_root(problem.collective) ? Json(problem.root) : Json(nullptr)},
              {"bytes", problem.count},
              {"bound_seconds", bound.seconds},
              {"bound", bound.name}};
}

void check_proof(const Schedule& schedule) {
  if (const auto failure = verify(schedule).failure) fail(ErrorCode::internal, "{}", describe(*failure));
}

std::string forwarding_in_words(const Topology& topology, const Machine& machine) {
  if (forwarding_on(machine, topology) == Forwarding::hardware) return {};
  for (int from = 0; from < topology.ranks(); ++from) {
    for (int to = 0; to < topology.ranks(); ++to) {
      if (from == to) continue;
      const std::vector<LinkId> path = route_of(topology, from, to);
      const auto ends_at_rank = [&](LinkId id) { return topology.link(id).to < topology.ranks(); };
      if (std::any_of(path.begin(), path.end() - 1, ends_at_rank))
        return "a message takes ts more for each rank that it passes; with --forwarding hardware it does not";
    }
  }
  return {};
}

void add_synthesize(Command command, Chosen& chosen) {
  const auto request = std::make_shared<SynthesizeRequest>();
  add_collective(command, *request);
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, *request, name, type, help,
              [r = request.get(), read](const std::string& text) { read(*r, text); });
  };
  using Asked = SynthesizeRequest;
  add("--topology", "SHAPE", "dgx-1v, torus:4x4, fat-tree:4x2, …, FILE.json", [](Asked& r, const std::string& text) {
    Network network = parse_network(text, r.pcie);
    r.topology = std::move(network.topology);
    r.traffic = std::move(network.traffic);
    r.notes = std::move(network.notes);
  });
  add_pcie(command, *request);
  add("--bytes", "SIZE", "m, by the collective's own convention (1MiB)",
      [](Asked& r, const std::string& text) { r.bytes = parse_bytes(text).count; });
  add("--root", "R", "The root of a broadcast, reduce, scatter or gather", [](Asked& r, const std::string& text) {
    r.root = static_cast<int>(parse_integer(text, "a root", 0, most_ranks_asked));
  });
  add("--segments", "S",
      "Chunks that follow one another down a tree, or along a way (the number that takes the least time)",
      [](Asked& r, const std::string& text) {
        r.segments = static_cast<int>(parse_integer(text, "a number of segments", 1, 1 << 20));
      });
  add("--trees", "N",
      "Parts at most into which a rank's data is cut to share out links (as many as ranks, 16 at least)",
      [](Asked& r, const std::string& text) { r.most_trees = parse_integer(text, "a number of trees", 1, 1 << 10); });
  add("-o,--output", "FILE.json", "Write the schedule, which verify, price, simulate, draw and bench take",
      [](Asked& r, const std::string& text) { r.output = text; });
  request->names_tw = add_message_costs(command, *request, request->machine);
  add_traffic(command, *request, request->shared);
  command.set_footer(
      "Examples:\n  tutti synthesize all-gather --topology dgx-1v\n"
      "  tutti synthesize all-reduce --topology nvswitch:2x8 --bytes 64MiB -o two-hosts.json\n"
      "  tutti simulate schedule two-hosts.json --topology nvswitch:2x8 --ports multiple\n"
      "  tutti synthesize all-to-all --topology dgx-1v\n"
      "  tutti synthesize broadcast --topology torus:4x4 --root 3 --json");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return with_notes(run_synthesis(*request), request->notes);
    };
  });
}

}  // namespace tutti::app
