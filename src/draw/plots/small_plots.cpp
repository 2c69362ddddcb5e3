#include "draw/plots/small_plots.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tutti::draw {
namespace {

constexpr std::size_t panels_a_row = 4;
constexpr double panel_text = 12;
constexpr double panel_line = 1.4 * panel_text;
constexpr double heading = 16;
constexpr double border = 24;
constexpr double panel_width = 190;
constexpr double panel_height = 130;
constexpr double across = 52;  // between panels: the marks of the right one, and left of the first the axis' label
constexpr double down = 62;    // the marks of the upper one, and the title of the lower one
constexpr double legend_swatch = 28;

struct NamedStroke {
  std::string name;
  Stroke stroke;
};

// Every name once, in the order in which it comes first.
std::vector<NamedStroke> strokes_of(const SmallPlots& panels) {
  std::vector<NamedStroke> strokes;
  std::size_t colored = 0;
  for (const SmallPlot& panel : panels.panels) {
    for (const Series& series : panel.series) {
      const auto known = [&](const NamedStroke& each) { return each.name == series.name; };
      if (std::any_of(strokes.begin(), strokes.end(), known)) continue;
      strokes.push_back({series.name, stroke_of(series.kind, colored)});
      if (series.kind != LineKind::bound) ++colored;
    }
  }
  return strokes;
}

class SmallPlotsCanvas {
 public:
  SmallPlotsCanvas(const SmallPlots& panels, const Range& y)
      : panels_(panels),
        strokes_(strokes_of(panels)),
        x_{panels.x_marks, 0, panel_width},
        y_(scale_of(panels.y.unit, y, panel_height, 0)),
        top_(border + heading + panel_line * static_cast<double>(panels.notes.size() + 1)),
        svg_(2 * border + width(), top_ + height() + border, panels.title) {}

  std::string draw() {
    svg_.text({border, border + heading / 2}, panels_.title, {.size = heading, .bold = true});
    double at = border + heading / 2;
    for (const std::string& note : panels_.notes)
      svg_.text({border, at += panel_line}, note, {.size = panel_text, .color = "#555555"});
    draw_legend(at + panel_line);
    for (std::size_t k = 0; k < panels_.panels.size(); ++k) draw_panel(panels_.panels[k], corner(k));
    return svg_.str();
  }

 private:
  Point corner(std::size_t k) const {
    const auto column = static_cast<double>(k % panels_a_row);
    const auto row = static_cast<double>(k / panels_a_row);
    return {border + across + column * (panel_width + across), top_ + down / 2 + row * (panel_height + down)};
  }

  double width() const { return static_cast<double>(panels_a_row) * (panel_width + across); }
  double height() const {
    const std::size_t rows = (panels_.panels.size() + panels_a_row - 1) / panels_a_row;
    return static_cast<double>(rows) * (panel_height + down);
  }

  void draw_legend(double y) {
    double x = border;
    for (const auto& [name, stroke] : strokes_) {
      svg_.line({x, y - panel_text / 3}, {x + legend_swatch, y - panel_text / 3}, stroke);
      x += legend_swatch + 6;
      svg_.text({x, y}, name, {.size = panel_text});
      x += width_of(name, panel_text) + 18;
    }
  }

  void draw_grid(Point at) {
    const Stroke grid{.color = "#dddddd"};
    for (std::size_t k = 0; k < x_.at.size(); ++k) {
      const double x = at.x + x_.pixel(x_.at[k]);
      svg_.line({x, at.y}, {x, at.y + panel_height}, grid);
      svg_.text({x, at.y + panel_height + panel_line}, text_of_mark(panels_.x.unit, x_.at[k]),
                {.size = panel_text, .anchor = Anchor::middle});
    }
    for (const double value : y_.at) {
      const double y = at.y + y_.pixel(value);
      svg_.line({at.x, y}, {at.x + panel_width, y}, grid);
      svg_.text({at.x - 6, y + panel_text / 3}, text_of_mark(panels_.y.unit, value),
                {.size = panel_text, .anchor = Anchor::end});
    }
  }

  const Stroke& stroke_for(const Series& series) const {
    return std::find_if(strokes_.begin(), strokes_.end(),
                        [&](const NamedStroke& each) { return each.name == series.name; })
        ->stroke;
  }

  void draw_panel(const SmallPlot& panel, Point at) {
    svg_.text({at.x, at.y - 8}, panel.title, {.size = panel_text, .bold = true});
    draw_grid(at);
    if (at.x < border + 2 * across)
      svg_.text({at.x - across + panel_text, at.y + panel_height / 2}, panels_.y.label,
                {.size = panel_text, .anchor = Anchor::middle, .color = "#555555", .turned = -90});
    svg_.line({at.x, at.y + panel_height}, {at.x + panel_width, at.y + panel_height}, {.color = "#444444"});
    svg_.line({at.x, at.y}, {at.x, at.y + panel_height}, {.color = "#444444"});
    for (const Series& series : panel.series) {
      std::vector<Point> points;
      for (const Sample& sample : series.samples)
        points.push_back({at.x + x_.pixel(sample.x), at.y + y_.pixel(sample.y)});
      if (points.size() > 1) svg_.polyline(points, stroke_for(series));
    }
    svg_.text({at.x + panel_width, at.y + panel_height + 2 * panel_line}, panels_.x.label,
              {.size = panel_text, .anchor = Anchor::end, .color = "#555555"});
  }

  const SmallPlots& panels_;
  std::vector<NamedStroke> strokes_;
  Scale x_;
  Scale y_;
  double top_;
  Svg svg_;
};

}  // namespace

std::string svg_of(const SmallPlots& panels) {
  Range y;
  for (const SmallPlot& panel : panels.panels) {
    for (const Series& series : panel.series) {
      for (const Sample& sample : series.samples) {
        require(sample.x > 0 && sample.y > 0 && std::isfinite(sample.x) && std::isfinite(sample.y),
                "a logarithmic plot shows numbers above 0, not ({}, {}) of {}", sample.x, sample.y, panel.title);
        y.take(sample.y);
      }
    }
  }
  require(y.most > 0, "the plots '{}' have no points", panels.title);
  return SmallPlotsCanvas(panels, y).draw();
}

}  // namespace tutti::draw
