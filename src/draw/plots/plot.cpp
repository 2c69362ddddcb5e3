#include "draw/plots/plot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "base/check.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {
namespace {

constexpr double text_size = 13;
constexpr double line_height = 1.4 * text_size;
constexpr double title_size = 16;
constexpr double title_at = 28;
constexpr double inner_width = 640;
constexpr double least_height = 400;
constexpr double bottom = 62;
constexpr double mark_gap = 8;  // between an axis and its marks' texts

double widest(const Scale& scale, AxisUnit unit) {
  double width = 0;
  for (const double value : scale.at) width = std::max(width, width_of(text_of_mark(unit, value), text_size));
  return width;
}

// The nearest places to those wished for, at least `apart` from one another and all in [low, high], in the same order.
std::vector<double> spread(std::vector<double> wishes, double apart, double low, double high) {
  std::vector<std::size_t> order(wishes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wishes[a] < wishes[b]; });
  for (const std::size_t k : order) {
    wishes[k] = std::max(wishes[k], low);
    low = wishes[k] + apart;
  }
  std::reverse(order.begin(), order.end());
  for (const std::size_t k : order) {
    wishes[k] = std::min(wishes[k], high);
    high = wishes[k] - apart;
  }
  return wishes;
}

// The rows, counted from the plot upwards, in which flags stand whose poles are at `poles`, from left to right, so that
// neither flags nor poles cross a flag: one that reaches over the poles of others stands above all of theirs.
std::vector<int> flag_rows(const std::vector<double>& poles, const std::vector<double>& widths) {
  std::vector<int> rows(poles.size(), 0);
  for (std::size_t k = poles.size(); k-- > 0;) {
    for (std::size_t right = k + 1; right < poles.size() && poles[right] < poles[k] + widths[k]; ++right)
      rows[k] = std::max(rows[k], rows[right] + 1);
  }
  return rows;
}

class PlotCanvas {
 public:
  PlotCanvas(const Plot& plot, const Range& x, const Range& y)
      : plot_(plot),
        height_(std::max(least_height, line_height * static_cast<double>(plot.series.size()))),
        left_(3 * mark_gap + text_size + widest(scale_of(plot.y.unit, y, 0, 0), plot.y.unit)),
        x_(scale_of(plot.x.unit, x, left_, left_ + inner_width)),
        rows_(rows_of_crossings()),
        top_(24 + title_at + line_height * static_cast<double>(plot.notes.size() + most_rows())),
        y_(scale_of(plot.y.unit, y, top_ + height_, top_)),
        svg_(left_ + inner_width + right_width(), top_ + height_ + bottom, plot.title) {}

  std::string draw() {
    svg_.text({left_, title_at}, plot_.title, {.size = title_size, .bold = true});
    double at = title_at;
    for (const std::string& note : plot_.notes)
      svg_.text({left_, at += line_height}, note, {.size = text_size, .color = "#555555"});
    draw_axes();
    for (std::size_t k = 0; k < plot_.crossings.size(); ++k) draw_pole(k);
    for (std::size_t k = 0; k < plot_.series.size(); ++k)
      draw_line(plot_.series[k], stroke_of(plot_.series[k].kind, k));
    draw_names();
    for (const PlotCrossing& crossing : plot_.crossings) draw_ring({x_.pixel(crossing.at.x), y_.pixel(crossing.at.y)});
    return svg_.str();
  }

 private:
  static constexpr double names_gap = 30;
  static constexpr double swatch = 30;
  static constexpr double pole_gap = 4;

  double flag_width(const PlotCrossing& crossing) const { return 2 * pole_gap + width_of(crossing.text, text_size); }

  std::vector<int> rows_of_crossings() const {
    std::vector<double> poles;
    std::vector<double> widths;
    for (const PlotCrossing& crossing : plot_.crossings) {
      poles.push_back(x_.pixel(crossing.at.x));
      widths.push_back(flag_width(crossing));
    }
    return flag_rows(poles, widths);
  }

  std::size_t most_rows() const {
    return rows_.empty() ? 0 : 1 + static_cast<std::size_t>(*std::max_element(rows_.begin(), rows_.end()));
  }

  // Returns the width to the right of the plot: for the lines' names, a long title, notes and flags.
  double right_width() const {
    double width = width_of(plot_.title, title_size, Weight::bold) - inner_width;
    for (const Series& series : plot_.series)
      width = std::max(width, names_gap + swatch + mark_gap + width_of(series.name, text_size));
    for (const std::string& note : plot_.notes) width = std::max(width, width_of(note, text_size) - inner_width);
    for (const PlotCrossing& crossing : plot_.crossings)
      width = std::max(width, x_.pixel(crossing.at.x) + flag_width(crossing) - x_.high);
    return width + 2 * mark_gap;
  }

