/// @file
/// Collectives that move data from or to one rank, the root: broadcast, scatter, gather.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tutti/gathering_collectives.hpp"

namespace tutti {

namespace detail {

/// Throws `Error(invalid_argument)` where the root of `call` is not one of the ranks.
TUTTI_API void require_root(std::string_view call, int root, int ranks);

}  // namespace detail

/// Collectives with a root: rank 0 unless a call names another one; conventions of GatheringCollectives hold. Arguments
/// that only the root uses (the input of scatter, the output of gather) may be empty elsewhere: `std::span<T>{}`.
///
/// Errors, beside those of GatheringCollectives: `invalid_argument` for a root that is not in [0, p), and mismatch
/// where ranks name different ones. Cost: the root of a broadcast or scatter does not wait for the others, nor do the
/// others of a gather.
class RootedCollectives : public GatheringCollectives {
 public:
  using GatheringCollectives::GatheringCollectives;

  /// The root's `data` (m elements, or one value) goes to all: every rank passes as many elements, and finds them
  /// there. The root alone may pass const elements. A temporary is for the ranks that have nothing of their own yet: of
  /// a value or a container that can be resized, the root's is returned, whatever length the others' has (8 bytes
  /// travel first to tell it). Errors: `invalid_argument` for const elements elsewhere than at the root; mismatch where
  /// lengths differ. Cost: at least ts log2 p for short messages, tw m b for long ones.
  template <typename Data>
  auto broadcast(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    if constexpr (detail::is_single<Data> && !detail::can_be_written<Data>()) {
      std::remove_cvref_t<Data> value(data);
      run(broadcast_call<decltype(value)&>(value, root, options));
      return value;
    } else if constexpr (detail::is_temporary<Data>) {
      static_assert(
          detail::can_be_resized<Data>,
          "a temporary is broadcast to be returned as long as the root's: it must be a std::vector or another "
          "container that can be resized");
      std::remove_cvref_t<Data> whole(std::move(data));
      whole.resize(static_cast<std::size_t>(broadcast(detail::size_of(whole), root)));
      broadcast(whole, root, options);
      return whole;
    } else {
      run(broadcast_call<Data>(data, root, options));
    }
  }
  template <typename Data>
  auto broadcast(Data&& data, const CollectiveOptions& options) {
    return broadcast(std::forward<Data>(data), 0, options);
  }
  template <typename Data>
  Handle broadcast_async(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<Data>(broadcast_call<Data>(data, root, options));
  }
  template <typename Data>
  Handle broadcast_async(Data&& data, const CollectiveOptions& options) {
    return broadcast_async(std::forward<Data>(data), 0, options);
  }
  template <typename Data>
  Plan plan_broadcast(Data&& data, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<Data>(broadcast_call<Data>(data, root, options));
  }
  template <typename Data>
  Plan plan_broadcast(Data&& data, const CollectiveOptions& options) {
    return plan_broadcast(std::forward<Data>(data), 0, options);
  }

