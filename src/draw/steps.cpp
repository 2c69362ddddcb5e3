#include "draw/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "draw/arrows.hpp"
#include "draw/legend.hpp"
#include "draw/panel.hpp"
#include "draw/scene.hpp"

namespace tutti::draw {
namespace {

constexpr double margin = 20;
constexpr double heading = 30;  // a panel's title and the space below it
constexpr double title_size = 16;
constexpr double text_size = 12;
constexpr double line_height = 17;
constexpr double column_gap = 16;
constexpr double legend_gap = 6;      // above the legend
constexpr double legend_width = 760;  // of its rows at most
constexpr double least_scale = 90;
constexpr double most_side = 1500;  // of a panel that could be smaller
constexpr std::string_view quiet = "#6a6a6a";
constexpr std::string_view loud = "#111111";
constexpr std::string_view network_id = "network";

const std::vector<std::string>& held(const RankFrame& rank, bool before) { return before ? rank.before : rank.after; }

class Picture {
 public:
  Picture(const Frames& frames, const Arrangement& arrangement, int columns)
      : frames_(frames),
        arrangement_(arrangement),
        columns_(static_cast<std::size_t>(columns)),
        coloring_(coloring_of(frames, arrangement)) {
    for (const std::string& note : frames.notes) notes_.push_back(note);
    if (!arrangement.note.empty()) notes_.push_back(arrangement.note);
    choose_scale();
    legend_ = Legend(keys(), legend_width);
    arrange_panels();
  }

  std::string draw() {
    Svg svg(width_, height_, frames_.title);
    double y = margin + title_size;
    svg.text({margin, y}, frames_.title, {.size = title_size, .bold = true});
    for (const std::string& line : header()) {
      y += line_height;
      svg.text({margin, y}, line, {.size = text_size, .color = quiet});
    }
    legend_.draw(svg, {margin, y + legend_gap});
    svg.begin_definition(network_id);
    draw_network(svg, arrangement_, scene_);
    draw_details(svg);
    svg.end_definition();
    for (std::size_t k = 0; k < panels_.size(); ++k) draw_panel(svg, panels_[k], corners_[k]);
    return svg.str();
  }

 private:
  // The vertices' second names are a line above what ranks hold.
  double detail_height(std::size_t vertex) const {
    return arrangement_.vertices[vertex].detail.empty() ? 0 : small_line;
  }

  std::vector<Extent> extents() const {
    std::vector<Extent> found(arrangement_.vertices.size());
    for (std::size_t v = 0; v < found.size(); ++v) {
      Extent& extent = found[v];
      for (const Frame& frame : frames_.shown) {
        if (v >= frame.ranks.size()) continue;
        for (const bool before : {true, false}) {
          const Extent needed = extent_of(held(frame.ranks[v], before));
          extent = {std::max(extent.width, needed.width), std::max(extent.height, needed.height)};
        }
      }
      extent.width = std::max(extent.width, width_of(arrangement_.vertices[v].detail, small_text, Weight::bold));
      extent.height += detail_height(v);
    }
    return found;
  }

  std::vector<std::string> header() const {
    std::vector<std::string> lines;
    if (!frames_.legend.empty())
      lines.push_back("Beside a rank: what it holds and still needs; " + frames_.legend + ".");
    if (std::any_of(panels_.begin(), panels_.end(), [](const Panel& panel) { return panel.with_sizes; }))
      lines.emplace_back("After a dot: how many elements a message has.");
    lines.insert(lines.end(), notes_.begin(), notes_.end());
    return lines;
  }

  std::vector<Key> keys() const {
    std::vector<Key> found = keys_of(frames_, arrangement_, coloring_);
    const auto has_trunks = [](const Panel& panel) { return !panel.drawn.trunks.empty(); };
    if (std::any_of(panels_.begin(), panels_.end(), has_trunks))
      found.insert(found.begin() + 1, {Sign::trunk, trunk_color, "several messages, and what they carry together"});
    return found;
  }

  // Messages whose content is not beside them.
  std::size_t ill_named() const {
    std::size_t count = 0;
    for (const Panel& panel : panels_) count += panel.listed.size();
    return count;
  }

