#include "runtime/executor/walk.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::runtime {
namespace {

/// Stands somewhere in an extent. Slices are never empty.
class Walk {
 public:
  explicit Walk(const Extent& extent) : extent_(extent) {}

  bool ended() const { return slice_ == extent_.slices.size(); }
  /// Elements from here to the end of the slice.
  std::int64_t left() const { return extent_.slices[slice_].count - passed_; }
  std::byte* here() const {
    return extent_.bindings->at(extent_.slices[slice_]) + passed_ * extent_.bindings->element_size;
  }
  void go(std::int64_t n) {
    passed_ += n;
    if (left() > 0) return;
    ++slice_;
    passed_ = 0;
  }

 private:
  Extent extent_;
  std::size_t slice_ = 0;
  std::int64_t passed_ = 0;
};

}  // namespace

void copy(const Extent& to, const Extent& from) {
  const std::int64_t size = to.bindings->element_size;
  Walk target(to);
  Walk source(from);
  while (!target.ended()) {
    const std::int64_t n = std::min(target.left(), source.left());
    std::memcpy(target.here(), source.here(), static_cast<std::size_t>(n * size));
    target.go(n);
    source.go(n);
  }
}

void combine(const Extent& into, const Extent& left, const Extent& right, const detail::Operator& op) {
  Walk target(into);
  Walk first(left);
  Walk second(right);
  while (!target.ended()) {
    const std::int64_t n = std::min({target.left(), first.left(), second.left()});
    op.kernel(target.here(), first.here(), second.here(), n, op.state.get());
    target.go(n);
    first.go(n);
    second.go(n);
  }
}

}  // namespace tutti::runtime
