/// @file
/// Collectives in which every rank gives to every other: all_gather, all_to_all, shift, barrier.
#pragma once

#include <vector>

#include "tutti/by_rank.hpp"
#include "tutti/endpoint.hpp"

namespace tutti {

/// Conventions of this header and of the other collectives.
///
/// Each collective has three forms: the call that returns when this rank's part is done, `…_async` that returns a
/// Handle at once, and `plan_…` that returns a Plan for many runs. The latter two use their buffers after they have
/// returned, and so take no temporaries.
///
/// Arguments always come in one order: input, output, counts, operator, root or distance, options. What is missing
/// takes its default; a call without an output returns its result. One value by itself is an input of one element.
///
/// `p` is size(), `m` the elements of one block, `b` the bytes of an element. The forms in `_v` take the count of each
/// rank (Counts); blocks then lie one after the other, in order of rank.
///
/// Errors, beside those of Communicator. Every call throws `Error(invalid_argument)` where the sizes of its buffers are
/// not those that its comment gives or buffers overlap, and `Error(unsupported)` where options name an algorithm that
/// does not fit; both before anything is sent. A rank's own block may lie where it belongs, and is then not copied: the
/// input of an all_gather, and of the root of a gather, may be exactly that block of the output, and the output of the
/// root of a scatter exactly that block of the input.
///
/// Costs are those of the algorithm with the lowest price, in the textbook's terms: ts a message, tw a byte.
/// `tutti explain` and docs/algorithms.md say more. Calls into given memory allocate nothing once their shape is
/// known, but copies of counts that are no std::int64_t.
class GatheringCollectives : public Endpoint {
 public:
  using Endpoint::Endpoint;

  /// `in` (m elements) of rank r becomes block r of everyone's `out` (p·m elements), column r of `reshape(out, m, p)`.
  /// Errors: mismatch where ranks differ in m or type. Cost: at least ts log2 p + tw (p - 1) m b, which short blocks
  /// and long ones nearly reach.
  template <typename In, detail::NotAnOption Out>
  void all_gather(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    run(detail::call_on<In, Out>(Collective::all_gather, in, out, options));
  }
  template <typename In, detail::NotAnOption Out>
  Handle all_gather_async(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(detail::call_on<In, Out>(Collective::all_gather, in, out, options));
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_all_gather(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(detail::call_on<In, Out>(Collective::all_gather, in, out, options));
  }
  /// Returns the p·m elements; of one value, the values of all ranks. Errors: as above. Cost: as above, and memory for
  /// the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> all_gather(In&& in, const CollectiveOptions& options = {}) {
    auto all = detail::result_of<detail::ElementIn<In>>(size() * detail::size_of(in));
    all_gather(in, all, options);
    return all;
  }

