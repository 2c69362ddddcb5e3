/// @file
/// Collectives that move data and combine nothing.
#pragma once

#include <vector>

#include "tutti/endpoint.hpp"

namespace tutti {

/// Each collective in three forms: the call that returns when this rank's part is done, `…_async` that returns a Handle
/// at once, and `plan_…` that returns a Plan for many runs. Arguments that only the root uses (the input of scatter,
/// the output of gather) may be empty elsewhere: `std::span<T>{}`.
///
/// `p` is size(), `m` the elements of one block. The forms in `_v` take one count for each rank, the same counts on
/// every rank; blocks then lie one after the other, in order of rank.
class MovingCollectives : public Endpoint {
 public:
  using Endpoint::Endpoint;

  /// The root's `data` goes to all: every rank passes as many elements.
  template <WritableElements Data>
  void broadcast(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    run(broadcast_call(data, root, options));
  }
  template <WritableElements Data>
  Handle broadcast_async(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    return start(broadcast_call(data, root, options));
  }
  template <WritableElements Data>
  Plan plan_broadcast(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    return plan(broadcast_call(data, root, options));
  }
  /// The same for one value.
  template <OneElement T>
  void broadcast(T& value, int root = 0, const CollectiveOptions& options = {}) {
    broadcast(std::span(&value, 1), root, options);
  }

  /// Block r of the root's `in` (p·m elements) goes to `out` (m elements) of rank r. See reshape() for blocks as
  /// columns.
  template <Elements In, WritableElements Out>
  void scatter(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted(Collective::scatter, in, out, root, options));
  }
  template <Elements In, WritableElements Out>
  Handle scatter_async(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return start(rooted(Collective::scatter, in, out, root, options));
  }
  template <Elements In, WritableElements Out>
  Plan plan_scatter(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return plan(rooted(Collective::scatter, in, out, root, options));
  }
  /// Block r has counts[r] elements.
  template <Elements In, WritableElements Out>
  void scatter_v(In&& in, Counts counts, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    run(with_counts(rooted(Collective::scatter, in, out, root, options), counts));
  }
  template <Elements In, WritableElements Out>
  Handle scatter_v_async(In&& in, Counts counts, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return start(with_counts(rooted(Collective::scatter, in, out, root, options), counts));
  }
  template <Elements In, WritableElements Out>
  Plan plan_scatter_v(In&& in, Counts counts, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return plan(with_counts(rooted(Collective::scatter, in, out, root, options), counts));
  }

