/// @file
/// One rank's memory in a symbolic run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/interval_map.hpp"
#include "schedule/model/schedule.hpp"
#include "verify/expressions.hpp"

namespace tutti::proof {

/// `count` consecutive elements of a message: `value`, `value.after(1)`, …
struct Piece {
  std::int64_t count = 0;
  Value value;
};

/// The values in a rank's buffers; what was never written has none.
class Memory {
 public:
  void assign(const Slice& slice, const Value& value) {
    of(slice.buffer).assign(slice.first, slice.count, {true, value});
  }

  /// Appends to `pieces` what the slices hold, in order. Returns the first part that nothing wrote, if any.
  std::optional<Slice> read(std::span<const Slice> slices, std::vector<Piece>& pieces) const;
  /// Writes the pieces over the slices; both have the same number of elements.
  void write(std::span<const Slice> slices, std::span<const Piece> pieces);
  /// Calls `see(first, count, const Value*)` for the runs of the slice; null where nothing was written.
  template <typename Visit>
  void visit(const Slice& slice, Visit&& see) const {
    of(slice.buffer)
        .visit(slice.first, slice.count, [&](std::int64_t first, std::int64_t count, const Element& element) {
          see(first, count, element.is_written ? &element.value : nullptr);
        });
  }

 private:
  struct Element {
    bool is_written = false;
    Value value;

    Element after(std::int64_t n) const { return is_written ? Element{true, value.after(n)} : *this; }
    friend bool operator==(const Element&, const Element&) = default;
  };
  using Runs = IntervalMap<Element>;
  Runs& of(Buffer buffer) { return buffers_[static_cast<std::size_t>(buffer)]; }
  const Runs& of(Buffer buffer) const { return buffers_[static_cast<std::size_t>(buffer)]; }

  std::array<Runs, 3> buffers_;
};

}  // namespace tutti::proof
