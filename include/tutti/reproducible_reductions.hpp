/// @file
/// Reductions of float and double with `tutti::reproducible`: the same bits for any algorithm, message size and order
/// of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tutti/error.hpp"
#include "tutti/reductions.hpp"
#include "tutti/reproducible.hpp"

namespace tutti {

namespace detail {

template <typename T>
inline constexpr bool is_number = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Numbers that are given as such, and not as sums of them.
template <typename A>
concept Numbers = is_number<ElementIn<A>>;

/// Returns the elements of the argument; a view of one element if it is one.
template <typename A>
auto view_of(A& data) {
  if constexpr (is_single<A>) {
    return std::span(std::addressof(data), 1);
  } else {
    return std::span(data);
  }
}

/// The sum of each number alone.
template <typename A>
std::vector<ReproducibleSum<ElementIn<A>>> sums_of(A& data) {
  const auto numbers = view_of(data);
  return {numbers.begin(), numbers.end()};
}

template <typename T>
std::vector<T> values_of(const std::vector<ReproducibleSum<T>>& sums) {
  std::vector<T> values(sums.size());
  std::transform(sums.begin(), sums.end(), values.begin(), [](const auto& sum) { return sum.value(); });
  return values;
}

/// Throws `Error(invalid_argument)` where the output of `call` has another number of elements than the result.
TUTTI_API void require_output(std::string_view call, std::size_t has, std::int64_t needs);

template <typename T>
void store_values(const std::vector<ReproducibleSum<T>>& sums, std::span<T> into) {
  std::transform(sums.begin(), sums.end(), into.begin(), [](const auto& sum) { return sum.value(); });
}

}  // namespace detail

/// Reductions of numbers whose sums are asked to be reproducible. Those of ReproducibleSum elements are Reductions'
/// own, handles and plans included. Those do not round what they have summed up, so that the compiler refuses them
/// numbers.
///
/// Cost: that of reducing elements of 32 bytes a double, or 24 a float, memory for them, and some nanoseconds a number.
/// all_reduce goes piece by piece, of 2^12 numbers: it is as many calls, and ranks that differ in m may notice it in
/// the last of them.
class ReproducibleReductions : public Reductions {
 public:
  using Reductions::all_reduce;
  using Reductions::reduce;
  using Reductions::reduce_scatter;
  using Reductions::reduce_scatter_v;
  using Reductions::Reductions;

  /// Everyone's `out` becomes x(0) + … + x(p-1). Errors and sizes: as Reductions::all_reduce. Cost: see above.
  template <detail::Numbers In, detail::NotAnOption Out>
  void all_reduce(In&& in, Out&& out, const Reproducible&, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<In>;
    all_reduce_pieces<T>(detail::view_of(in), detail::view_of(out), options);
  }
  /// In place, or returned, of what cannot be written: a vector of m results, or one value. Errors and cost: as above.
  template <detail::Numbers Data>
  auto all_reduce(Data&& data, const Reproducible&, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      all_reduce_pieces<T>(detail::view_of(data), detail::view_of(data), options);
    } else if constexpr (detail::is_single<Data>) {
      T value(data);
      all_reduce_pieces<T>({&value, 1}, {&value, 1}, options);
      return value;
    } else {
      std::vector<T> result(static_cast<std::size_t>(detail::size_of(data)));
      all_reduce_pieces<T>(detail::view_of(data), result, options);
      return result;
    }
  }

