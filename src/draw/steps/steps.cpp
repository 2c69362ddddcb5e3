#include "draw/steps/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "draw/scene/scene_layout.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/steps/legend.hpp"
#include "draw/steps/panel.hpp"
#include "draw/steps/rank_contents.hpp"

namespace tutti::draw {
namespace {

constexpr double margin = 20;
constexpr double heading = 30;  // a panel's title and the space below it
constexpr double title_size = 16;
constexpr double text_size = 12;
constexpr double line_height = 17;
constexpr double column_gap = 16;
constexpr double legend_gap = 6;               // above the legend
constexpr double legend_width = 760;           // greatest width of its rows
constexpr double most_side = 1500;             // greatest side of a panel that could be smaller
constexpr double half_side = 790;              // greatest side of panels of which two stand side by side
constexpr double most_side_with_words = 2100;  // greatest side of a panel whose network alone takes much of it
constexpr std::array smaller_scales{90.0, 75.0, 62.0, 52.0};
constexpr std::array larger_scales{100.0, 110.0, 122.0, 135.0, 165.0, 200.0, 245.0, 300.0, 365.0};
constexpr std::string_view note_color = "#6a6a6a";
constexpr std::string_view network_id = "network";

class StepsPicture {
 public:
  /// `side` is the greatest side of a panel that could be smaller.
  StepsPicture(const ScheduleFrames& frames, const Arrangement& arrangement, int columns, double side = most_side)
      : frames_(frames),
        arrangement_(arrangement),
        side_(side),
        columns_(static_cast<std::size_t>(columns)),
        contents_(frames, arrangement),
        has_contents_(any_contents(frames)),
        coloring_(coloring_of(frames, arrangement)) {
    for (const std::string& note : frames.notes) notes_.push_back(note);
    if (!arrangement.note.empty()) notes_.push_back(arrangement.note);
    choose_scale();
    legend_ = Legend(legend_entries(), legend_width);
    arrange_panels();
  }

  double panel_width() const { return scene_.bounds.width(); }

  // Whether the picture is a column of panels that is much higher than a page of its width.
  bool is_column() const {
    constexpr double page = 2;
    return panels_.size() > 2 && height_ > page * width_;
  }

  std::string draw() {
    Svg svg(width_, height_, frames_.title);
    double y = margin + title_size;
    svg.text({margin, y}, frames_.title, {.size = title_size, .bold = true});
    for (const std::string& line : header()) {
      y += line_height;
      svg.text({margin, y}, line, {.size = text_size, .color = note_color});
    }
    legend_.draw(svg, {margin, y + legend_gap});
    svg.begin_definition(network_id);
    draw_network(svg, arrangement_, scene_);
    svg.end_definition();
    for (std::size_t k = 0; k < panels_.size(); ++k) draw_panel(svg, panels_[k], corners_[k]);
    return svg.str();
  }

 private:
  std::vector<std::string> header() const {
    std::vector<std::string> lines;
    if (!frames_.legend.empty())
      lines.push_back(
          (has_contents_ ? "Beside a rank stand the data that it holds and still needs; " : "Beside arrows, ") +
          frames_.legend + ".");
    if (std::any_of(panels_.begin(), panels_.end(), [](const Panel& panel) { return panel.sizes.has_value(); }))
      lines.push_back(
          fmt::format("After a dot: how many {} a message has.", frames_.unit == Unit::bytes ? "bytes" : "elements"));
    lines.insert(lines.end(), notes_.begin(), notes_.end());
    return lines;
  }

  std::vector<LegendEntry> legend_entries() const {
    std::vector<LegendEntry> found = legend_entries_of(frames_, arrangement_, coloring_);
    const auto has_trunks = [](const Panel& panel) { return !panel.drawn.trunks.empty(); };
    if (std::any_of(panels_.begin(), panels_.end(), has_trunks))
      found.insert(found.begin() + 1,
                   {LegendSign::trunk, trunk_color, "several messages, and what they carry together"});
    return found;
  }

