#include "app/options/network_words.hpp"

#include <string_view>
#include <utility>

#include "app/command_line/files.hpp"
#include "app/options/traffic_request.hpp"
#include "app/options/values.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "topology/formats/named.hpp"

namespace tutti::app {
namespace {

// The grid in "mesh:4x4", "torus:…" and "linear:…"; empty elsewhere.
Shape grid_in(const std::string& words) {
  const std::size_t colon = words.find(':');
  const std::string_view family = std::string_view(words).substr(0, colon);
  const bool grid = family == "mesh" || family == "torus" || family == "linear";
  return grid && words.find('x', colon) != std::string::npos ? parse_grid(std::string_view(words).substr(colon + 1))
                                                             : Shape{};
}

}  // namespace

bool asks_for_pcie(const std::string& text) { return text.ends_with(".txt"); }

Network parse_network(const std::string& text, const std::optional<std::string>& pcie) {
  require(!pcie || asks_for_pcie(text), "--pcie is of networks from nvidia-smi, FILE.txt; leave it out with '{}'",
          text);
  std::optional<int> generation;
  if (pcie) generation = static_cast<int>(parse_integer(*pcie, "the generation of PCIe", oldest_pcie, newest_pcie));
  if (text.ends_with(".json")) {
    Network network;
    network.topology = topology_from_json(read_file(text), text, &network.traffic);
    TrafficRequest valid;  // also for commands that simulate nothing
    take_traffic(valid, network.traffic, {}, text);
    return network;
  }
  if (text.ends_with(".xml")) return {topology_from_hwloc(read_file(text), text), {}};
  if (asks_for_pcie(text)) {
    Network network;
    std::string assumption;
    network.topology = topology_from_nvidia_smi(read_file(text), text, generation, &assumption);
    if (!assumption.empty()) network.notes.push_back(std::move(assumption));
    return network;
  }
  require(text.substr(0, text.find(':')).find_first_of("./") == std::string::npos,
          "a network's file ends with .json, .xml (from lstopo) or .txt (from nvidia-smi), not as '{}' does", text);
  return {topology_named(text), grid_in(text)};
}

}  // namespace tutti::app
