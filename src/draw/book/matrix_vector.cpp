#include "draw/book/matrix_vector.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "draw/book/network_panels.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "topology/formats/named.hpp"

namespace tutti::draw {
namespace {

using CellText = std::function<std::string(int row, int column)>;

NetworkPanel panel_of(int n, std::string caption, const CellText& text) {
  NetworkPanel panel{.caption = std::move(caption)};
  for (int rank = 0; rank < n * n; ++rank) {
    panel.frame.ranks.emplace_back();
    const std::string words = text(rank / n, rank % n);
    if (!words.empty()) panel.frame.ranks.back().before = {words};
  }
  return panel;
}

void add_arrow(NetworkPanel& panel, int number, int from, int to) {
  panel.frame.arrows.push_back({.number = number, .from = from, .to = to, .route = {from, to}});
}

// Adds a binomial tree in each line of n ranks: rank k of line l is line_rank(l, k). Down the tree from rank 0, or up
// to it, where the steps come in the other order.
void add_trees(NetworkPanel& panel, int n, bool up, const std::function<int(int, int)>& line_rank) {
  int steps = 0;
  for (int half = n / 2; half > 0; half /= 2) ++steps;
  int step = 0;
  for (int half = n / 2; half > 0; half /= 2) {
    ++step;
    for (int line = 0; line < n; ++line) {
      for (int k = 0; k < n; k += 2 * half) {
        const int near = line_rank(line, k);
        const int far = line_rank(line, k + half);
        up ? add_arrow(panel, steps + 1 - step, far, near) : add_arrow(panel, step, near, far);
      }
    }
  }
}

}  // namespace

BookFigure matrix_vector_figure(int n) {
  require(n == 2 || n == 4, "a matrix-vector product is drawn on 2 x 2 or 4 x 4 ranks, not {} x {}", n, n);
  const auto element = [](int i, int j) { return fmt::format("a{}{}", i, j); };
  NetworkPanel start = panel_of(n, "each rank has an element of A; x lies in the first row", [&](int i, int j) {
    return i == 0 ? fmt::format("{}, x{}", element(i, j), j) : element(i, j);
  });
  NetworkPanel broadcast = panel_of(n, "broadcasts down the columns, all at once",
                                    [](int i, int j) { return i == 0 ? fmt::format("x{}", j) : std::string(); });
  add_trees(broadcast, n, false, [n](int column, int k) { return k * n + column; });
  NetworkPanel products =
      panel_of(n, "products of each rank's own", [&](int i, int j) { return fmt::format("{} x{}", element(i, j), j); });
  NetworkPanel sums = panel_of(n, "sums along the rows, all at once: y in the first column",
                               [](int i, int j) { return j == 0 ? fmt::format("y{}", i) : std::string(); });
  add_trees(sums, n, true, [n](int row, int k) { return row * n + k; });
  const TopologyPtr mesh = topology_named(fmt::format("mesh:{}x{}", n, n));
  return {
      fmt::format("y = A x on {} x {} ranks", n, n),
      parts_of({start, broadcast, products, sums}, arrangement_of(*mesh), page_area.width / 2 - 20),
      {"A number is a step. Sums along the columns, as one source prints them, would be those of the transposed A."}};
}

}  // namespace tutti::draw