  /// The root's `out` becomes x(0) + … + x(p-1). Errors and sizes: as Reductions::reduce. Cost: see above.
  template <detail::Numbers In, detail::NotAnOption Out>
  void reduce(In&& in, Out&& out, const Reproducible& op, int root = 0, const CollectiveOptions& options = {}) {
    if (rank() == root) detail::require_output("reduce", detail::view_of(out).size(), detail::size_of(in));
    const auto results = reduce(detail::sums_of(in), op, root, options);
    if (rank() == root) detail::store_values<detail::ElementIn<In>>(results, detail::view_of(out));
  }
  template <detail::Numbers In, detail::NotAnOption Out>
  void reduce(In&& in, Out&& out, const Reproducible& op, const CollectiveOptions& options) {
    reduce(in, out, op, 0, options);
  }
  /// In place: the root's `data` becomes the result. Returned, of what cannot be written: a vector of the m results at
  /// the root and an empty one elsewhere; of one value, a std::optional that holds the result at the root alone. Errors
  /// and cost: as above.
  template <detail::Numbers Data>
  auto reduce(Data&& data, const Reproducible& op, int root = 0, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      reduce(data, data, op, root, options);
    } else if constexpr (detail::is_single<Data>) {
      const auto total = reduce(ReproducibleSum<T>(data), op, root, options);
      return total ? std::optional<T>(total->value()) : std::nullopt;
    } else {
      return detail::values_of(reduce(detail::sums_of(data), op, root, options));
    }
  }
  template <detail::Numbers Data>
  auto reduce(Data&& data, const Reproducible& op, const CollectiveOptions& options) {
    return reduce(std::forward<Data>(data), op, 0, options);
  }

  /// Block r of x(0) + … + x(p-1) becomes rank r's `out`. Errors and sizes: as Reductions::reduce_scatter. Cost: see
  /// above.
  template <detail::Numbers In, detail::NotAnOption Out>
  void reduce_scatter(In&& in, Out&& out, const Reproducible& op, const CollectiveOptions& options = {}) {
    detail::require_output("reduce_scatter", detail::view_of(out).size(), detail::size_of(in) / size());
    const auto results = reduce_scatter(detail::sums_of(in), op, options);
    detail::store_values<detail::ElementIn<In>>(results, detail::view_of(out));
  }
  /// Returns this rank's block. Errors and cost: as above, and memory for the result.
  template <detail::Numbers In>
  auto reduce_scatter(In&& in, const Reproducible& op, const CollectiveOptions& options = {}) {
    return detail::values_of(reduce_scatter(detail::sums_of(in), op, options));
  }

  /// Block r has counts[r] elements. Errors and sizes: as Reductions::reduce_scatter_v. Cost: see above.
  template <detail::Numbers In, typename Out>
  void reduce_scatter_v(In&& in, Out&& out, const Counts& counts, const Reproducible& op,
                        const CollectiveOptions& options = {}) {
    const auto own = static_cast<std::size_t>(rank());
    if (own < counts.view().size())
      detail::require_output("reduce_scatter_v", detail::view_of(out).size(), counts.view()[own]);
    const auto results = reduce_scatter_v(detail::sums_of(in), counts, op, options);
    detail::store_values<detail::ElementIn<In>>(results, detail::view_of(out));
  }
  /// Returns this rank's block. Errors and cost: as above, and memory for the result.
  template <detail::Numbers In>
  auto reduce_scatter_v(In&& in, const Counts& counts, const Reproducible& op, const CollectiveOptions& options = {}) {
    return detail::values_of(reduce_scatter_v(detail::sums_of(in), counts, op, options));
  }

 private:
  // Piece by piece, so that the sums stay in the caches; each has the same bits wherever it is cut.
  template <typename T>
  void all_reduce_pieces(std::span<const T> in, std::span<T> out, const CollectiveOptions& options) {
    constexpr std::size_t most = std::size_t{1} << 12;
    detail::require_output("all_reduce", out.size(), static_cast<std::int64_t>(in.size()));
    // The result of a piece would stand where the input of a later one is.
    const std::less<> before;
    const bool apart = !before(in.data(), out.data() + out.size()) || !before(out.data(), in.data() + in.size());
    if (in.data() != out.data() && !apart)
      throw Error(ErrorCode::invalid_argument,
                  "input and output of a reproducible all_reduce overlap; they must be apart, or exactly the same "
                  "elements");
    std::vector<ReproducibleSum<T>> sums;
    std::size_t first = 0;
    do {
      const std::span<const T> piece = in.subspan(first, std::min(most, in.size() - first));
      sums.clear();
      for (const T number : piece) sums.emplace_back(number);
      all_reduce(sums, reproducible, options);
      detail::store_values<T>(sums, out.subspan(first, piece.size()));
      first += piece.size();
    } while (first < in.size());
  }
};

}  // namespace tutti
