#include "base/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.hpp"

namespace tutti {

Shape::Shape(std::vector<int> extents) : extents_(std::move(extents)), strides_(extents_.size()) {
  std::int64_t size = 1;
  for (std::size_t k = extents_.size(); k-- > 0;) {
    require(extents_[k] >= 1, "a grid has extents of at least 1, not {}", extents_[k]);
    strides_[k] = static_cast<int>(size);
    size *= extents_[k];
    require(size <= std::numeric_limits<int>::max(),
            "a grid of {} has more than 2147483647 ranks; take smaller extents", fmt::join(extents_, "x"));
  }
  size_ = extents_.empty() ? 0 : static_cast<int>(size);
}

Shape Shape::nearest_cube(int p, int dimensions) {
  require(p >= 1 && dimensions >= 1, "a grid needs at least one rank and one dimension, not {} and {}", p, dimensions);
  std::vector<int> extents;
  for (int left = dimensions; left > 1; --left) {
    int extent = std::max(1, static_cast<int>(std::floor(std::pow(p, 1.0 / left) + 1e-9)));
    while (p % extent != 0) --extent;
    extents.push_back(extent);
    p /= extent;
  }
  extents.push_back(p);
  return Shape(std::move(extents));
}

std::string text_of(const Shape& shape) {
  std::string text;
  for (int d = 0; d < shape.dimensions(); ++d) text += fmt::format("{}{}", d == 0 ? "" : "x", shape.extent(d));
  return text;
}

}  // namespace tutti
