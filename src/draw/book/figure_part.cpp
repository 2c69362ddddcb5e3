#include "draw/book/figure_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tutti::draw {
namespace {

constexpr double caption_letters = 11;
constexpr double points_a_pixel = 0.75;
constexpr double line_step = 14;
constexpr double title_letters = 13;
constexpr double title_step = 17;
constexpr double figure_edge = 4;
constexpr double part_gap = 18;
constexpr double row_gap = 14;
constexpr double caption_gap = 8;

struct PlacedPart {
  const FigurePart* part = nullptr;
  std::vector<std::string> caption;
  Point corner;
  PixelSize size;    // size in the picture
  double scale = 1;  // below 1 where a page is too small
};

struct FigureRow {
  std::vector<PlacedPart> parts;
  double width = 0;
  double drawn = 0;  // height of the highest drawing
  double height = 0;
};

// "a" to "z", then "aa", "ab", and so on.
std::string letter_of_part(std::size_t number) {
  const std::string last(1, static_cast<char>('a' + number % 26));
  return number < 26 ? last : letter_of_part(number / 26 - 1) + last;
}

// Returns the part with its caption: "(b) its dual".
PlacedPart measured(const FigurePart& part, std::size_t number, std::size_t parts, double scale) {
  PlacedPart placed{&part, {}, {}, {scale * part.size.width, scale * part.size.height}, scale};
  const std::string letter = parts > 1 ? fmt::format("({}) ", letter_of_part(number)) : "";
  if (!part.caption.empty() || parts > 1)
    placed.caption = lines_within(letter + part.caption, std::max(150.0, placed.size.width), caption_letters);
  for (const std::string& line : placed.caption)
    placed.size.width = std::max(placed.size.width, width_of(line, caption_letters));
  return placed;
}

// Returns how many parts from `begin` on have one size.
std::size_t alike_from(const std::vector<PlacedPart>& parts, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < parts.size() && parts[end].part->size.width == parts[begin].part->size.width &&
         parts[end].part->size.height == parts[begin].part->size.height)
    ++end;
  return end - begin;
}

// Rows no longer than `width`. Parts of one size that need several rows are as many in each, but perhaps the last, and
// begin a row.
std::vector<FigureRow> rows_of(std::vector<PlacedPart> parts, double width) {
  std::vector<FigureRow> rows;
  for (std::size_t begin = 0; begin < parts.size();) {
    const std::size_t alike = alike_from(parts, begin);
    double widest = 0;
    for (std::size_t k = begin; k < begin + alike; ++k) widest = std::max(widest, parts[k].size.width);
    const auto most = std::max<std::size_t>(1, static_cast<std::size_t>((width + part_gap) / (widest + part_gap)));
    const std::size_t needed = (alike + most - 1) / most;
    const std::size_t columns = (alike + needed - 1) / needed;
    for (std::size_t k = 0; k < alike; ++k) {
      PlacedPart& part = parts[begin + k];
      const bool begins = needed > 1 && k % columns == 0;
      const bool fits = !rows.empty() && rows.back().width + part_gap + part.size.width <= width;
      if (begins || !fits) rows.emplace_back();
      FigureRow& row = rows.back();
      row.width += (row.parts.empty() ? 0 : part_gap) + part.size.width;
      row.drawn = std::max(row.drawn, part.scale * part.part->size.height);
      row.parts.push_back(std::move(part));
    }
    begin += alike;
  }
  for (FigureRow& row : rows) {
    std::size_t lines = 0;
    for (const PlacedPart& part : row.parts) lines = std::max(lines, part.caption.size());
    row.height = row.drawn + (lines == 0 ? 0 : caption_gap) + static_cast<double>(lines) * line_step;
  }
  return rows;
}

class FigurePages {
 public:
  FigurePages(const BookFigure& figure, Paging paging)
      : figure_(figure), notes_(figure.notes), area_(paging == Paging::pages ? page_area : PixelSize{1e6, 1e6}) {
    title_ = lines_within(figure.title, text_width, title_letters);
    const double scale = common_scale();
    if (scale < 1)
      notes_.push_back(
          fmt::format("Made smaller to fit a page, with letters of {:.1f} points; --whole draws it at its size.",
                      scale * points_a_pixel * caption_letters));
    std::vector<std::string> lines;
    for (const std::string& note : notes_) {
      for (std::string& line : lines_within(note, text_width, caption_letters)) lines.push_back(std::move(line));
    }
    notes_ = std::move(lines);
    std::vector<PlacedPart> parts;
    for (std::size_t k = 0; k < figure.parts.size(); ++k)
      parts.push_back(measured(figure.parts[k], k, figure.parts.size(), scale));
    // A whole figure has rows as long as a page is broad, or as its broadest part.
    double across = text_width;
    for (const PlacedPart& part : parts) across = std::max(across, part.size.width);
    rows_ = rows_of(std::move(parts), across);
  }