  // The smallest of some scales at which every arrow is well named, or else one at which many are: a larger one has to
  // be worth its space, and to keep a panel on a screen. A crowd of arrows is well named at none, and gets the smallest.
  void choose_scale() {
    constexpr double worth = 0.1;  // of the messages, for a picture of twice the scale
    const std::vector<Extent> needed = extents();
    double arrows = 0;
    for (const Frame& frame : frames_.shown) arrows += static_cast<double>(frame.arrows.size());
    double best = least_scale;
    double least = std::numeric_limits<double>::infinity();
    for (const double scale : {least_scale, 110.0, 135.0, 165.0, 200.0, 245.0}) {
      Scene scene = scene_of(arrangement_, needed, scale);
      const double side = std::max(scene.bounds.width(), scene.bounds.height());
      if (scale > least_scale && side > most_side) break;
      make_panels(std::move(scene));
      if (ill_named() == 0 || has_crowd()) return;
      const double count = static_cast<double>(ill_named()) + worth * arrows * std::log2(scale / least_scale);
      if (count < least) best = scale;
      least = std::min(least, count);
    }
    make_panels(scene_of(arrangement_, needed, best));
  }

  bool has_crowd() const {
    return std::any_of(panels_.begin(), panels_.end(), [](const Panel& panel) { return panel.drawn.crowd; });
  }

  void make_panels(Scene scene) {
    scene_ = std::move(scene);
    panels_.clear();
    if (!frames_.shown.empty()) panels_.push_back({.title = "Before", .frame = nullptr});
    for (std::size_t k = 0; k < frames_.shown.size(); ++k) {
      const Frame& frame = frames_.shown[k];
      Panel panel{.title = title_of(frames_.first + static_cast<int>(k), frame),
                  .frame = &frame,
                  .with_sizes = sizes_differ(frame)};
      panel.drawn = place_arrows(frame, arrangement_, scene_, taken(frame), panel.with_sizes, coloring_);
      panel.listed = unnamed_in(panel);
      panels_.push_back(std::move(panel));
    }
  }

  // What arrows' labels keep clear of: what ranks hold after the step.
  std::vector<Box> taken(const Frame& frame) const {
    std::vector<Box> boxes;
    for (std::size_t v = 0; v < scene_.labels.size(); ++v) {
      const bool rank = v < frame.ranks.size();
      const Extent extent = rank ? extent_of(frame.ranks[v].after) : Extent{};
      const double width = std::max(extent.width, width_of(arrangement_.vertices[v].detail, small_text, Weight::bold));
      const Box& label = scene_.labels[v];
      const double height = extent.height + detail_height(v);
      if (height == 0 || label.width() == 0) continue;
      const double slack = label.width() - width;
      const Anchor anchor = scene_.alignment[v];
      const double left = label.left + (anchor == Anchor::start ? 0 : anchor == Anchor::end ? slack : slack / 2);
      const double top = grows_up(v) ? label.bottom - height : label.top;
      boxes.push_back({left, top, left + width, top + height});
    }
    return boxes;
  }

  // Whether a label is above its vertex, so that its last line is next to it.
  bool grows_up(std::size_t vertex) const { return scene_.labels[vertex].bottom <= scene_.bodies[vertex].top; }

  double list_column() const {
    double widest = 0;
    for (const Panel& panel : panels_) {
      for (const std::string& line : panel.listed) widest = std::max(widest, width_of(line, small_text));
    }
    return widest + column_gap;
  }

  void arrange_panels() {
    for (Panel& panel : panels_) {
      shorten_list(panel);
      scene_.bounds = bounds_of(panel.drawn, scene_.bounds);
    }
    double panel_width = scene_.bounds.width();
    for (const Panel& panel : panels_)
      panel_width = std::max(panel_width, width_of(panel.title, text_size + 1, Weight::bold));
    panel_width = std::max(panel_width, list_column() - column_gap);
    list_columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((panel_width + column_gap) / list_column()));
    double tallest = 0;
    for (Panel& panel : panels_) {
      panel.list_rows = (panel.listed.size() + list_columns_ - 1) / list_columns_;
      tallest = std::max(tallest, static_cast<double>(panel.list_rows) * small_line);
    }
    const double panel_height = heading + scene_.bounds.height() + tallest + (tallest > 0 ? small_line : 0);
    place_panels(panel_width + 2 * margin, panel_height + margin);
  }

