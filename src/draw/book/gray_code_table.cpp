#include "draw/book/gray_code_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "topology/embedding.hpp"

namespace tutti::draw {
namespace {

constexpr double table_letters = 11;
constexpr double row_height = 16;
constexpr double column_gap = 18;
constexpr double head_height = 22;

struct TableColumn {
  std::string name;
  std::vector<std::string> cells;
  double width = 0;
};

std::string bits_of(int code, int bits) { return fmt::format("{:0{}b}", code, bits); }

std::vector<TableColumn> columns_of(int dimensions) {
  const int ranks = 1 << dimensions;
  std::vector<TableColumn> columns{{"ring", {}}};
  for (int rank = 0; rank < ranks; ++rank) columns.front().cells.push_back(std::to_string(rank));
  for (int bits = 1; bits <= dimensions; ++bits) {
    columns.push_back({bits == 1 ? "1 bit" : fmt::format("{} bits", bits), {}});
    for (int rank = 0; rank < 1 << bits; ++rank) columns.back().cells.push_back(bits_of(gray_code(rank), bits));
  }
  columns.push_back({"hypercube", {}});
  for (int rank = 0; rank < ranks; ++rank) columns.back().cells.push_back(std::to_string(gray_code(rank)));
  for (TableColumn& column : columns) {
    column.width = width_of(column.name, table_letters, Weight::bold);
    for (const std::string& cell : column.cells) column.width = std::max(column.width, width_of(cell, table_letters));
  }
  return columns;
}

// A code of b bits is the one of b - 1 bits, and below the broken line that one upwards with a 1 before it.
void draw_column(Svg& svg, const TableColumn& column, double left, bool is_code) {
  const double middle = left + column.width / 2;
  svg.text({middle, table_letters}, column.name,
           {.size = table_letters, .anchor = Anchor::middle, .color = "#000000", .bold = true});
  for (std::size_t k = 0; k < column.cells.size(); ++k)
    svg.text({middle, head_height + static_cast<double>(k) * row_height + table_letters}, column.cells[k],
             {.size = table_letters, .anchor = Anchor::middle, .color = "#000000"});
  if (!is_code) return;
  const double y = head_height + static_cast<double>(column.cells.size()) / 2 * row_height - 1;
  svg.line({left - 4, y}, {left + column.width + 4, y}, {.color = "#000000", .width = 0.8, .dashes = "3 2"});
}

}  // namespace

FigurePart gray_code_table(int dimensions) {
  require(dimensions >= 1 && dimensions <= most_dimensions_in_table,
          "a table of Gray codes has 1 to {} bits, not {}; take fewer ranks", most_dimensions_in_table, dimensions);
  const std::vector<TableColumn> columns = columns_of(dimensions);
  double width = 8 - column_gap;
  for (const TableColumn& column : columns) width += column.width + column_gap;
  const double height = head_height + static_cast<double>(1 << dimensions) * row_height;
  const auto draw = [=](Svg& svg) {
    double left = 4;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      draw_column(svg, columns[k], left, k > 0 && k + 1 < columns.size());
      left += columns[k].width + column_gap;
    }
    svg.line({0, head_height - 6}, {width, head_height - 6}, {.color = "#000000", .width = 1});
  };
  return {"Gray code: the ring's rank, its codes, and its processor", {width, height}, draw};
}

}  // namespace tutti::draw
