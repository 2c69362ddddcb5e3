#include "draw/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/svg.hpp"

namespace tutti::draw {
namespace {

// Colors that remain different to color-blind eyes (M. Okabe, K. Ito, Color Universal Design, 2008), and dashes for
// paper.
struct Look {
  std::string_view color;
  std::string_view dashes;
};
constexpr Look looks[] = {{"#0072b2", ""},    {"#d55e00", "7 3"},  {"#009e73", "2 3"}, {"#cc79a7", "9 3 2 3"},
                          {"#56b4e9", "4 2"}, {"#e69f00", "12 3"}, {"#000000", "1 4"}};

constexpr double text_size = 13;
constexpr double title_size = 16;
constexpr double inner_width = 640;
constexpr double inner_height = 400;
constexpr double top = 52;
constexpr double bottom = 62;
constexpr double gap = 8;  // between an axis and its marks' texts

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

// Powers of `base` from the one at or below `least` to the one at or above `most`, every `step`-th exponent. Computed
// from the exponent, so that 1e-6 is exactly that.
std::vector<double> powers(double base, double least, double most, int step) {
  const auto exponent = [base](double value) { return std::log(value) / std::log(base); };
  constexpr double slack = 1e-9;
  const int first = static_cast<int>(std::floor(exponent(least) + slack));
  const int last = static_cast<int>(std::ceil(exponent(most) - slack));
  std::vector<double> found;
  for (int e = first; e < last + step; e += step) found.push_back(std::pow(base, e));
  return found;
}

std::string text_for(Unit unit, double value) {
  if (unit == Unit::bytes) return text_of(Bytes{std::llround(value)});
  return unit == Unit::seconds ? text_of(Seconds{value}) : fmt::format("{:.4g}", value);
}

// An axis: values between its first and last mark lie between two pixels.
struct Scale {
  std::vector<double> at;
  double low = 0;
  double high = 0;

  double pixel(double value) const {
    const double part = std::log(value / at.front()) / std::log(at.back() / at.front());
    return low + part * (high - low);
  }
};

Scale scale_of(Unit unit, Range range, double low, double high) {
  if (range.least == range.most) {
    range.least /= 2;
    range.most *= 2;
  }
  return {marks(unit, range.least, range.most), low, high};
}

double widest(const Scale& scale, Unit unit) {
  double width = 0;
  for (const double value : scale.at) width = std::max(width, width_of(text_for(unit, value), text_size));
  return width;
}

class Canvas {
 public:
  Canvas(const Plot& plot, const Range& x, const Range& y)
      : plot_(plot),
        y_(scale_of(plot.y.unit, y, top + inner_height, top)),
        left_(3 * gap + text_size + widest(y_, plot.y.unit)),
        x_(scale_of(plot.x.unit, x, left_, left_ + inner_width)),
        svg_(left_ + inner_width + legend_width(), top + inner_height + bottom, plot.title) {}

  std::string draw() {
    svg_.text({left_, 28}, plot_.title, {.size = title_size, .bold = true});
    draw_axes();
    for (std::size_t k = 0; k < plot_.series.size(); ++k) draw_series(k);
    return svg_.str();
  }

 private:
  static constexpr double legend_gap = 24;
  static constexpr double legend_line = 34;

  double legend_width() const {
    double width = 0;
    for (const Series& series : plot_.series) width = std::max(width, width_of(series.name, text_size));
    const double needed = legend_gap + legend_line + gap + width + 2 * gap;
    // A long title may reach over the legend's column.
    return std::max(needed, width_of(plot_.title, title_size) + 2 * gap - inner_width);
  }

  void draw_axes() {
    const Stroke grid{.color = "#dddddd"};
    const Stroke axis{.color = "#444444"};
    const double base = top + inner_height;
    const double right = left_ + inner_width;
    for (const double value : x_.at) {
      svg_.line({x_.pixel(value), top}, {x_.pixel(value), base}, grid);
      svg_.text({x_.pixel(value), base + gap + text_size}, text_for(plot_.x.unit, value), {.anchor = Anchor::middle});
    }
    for (const double value : y_.at) {
      svg_.line({left_, y_.pixel(value)}, {right, y_.pixel(value)}, grid);
      svg_.text({left_ - gap, y_.pixel(value) + text_size / 3}, text_for(plot_.y.unit, value), {.anchor = Anchor::end});
    }
    svg_.line({left_, base}, {right, base}, axis);
    svg_.line({left_, top}, {left_, base}, axis);
    svg_.text({left_ + inner_width / 2, base + 50}, plot_.x.label, {.anchor = Anchor::middle});
    svg_.text({gap + text_size, top + inner_height / 2}, plot_.y.label, {.anchor = Anchor::middle, .turned = -90});
  }

  void draw_series(std::size_t k) {
    const Look& look = looks[k % std::size(looks)];
    const Stroke stroke{look.color, 2, look.dashes};
    const Series& series = plot_.series[k];
    std::vector<Point> points;
    for (const Sample& sample : series.samples) points.push_back({x_.pixel(sample.x), y_.pixel(sample.y)});
    if (points.size() > 1) svg_.polyline(points, stroke);
    for (const Point& point : points) svg_.circle(point, 3, look.color);
    const double at = left_ + inner_width + legend_gap;
    const double height = top + text_size + static_cast<double>(k) * 1.7 * text_size;
    svg_.line({at, height - text_size / 3}, {at + legend_line, height - text_size / 3}, stroke);
    svg_.text({at + legend_line + gap, height}, series.name);
  }

  const Plot& plot_;
  Scale y_;
  double left_;
  Scale x_;
  Svg svg_;
};

}  // namespace

std::vector<double> marks(Unit unit, double least, double most) {
  constexpr double comfortable = 9;
  const double base = unit == Unit::bytes ? 2 : 10;
  const double spanned = std::log(most / least) / std::log(base);
  const int step = std::max(1, static_cast<int>(std::ceil(spanned / comfortable)));
  std::vector<double> found = powers(base, least, most, step);
  if (unit == Unit::bytes || found.size() > 3) return found;
  // Short ranges: 1, 2 and 5 in every decade, from the last at or below the range to the first at or above it.
  std::vector<double> fine;
  for (const double power : powers(10, least, most, 1)) {
    for (const double factor : {1.0, 2.0, 5.0}) fine.push_back(power * factor);
  }
  const double slack = 1 + 1e-9;
  const auto first = std::find_if(fine.rbegin(), fine.rend(), [&](double value) { return value <= least * slack; });
  const auto last = std::find_if(fine.begin(), fine.end(), [&](double value) { return value * slack >= most; });
  return {first.base() - 1, last + 1};
}

std::string svg_of(const Plot& plot) {
  Range x;
  Range y;
  for (const Series& series : plot.series) {
    for (const Sample& sample : series.samples) {
      require(sample.x > 0 && sample.y > 0 && std::isfinite(sample.x) && std::isfinite(sample.y),
              "a logarithmic plot shows numbers above 0, not ({}, {}) of {}", sample.x, sample.y, series.name);
      x.take(sample.x);
      y.take(sample.y);
    }
  }
  require(x.most > 0, "the plot '{}' has no points", plot.title);
  return Canvas(plot, x, y).draw();
}

}  // namespace tutti::draw