  void place_panels(double cell_width, double cell_height) {
    const double top = margin + title_size + static_cast<double>(header().size()) * line_height + legend_gap +
                       legend_.extent().height + margin;
    const std::size_t n = std::max<std::size_t>(1, panels_.size());
    const std::size_t columns = columns_ > 0 ? std::min(columns_, n) : columns_for(n, {cell_width, cell_height}, top);
    for (std::size_t k = 0; k < panels_.size(); ++k) {
      corners_.push_back({margin + static_cast<double>(k % columns) * cell_width,
                          top + static_cast<double>(k / columns) * cell_height});
    }
    const double rows = std::ceil(static_cast<double>(panels_.size()) / static_cast<double>(columns));
    width_ = static_cast<double>(columns) * cell_width;
    for (const std::string& line : header()) width_ = std::max(width_, width_of(line, text_size) + 2 * margin);
    width_ = std::max(width_, legend_.extent().width + 2 * margin);
    width_ = std::max(width_, width_of(frames_.title, title_size, Weight::bold) + 2 * margin);
    height_ = top + rows * cell_height;
  }

  void draw_details(Svg& svg) const {
    for (std::size_t v = 0; v < arrangement_.vertices.size(); ++v) {
      const std::string& detail = arrangement_.vertices[v].detail;
      if (!detail.empty()) svg.text(line_place(v, 0, 1), detail, style(v, quiet, false));
    }
  }

  TextStyle style(std::size_t vertex, std::string_view color, bool bold) const {
    return {.size = small_text, .anchor = scene_.alignment[vertex], .color = color, .bold = bold, .halo = true};
  }

  // Where line `line` of the vertex's label stands, of `lines` in all.
  Point line_place(std::size_t vertex, std::size_t line, std::size_t lines) const {
    const Box& label = scene_.labels[vertex];
    const Anchor anchor = scene_.alignment[vertex];
    const double x = anchor == Anchor::start ? label.left
                     : anchor == Anchor::end ? label.right
                                             : (label.left + label.right) / 2;
    const double top = grows_up(vertex) ? label.bottom - static_cast<double>(lines) * small_line : label.top;
    return {x, top + static_cast<double>(line + 1) * small_line - 3};
  }

  void draw_holdings(Svg& svg, const Frame& frame, bool before) const {
    for (std::size_t v = 0; v < frame.ranks.size(); ++v) {
      const RankFrame& rank = frame.ranks[v];
      const std::vector<std::string>& lines = held(rank, before);
      const bool changed = !before && rank.before != rank.after;
      const std::size_t skipped = arrangement_.vertices[v].detail.empty() ? 0 : 1;
      for (std::size_t k = 0; k < lines.size(); ++k)
        svg.text(line_place(v, grows_up(v) ? k : k + skipped, lines.size() + skipped), lines[k],
                 style(v, changed ? loud : quiet, changed));
    }
  }

  void draw_panel(Svg& svg, const Panel& panel, Point corner) {
    svg.begin_group("panel", panel.title);
    svg.text({corner.x, corner.y + text_size}, panel.title, {.size = text_size + 1, .bold = true});
    // The network and all that belongs to it lies at its own origin.
    const Point origin{corner.x - scene_.bounds.left, corner.y + heading - scene_.bounds.top};
    svg.begin_moved(origin);
    svg.use(network_id, {0, 0});
    if (panel.frame != nullptr) {
      draw_arrows(svg, *panel.frame, panel.drawn);
      draw_labels(svg, *panel.frame, panel.drawn, panel.with_sizes);
    }
    draw_holdings(svg, panel.frame == nullptr ? frames_.shown.front() : *panel.frame, panel.frame == nullptr);
    svg.end_group();
    const double list_top = corner.y + heading + scene_.bounds.height() + small_line;
    for (std::size_t k = 0; k < panel.listed.size(); ++k) {
      const double column = static_cast<double>(k / panel.list_rows);
      const double row = static_cast<double>(k % panel.list_rows);
      svg.text({corner.x + column * list_column(), list_top + (row + 1) * small_line - 3}, panel.listed[k],
               {.size = small_text});
    }
    svg.end_group();
  }

  const Frames& frames_;
  const Arrangement& arrangement_;
  std::size_t columns_;  // of panels; 0: not asked for
  Coloring coloring_;
  Legend legend_{{}, legend_width};
  Scene scene_;
  std::vector<std::string> notes_;
  std::vector<Panel> panels_;
  std::vector<Point> corners_;
  std::size_t list_columns_ = 1;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string svg_of(const Frames& frames, const Arrangement& arrangement, int columns) {
  return Picture(frames, arrangement, columns).draw();
}

}  // namespace tutti::draw