  std::vector<std::string> draw() const {
    std::vector<std::string> pages;
    for (std::size_t begin = 0; begin < rows_.size();) {
      double height = head_height() + rows_[begin].height;
      std::size_t end = begin + 1;
      for (; end < rows_.size() && height + row_gap + rows_[end].height + foot_height() <= area_.height; ++end)
        height += row_gap + rows_[end].height;
      pages.push_back(page(begin, end, height + foot_height()));
      begin = end;
    }
    return pages;
  }

 private:
  static constexpr double text_width = page_area.width - 2 * figure_edge;

  double head_height() const { return figure_edge + static_cast<double>(title_.size()) * title_step + 8; }
  double foot_height() const {
    return (notes_.empty() ? 0 : 10) + static_cast<double>(notes_.size()) * line_step + figure_edge;
  }

  // The factor, at most 1, at which the largest part fits a page.
  double common_scale() const {
    double scale = 1;
    for (const FigurePart& part : figure_.parts) {
      const double height = area_.height - head_height() - foot_height() - 3 * line_step;
      scale = std::min({scale, (area_.width - 2 * figure_edge) / part.size.width, height / part.size.height});
    }
    return scale;
  }

  std::string page(std::size_t begin, std::size_t end, double height) const {
    double width = 0;
    for (std::size_t k = begin; k < end; ++k) width = std::max(width, rows_[k].width);
    for (const std::string& line : title_) width = std::max(width, width_of(line, title_letters, Weight::bold));
    for (const std::string& line : notes_) width = std::max(width, width_of(line, caption_letters));
    Svg svg(width + 2 * figure_edge, height, figure_.title);
    double y = figure_edge;
    for (const std::string& line : title_) {
      svg.text({figure_edge, y + title_letters}, line, {.size = title_letters, .color = "#000000", .bold = true});
      y += title_step;
    }
    y = head_height();
    for (std::size_t k = begin; k < end; ++k) {
      draw_row(svg, rows_[k], {figure_edge + (width - rows_[k].width) / 2, y});
      y += rows_[k].height + row_gap;
    }
    y += 10 - row_gap;
    for (const std::string& line : notes_)
      svg.text({figure_edge, y += line_step}, line, {.size = caption_letters, .color = "#000000"});
    return svg.str();
  }

  static void draw_row(Svg& svg, const FigureRow& row, Point corner) {
    for (const PlacedPart& placed : row.parts) {
      const PixelSize drawn{placed.scale * placed.part->size.width, placed.scale * placed.part->size.height};
      svg.begin_group("part", placed.part->caption);
      svg.begin_placed({corner.x + (placed.size.width - drawn.width) / 2, corner.y + (row.drawn - drawn.height) / 2},
                       placed.scale);
      placed.part->draw(svg);
      svg.end_group();
      double y = corner.y + row.drawn + caption_gap - 3;
      for (const std::string& line : placed.caption)
        svg.text({corner.x + placed.size.width / 2, y += line_step}, line,
                 {.size = caption_letters, .anchor = Anchor::middle, .color = "#000000"});
      svg.end_group();
      corner.x += placed.size.width + part_gap;
    }
  }

  const BookFigure& figure_;
  std::vector<std::string> title_;
  std::vector<std::string> notes_;
  PixelSize area_;
  std::vector<FigureRow> rows_;
};

}  // namespace

std::vector<std::string> lines_within(std::string_view text, double width, double letters) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string word(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    std::string& last = lines.back();
    if (last.empty()) {
      last = word;
    } else if (width_of(last + " " + word, letters, Weight::bold) <= width) {
      last += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::vector<std::string> pages_of(const BookFigure& figure, Paging paging) {
  return FigurePages(figure, paging).draw();
}

}  // namespace tutti::draw