  /// `in` (m elements) of rank r becomes block r of the root's `out` (p·m elements): seen through
  /// `reshape(out, m, p)`, column r.
  template <Elements In, WritableElements Out>
  void gather(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted(Collective::gather, in, out, root, options));
  }
  template <Elements In, WritableElements Out>
  Handle gather_async(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return start(rooted(Collective::gather, in, out, root, options));
  }
  template <Elements In, WritableElements Out>
  Plan plan_gather(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return plan(rooted(Collective::gather, in, out, root, options));
  }
  /// Rank r gives counts[r] elements.
  template <Elements In, WritableElements Out>
  void gather_v(In&& in, Out&& out, Counts counts, int root = 0, const CollectiveOptions& options = {}) {
    run(with_counts(rooted(Collective::gather, in, out, root, options), counts));
  }
  template <Elements In, WritableElements Out>
  Handle gather_v_async(In&& in, Out&& out, Counts counts, int root = 0, const CollectiveOptions& options = {}) {
    return start(with_counts(rooted(Collective::gather, in, out, root, options), counts));
  }
  template <Elements In, WritableElements Out>
  Plan plan_gather_v(In&& in, Out&& out, Counts counts, int root = 0, const CollectiveOptions& options = {}) {
    return plan(with_counts(rooted(Collective::gather, in, out, root, options), counts));
  }

  /// Gather to every rank: `in` (m elements) of rank r becomes block r of everyone's `out` (p·m elements), column r of
  /// `reshape(out, m, p)`.
  template <Elements In, WritableElements Out>
  void all_gather(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    run(detail::call_on(Collective::all_gather, in, out, options));
  }
  template <Elements In, WritableElements Out>
  Handle all_gather_async(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return start(detail::call_on(Collective::all_gather, in, out, options));
  }
  template <Elements In, WritableElements Out>
  Plan plan_all_gather(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return plan(detail::call_on(Collective::all_gather, in, out, options));
  }
  /// The values of all ranks, in order of rank.
  template <OneElement T>
  std::vector<T> all_gather(const T& value, const CollectiveOptions& options = {}) {
    std::vector<T> values(static_cast<std::size_t>(size()));
    all_gather(std::span(&value, 1), values, options);
    return values;
  }
  /// Rank r gives counts[r] elements.
  template <Elements In, WritableElements Out>
  void all_gather_v(In&& in, Out&& out, Counts counts, const CollectiveOptions& options = {}) {
    run(with_counts(detail::call_on(Collective::all_gather, in, out, options), counts));
  }
  template <Elements In, WritableElements Out>
  Handle all_gather_v_async(In&& in, Out&& out, Counts counts, const CollectiveOptions& options = {}) {
    return start(with_counts(detail::call_on(Collective::all_gather, in, out, options), counts));
  }
  template <Elements In, WritableElements Out>
  Plan plan_all_gather_v(In&& in, Out&& out, Counts counts, const CollectiveOptions& options = {}) {
    return plan(with_counts(detail::call_on(Collective::all_gather, in, out, options), counts));
  }

  /// Block j of rank i's `in` becomes block i of rank j's `out`; both have p·m elements. With reshape(in, m, p) and
  /// reshape(out, m, p): column j of rank i becomes column i of rank j.
  template <Elements In, WritableElements Out>
  void all_to_all(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    run(detail::call_on(Collective::all_to_all, in, out, options));
  }
  template <Elements In, WritableElements Out>
  Handle all_to_all_async(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return start(detail::call_on(Collective::all_to_all, in, out, options));
  }
  template <Elements In, WritableElements Out>
  Plan plan_all_to_all(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return plan(detail::call_on(Collective::all_to_all, in, out, options));
  }
  /// This rank sends send_counts[j] elements to rank j and receives receive_counts[i] from rank i. Each rank passes its
  /// own counts; they travel in one small all-gather first, and counts that disagree end in an error on every rank.
  template <Elements In, WritableElements Out>
  void all_to_all_v(In&& in, Counts send_counts, Out&& out, Counts receive_counts,
                    const CollectiveOptions& options = {}) {
    run(with_counts(detail::call_on(Collective::all_to_all, in, out, options), send_counts, receive_counts));
  }
  template <Elements In, WritableElements Out>
  Handle all_to_all_v_async(In&& in, Counts send_counts, Out&& out, Counts receive_counts,
                            const CollectiveOptions& options = {}) {
    return start(with_counts(detail::call_on(Collective::all_to_all, in, out, options), send_counts, receive_counts));
  }
  template <Elements In, WritableElements Out>
  Plan plan_all_to_all_v(In&& in, Counts send_counts, Out&& out, Counts receive_counts,
                         const CollectiveOptions& options = {}) {
    return plan(with_counts(detail::call_on(Collective::all_to_all, in, out, options), send_counts, receive_counts));
  }

  /// `in` of rank i becomes `out` of rank (i + distance) mod p; any sign. All blocks have m elements.
  template <Elements In, WritableElements Out>
  void shift(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    run(shift_call(in, out, distance, options));
  }
  template <Elements In, WritableElements Out>
  Handle shift_async(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    return start(shift_call(in, out, distance, options));
  }
  template <Elements In, WritableElements Out>
  Plan plan_shift(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    return plan(shift_call(in, out, distance, options));
  }
  /// Rank r's `in` has counts[r] elements.
  template <Elements In, WritableElements Out>
  void shift_v(In&& in, Out&& out, Counts counts, int distance, const CollectiveOptions& options = {}) {
    run(with_counts(shift_call(in, out, distance, options), counts));
  }
  template <Elements In, WritableElements Out>
  Handle shift_v_async(In&& in, Out&& out, Counts counts, int distance, const CollectiveOptions& options = {}) {
    return start(with_counts(shift_call(in, out, distance, options), counts));
  }
  template <Elements In, WritableElements Out>
  Plan plan_shift_v(In&& in, Out&& out, Counts counts, int distance, const CollectiveOptions& options = {}) {
    return plan(with_counts(shift_call(in, out, distance, options), counts));
  }

  /// Returns when all ranks have called it.
  void barrier(const CollectiveOptions& options = {}) { run({.collective = Collective::barrier, .options = &options}); }
  Handle barrier_async(const CollectiveOptions& options = {}) {
    return start({.collective = Collective::barrier, .options = &options});
  }
  Plan plan_barrier(const CollectiveOptions& options = {}) {
    return plan({.collective = Collective::barrier, .options = &options});
  }

 private:
  template <typename Data>
  static detail::Call broadcast_call(Data&& data, int root, const CollectiveOptions& options) {
    detail::Call call = detail::call_on(Collective::broadcast, data, options);
    call.root = root;
    return call;
  }
  template <typename In, typename Out>
  static detail::Call rooted(Collective collective, In&& in, Out&& out, int root, const CollectiveOptions& options) {
    detail::Call call = detail::call_on(collective, in, out, options);
    call.root = root;
    return call;
  }
  template <typename In, typename Out>
  static detail::Call shift_call(In&& in, Out&& out, int distance, const CollectiveOptions& options) {
    detail::Call call = detail::call_on(Collective::shift, in, out, options);
    call.distance = distance;
    return call;
  }
};

}  // namespace tutti
