/// @file
/// Collectives that combine the contributions of the ranks before each rank: scan, exclusive_scan.
#pragma once

#include <optional>
#include <vector>

#include "tutti/reproducible_reductions.hpp"

namespace tutti {

/// Scans; conventions of Reductions hold. All ranks have m elements. tutti::average is refused by the compiler: a
/// prefix of ranks has no one divisor.
class Scans : public ReproducibleReductions {
 public:
  using ReproducibleReductions::ReproducibleReductions;

  /// Rank r's `out` becomes x(0) ∘ … ∘ x(r); all have m elements. Errors: mismatch where ranks differ in m, type or
  /// operator. Cost: at least ts log2 p for short messages, tw m b for long ones.
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(prefixes<In, Out>(Collective::scan, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle scan_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(prefixes<In, Out>(Collective::scan, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(prefixes<In, Out>(Collective::scan, in, out, op, options));
  }
  /// In place, or returned, of what cannot be written: a vector of m results, or one value. Errors and cost: as above.
  template <typename Data, detail::NotAnOption Op>
  auto scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      run(prefixes<Data>(Collective::scan, data, op, options));
    } else if constexpr (detail::is_single<Data>) {
      T value(data);
      run(prefixes<T&>(Collective::scan, value, op, options));
      return value;
    } else {
      auto result = detail::result_of<T>(detail::size_of(data));
      scan(data, result, op, options);
      return result;
    }
  }
  template <typename Data, detail::NotAnOption Op>
  Handle scan_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<Data>(prefixes<Data>(Collective::scan, data, op, options));
  }
  template <typename Data, detail::NotAnOption Op>
  Plan plan_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<Data>(prefixes<Data>(Collective::scan, data, op, options));
  }

  /// Rank r's `out` becomes x(0) ∘ … ∘ x(r-1); all have m elements. Rank 0's `out` is not written. Errors and cost: as
  /// scan.
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void exclusive_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(prefixes<In, Out>(Collective::exclusive_scan, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle exclusive_scan_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(prefixes<In, Out>(Collective::exclusive_scan, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_exclusive_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(prefixes<In, Out>(Collective::exclusive_scan, in, out, op, options));
  }
  /// In place; rank 0's `data` stays as it is. Returned, of what cannot be written: a vector of m results, empty on
  /// rank 0; of one value, a std::optional that holds nothing on rank 0: `comm.exclusive_scan(n,
  /// tutti::sum).value_or(0)`. Errors and cost: as scan.
  template <typename Data, detail::NotAnOption Op>
  auto exclusive_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      run(prefixes<Data>(Collective::exclusive_scan, data, op, options));
    } else if constexpr (detail::is_single<Data>) {
      std::optional<T> before(data);
      run(prefixes<T&>(Collective::exclusive_scan, *before, op, options));
      if (rank() == 0) before.reset();
      return before;
    } else {
      auto result = detail::result_of<T>(detail::size_of(data));
      exclusive_scan(data, result, op, options);
      if (rank() == 0) result.clear();
      return result;
    }
  }
  template <typename Data, detail::NotAnOption Op>
  Handle exclusive_scan_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<Data>(prefixes<Data>(Collective::exclusive_scan, data, op, options));
  }
  template <typename Data, detail::NotAnOption Op>
  Plan plan_exclusive_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<Data>(prefixes<Data>(Collective::exclusive_scan, data, op, options));
  }

  // Wrong calls, each refused by a sentence.
  template <typename... A>
  requires detail::TextForOptions<A...>
  void scan(A&&...) { detail::refuse_text<A...>(); }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void exclusive_scan(A&&...) { detail::refuse_text<A...>(); }
  template <typename Data>
  std::remove_cvref_t<Data> scan(Data&& data) {
    detail::refuse_without_operator<Data>();
    return data;
  }
  template <typename Data>
  std::remove_cvref_t<Data> exclusive_scan(Data&& data) {
    detail::refuse_without_operator<Data>();
    return data;
  }

 private:
  template <typename... Data, typename... Arguments>
  static untyped::Call prefixes(Collective collective, Arguments&&... arguments) {
    static_assert(
        (!std::same_as<std::remove_cvref_t<Arguments>, Average> && ...),
        "average is not offered for scans: prefixes differ in length; scan with tutti::sum and divide by rank + 1");
    return call<Data...>(collective, arguments...);
  }
};

}  // namespace tutti
