#include "draw/scene/network.hpp"

#include <algorithm>
#include <vector>

#include "draw/scene/scene_layout.hpp"
#include "draw/steps/legend.hpp"

namespace tutti::draw {
namespace {

constexpr double network_edge = 20;
constexpr double title_letters = 16;
constexpr double line_letters = 12;
constexpr double line_step = 17;
constexpr double scale = 90;
constexpr double legend_width = 560;

}  // namespace

std::string svg_of(const Arrangement& arrangement, std::string_view title, std::span<const std::string> lines) {
  const Scene scene = scene_of(arrangement, std::vector<PixelSize>(arrangement.vertices.size()), scale);
  const Legend legend(legend_entries_of({}, arrangement, Coloring::by_kind), legend_width);
  std::vector<std::string> texts(lines.begin(), lines.end());
  if (!arrangement.note.empty()) texts.push_back(arrangement.note);
  double width = std::max({scene.bounds.width(), width_of(title, title_letters, Weight::bold), legend.size().width});
  for (const std::string& text : texts) width = std::max(width, width_of(text, line_letters));
  const double below_texts = network_edge + title_letters + static_cast<double>(texts.size()) * line_step;
  const double top = below_texts + legend.size().height + network_edge;

  Svg svg(width + 2 * network_edge, top + scene.bounds.height() + network_edge, title);
  svg.text({network_edge, network_edge + title_letters}, title, {.size = title_letters, .bold = true});
  double y = network_edge + title_letters;
  for (const std::string& text : texts)
    svg.text({network_edge, y += line_step}, text, {.size = line_letters, .color = "#6a6a6a"});
  legend.draw(svg, {network_edge, below_texts + 6});
  svg.begin_moved({network_edge - scene.bounds.left, top - scene.bounds.top});
  draw_network(svg, arrangement, scene);
  svg.end_group();
  return svg.str();
}

}  // namespace tutti::draw
