/// @file
/// Collectives that combine the contributions of all ranks with an operator (operators.hpp): reduce, all_reduce,
/// reduce_scatter.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tutti/operators.hpp"
#include "tutti/rooted_collectives.hpp"

namespace tutti {

/// Collectives with an operator; conventions of GatheringCollectives and RootedCollectives hold. x(r) is the
/// contribution of rank r; combination is elementwise, in order of rank unless the operator commutes. Equal inputs give
/// equal bits in every run.
///
/// One argument can be both input and output if these have one shape, and then its kind decides where the result goes:
///
///     comm.all_reduce(in, out, op);              // into out
///     comm.all_reduce(data, op);                 // in place, of data that can be written: data becomes the result
///     auto sums = comm.all_reduce(fixed, op);    // returned, of const data and temporaries: a std::vector
///     int sum = comm.all_reduce(value, op);      // returned, of one value
///
/// Errors, beside those of RootedCollectives: mismatch where ranks pass other operators. An operator that does not
/// apply to the element type is refused by the compiler.
class Reductions : public RootedCollectives {
 public:
  using RootedCollectives::RootedCollectives;

  /// The root's `out` becomes x(0) ∘ … ∘ x(p-1); all have m elements. Other ranks' `out` is not used and may be empty.
  /// Errors: mismatch where ranks differ in root, m, type or operator. Cost: at least ts log2 p for short messages, tw
  /// m b for long ones; p - 1 combinations of m elements in all.
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void reduce(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted(call<In, Out>(Collective::reduce, in, out, op, options), root));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options) {
    reduce(std::forward<In>(in), std::forward<Out>(out), op, 0, options);
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle reduce_async(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(rooted(call<In, Out>(Collective::reduce, in, out, op, options), root));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle reduce_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options) {
    return reduce_async(std::forward<In>(in), std::forward<Out>(out), op, 0, options);
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_reduce(In&& in, Out&& out, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(rooted(call<In, Out>(Collective::reduce, in, out, op, options), root));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options) {
    return plan_reduce(std::forward<In>(in), std::forward<Out>(out), op, 0, options);
  }
  /// In place: the root's `data` becomes the result, other ranks' `data` stays as it is. Returned, of what cannot be
  /// written: a vector of the m results at the root and an empty one elsewhere; of one value, a std::optional that
  /// holds the result at the root and nothing elsewhere. Errors and cost: as above.
  template <typename Data, detail::NotAnOption Op>
  auto reduce(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      run(rooted(call<Data>(Collective::reduce, data, op, options), root));
    } else if constexpr (detail::is_single<Data>) {
      std::optional<T> result(data);
      run(rooted(call<T&>(Collective::reduce, *result, op, options), root));
      if (rank() != root) result.reset();
      return result;
    } else {
      auto result = detail::result_of<T>(rank() == root ? detail::size_of(data) : 0);
      reduce(data, result, op, root, options);
      return result;
    }
  }
  template <typename Data, detail::NotAnOption Op>
  auto reduce(Data&& data, const Op& op, const CollectiveOptions& options) {
    return reduce(std::forward<Data>(data), op, 0, options);
  }
  template <typename Data, detail::NotAnOption Op>
  Handle reduce_async(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<Data>(rooted(call<Data>(Collective::reduce, data, op, options), root));
  }
  template <typename Data, detail::NotAnOption Op>
  Handle reduce_async(Data&& data, const Op& op, const CollectiveOptions& options) {
    return reduce_async(std::forward<Data>(data), op, 0, options);
  }
  template <typename Data, detail::NotAnOption Op>
  Plan plan_reduce(Data&& data, const Op& op, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<Data>(rooted(call<Data>(Collective::reduce, data, op, options), root));
  }
  template <typename Data, detail::NotAnOption Op>
  Plan plan_reduce(Data&& data, const Op& op, const CollectiveOptions& options) {
    return plan_reduce(std::forward<Data>(data), op, 0, options);
  }

  /// Everyone's `out` becomes x(0) ∘ … ∘ x(p-1), with the same bits on every rank; all have m elements.
  /// Errors: mismatch where ranks differ in m, type or operator. Cost: at least ts log2 p for short messages,
  /// 2 tw m b (p - 1)/p for long ones.
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void all_reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(call<In, Out>(Collective::all_reduce, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle all_reduce_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(call<In, Out>(Collective::all_reduce, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_all_reduce(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(call<In, Out>(Collective::all_reduce, in, out, op, options));
  }
  /// In place, or returned, of what cannot be written: a vector of m results, or one value. Errors and cost: as above.
  template <typename Data, detail::NotAnOption Op>
  auto all_reduce(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<Data>;
    if constexpr (detail::is_in_place<Data>) {
      run(call<Data>(Collective::all_reduce, data, op, options));
    } else if constexpr (detail::is_single<Data>) {
      T value(data);
      run(call<T&>(Collective::all_reduce, value, op, options));
      return value;
    } else {
      auto result = detail::result_of<T>(detail::size_of(data));
      all_reduce(data, result, op, options);
      return result;
    }
  }
  template <typename Data, detail::NotAnOption Op>
  Handle all_reduce_async(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<Data>(call<Data>(Collective::all_reduce, data, op, options));
  }
  template <typename Data, detail::NotAnOption Op>
  Plan plan_all_reduce(Data&& data, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<Data>(call<Data>(Collective::all_reduce, data, op, options));
  }

  /// Block r of x(0) ∘ … ∘ x(p-1) becomes rank r's `out` (m elements); every rank's `in` has p·m elements.
  /// Errors: mismatch where ranks differ in m, type or operator. Cost: at least ts log2 p + tw (p - 1) m b.
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  void reduce_scatter(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    run(call<In, Out>(Collective::reduce_scatter, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Handle reduce_scatter_async(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(call<In, Out>(Collective::reduce_scatter, in, out, op, options));
  }
  template <typename In, detail::NotAnOption Out, detail::NotAnOption Op>
  Plan plan_reduce_scatter(In&& in, Out&& out, const Op& op, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(call<In, Out>(Collective::reduce_scatter, in, out, op, options));
  }
  /// Returns this rank's block. Errors: `invalid_argument` where p does not divide the input. Cost: as above, and
  /// memory for the result.
  template <typename In, detail::NotAnOption Op>
  std::vector<detail::ElementIn<In>> reduce_scatter(In&& in, const Op& op, const CollectiveOptions& options = {}) {
    auto block = detail::result_of<detail::ElementIn<In>>(detail::size_of(in) / size());
    reduce_scatter(in, block, op, options);
    return block;
  }

  /// Block r has counts[r] elements; every rank passes the same counts, and `in` has their sum. Errors: mismatch where
  /// counts differ. Cost: as reduce_scatter; new counts cost their preparation, too.
  template <typename In, typename Out, detail::NotAnOption Op>
  void reduce_scatter_v(In&& in, Out&& out, const Counts& counts, const Op& op, const CollectiveOptions& options = {}) {
    run(detail::with_counts(call<In, Out>(Collective::reduce_scatter, in, out, op, options), counts));
  }
  template <typename In, typename Out, detail::NotAnOption Op>
  Handle reduce_scatter_v_async(In&& in, Out&& out, const Counts& counts, const Op& op,
                                const CollectiveOptions& options = {}) {
    return start_with<In, Out>(
        detail::with_counts(call<In, Out>(Collective::reduce_scatter, in, out, op, options), counts));
  }
  template <typename In, typename Out, detail::NotAnOption Op>
  Plan plan_reduce_scatter_v(In&& in, Out&& out, const Counts& counts, const Op& op,
                             const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(
        detail::with_counts(call<In, Out>(Collective::reduce_scatter, in, out, op, options), counts));
  }
  /// Returns this rank's block. Errors: as above. Cost: as above, and memory for the result.
  template <typename In, detail::NotAnOption Op>
  std::vector<detail::ElementIn<In>> reduce_scatter_v(In&& in, const Counts& counts, const Op& op,
                                                      const CollectiveOptions& options = {}) {
    const auto own = static_cast<std::size_t>(rank());
    const bool has_own = counts.view().size() == static_cast<std::size_t>(size());
    // With another number of counts the call below says what is wrong.
    auto block = detail::result_of<detail::ElementIn<In>>(has_own ? counts.view()[own] : 0);
    reduce_scatter_v(in, block, counts, op, options);
    return block;
  }

  // Wrong calls, each refused by a sentence.
  template <typename... A>
  requires detail::TextForOptions<A...>
  void reduce(A&&...) { detail::refuse_text<A...>(); }
  template <typename Data>
  std::remove_cvref_t<Data> reduce(Data&& data) {
    detail::refuse_without_operator<Data>();
    return data;
  }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void all_reduce(A&&...) { detail::refuse_text<A...>(); }
  template <typename Data>
  std::remove_cvref_t<Data> all_reduce(Data&& data) {
    detail::refuse_without_operator<Data>();
    return data;
  }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void reduce_scatter(A&&...) { detail::refuse_text<A...>(); }
  template <typename Data>
  std::remove_cvref_t<Data> reduce_scatter(Data&& data) {
    detail::refuse_without_operator<Data>();
    return data;
  }

 protected:
  template <typename In, typename Out, typename Op>
  static untyped::Call call(Collective collective, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                            const Op& op, const CollectiveOptions& options) {
    untyped::Call call = detail::call_on<In, Out>(collective, in, out, options);
    detail::set_operator<detail::ElementIn<Out>>(call, op);
    return call;
  }
  template <typename Data, typename Op>
  static untyped::Call call(Collective collective, std::remove_reference_t<Data>& data, const Op& op,
                            const CollectiveOptions& options) {
    untyped::Call call = detail::call_on<Data>(collective, data, options);
    detail::set_operator<detail::ElementIn<Data>>(call, op);
    return call;
  }

 private:
  static untyped::Call&& rooted(untyped::Call&& call, int root) {
    call.root = root;
    return std::move(call);
  }
};

}  // namespace tutti
