/// @file
/// Scans of float and double with `tutti::reproducible`: rank r's result has the same bits for any algorithm.
#pragma once

#include <optional>
#include <vector>

#include "tutti/scans.hpp"

namespace tutti {

/// Scans of numbers whose sums are asked to be reproducible. Those of ReproducibleSum elements are Scans' own, handles
/// and plans included. Cost: as ReproducibleReductions.
class ReproducibleScans : public Scans {
 public:
  using Scans::exclusive_scan;
  using Scans::scan;
  using Scans::Scans;

  /// Rank r's `out` becomes x(0) + … + x(r). Errors and sizes: as Scans::scan. Cost: see above.
  template <detail::Numbers In, detail::NotAnOption Out>
  void scan(In&& in, Out&& out, const Reproducible& op, const CollectiveOptions& options = {}) {
    detail::store_values<detail::ElementIn<In>>(scan(detail::sums_of(in), op, options), detail::view_of(out));
  }
  /// In place, or returned, of what cannot be written: a vector of m results, or one value. Errors and cost: as above.
  template <detail::Numbers Data>
  auto scan(Data&& data, const Reproducible& op, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      detail::store_values<T>(scan(detail::sums_of(data), op, options), detail::view_of(data));
    } else if constexpr (detail::is_single<Data>) {
      return scan(ReproducibleSum<T>(data), op, options).value();
    } else {
      return detail::values_of(scan(detail::sums_of(data), op, options));
    }
  }

  /// Rank r's `out` becomes x(0) + … + x(r-1). Rank 0's `out` is not written. Errors and sizes: as
  /// Scans::exclusive_scan. Cost: see above.
  template <detail::Numbers In, detail::NotAnOption Out>
  void exclusive_scan(In&& in, Out&& out, const Reproducible& op, const CollectiveOptions& options = {}) {
    const auto before = exclusive_scan(detail::sums_of(in), op, options);
    if (rank() > 0) detail::store_values<detail::ElementIn<In>>(before, detail::view_of(out));
  }
  /// In place; rank 0's `data` stays as it is. Returned, of what cannot be written: a vector of m results, empty on
  /// rank 0; of one value, a std::optional that holds nothing on rank 0. Errors and cost: as above.
  template <detail::Numbers Data>
  auto exclusive_scan(Data&& data, const Reproducible& op, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      const auto before = exclusive_scan(detail::sums_of(data), op, options);
      if (rank() > 0) detail::store_values<T>(before, detail::view_of(data));
    } else if constexpr (detail::is_single<Data>) {
      const auto before = exclusive_scan(ReproducibleSum<T>(data), op, options);
      return before ? std::optional<T>(before->value()) : std::nullopt;
    } else {
      return detail::values_of(exclusive_scan(detail::sums_of(data), op, options));
    }
  }
};

}  // namespace tutti
