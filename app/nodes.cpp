#include "app/nodes.hpp"
#include "app/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.hpp"
#include "base/rank_lists.hpp"
#include "base/units.hpp"
#include "topology/nodes.hpp"

namespace tutti::app {
namespace {

// A whole number from 1 on; 0 where the text is none.
std::int64_t positive_in(std::string_view text) {
  const bool is_number = !text.empty() && text.size() <= 8 && text.find_first_not_of("0123456789") == text.npos;
  return is_number ? parse_integer(text, "the ranks of a node", 0, 99'999'999) : 0;
}

std::string words_of(const NodeTraffic::Sums& sums, std::string (*in_words)(std::int64_t elements)) {
  if (sums.messages == 0) return "nothing";
  return fmt::format("{}, {}", counted(sums.messages, "message"), in_words(sums.elements));
}

Json json_of(const NodeTraffic::Sums& sums, const std::string& unit) {
  return Json{{"messages", sums.messages}, {unit, sums.elements}};
}

}  // namespace

std::vector<int> parse_nodes(std::string_view text) {
  std::vector<int> ranks_on;
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
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
    begin = end + 1;
  }
  return ranks_on;
}

void add_nodes(Command& command, Request& request, const std::string& use) {
  add_value(command, request, "--nodes", "N+N+…",
            "Ranks that share a node, 3+5+1 the first three; 16x8 eight on each of 16; sets the ranks. " + use,
            [&request](const std::string& text) {
              std::vector<int> nodes = parse_nodes(text);
              const int ranks = std::accumulate(nodes.begin(), nodes.end(), 0);
              set_ranks(request, {ranks, ranks}, "--nodes " + text);
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
  add("--tw-outside", "beta of messages between nodes, whose ranks share its link (--tw)",
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

std::string text_of(const NodeTraffic& traffic, const Layout& layout, int ranks,
                    std::string (*in_words)(std::int64_t elements)) {
  const NodeTraffic::Sums between = traffic.between();
  const NodeTraffic::Sums all = traffic.all();
  std::string text = fmt::format("{}: of {}, {} go{} between nodes", describe(layout, ranks),
                                 counted(all.messages, "message"), between.messages, between.messages == 1 ? "es" : "");
  text = screen_text(text + fmt::format(", {} of {}", in_words(between.elements), in_words(all.elements)));
  std::vector<std::vector<std::string>> rows{{"NODE", "RANKS", "WITHIN", "SENDS", "RECEIVES"}};
  const auto by_node = layout.ranks_by_node(ranks);
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    const NodeTraffic::Node& sums = traffic.nodes()[node];
    rows.push_back({std::to_string(node), list_of(by_node[node]), words_of(sums.within, in_words),
                    words_of(sums.sent, in_words), words_of(sums.received, in_words)});
  }
  return text + screen_table(rows);
}

Json json_of(const NodeTraffic& traffic, const Layout& layout, int ranks, const std::string& unit) {
  Json nodes = Json::array();
  const auto by_node = layout.ranks_by_node(ranks);
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    const NodeTraffic::Node& sums = traffic.nodes()[node];
    nodes.push_back({{"ranks", by_node[node]},
                     {"within", json_of(sums.within, unit)},
                     {"sent", json_of(sums.sent, unit)},
                     {"received", json_of(sums.received, unit)}});
  }
  return nodes;
}

}  // namespace tutti::app
