/// @file
/// A column-major matrix over memory that is there already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>

#include "tutti/error.hpp"

namespace tutti {

/// A matrix whose columns lie one after the other in memory that it does not own. Copying the view is O(1). Indices are
/// not checked. Members that name neither errors nor cost have no errors and take constant time.
template <typename T>
class MatrixView {
 public:
  /// View of rows · columns elements; reshape() checks that there are as many.
  MatrixView(std::span<T> elements, std::int64_t rows, std::int64_t columns)
      : elements_(elements), rows_(rows), columns_(columns) {}

  /// Returns the number of rows, or of columns.
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// Row i, column j, each from 0.
  T& operator()(std::int64_t i, std::int64_t j) const { return elements_[static_cast<std::size_t>(j * rows_ + i)]; }
  /// Column j: `rows()` consecutive elements, fit to be sent.
  std::span<T> column(std::int64_t j) const {
    return elements_.subspan(static_cast<std::size_t>(j * rows_), static_cast<std::size_t>(rows_));
  }
  /// Columns j to j + n - 1, consecutive too.
  MatrixView columns(std::int64_t j, std::int64_t n) const {
    return {elements_.subspan(static_cast<std::size_t>(j * rows_), static_cast<std::size_t>(n * rows_)), rows_, n};
  }
  /// The way back: all elements, column after column.
  std::span<T> elements() const { return elements_; }

 private:
  std::span<T> elements_;
  std::int64_t rows_;
  std::int64_t columns_;
};

/// Sees `elements` as a `rows` by `columns` matrix, column by column. O(1): nothing moves.
///
/// The blocks that gather and all_gather collect are the columns of an m by p matrix: column r is rank r's block;
/// scatter hands out column r to rank r; all_to_all turns column i of rank j into column j of rank i. Throws
/// `Error(invalid_argument)` unless rows · columns is the number of elements.
template <std::ranges::contiguous_range R>
requires std::ranges::borrowed_range<R>
auto reshape(R&& elements, std::int64_t rows, std::int64_t columns) {
  std::span view(elements);
  const auto size = static_cast<std::int64_t>(view.size());
  const bool fits =
      rows >= 0 && columns >= 0 && (rows == 0 || columns == 0 ? size == 0 : size % rows == 0 && size / rows == columns);
  if (!fits) {
    throw Error(ErrorCode::invalid_argument, "reshape: " + std::to_string(size) + " elements do not make " +
                                                 std::to_string(rows) + " rows by " + std::to_string(columns) +
                                                 " columns");
  }
  using T = typename decltype(view)::element_type;
  return MatrixView<T>(std::span<T>(view), rows, columns);
}

}  // namespace tutti