  void draw_axes() {
    const Stroke grid{.color = "#dddddd"};
    const Stroke axis{.color = "#444444"};
    const double base = y_.low;
    for (const double value : x_.at) {
      svg_.line({x_.pixel(value), top_}, {x_.pixel(value), base}, grid);
      svg_.text({x_.pixel(value), base + mark_gap + text_size}, text_of_mark(plot_.x.unit, value),
                {.anchor = Anchor::middle});
    }
    for (const double value : y_.at) {
      svg_.line({left_, y_.pixel(value)}, {x_.high, y_.pixel(value)}, grid);
      svg_.text({left_ - mark_gap, y_.pixel(value) + text_size / 3}, text_of_mark(plot_.y.unit, value),
                {.anchor = Anchor::end});
    }
    svg_.line({left_, base}, {x_.high, base}, axis);
    svg_.line({left_, top_}, {left_, base}, axis);
    svg_.text({left_ + inner_width / 2, base + 50}, plot_.x.label, {.anchor = Anchor::middle});
    svg_.text({mark_gap + text_size, top_ + height_ / 2}, plot_.y.label, {.anchor = Anchor::middle, .turned = -90});
  }

  void draw_pole(std::size_t k) {
    const PlotCrossing& crossing = plot_.crossings[k];
    const double x = x_.pixel(crossing.at.x);
    const double above = top_ - mark_gap - static_cast<double>(rows_[k]) * line_height;
    svg_.line({x, y_.low}, {x, above - text_size}, {.color = "#999999", .dashes = "2 3"});
    svg_.text({x + pole_gap, above}, crossing.text);
  }

  void draw_ring(Point at) {
    svg_.circle(at, 6, "#222222");
    svg_.circle(at, 4, "#ffffff");
  }

  Point end_of(const Series& series) const {
    return {x_.pixel(series.samples.back().x), y_.pixel(series.samples.back().y)};
  }

  void draw_line(const Series& series, const Stroke& stroke) {
    std::vector<Point> points;
    for (const Sample& sample : series.samples) points.push_back({x_.pixel(sample.x), y_.pixel(sample.y)});
    if (points.size() > 1) svg_.polyline(points, stroke);
    if (points.size() > 1 && series.kind != LineKind::measured) return;
    for (const Point& point : points) svg_.circle(point, 3, stroke.color);
  }

  // Each at the height of its line's end, or as near as the others allow, with a thin line from there.
  void draw_names() {
    std::vector<std::size_t> named;
    std::vector<double> wishes;
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
      if (plot_.series[k].samples.empty()) continue;
      named.push_back(k);
      wishes.push_back(end_of(plot_.series[k]).y);
    }
    const std::vector<double> heights = spread(wishes, line_height, y_.high, y_.low);
    const double left = x_.high + names_gap;
    for (std::size_t n = 0; n < named.size(); ++n) {
      const Series& series = plot_.series[named[n]];
      const Stroke stroke = stroke_of(series.kind, named[n]);
      svg_.line(end_of(series), {left, heights[n]}, {.color = stroke.color, .width = 0.6});
      svg_.line({left, heights[n]}, {left + swatch, heights[n]}, stroke);
      svg_.text({left + swatch + mark_gap, heights[n] + text_size / 3}, series.name);
    }
  }

  const Plot& plot_;
  double height_;
  double left_;
  Scale x_;
  std::vector<int> rows_;  // rows of the crossings' flags
  double top_;
  Scale y_;
  Svg svg_;
};

void check(const Sample& sample, std::string_view of) {
  require(sample.x > 0 && sample.y > 0 && std::isfinite(sample.x) && std::isfinite(sample.y),
          "a logarithmic plot shows numbers above 0, not ({}, {}) of {}", sample.x, sample.y, of);
}

}  // namespace

std::string svg_of(const Plot& plot) {
  Range x;
  Range y;
  for (const Series& series : plot.series) {
    for (const Sample& sample : series.samples) {
      check(sample, series.name);
      x.take(sample.x);
      y.take(sample.y);
    }
  }
  require(x.most > 0, "the plot '{}' has no points", plot.title);
  for (const PlotCrossing& crossing : plot.crossings) check(crossing.at, crossing.text);
  return PlotCanvas(plot, x, y).draw();
}

}  // namespace tutti::draw
