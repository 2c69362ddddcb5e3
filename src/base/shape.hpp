/// @file
/// Ranks arranged as a grid: the arithmetic that mesh algorithms and mesh topologies share.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tutti {

/// The extents of a grid, slowest-varying dimension first: {rows, columns} for a mesh. Ranks are numbered row by row.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int> extents) : Shape(std::vector<int>(extents)) {}
  explicit Shape(std::vector<int> extents);

  /// The grid with `dimensions` extents whose product is p and which is nearest to a cube; {1, p} for a prime p in two.
  static Shape nearest_cube(int p, int dimensions);

  bool empty() const { return extents_.empty(); }
  int dimensions() const { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  /// Returns the distance in rank of two neighbours along `dimension`.
  int stride(int dimension) const { return strides_[static_cast<std::size_t>(dimension)]; }
  /// The number of ranks, the product of the extents.
  int size() const { return size_; }
  /// The coordinate of `rank` along `dimension`.
  int coordinate(int rank, int dimension) const { return rank / stride(dimension) % extent(dimension); }

  friend bool operator==(const Shape& a, const Shape& b) { return a.extents_ == b.extents_; }

 private:
  std::vector<int> extents_;
  std::vector<int> strides_;
  int size_ = 0;
};

/// "2x4"; empty where there are no extents.
std::string text_of(const Shape& shape);

}  // namespace tutti