  /// Block r of the root's `in` (p·m elements) goes to `out` (m elements) of rank r. See reshape() for blocks as
  /// columns. Errors: mismatch where ranks differ in root, m or type. Cost: at least ts log2 p + tw (p - 1) m b.
  template <typename In, detail::NotAnOption Out>
  void scatter(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted<In, Out>(Collective::scatter, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  void scatter(In&& in, Out&& out, const CollectiveOptions& options) {
    scatter(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  template <typename In, detail::NotAnOption Out>
  Handle scatter_async(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(rooted<In, Out>(Collective::scatter, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  Handle scatter_async(In&& in, Out&& out, const CollectiveOptions& options) {
    return scatter_async(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_scatter(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(rooted<In, Out>(Collective::scatter, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_scatter(In&& in, Out&& out, const CollectiveOptions& options) {
    return plan_scatter(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  /// Returns this rank's block, whose length the other ranks need not know: a broadcast of 8 bytes tells it. Errors:
  /// `invalid_argument` where p does not divide the root's input. Cost: both, and memory for the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> scatter(In&& in, int root = 0, const CollectiveOptions& options = {}) {
    detail::require_root("scatter", root, size());
    auto block = detail::result_of<detail::ElementIn<In>>(broadcast(detail::size_of(in) / size(), root));
    scatter(in, block, root, options);
    return block;
  }
  template <typename In>
  std::vector<detail::ElementIn<In>> scatter(In&& in, const CollectiveOptions& options) {
    return scatter(in, 0, options);
  }
  /// Element r of the root's p elements is what rank r gets: `const int mine = comm.scatter<int>(numbers)`.
  /// Errors: `invalid_argument` where the root has another number of elements than p. Cost: as a scatter of blocks of
  /// one.
  template <OneElement T, typename In>
  T scatter(In&& in, int root = 0, const CollectiveOptions& options = {}) {
    T value{};
    scatter(in, std::span(&value, 1), root, options);
    return value;
  }

  /// Rank r's block has counts[r] elements. Every rank passes the same counts, or the root alone has them: at_root().
  /// Errors: mismatch where counts differ, or an `out` of another size than the root's count. Cost: as scatter; with
  /// at_root() as its `linear`, (p - 1) ts + tw m b at the root, and as any other that is named, after an all_gather of 8
  /// bytes a rank.
  template <typename In, typename Out>
  void scatter_v(In&& in, Out&& out, const Counts& counts, int root = 0, const CollectiveOptions& options = {}) {
    run(detail::with_counts(rooted<In, Out>(Collective::scatter, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  void scatter_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    scatter_v(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  template <typename In, typename Out>
  Handle scatter_v_async(In&& in, Out&& out, const Counts& counts, int root = 0,
                         const CollectiveOptions& options = {}) {
    return start_with<In, Out>(
        detail::with_counts(rooted<In, Out>(Collective::scatter, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  Handle scatter_v_async(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    return scatter_v_async(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  template <typename In, typename Out>
  Plan plan_scatter_v(In&& in, Out&& out, const Counts& counts, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(
        detail::with_counts(rooted<In, Out>(Collective::scatter, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  Plan plan_scatter_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    return plan_scatter_v(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  /// Returns this rank's block; the root alone needs the counts. Errors: `invalid_argument` where they do not add up to
  /// the root's input. Cost: a scatter of the counts, scatter_v with at_root(), and memory for the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> scatter_v(In&& in, const Counts& counts, int root = 0,
                                               const CollectiveOptions& options = {}) {
    detail::require_root("scatter_v", root, size());
    auto block = detail::result_of<detail::ElementIn<In>>(scatter<std::int64_t>(counts.view(), root));
    const auto places = counts.displacements();
    scatter_v(in, block, places.empty() ? at_root(counts.view()) : at_root(counts.view(), places), root, options);
    return block;
  }
  template <typename In>
  std::vector<detail::ElementIn<In>> scatter_v(In&& in, const Counts& counts, const CollectiveOptions& options) {
    return scatter_v(in, counts, 0, options);
  }

  /// `in` (m elements) of rank r becomes block r of the root's `out` (p·m elements): seen through
  /// `reshape(out, m, p)`, column r. Errors: mismatch where ranks differ in root, m or type. Cost: at least ts log2 p +
  /// tw (p - 1) m b.
  template <typename In, detail::NotAnOption Out>
  void gather(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    run(rooted<In, Out>(Collective::gather, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  void gather(In&& in, Out&& out, const CollectiveOptions& options) {
    gather(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  template <typename In, detail::NotAnOption Out>
  Handle gather_async(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(rooted<In, Out>(Collective::gather, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  Handle gather_async(In&& in, Out&& out, const CollectiveOptions& options) {
    return gather_async(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_gather(In&& in, Out&& out, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(rooted<In, Out>(Collective::gather, in, out, root, options));
  }
  template <typename In, detail::NotAnOption Out>
  Plan plan_gather(In&& in, Out&& out, const CollectiveOptions& options) {
    return plan_gather(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  /// Returns the p·m elements at the root, and nothing elsewhere; of one value, the values of all ranks. Errors: as
  /// above. Cost: as above, and memory for the result.
  template <typename In>
  std::vector<detail::ElementIn<In>> gather(In&& in, int root = 0, const CollectiveOptions& options = {}) {
    auto all = detail::result_of<detail::ElementIn<In>>(rank() == root ? size() * detail::size_of(in) : 0);
    gather(in, all, root, options);
    return all;
  }
  template <typename In>
  std::vector<detail::ElementIn<In>> gather(In&& in, const CollectiveOptions& options) {
    return gather(in, 0, options);
  }

  /// Rank r gives counts[r] elements. Every rank passes the same counts, or the root alone has them: at_root().
  /// Errors: mismatch where counts differ, or an `in` of another size than the root's count. Cost: as gather; with
  /// at_root() as its `linear`, (p - 1) ts + tw m b at the root, and as any other that is named, after an all_gather of 8
  /// bytes a rank.
  template <typename In, typename Out>
  void gather_v(In&& in, Out&& out, const Counts& counts, int root = 0, const CollectiveOptions& options = {}) {
    run(detail::with_counts(rooted<In, Out>(Collective::gather, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  void gather_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    gather_v(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  template <typename In, typename Out>
  Handle gather_v_async(In&& in, Out&& out, const Counts& counts, int root = 0, const CollectiveOptions& options = {}) {
    return start_with<In, Out>(
        detail::with_counts(rooted<In, Out>(Collective::gather, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  Handle gather_v_async(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    return gather_v_async(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  template <typename In, typename Out>
  Plan plan_gather_v(In&& in, Out&& out, const Counts& counts, int root = 0, const CollectiveOptions& options = {}) {
    return plan_with<In, Out>(detail::with_counts(rooted<In, Out>(Collective::gather, in, out, root, options), counts));
  }
  template <typename In, typename Out>
  Plan plan_gather_v(In&& in, Out&& out, const Counts& counts, const CollectiveOptions& options) {
    return plan_gather_v(std::forward<In>(in), std::forward<Out>(out), counts, 0, options);
  }
  /// Any number of elements from each rank, which need not be known elsewhere: the counts are found by an all_gather of
  /// 8 bytes a rank. Returns elements and counts at the root, and nothing elsewhere. Errors: mismatch where ranks
  /// differ in root or type. Cost: that all_gather, gather_v, and memory for the result.
  template <typename In>
  ByRank<detail::ElementIn<In>> gather_v(In&& in, int root = 0, const CollectiveOptions& options = {}) {
    ByRank<detail::ElementIn<In>> all{.elements = {}, .counts = all_gather(detail::size_of(in))};
    all.elements = detail::result_of<detail::ElementIn<In>>(rank() == root ? detail::sum_of(all.counts) : 0);
    gather_v(in, all.elements, all.counts, root, options);
    if (rank() != root) all.counts.clear();
    return all;
  }
  template <typename In>
  ByRank<detail::ElementIn<In>> gather_v(In&& in, const CollectiveOptions& options) {
    return gather_v(in, 0, options);
  }

  // Wrong calls, each refused by a sentence.
  template <typename... A>
  requires detail::TextForOptions<A...>
  void broadcast(A&&...) { detail::refuse_text<A...>(); }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void scatter(A&&...) { detail::refuse_text<A...>(); }
  template <typename... A>
  requires detail::TextForOptions<A...>
  void gather(A&&...) { detail::refuse_text<A...>(); }

 private:
  template <typename Data>
  static untyped::Call broadcast_call(std::remove_reference_t<Data>& data, int root, const CollectiveOptions& options) {
    untyped::Call call = detail::call_of(Collective::broadcast, options);
    call.in_place = true;
    call.read_only = !detail::can_be_written<Data>();
    call.root = root;
    detail::check_elements<Data>();
    detail::bind_output<Data>(call, data);
    return call;
  }
  template <typename In, typename Out>
  static untyped::Call rooted(Collective collective, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                              int root, const CollectiveOptions& options) {
    untyped::Call call = detail::call_on<In, Out>(collective, in, out, options);
    call.root = root;
    return call;
  }
};

}  // namespace tutti