  // Returns the number of words that stand below panels because they have no room beside a message or a rank. A crowd
  // of arrows is well named at no scale.
  double flaws() const {
    std::size_t ill_placed = 0;
    for (const Panel& panel : panels_)
      ill_placed += panel.held.size() + (panel.drawn.crowded ? 0 : panel.listed.size());
    return static_cast<double>(ill_placed);
  }

  static double side_of(const Box& box) { return std::max(box.width(), box.height()); }

  // With what ranks hold off the wires that messages take, or some of it without a place, where that keeps a panel on a
  // screen.
  Scene scene_at(double scale) const {
    const std::vector<PixelSize> label_sizes = contents_.label_sizes();
    Scene roomy = scene_of(arrangement_, label_sizes, scale, busy_wires(frames_, arrangement_));
    if (side_of(roomy.bounds) <= side_) return roomy;
    Scene tight = scene_of(arrangement_, label_sizes, scale);
    if (side_of(tight.bounds) <= side_) return tight;
    Scene dense = dense_scene_of(arrangement_, label_sizes, scale);
    return side_of(dense.bounds) <= side_ ? std::move(dense) : std::move(tight);
  }

  // The largest of some scales that keeps a panel on a screen, and without words beside ranks no other. With them a
  // larger one where that brings many of them beside what they are about: it has to be worth its space.
  void choose_scale() {
    double scale = 0;
    for (const double smaller : smaller_scales) {
      scale = smaller;
      make_panels(scene_at(scale));
      if (side_of(drawn_in_panels()) <= side_) break;
    }
    if (has_contents_) choose_larger_scale(scale);
  }

  void choose_larger_scale(double from) {
    constexpr double worth = 0.1;  // share of the messages that must gain a place by a picture of twice the scale
    double arrows = 0;
    for (const Frame& frame : frames_.shown) arrows += static_cast<double>(frame.arrows.size());
    double least = flaws();
    Scene best = scene_;
    for (const double scale : larger_scales) {
      if (flaws() == 0) return;
      make_panels(scene_at(scale));
      if (side_of(drawn_in_panels()) > side_) break;
      const double cost = flaws() + worth * arrows * std::log2(scale / from);
      if (cost < least) best = scene_;
      least = std::min(least, cost);
    }
    make_panels(std::move(best));
  }

  void make_panels(Scene scene) {
    scene_ = std::move(scene);
    panels_.clear();
    if (frames_.shown.empty()) panels_.push_back({.title = "Nothing is sent.", .frame = nullptr, .scene = scene_});
    if (has_contents_) {
      Panel before{.title = "Before"};
      before.scene = contents_.beside_vertices(frames_.shown.front(), true, scene_, {});
      before.held = contents_.without_room(frames_.shown.front(), true, before.scene);
      panels_.push_back(std::move(before));
    }
    for (std::size_t k = 0; k < frames_.shown.size(); ++k)
      panels_.push_back(panel_of(frames_.shown[k], frames_.first + static_cast<int>(k)));
  }

  Panel panel_of(const Frame& frame, int step) const {
    Panel panel{.title = title_of(step, frame, frames_.unit),
                .frame = &frame,
                .sizes = sizes_differ(frame) ? std::optional(frames_.unit) : std::nullopt};
    panel.drawn = place_arrows(frame, arrangement_, scene_, coloring_);
    panel.scene = contents_.beside_vertices(frame, false, scene_, points_along(panel.drawn));
    panel.held = contents_.without_room(frame, false, panel.scene);
    name_arrows(panel.drawn, frame, panel.scene, panel.scene.labels, panel.sizes);
    panel.listed = unnamed_in(panel);
    return panel;
  }

