/// @file
/// `tutti topology`: a network's numbers, what they allow at best, its picture, and several networks beside one
/// another.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/network_words.hpp"
#include "app/options/traffic_options.hpp"
#include "app/reports/topology_report.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "topology/metrics.hpp"

namespace tutti::app {
namespace {

struct TopologyRequest : Request {
  Machine machine;
  std::int64_t bytes = 1 << 20;
  std::vector<std::string> shapes;
  std::optional<std::string> shapes_pcie;  // value of --pcie for those from nvidia-smi
  std::shared_ptr<bool> names_tw;          // whether --tw was given
  TrafficRequest traffic;
  GivenTraffic gives_traffic;
  bool compare = false;
  std::optional<std::string> output;
};

// Returns the shape as --topology writes it: one without a size has that of --ranks.
std::string sized_words(const TopologyRequest& request, const std::string& words) {
  if (!lacks_size(words)) return words;
  require(request.ranks && request.ranks->first == request.ranks->last,
          "{0} needs a size: write it as 'tutti list --topologies' does, or add --ranks 8", words);
  return sized_topology(words, request.ranks->first);
}

DescribedNetwork described(const TopologyRequest& request, const std::string& shape) {
  const std::string words = sized_words(request, shape);
  Network network = parse_network(words, asks_for_pcie(words) ? request.shapes_pcie : std::nullopt);
  if (request.ranks) {
    const int ranks = network.topology->ranks();
    require(RankRange{ranks, ranks} == *request.ranks, "{} has {}, and {} asks for others; leave one out", words,
            counted(ranks, "rank"), request.ranks_by);
  }
  const TopologyPtr topology = network.topology;
  TrafficRequest traffic = request.traffic;
  take_traffic(traffic, network.traffic, *request.gives_traffic, words);
  Machine machine = request.machine;
  if (!*request.names_tw) machine.tw = topology->usual_tw().value_or(machine.tw);
  check(machine);
  return {topology, metrics_of(*topology), machine, options_of(traffic), std::move(network.notes)};
}

// Writes a picture, or the file that --topology reads.
void write_network(const DescribedNetwork& network, const std::string& name) {
  name.ends_with(".json") ? write_file(name, json_of_topology(*network.topology, words_of(network.traffic)))
                          : write_picture(name, drawing_of(network));
}

Outcome run_topology(const TopologyRequest& request) {
  require(!request.shapes.empty(),
          "topology needs a network, such as: tutti topology torus:8x8; 'tutti list "
          "--topologies' names the families");
  const bool several = request.compare || request.shapes.size() > 1;
  require(!several || !request.output, "a file holds one network; name one, or leave -o out");
  if (request.output) check_picture_file(*request.output, {".json"});
  require(!request.shapes_pcie || std::any_of(request.shapes.begin(), request.shapes.end(), asks_for_pcie),
          "--pcie is of networks from nvidia-smi, FILE.txt; leave it out");
  std::vector<DescribedNetwork> networks;
  for (const std::string& shape : request.shapes) networks.push_back(described(request, shape));
  std::vector<std::string> notes;
  for (const DescribedNetwork& network : networks)
    notes.insert(notes.end(), network.notes.begin(), network.notes.end());
  if (request.output) write_network(networks.front(), *request.output);
  if (request.json) {
    Json all = Json::array();
    for (const DescribedNetwork& network : networks) all.push_back(json_of(network, request.bytes));
    return with_notes({(several ? all : all.front()).dump(2) + '\n'}, notes);
  }
  return with_notes({several ? comparison(networks, request.bytes) : text_of(networks.front(), request.bytes)}, notes);
}

}  // namespace

void add_topology(Command command, Chosen& chosen) {
  const auto request = std::make_shared<TopologyRequest>();
  command.add_texts("SHAPE", "", "ring:64, torus:8x8, FILE.json, …; several are compared",
                    [r = request.get()](const std::vector<std::string>& shapes) { r->shapes = shapes; });
  command.add_flag("--compare", request->compare, "A table with a row for each network");
  command.add_flag("--json", request->json, "Print JSON; the command's reference names its fields");
  add_value(command, *request, "-p,--ranks", "N", "How many ranks, for shapes without a size: hypercube --ranks 8",
            [r = request.get()](const std::string& text) { set_ranks(*r, parse_ranks(text), "--ranks " + text); });
  add_value(command, *request, "--bytes", "SIZE", "m of the lower bounds, by each collective's own convention (1MiB)",
            [r = request.get()](const std::string& text) { r->bytes = parse_bytes(text).count; });
  add_value(command, *request, "-o,--output", "FILE",
            "Draw the network, FILE.svg, .pdf, .png or .tex, or write it as a file that --topology reads, FILE.json",
            [r = request.get()](const std::string& text) { r->output = text; });
  add_pcie(command, *request);
  request->names_tw = add_message_costs(command, *request, request->machine);
  request->gives_traffic = add_traffic(command, *request, request->traffic);
  command.set_footer(
      "Examples:\n  tutti topology torus:8x8\n  tutti topology hypercube:4 -o hypercube.svg\n"
      "  tutti topology ring linear hypercube --ranks 64\n"
      "  tutti topology --compare ring:64 mesh:8x8 torus:8x8 hypercube:6 fat-tree:4x3\n"
      "  tutti topology dragonfly:2x4x2 --bytes 1KiB --json\n"
      "  tutti topology clos:8x4x4 --routing ecmp    # and how full its fullest link becomes\n"
      "  tutti topology clos:4x4x2 -o network.json    # to be changed, and then: --topology network.json");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      request->shapes_pcie = std::exchange(request->pcie, std::nullopt);
      read_values(*request);
      return run_topology(*request);
    };
  });
}

}  // namespace tutti::app
