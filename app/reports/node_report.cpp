#include "app/reports/node_report.hpp"

#include <fmt/format.h>

#include <vector>

#include "app/command_line/terminal.hpp"
#include "base/text/rank_lists.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

std::string words_of(const NodeTraffic::Sums& sums, std::string (*in_words)(std::int64_t elements)) {
  if (sums.messages == 0) return "nothing";
  return fmt::format("{}, {}", counted(sums.messages, "message"), in_words(sums.elements));
}

Json json_of(const NodeTraffic::Sums& sums, const std::string& unit) {
  return Json{{"messages", sums.messages}, {unit, sums.elements}};
}

}  // namespace

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
