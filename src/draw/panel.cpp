#include "draw/panel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::draw {
namespace {

constexpr std::size_t most_listed = 24;  // messages below a panel

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string messages_in_words(int step, const Frame& frame) {
  if (frame.arrows.empty()) return fmt::format("Step {}: messages of other ranks alone", step);
  const auto by_size = [](const Arrow& a, const Arrow& b) { return a.elements < b.elements; };
  const auto [least, most] = std::minmax_element(frame.arrows.begin(), frame.arrows.end(), by_size);
  const std::string messages = fmt::format("Step {}: {}", step, count_of(frame.arrows.size(), "message"));
  if (most->elements == 0) return messages;
  if (least->elements < most->elements)
    return fmt::format("{} of {} to {} elements", messages, least->elements, most->elements);
  return fmt::format("{} of {}", messages, count_of(static_cast<std::size_t>(most->elements), "element"));
}

}  // namespace

std::string title_of(int step, const Frame& frame) {
  const std::string words = messages_in_words(step, frame);
  return frame.phase.empty() ? words : fmt::format("{} ({})", words, frame.phase);
}

bool sizes_differ(const Frame& frame) {
  return std::any_of(frame.arrows.begin(), frame.arrows.end(),
                     [&](const Arrow& arrow) { return arrow.elements != frame.arrows.front().elements; });
}

std::vector<std::string> unnamed_in(const Panel& panel) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < panel.arrows.size(); ++k) {
    const Arrow& arrow = panel.frame->arrows[k];
    const std::string name = name_of(arrow, panel.with_sizes);
    const bool numbered = panel.arrows[k].label.width() > 0;
    if (!panel.arrows[k].named && !(numbered && name.empty()))
      lines.push_back(
          fmt::format("{}: {} → {}{}{}", arrow.number, arrow.from, arrow.to, name.empty() ? "" : ", ", name));
  }
  return lines;
}

void shorten_list(std::vector<std::string>& lines) {
  if (lines.size() <= most_listed) return;
  const std::size_t more = lines.size() - (most_listed - 1);
  lines.resize(most_listed - 1);
  lines.push_back(fmt::format("and {} more", more));
}

}  // namespace tutti::draw
