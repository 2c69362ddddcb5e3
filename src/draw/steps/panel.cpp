#include "draw/steps/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/units.hpp"
#include "draw/steps/content_names.hpp"

namespace tutti::draw {
namespace {

constexpr Stroke wrong_stroke{.color = "#d55e00", .width = 2.5, .dashes = "6 3"};
constexpr std::size_t most_listed = 24;  // messages below a panel, a line each

std::string count_of(std::size_t count, std::string_view what) {
  return counted(static_cast<std::int64_t>(count), what);
}

std::string messages_in_words(int step, const Frame& frame, Unit unit) {
  if (frame.arrows.empty()) return fmt::format("Step {}: no message between drawn ranks", step);
  const auto by_size = [](const Arrow& a, const Arrow& b) { return a.elements < b.elements; };
  const auto [least, most] = std::minmax_element(frame.arrows.begin(), frame.arrows.end(), by_size);
  const std::string messages = fmt::format("Step {}: {}{}", step, count_of(frame.arrows.size(), "message"),
                                           frame.is_partial ? " between drawn ranks" : "");
  if (most->elements == 0) return messages;
  if (least->elements < most->elements)
    return fmt::format("{} of {} to {}", messages,
                       unit == Unit::bytes ? amount_of(least->elements, unit) : std::to_string(least->elements),
                       amount_of(most->elements, unit));
  return fmt::format("{} of {}", messages, amount_of(most->elements, unit));
}

// "0 → 1..7: 7 messages, {1..7}": all messages of those senders that have untold ones, a sender in a line.
std::vector<std::string> by_sender(const Panel& panel) {
  std::map<int, std::vector<const Arrow*>> senders;
  for (const Arrow& arrow : panel.frame->arrows) senders[arrow.from].push_back(&arrow);
  std::set<int> unnamed;
  for (std::size_t k = 0; k < panel.drawn.arrows.size(); ++k) {
    if (!panel.drawn.arrows[k].content_shown) unnamed.insert(panel.frame->arrows[k].from);
  }
  std::erase_if(senders, [&](const auto& sender) { return !unnamed.contains(sender.first); });
  std::vector<std::string> lines;
  for (const auto& [sender, arrows] : senders) {
    std::set<int> receivers;
    for (const Arrow* arrow : arrows) receivers.insert(arrow->to);
    const std::string& together = panel.frame->ranks[static_cast<std::size_t>(sender)].sent;
    const std::string& content = arrows.size() == 1 ? arrows.front()->content : together;
    lines.push_back(fmt::format("{} → {}: {}{}{}", sender, text_of_set({receivers.begin(), receivers.end()}),
                                count_of(arrows.size(), "message"), content.empty() ? "" : ", ", content));
  }
  return lines;
}

}  // namespace

std::string title_of(int step, const Frame& frame, Unit unit) {
  if (!frame.event.empty()) return fmt::format("Step {}: {}", step, frame.event);
  const std::string words = messages_in_words(step, frame, unit);
  return frame.phase.empty() ? words : fmt::format("{} ({})", words, frame.phase);
}

bool sizes_differ(const Frame& frame) {
  return std::any_of(frame.arrows.begin(), frame.arrows.end(),
                     [&](const Arrow& arrow) { return arrow.elements != frame.arrows.front().elements; });
}

std::vector<std::string> unnamed_in(const Panel& panel) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < panel.drawn.arrows.size(); ++k) {
    if (panel.drawn.arrows[k].content_shown) continue;
    const Arrow& arrow = panel.frame->arrows[k];
    const std::string name = name_of(arrow, panel.sizes);
    lines.push_back(fmt::format("{}: {} → {}{}{}", arrow.number, arrow.from, arrow.to, name.empty() ? "" : ", ", name));
  }
  return lines;
}

void draw_wrong_place(Svg& svg, const WrongPlace& wrong, const Scene& scene) {
  const auto vertex = static_cast<std::size_t>(wrong.rank);
  const Box& body = scene.bodies[vertex];
  const Box& label = scene.labels[vertex];
  const Box box = grown(label.width() > 0 ? around(body, label) : body, 5);
  svg.begin_group("wrong", wrong.words);
  svg.polyline(
      {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}, {box.left, box.top}},
      wrong_stroke);
  svg.end_group();
}

void shorten_list(Panel& panel) {
  if (panel.listed.size() > most_listed) panel.listed = by_sender(panel);
}

std::size_t columns_for(std::size_t panels, const PixelSize& size, double head) {
  constexpr double wide = 1.5;     // the shape that the picture is brought near to
  constexpr double widest = 1700;  // at its full size on a screen
  const auto all = static_cast<double>(panels);
  const auto rows = [&](double across) { return std::ceil(all / across); };
  const auto shape = [&](double across) { return across * size.width / (head + rows(across) * size.height); };
  const auto distance = [&](double across) {
    const double empty = rows(across) * across / all - 1;
    return std::abs(std::log(shape(across) / wide)) + empty;
  };
  double best = 1;
  for (double across = 2; across <= all && across * size.width <= widest; ++across) {
    if (distance(across) < distance(best)) best = across;
  }
  return static_cast<std::size_t>(best);
}

}  // namespace tutti::draw