  /// Rank r gives counts[r] elements. Every rank passes the same counts; `out` has their sum.
  /// Errors: mismatch where ranks pass different counts. Cost: as all_gather; new counts cost their preparation, too.
  template <typename In, typename Out>
  void all_gather_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options = {}) {
    run(detail::with_counts(detail::call_on<In, Out>(Collective::all_gather, in, out, options), counts));
  }
  template <typename In, typename Out>
  Handle all_gather_v_async(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(
        detail::with_counts(detail::call_on<In, Out>(Collective::all_gather, in, out, options), counts));
  }
  template <typename In, typename Out>
  Plan plan_all_gather_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(
        detail::with_counts(detail::call_on<In, Out>(Collective::all_gather, in, out, options), counts));
  }
  /// Any number of elements from each rank, which need not be known elsewhere: the counts are found by an all_gather of
  /// 8 bytes a rank. Returns elements and counts. Errors: mismatch where types differ. Cost: that all_gather,
  /// all_gather_v, and memory for the result.
  template <typename In>
  ByRank<detail::ElementIn<In>> all_gather_v(In&& in, const CollectiveOptions& options = {}) {
    ByRank<detail::ElementIn<In>> all{.elements = {}, .counts = all_gather(detail::size_of(in))};
    all.elements = detail::result_of<detail::ElementIn<In>>(detail::sum_of(all.counts));
    all_gather_v(in, all.elements, all.counts, options);
    return all;
  }

  /// Block j of rank i's `in` becomes block i of rank j's `out`; both have p·m elements. With reshape(in, m, p) and
  /// reshape(out, m, p): column j of rank i becomes column i of rank j.
  /// Errors: `invalid_argument` where p does not divide the input; mismatch where ranks differ in m or type.
  /// Cost: at least tw (p - 1) m b; ts log2 p for the shortest blocks, ts (p - 1) for long ones.
  template <typename In, detail::NotAnOption Out>
  void all_to_all(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    run(detail::call_on<In, Out>(Collective::all_to_all, in, out, options));
  }
  template <typename In, detail::NotAnOption Out>
  Handle all_to_all_async(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(detail::call_on<In, Out>(Collective::all_to_all, in, out, options));
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_all_to_all(In&& in, Out&& out, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(detail::call_on<In, Out>(Collective::all_to_all, in, out, options));
  }
  /// Returns what would go to `out`. Errors: as above. Cost: as above, and memory for the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> all_to_all(In&& in, const CollectiveOptions& options = {}) {
    auto out = detail::result_of<detail::ElementIn<In>>(detail::size_of(in));
    all_to_all(in, out, options);
    return out;
  }

  /// This rank sends send_counts[j] elements to rank j and receives receive_counts[i] from rank i; `in` and `out` have
  /// the sums. Each rank passes its own counts. Errors: mismatch, on every rank, where counts of two ranks disagree: in
  /// this call on a rank that gets other elements than it expects, and in wait_all() at the latest on those that do
  /// not. Cost: an all_to_all that sends each block straight to its rank, and nothing to a rank that gets no elements.
  /// With an algorithm that passes blocks on, which has to be named, an all_gather of 16 p bytes a rank before it.
  template <typename In, typename Out>
  void all_to_all_v(In&& in, Out&& out, const Counts& send_counts, const Counts& receive_counts,
                    const CollectiveOptions& options = {}) {
    run(detail::with_counts(detail::call_on<In, Out>(Collective::all_to_all, in, out, options), send_counts,
                            receive_counts));
  }
  template <typename In, typename Out>
  Handle all_to_all_v_async(In&& in, Out&& out, const Counts& send_counts, const Counts& receive_counts,
                            const CollectiveOptions& options = {}) {
    return start_with<In, Out>(detail::with_counts(detail::call_on<In, Out>(Collective::all_to_all, in, out, options),
                                                   send_counts, receive_counts));
  }
  template <typename In, typename Out>
  Plan plan_all_to_all_v(In&& in, Out&& out, const Counts& send_counts, const Counts& receive_counts,
                         const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(detail::with_counts(detail::call_on<In, Out>(Collective::all_to_all, in, out, options),
                                                  send_counts, receive_counts));
  }
  /// Exchanges blocks if ranks know only what they send: an all_to_all of 8 bytes a pair tells the others. Returns the
  /// elements that have come, and how many from each rank. Errors: `invalid_argument` if the counts do not add up to
  /// the input. Cost: that all_to_all, all_to_all_v, and memory for the result.
  template <typename In>
  ByRank<detail::ElementIn<In>> all_to_all_v(In&& in, const Counts& send_counts,
                                             const CollectiveOptions& options = {}) {
    ByRank<detail::ElementIn<In>> received{.elements = {}, .counts = all_to_all(send_counts.view())};
    received.elements = detail::result_of<detail::ElementIn<In>>(detail::sum_of(received.counts));
    all_to_all_v(in, received.elements, send_counts, received.counts, options);
    return received;
  }

  /// `in` of rank i becomes `out` of rank (i + distance) mod p; any sign. All blocks have m elements.
  /// Errors: mismatch where ranks differ in distance, m or type. Cost: ts + tw m b where all ranks are near one
  /// another.
  template <typename In, detail::NotAnOption Out>
  void shift(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    run(shift_call<In, Out>(in, out, distance, options));
  }
  template <typename In, detail::NotAnOption Out>
  Handle shift_async(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(shift_call<In, Out>(in, out, distance, options));
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_shift(In&& in, Out&& out, int distance, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(shift_call<In, Out>(in, out, distance, options));
  }
  /// Returns what has come: m elements, or one value for one value. Errors: as above. Cost: as above, and memory for
  /// elements.
  template <typename In>
  auto shift(In&& in, int distance, const CollectiveOptions& options = {}) {
    using T = detail::ElementIn<In>;
    if constexpr (detail::is_single<In>) {
      T come(in);
      shift(std::span(&in, 1), std::span(&come, 1), distance, options);
      return come;
    } else {
      std::vector<T> come = detail::result_of<T>(detail::size_of(in));
      shift(in, come, distance, options);
      return come;
    }
  }

  /// Rank r's `in` has counts[r] elements, and the `out` of the rank that it goes to as many. Every rank passes the
  /// same counts. Errors: mismatch where they differ. Cost: as shift, for the longest block.
  template <typename In, typename Out>
  void shift_v(In&& in, Out&& out, const Counts& counts, int distance, const CollectiveOptions& options = {}) {
    run(detail::with_counts(shift_call<In, Out>(in, out, distance, options), counts));
  }
  template <typename In, typename Out>
  Handle shift_v_async(In&& in, Out&& out, const Counts& counts, int distance, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(detail::with_counts(shift_call<In, Out>(in, out, distance, options), counts));
  }
  template <typename In, typename Out>
  Plan plan_shift_v(In&& in, Out&& out, const Counts& counts, int distance, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(detail::with_counts(shift_call<In, Out>(in, out, distance, options), counts));
  }
  /// Returns what has come, however much that is: the counts are found by an all_gather of 8 bytes a rank.
  /// Errors: mismatch where distances or types differ. Cost: that all_gather, shift_v, and memory for the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> shift_v(In&& in, int distance, const CollectiveOptions& options = {}) {
    const std::vector<std::int64_t> counts = all_gather(detail::size_of(in));
    const std::int64_t p = size();
    const auto origin = static_cast<std::size_t>(((rank() - std::int64_t{distance}) % p + p) % p);
    auto come = detail::result_of<detail::ElementIn<In>>(counts[origin]);
    shift_v(in, come, counts, distance, options);
    return come;
  }

  /// Returns when all ranks have called it; no data. Errors: those of Communicator. Cost: ts log2 p.
  void barrier(const CollectiveOptions& options = {}) { run(detail::call_of(Collective::barrier, options)); }
  Handle barrier_async(const CollectiveOptions& options = {}) {
    return start(detail::call_of(Collective::barrier, options));
  }
  Plan plan_barrier(const CollectiveOptions& options = {}) {
    return plan(detail::call_of(Collective::barrier, options));
  }

  // Wrong calls, each refused by a sentence.
  template <typename... A>
  requires detail::TextForOptions<A...>
  void all_gather(A&&...) { detail::refuse_text<A...>(); }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void all_to_all(A&&...) { detail::refuse_text<A...>(); }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void shift(A&&...) { detail::refuse_text<A...>(); }

 private:
  template <typename In, typename Out>
  static untyped::Call shift_call(std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out, int distance,
                                  const CollectiveOptions& options) {
    untyped::Call call = detail::call_on<In, Out>(Collective::shift, in, out, options);
    call.distance = distance;
    return call;
  }
};

}  // namespace tutti
