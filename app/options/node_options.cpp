#include "app/options/node_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "topology/families/nodes.hpp"

namespace tutti::app {
namespace {

// A whole number from 1 on; 0 where the text is none.
std::int64_t positive_in(std::string_view text) {
  const bool is_number = !text.empty() && text.size() <= 8 && text.find_first_not_of("0123456789") == text.npos;
  return is_number ? parse_integer(text, "the ranks of a node", 0, 99'999'999) : 0;
}

}  // namespace

std::vector<int> parse_nodes(std::string_view text) {
  std::vector<int> ranks_on;
  std::int64_t sum = 0;
  for (const std::string_view part : split(text, '+')) {
    const std::size_t times = part.find('x');
    const std::int64_t nodes = times == part.npos ? 1 : positive_in(part.substr(0, times));
    const std::int64_t ranks = positive_in(times == part.npos ? part : part.substr(times + 1));
    require(nodes >= 1 && ranks >= 1,
            "'{}' is no list of nodes: '{}' is no number of ranks from 1 on; write one a node, such as 3+5+1 for nine "
            "ranks on three nodes, or 16x8 for eight ranks on each of sixteen",
            text, part);
    sum += nodes * ranks;
    require(sum <= most_ranks_asked, "the nodes {} have more than {} ranks in all", text, most_ranks_asked);
    ranks_on.insert(ranks_on.end(), static_cast<std::size_t>(nodes), static_cast<int>(ranks));
  }
  return ranks_on;
}

void add_nodes(Command& command, Request& request, const std::string& use) {
  add_value(
      command, request, "--nodes", "N+N+…",
      "Ranks of each node: 3+5+1 puts the first three on one node, 16x8 eight on each of 16; sets the ranks. " + use,
      [&request](const std::string& text) {
        std::vector<int> nodes = parse_nodes(text);
        const int ranks = std::accumulate(nodes.begin(), nodes.end(), 0);
        set_ranks(request, {ranks, ranks}, "--nodes " + text);
        if (nodes.size() == 1 && ranks > 1) {
          request.notes.push_back(fmt::format(
              "--nodes {0} is one node of {0} ranks; {0} nodes of one rank each are --nodes {0}x1, and what "
              "textbooks call {0} nodes are {0} ranks: --ranks {0}",
              ranks));
        }
        request.nodes = std::move(nodes);
      });
}

void add_node_links(Command& command, Request& request) {
  const auto add = [&](const char* name, const char* help, std::optional<double>& value) {
    add_value(command, request, name, "TIME", help, [&request, &value](const std::string& text) {
      value = parse_seconds(text).count;
      request.names_node_links = true;
    });
  };
  add("--ts-inside", "alpha of messages inside a node of --nodes (--ts)", request.node_links.inside.ts);
  add("--tw-inside", "beta of messages inside a node (--tw)", request.node_links.inside.tw);
  add("--ts-outside", "alpha of messages between nodes (--ts)", request.node_links.between.ts);
  add("--tw-outside", "beta of messages between nodes; the ranks of a node share its link (--tw)",
      request.node_links.between.tw);
}

Layout layout_of(const Request& request) { return request.nodes ? Layout::of_nodes(*request.nodes) : Layout{}; }

TopologyPtr network_of_nodes(const Request& request) {
  const bool has_network = request.nodes && !request.topology;
  require(
      has_network || !request.names_node_links,
      "--ts-inside, --tw-inside, --ts-outside and --tw-outside are of the network of --nodes 3+5+1 or 16x8, without "
      "--topology");
  if (!has_network) return nullptr;
  return request.names_node_links ? nodes_topology(*request.nodes, request.node_links) : nodes_topology(*request.nodes);
}

}  // namespace tutti::app
