#include "app/reports/timeline_json.hpp"

#include <algorithm>

namespace tutti::app {

Json json_of_message(const TimelineMessage& message) {
  return {{"from", message.from},
          {"to", message.to},
          {"bytes", message.bytes},
          {"send_posted", message.send_posted},
          {"receive_posted", message.receive_posted},
          {"begin", message.begin},
          {"end", message.end}};
}

Json timeline_json(const Simulation& simulation, const Topology& topology, const Problem& problem,
                   const Choice& choice) {
  Json messages = Json::array();
  Json waits = Json::array();
  for (const TimelineMessage& m : simulation.timeline) {
    messages.push_back(json_of_message(m));
    // The rank that came first waited for the other, and for its ports.
    const double first = std::min(m.send_posted, m.receive_posted);
    if (m.begin <= first) continue;
    const bool sender_first = m.send_posted <= m.receive_posted;
    waits.push_back({{"rank", sender_first ? m.from : m.to},
                     {"for", sender_first ? m.to : m.from},
                     {"begin", first},
                     {"end", m.begin}});
  }
  Json phases = Json::array();
  for (const TimelinePhase& phase : simulation.phases) {
    const Json name = phase.name.empty() ? Json(nullptr) : Json(phase.name);
    phases.push_back({{"rank", phase.rank}, {"begin", phase.begin}, {"phase", name}});
  }
  Json links = Json::array();
  for (const LinkLoad& load : simulation.loads) {
    const Link link = topology.link(load.link);
    links.push_back({{"from", link.from}, {"to", link.to}, {"bytes", load.bytes}});
  }
  return Json{{"collective", name_of(problem.collective)},
              {"algorithm", choice.algorithm->name},
              {"topology", topology.name()},
              {"ranks", problem.ranks},
              {"seconds", simulation.seconds},
              {"finished", simulation.finished},
              {"messages", messages},
              {"waits", waits},
              {"phases", phases},
              {"links", links}};
}

}  // namespace tutti::app
