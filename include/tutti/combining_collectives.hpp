/// @file
/// Collectives that combine contributions with an operator (operators.hpp).
#pragma once

#include "tutti/moving_collectives.hpp"
#include "tutti/operators.hpp"

namespace tutti {

/// As MovingCollectives, with an operator. Where input and output have the same shape, leaving the input out means in
/// place: the contribution is read from the output. Input and output must otherwise not overlap.
///
/// x(r) is the contribution of rank r; combination is elementwise, in order of rank unless the operator commutes.
class CombiningCollectives : public MovingCollectives {
 public:
  using MovingCollectives::MovingCollectives;

  /// The root's `out` becomes x(0) ∘ … ∘ x(p-1); all have m elements. Other ranks' `out` is not used and may be empty.
  template <Elements In, WritableElements Out, typename Op>
  void reduce(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted(call<ElementOf<Out>>(Collective::reduce, in, out, op, options), root));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle reduce_async(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return start(rooted(call<ElementOf<Out>>(Collective::reduce, in, out, op, options), root));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_reduce(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return plan(rooted(call<ElementOf<Out>>(Collective::reduce, in, out, op, options), root));
  }
  /// In place: the root's `data` becomes the result, other ranks' `data` stays as it is.
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) void reduce(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted(call<ElementOf<Data>>(Collective::reduce, data, op, options), root));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Handle
      reduce_async(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return start(rooted(call<ElementOf<Data>>(Collective::reduce, data, op, options), root));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Plan
      plan_reduce(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return plan(rooted(call<ElementOf<Data>>(Collective::reduce, data, op, options), root));
  }

  /// Everyone's `out` becomes x(0) ∘ … ∘ x(p-1), with the same bits on every rank.
  template <Elements In, WritableElements Out, typename Op>
  void all_reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(call<ElementOf<Out>>(Collective::all_reduce, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle all_reduce_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start(call<ElementOf<Out>>(Collective::all_reduce, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_all_reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan(call<ElementOf<Out>>(Collective::all_reduce, in, out, op, options));
  }
  /// In place.
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) void all_reduce(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    run(call<ElementOf<Data>>(Collective::all_reduce, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Handle all_reduce_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start(call<ElementOf<Data>>(Collective::all_reduce, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Plan plan_all_reduce(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan(call<ElementOf<Data>>(Collective::all_reduce, data, op, options));
  }
  /// For one value, which is returned.
  template <OneElement T, typename Op>
  T all_reduce(T value, const Op& op, const CollectiveOptions& options = {}) {
    all_reduce(std::span(&value, 1), op, options);
    return value;
  }

  /// Rank r's `out` becomes x(0) ∘ … ∘ x(r).
  template <Elements In, WritableElements Out, typename Op>
  void scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(prefix_call<ElementOf<Out>>(Collective::scan, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle scan_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start(prefix_call<ElementOf<Out>>(Collective::scan, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan(prefix_call<ElementOf<Out>>(Collective::scan, in, out, op, options));
  }
  /// In place.
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) void scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    run(prefix_call<ElementOf<Data>>(Collective::scan, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Handle scan_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start(prefix_call<ElementOf<Data>>(Collective::scan, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Plan plan_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan(prefix_call<ElementOf<Data>>(Collective::scan, data, op, options));
  }
  /// For one value, which is returned.
  template <OneElement T, typename Op>
  T scan(T value, const Op& op, const CollectiveOptions& options = {}) {
    scan(std::span(&value, 1), op, options);
    return value;
  }

  /// Rank r's `out` becomes x(0) ∘ … ∘ x(r-1). Rank 0's `out` is not written.
  template <Elements In, WritableElements Out, typename Op>
  void exclusive_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(prefix_call<ElementOf<Out>>(Collective::exclusive_scan, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle exclusive_scan_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start(prefix_call<ElementOf<Out>>(Collective::exclusive_scan, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_exclusive_scan(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan(prefix_call<ElementOf<Out>>(Collective::exclusive_scan, in, out, op, options));
  }
  /// In place; rank 0's `data` stays as it is.
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) void exclusive_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    run(prefix_call<ElementOf<Data>>(Collective::exclusive_scan, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Handle
      exclusive_scan_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start(prefix_call<ElementOf<Data>>(Collective::exclusive_scan, data, op, options));
  }
  template <WritableElements Data, typename Op>
  requires(!Elements<Op>) Plan plan_exclusive_scan(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan(prefix_call<ElementOf<Data>>(Collective::exclusive_scan, data, op, options));
  }

  /// Block r of x(0) ∘ … ∘ x(p-1) becomes rank r's `out` (m elements); every rank's `in` has p·m elements.
  template <Elements In, WritableElements Out, typename Op>
  void reduce_scatter(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle reduce_scatter_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_reduce_scatter(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options));
  }
  /// Block r has counts[r] elements.
  template <Elements In, WritableElements Out, typename Op>
  void reduce_scatter_v(In&& in, Out&& out, Counts counts, const Op& op, const CollectiveOptions& options = {}) {
    run(with_counts(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options), counts));
  }
  template <Elements In, WritableElements Out, typename Op>
  Handle reduce_scatter_v_async(In&& in, Out&& out, Counts counts, const Op& op,
                                const CollectiveOptions& options = {}) {
    return start(with_counts(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options), counts));
  }
  template <Elements In, WritableElements Out, typename Op>
  Plan plan_reduce_scatter_v(In&& in, Out&& out, Counts counts, const Op& op, const CollectiveOptions& options = {}) {
    return plan(with_counts(call<ElementOf<Out>>(Collective::reduce_scatter, in, out, op, options), counts));
  }

 private:
  template <typename T, typename In, typename Out, typename Op>
  static detail::Call call(Collective collective, In&& in, Out&& out, const Op& op, const CollectiveOptions& options) {
    detail::Call call = detail::call_on(collective, in, out, options);
    detail::set_operator<T>(call, op);
    return call;
  }
  template <typename T, typename Data, typename Op>
  static detail::Call call(Collective collective, Data&& data, const Op& op, const CollectiveOptions& options) {
    detail::Call call = detail::call_on(collective, data, options);
    detail::set_operator<T>(call, op);
    return call;
  }
  /// An average of a prefix has no one divisor: the scans refuse it.
  template <typename T, typename... Arguments>
  static detail::Call prefix_call(Collective collective, Arguments&&... arguments) {
    static_assert(
        (!std::same_as<std::remove_cvref_t<Arguments>, Average> && ...),
        "average is not offered for scans: prefixes differ in length; scan with tutti::sum and divide by rank + 1");
    return call<T>(collective, arguments...);
  }
  static detail::Call&& rooted(detail::Call&& call, int root) { return detail::with_root(std::move(call), root); }
};

}  // namespace tutti