  // The box around all that any panel has.
  Box drawn_in_panels() const {
    Box all = scene_.bounds;
    for (const Panel& panel : panels_) {
      all = bounds_of(panel.drawn, all);
      for (const Box& label : panel.scene.labels) {
        if (label.width() > 0) all = around(all, label);
      }
    }
    return all;
  }

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
      panel.listed.insert(panel.listed.end(), panel.held.begin(), panel.held.end());
      if (panel.frame != nullptr && panel.frame->wrong)
        panel.listed.push_back(
            fmt::format("In the broken frame, rank {}: {}", panel.frame->wrong->rank, panel.frame->wrong->words));
    }
    scene_.bounds = drawn_in_panels();
    double panel_width = scene_.bounds.width();
    for (const Panel& panel : panels_)
      panel_width = std::max(panel_width, width_of(panel.title, text_size + 1, Weight::bold));
    panel_width = std::max(panel_width, list_column() - column_gap);
    list_columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((panel_width + column_gap) / list_column()));
    for (Panel& panel : panels_) panel.list_rows = (panel.listed.size() + list_columns_ - 1) / list_columns_;
    place_panels(panel_width + 2 * margin);
  }

  double height_of(const Panel& panel) const {
    const double list = panel.list_rows == 0 ? 0 : static_cast<double>(panel.list_rows + 1) * small_line;
    return heading + scene_.bounds.height() + list + margin;
  }

  // In rows, each as high as its highest panel.
  void place_panels(double cell_width) {
    const double top = margin + title_size + static_cast<double>(header().size()) * line_height + legend_gap +
                       legend_.size().height + margin;
    double highest = 0;
    for (const Panel& panel : panels_) highest = std::max(highest, height_of(panel));
    const std::size_t n = std::max<std::size_t>(1, panels_.size());
    const std::size_t columns = columns_ > 0 ? std::min(columns_, n) : columns_for(n, {cell_width, highest}, top);
    double y = top;
    for (std::size_t begin = 0; begin < panels_.size(); begin += columns) {
      double row = 0;
      for (std::size_t k = begin; k < std::min(begin + columns, panels_.size()); ++k) {
        corners_.push_back({margin + static_cast<double>(k - begin) * cell_width, y});
        row = std::max(row, height_of(panels_[k]));
      }
      y += row;
    }
    width_ = static_cast<double>(columns) * cell_width;
    for (const std::string& line : header()) width_ = std::max(width_, width_of(line, text_size) + 2 * margin);
    width_ = std::max(width_, legend_.size().width + 2 * margin);
    width_ = std::max(width_, width_of(frames_.title, title_size, Weight::bold) + 2 * margin);
    height_ = y;
  }

  void draw_panel(Svg& svg, const Panel& panel, Point corner) {
    svg.begin_group("panel", panel.title);
    svg.text({corner.x, corner.y + text_size}, panel.title, {.size = text_size + 1, .bold = true});
    // The network and all that belongs to it lies at its own origin.
    const Point origin{corner.x - scene_.bounds.left, corner.y + heading - scene_.bounds.top};
    svg.begin_moved(origin);
    svg.use(network_id, {0, 0});
    if (panel.frame != nullptr) {
      draw_arrows(svg, *panel.frame, panel.drawn, frames_.unit);
      draw_labels(svg, *panel.frame, panel.drawn, panel.sizes);
    }
    const bool before = panel.frame == nullptr;
    if (!before && panel.frame->wrong) draw_wrong_place(svg, *panel.frame->wrong, panel.scene);
    if (!frames_.shown.empty()) contents_.draw(svg, before ? frames_.shown.front() : *panel.frame, before, panel.scene);
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

  const ScheduleFrames& frames_;
  const Arrangement& arrangement_;
  double side_;
  std::size_t columns_;  // columns of panels; 0: not asked for
  RankContents contents_;
  bool has_contents_;
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

std::string svg_of(const ScheduleFrames& frames, const Arrangement& arrangement, int columns) {
  StepsPicture picture(frames, arrangement, columns);
  const bool too_wide = picture.panel_width() > most_side_with_words && any_contents(frames);
  if (!too_wide && columns == 0 && picture.is_column()) {
    StepsPicture narrow(frames, arrangement, columns, half_side);
    if (!narrow.is_column() && narrow.panel_width() <= half_side) return narrow.draw();
  }
  if (!too_wide) return picture.draw();
  const ScheduleFrames bare = without_contents(frames);
  return StepsPicture(bare, arrangement, columns).draw();
}

}  // namespace tutti::draw
