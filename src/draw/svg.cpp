#include "draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "draw/colors.hpp"

namespace tutti::draw {
namespace {

// Two digits after the point are a hundredth of a pixel; no "-0", so that equal drawings are equal bytes.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_of(const Stroke& stroke) {
  std::string text = fmt::format(R"( stroke="{}" stroke-width="{}")", escaped(stroke.color), number(stroke.width));
  if (!stroke.dashes.empty()) text += fmt::format(R"( stroke-dasharray="{}")", escaped(stroke.dashes));
  return text;
}

std::string places_of(const std::vector<Point>& points) {
  std::string places;
  for (const Point& point : points)
    places += fmt::format("{}{},{}", places.empty() ? "" : " ", number(point.x), number(point.y));
  return places;
}

std::string_view name_of(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

// Returns the style for viewers that ask for a dark drawing: rules of style go before the attributes that give colors.
const std::string& dark_style() {
  static const std::string style = [] {
    std::string rules;
    for (const DarkColor& color : dark_colors) {
      rules += fmt::format("[fill=\"{0}\"]{{fill:{1}}}[stroke=\"{0}\"]{{stroke:{1}}}", color.on_white, color.on_black);
    }
    return fmt::format("<style>@media (prefers-color-scheme: dark){{{}}}</style>\n", rules);
  }();
  return style;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') result += c;
    }
  }
  return result;
}

Svg::Svg(double width, double height, std::string_view title) {
  require(width > 0 && height > 0, "a drawing needs a size above 0, not {} by {}", width, height);
  body_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n",
      number(width), number(height), escaped(title));
  body_ += dark_style();
  rectangle({0, 0}, width, height, "#ffffff");
}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", number(from.x), number(from.y),
                       number(to.x), number(to.y), stroke_of(stroke));
}

void Svg::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", places_of(points), stroke_of(stroke));
}

void Svg::rectangle(Point corner, double width, double height, std::string_view fill) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(corner.x),
                       number(corner.y), number(width), number(height), escaped(fill));
}

void Svg::circle(Point center, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", number(center.x), number(center.y),
                       number(radius), escaped(fill));
}

void Svg::pill(Point corner, double width, double height, std::string_view fill, const Stroke& edge) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\"{}/>\n",
                       number(corner.x), number(corner.y), number(width), number(height),
                       number(std::min(width, height) / 2), escaped(fill), stroke_of(edge));
}

void Svg::frame(Point corner, double width, double height, std::string_view color) {
  body_ +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"none\"{}/>\n", number(corner.x),
                  number(corner.y), number(width), number(height), stroke_of({.color = color, .width = 1}));
}

void Svg::curve(Point from, Point control, Point to, const Stroke& stroke) {
  body_ += fmt::format("<path d=\"M{} {}Q{} {} {} {}\" fill=\"none\"{}/>\n", number(from.x), number(from.y),
                       number(control.x), number(control.y), number(to.x), number(to.y), stroke_of(stroke));
}

void Svg::polygon(const std::vector<Point>& points, std::string_view fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", places_of(points), escaped(fill));
}

void Svg::begin_group(std::string_view kind, std::string_view name) {
  body_ += fmt::format("<g class=\"{}\">\n", escaped(kind));
  if (!name.empty()) body_ += fmt::format("<title>{}</title>\n", escaped(name));
}

void Svg::begin_moved(Point by) {
  body_ += fmt::format("<g transform=\"translate({} {})\">\n", number(by.x), number(by.y));
}

void Svg::begin_placed(Point by, double scale) {
  if (scale == 1) return begin_moved(by);
  body_ += fmt::format("<g transform=\"translate({} {}) scale({:.4f})\">\n", number(by.x), number(by.y), scale);
}

void Svg::end_group() { body_ += "</g>\n"; }

void Svg::begin_definition(std::string_view id) { body_ += fmt::format("<defs><g id=\"{}\">\n", escaped(id)); }

void Svg::end_definition() { body_ += "</g></defs>\n"; }

void Svg::use(std::string_view id, Point at) {
  // Readers of SVG 1.1 know the older name of the attribute alone.
  body_ += fmt::format("<use xlink:href=\"#{}\" x=\"{}\" y=\"{}\"/>\n", escaped(id), number(at.x), number(at.y));
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  std::string attributes = fmt::format(R"( font-size="{}" text-anchor="{}" fill="{}")", number(style.size),
                                       name_of(style.anchor), escaped(style.color));
  if (style.bold) attributes += R"( font-weight="bold")";
  if (style.halo) attributes += R"( stroke="#ffffff" stroke-width="3" paint-order="stroke")";
  if (style.turned != 0)
    attributes += fmt::format(" transform=\"rotate({} {} {})\"", number(style.turned), number(at.x), number(at.y));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", number(at.x), number(at.y), attributes, escaped(text));
}

}  // namespace tutti::draw
