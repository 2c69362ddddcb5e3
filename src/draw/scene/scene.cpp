#include "draw/scene/scene.hpp"

#include <algorithm>

#include "draw/colors.hpp"

namespace tutti::draw {

PixelSize size_of_lines(std::span<const std::string> lines) {
  PixelSize size{0, static_cast<double>(lines.size()) * small_line};
  for (const std::string& line : lines) size.width = std::max(size.width, width_of(line, small_text, Weight::bold));
  return size;
}

void draw_network(Svg& svg, const Arrangement& arrangement, const Scene& scene) {
  for (std::size_t node = 0; node < scene.nodes.size(); ++node) {
    const Box& box = scene.nodes[node];
    svg.frame({box.left, box.top}, box.width(), box.height(), distinct_colors[node % distinct_colors.size()]);
  }
  for (std::size_t k = 0; k < scene.wires.size(); ++k) {
    const Curve& wire = scene.wires[k];
    const Stroke stroke{.color = "#c4c8cc", .width = arrangement.wires[k].lanes > 1 ? 3.0 : 1.5};
    arrangement.wires[k].curved ? svg.curve(wire.from, wire.control, wire.to, stroke)
                                : svg.line(wire.from, wire.to, stroke);
  }
  for (std::size_t v = 0; v < scene.bodies.size(); ++v) {
    const Box& body = scene.bodies[v];
    const Vertex& vertex = arrangement.vertices[v];
    if (vertex.is_switch) {
      svg.rectangle({body.left, body.top}, body.width(), body.height(), "#d8dce0");
    } else {
      const std::string_view ground =
          vertex.node < 0 ? "#ffffff" : distinct_tints[static_cast<std::size_t>(vertex.node) % distinct_tints.size()];
      svg.pill({body.left, body.top}, body.width(), body.height(), ground, {.color = "#333333", .width = 1.5});
    }
    const Point middle = scene.vertices[v];
    svg.text({middle.x, middle.y + (vertex.detail.empty() ? 4 : -2)}, vertex.label,
             {.size = name_text, .anchor = Anchor::middle, .bold = !vertex.is_switch});
    if (!vertex.detail.empty())
      svg.text({middle.x, middle.y + 12}, vertex.detail,
               {.size = detail_text, .anchor = Anchor::middle, .color = "#444444"});
  }
}

}  // namespace tutti::draw
