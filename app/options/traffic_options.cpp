#include "app/options/traffic_options.hpp"

namespace tutti::app {

GivenTraffic add_traffic(Command& command, Request& request, TrafficRequest& traffic) {
  const auto given = std::make_shared<std::set<std::string>>();
  const auto add = [&](const std::string& key, const char* type, const char* help) {
    add_value(command, request, "--" + key, type, help, [&traffic, given, key](const std::string& text) {
      set_traffic(traffic, key, text);
      given->insert(key);
    });
  };
  add("routing", "NAME[:SEED]",
      "own: the network's routes (the default); ecmp: hashed among the shortest; minimal-adaptive: the least loaded of "
      "the shortest; valiant: over a random rank; adaptive: own, or over a random rank where that is less loaded");
  add("background", "N[:SEED]", "Endless messages between N random pairs of ranks, which share the links");
  add("injection", "TIME", "For each byte that a rank sends, and that it gets, over whichever links (0: no limit)");
  add("eager", "SIZE", "Messages up to this size are buffered: they begin before their receivers are there");
  request.complete = [before = request.complete, &request, &traffic, given] {
    if (before) before();
    if (request.topology) take_traffic(traffic, request.traffic, *given, request.topology->name());
  };
  return given;
}

}  // namespace tutti::app
