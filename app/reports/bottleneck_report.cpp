#include "app/reports/bottleneck_report.hpp"

#include <fmt/format.h>

#include <vector>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

std::string gain(double before, double after) {
  return before > 0 ? fmt::format("{} ({:+.1f} %)", text_of(Seconds{after}), 100 * (after - before) / before)
                    : text_of(Seconds{after});
}

}  // namespace

std::string text_of(const Bottlenecks& found, const Topology& topology) {
  std::vector<std::vector<std::string>> rows{
      {"LINKS", "LANES", "HOW MANY", "THE FULLEST", "CARRIES", "BUSY", "TWICE AS FAST"}};
  for (const LinksInUse& use : found.links) {
    const Link link = topology.link(use.busiest.link);
    const bool used = use.busiest.bytes > 0;
    rows.push_back(
        {use.where, fmt::format("{:.4g}", use.cost.lanes), fmt::format("{}", use.links),
         used ? fmt::format("{} to {}", node_in_words(topology, link.from), node_in_words(topology, link.to)) : "-",
         used ? text_of(Bytes{use.busiest.bytes}) : "nothing",
         found.seconds > 0 ? fmt::format("{:.0f} %", 100 * use.busy / found.seconds) : "-",
         gain(found.seconds, use.with_faster)});
  }
  std::string text = screen_table(rows, {2, 3, 1}) + '\n' +
                     screen_text(fmt::format(
                         "The run takes {} as it is; with all links of a kind twice as fast, as the last column says.",
                         text_of(Seconds{found.seconds})));
  for (const HalvedCost& halved : found.costs)
    text += fmt::format("With half of {} it takes {}.\n", halved.name, gain(found.seconds, halved.seconds));
  return text;
}

Json json_of(const Bottlenecks& found, const Topology& topology) {
  Json links = Json::array();
  for (const LinksInUse& use : found.links) {
    const Link link = topology.link(use.busiest.link);
    Json fields{{"links", use.where}, {"lanes", use.cost.lanes},  {"count", use.links},
                {"busiest", nullptr}, {"busy_seconds", use.busy}, {"seconds_with_faster", use.with_faster}};
    if (use.busiest.bytes > 0) fields["busiest"] = {{"from", link.from}, {"to", link.to}, {"bytes", use.busiest.bytes}};
    links.push_back(fields);
  }
  Json halved = Json::object();
  for (const HalvedCost& cost : found.costs) halved[cost.name] = cost.seconds;
  return Json{{"seconds", found.seconds}, {"links", links}, {"seconds_with_half", halved}};
}

}  // namespace tutti::app
