#include "draw/network.hpp"

#include <algorithm>
#include <vector>

#include "draw/legend.hpp"
#include "draw/scene.hpp"

namespace tutti::draw {
namespace {

constexpr double edge = 20;
constexpr double title_letters = 16;
constexpr double line_letters = 12;
constexpr double line_step = 17;
constexpr double scale = 90;
constexpr double keys_width = 560;

}  // namespace

std::string svg_of(const Arrangement& arrangement, std::string_view title, std::span<const std::string> lines) {
  const Scene scene = scene_of(arrangement, std::vector<Extent>(arrangement.vertices.size()), scale);
  const Legend legend(keys_of({}, arrangement, Coloring::by_kind), keys_width);
  std::vector<std::string> texts(lines.begin(), lines.end());
  if (!arrangement.note.empty()) texts.push_back(arrangement.note);
  double width = std::max({scene.bounds.width(), width_of(title, title_letters, Weight::bold), legend.extent().width});
  for (const std::string& text : texts) width = std::max(width, width_of(text, line_letters));
  const double below_texts = edge + title_letters + static_cast<double>(texts.size()) * line_step;
  const double top = below_texts + legend.extent().height + edge;

  Svg svg(width + 2 * edge, top + scene.bounds.height() + edge, title);
  svg.text({edge, edge + title_letters}, title, {.size = title_letters, .bold = true});
  double y = edge + title_letters;
  for (const std::string& text : texts)
    svg.text({edge, y += line_step}, text, {.size = line_letters, .color = "#6a6a6a"});
  legend.draw(svg, {edge, below_texts + 6});
  svg.begin_moved({edge - scene.bounds.left, top - scene.bounds.top});
  draw_network(svg, arrangement, scene);
  svg.end_group();
  return svg.str();
}

}  // namespace tutti::draw
