/// @file
/// Makes the public call that a problem describes, in each of its forms.
#pragma once

#include <span>
#include <vector>

#include "base/check.hpp"
#include "schedule/model/problem.hpp"
#include "tutti/tutti.hpp"

namespace tutti::testing {

/// A rank's view of a problem: buffers, and the counts that it passes.
template <typename T, typename Op>
struct Setting {
  const Problem& problem;
  std::span<const T> in;
  std::span<T> out;
  Op op;
  CollectiveOptions options;
  std::vector<std::int64_t> counts;          // per-rank counts; all-to-all: what this rank sends
  std::vector<std::int64_t> receive_counts;  // all-to-all
};

template <typename T, typename Op>
Setting<T, Op> setting(const Problem& problem, int rank, std::span<const T> in, std::span<T> out, Op op,
                       CollectiveOptions options) {
  Setting<T, Op> result{problem, in, out, op, std::move(options), problem.counts, {}};
  if (problem.collective == Collective::all_to_all && !problem.counts.empty()) {
    result.counts.clear();
    for (int peer = 0; peer < problem.ranks; ++peer) {
      result.counts.push_back(problem.pair_count(rank, peer));
      result.receive_counts.push_back(problem.pair_count(peer, rank));
    }
  }
  return result;
}

template <typename T, typename Op>
void call(Communicator& comm, const Setting<T, Op>& s) {
  const bool v = !s.problem.counts.empty();
  const bool here = s.problem.in_place;
  const int root = s.problem.root;
  const int distance = s.problem.distance;
  switch (s.problem.collective) {
    case Collective::broadcast:
      return comm.broadcast(s.out, root, s.options);
    case Collective::reduce:
      return here ? comm.reduce(s.out, s.op, root, s.options) : comm.reduce(s.in, s.out, s.op, root, s.options);
    case Collective::all_reduce:
      return here ? comm.all_reduce(s.out, s.op, s.options) : comm.all_reduce(s.in, s.out, s.op, s.options);
    case Collective::scan:
      return here ? comm.scan(s.out, s.op, s.options) : comm.scan(s.in, s.out, s.op, s.options);
    case Collective::exclusive_scan:
      return here ? comm.exclusive_scan(s.out, s.op, s.options) : comm.exclusive_scan(s.in, s.out, s.op, s.options);
    case Collective::scatter:
      return v ? comm.scatter_v(s.in, s.out, s.counts, root, s.options) : comm.scatter(s.in, s.out, root, s.options);
    case Collective::gather:
      return v ? comm.gather_v(s.in, s.out, s.counts, root, s.options) : comm.gather(s.in, s.out, root, s.options);
    case Collective::all_gather:
      return v ? comm.all_gather_v(s.in, s.out, s.counts, s.options) : comm.all_gather(s.in, s.out, s.options);
    case Collective::reduce_scatter:
      return v ? comm.reduce_scatter_v(s.in, s.out, s.counts, s.op, s.options)
               : comm.reduce_scatter(s.in, s.out, s.op, s.options);
    case Collective::all_to_all:
      return v ? comm.all_to_all_v(s.in, s.out, s.counts, s.receive_counts, s.options)
               : comm.all_to_all(s.in, s.out, s.options);
    case Collective::shift:
      return v ? comm.shift_v(s.in, s.out, s.counts, distance, s.options)
               : comm.shift(s.in, s.out, distance, s.options);
    case Collective::barrier:
      return comm.barrier(s.options);
  }
}

template <typename T, typename Op>
Handle call_async(Communicator& comm, const Setting<T, Op>& s) {
  const bool v = !s.problem.counts.empty();
  const bool here = s.problem.in_place;
  const int root = s.problem.root;
  const int distance = s.problem.distance;
  switch (s.problem.collective) {
    case Collective::broadcast:
      return comm.broadcast_async(s.out, root, s.options);
    case Collective::reduce:
      return here ? comm.reduce_async(s.out, s.op, root, s.options)
                  : comm.reduce_async(s.in, s.out, s.op, root, s.options);
    case Collective::all_reduce:
      return here ? comm.all_reduce_async(s.out, s.op, s.options) : comm.all_reduce_async(s.in, s.out, s.op, s.options);
    case Collective::scan:
      return here ? comm.scan_async(s.out, s.op, s.options) : comm.scan_async(s.in, s.out, s.op, s.options);
    case Collective::exclusive_scan:
      return here ? comm.exclusive_scan_async(s.out, s.op, s.options)
                  : comm.exclusive_scan_async(s.in, s.out, s.op, s.options);
    case Collective::scatter:
      return v ? comm.scatter_v_async(s.in, s.out, s.counts, root, s.options)
               : comm.scatter_async(s.in, s.out, root, s.options);
    case Collective::gather:
      return v ? comm.gather_v_async(s.in, s.out, s.counts, root, s.options)
               : comm.gather_async(s.in, s.out, root, s.options);
    case Collective::all_gather:
      return v ? comm.all_gather_v_async(s.in, s.out, s.counts, s.options)
               : comm.all_gather_async(s.in, s.out, s.options);
    case Collective::reduce_scatter:
      return v ? comm.reduce_scatter_v_async(s.in, s.out, s.counts, s.op, s.options)
               : comm.reduce_scatter_async(s.in, s.out, s.op, s.options);
    case Collective::all_to_all:
      return v ? comm.all_to_all_v_async(s.in, s.out, s.counts, s.receive_counts, s.options)
               : comm.all_to_all_async(s.in, s.out, s.options);
    case Collective::shift:
      return v ? comm.shift_v_async(s.in, s.out, s.counts, distance, s.options)
               : comm.shift_async(s.in, s.out, distance, s.options);
    case Collective::barrier:
      return comm.barrier_async(s.options);
  }
  return {};
}

template <typename T, typename Op>
Plan make_plan(Communicator& comm, const Setting<T, Op>& s) {
  const bool v = !s.problem.counts.empty();
  const bool here = s.problem.in_place;
  const int root = s.problem.root;
  const int distance = s.problem.distance;
  switch (s.problem.collective) {
    case Collective::broadcast:
      return comm.plan_broadcast(s.out, root, s.options);
    case Collective::reduce:
      return here ? comm.plan_reduce(s.out, s.op, root, s.options)
                  : comm.plan_reduce(s.in, s.out, s.op, root, s.options);
    case Collective::all_reduce:
      return here ? comm.plan_all_reduce(s.out, s.op, s.options) : comm.plan_all_reduce(s.in, s.out, s.op, s.options);
    case Collective::scan:
      return here ? comm.plan_scan(s.out, s.op, s.options) : comm.plan_scan(s.in, s.out, s.op, s.options);
    case Collective::exclusive_scan:
      return here ? comm.plan_exclusive_scan(s.out, s.op, s.options)
                  : comm.plan_exclusive_scan(s.in, s.out, s.op, s.options);
    case Collective::scatter:
      return v ? comm.plan_scatter_v(s.in, s.out, s.counts, root, s.options)
               : comm.plan_scatter(s.in, s.out, root, s.options);
    case Collective::gather:
      return v ? comm.plan_gather_v(s.in, s.out, s.counts, root, s.options)
               : comm.plan_gather(s.in, s.out, root, s.options);
    case Collective::all_gather:
      return v ? comm.plan_all_gather_v(s.in, s.out, s.counts, s.options)
               : comm.plan_all_gather(s.in, s.out, s.options);
    case Collective::reduce_scatter:
      return v ? comm.plan_reduce_scatter_v(s.in, s.out, s.counts, s.op, s.options)
               : comm.plan_reduce_scatter(s.in, s.out, s.op, s.options);
    case Collective::all_to_all:
      return v ? comm.plan_all_to_all_v(s.in, s.out, s.counts, s.receive_counts, s.options)
               : comm.plan_all_to_all(s.in, s.out, s.options);
    case Collective::shift:
      return v ? comm.plan_shift_v(s.in, s.out, s.counts, distance, s.options)
               : comm.plan_shift(s.in, s.out, distance, s.options);
    case Collective::barrier:
      return comm.plan_barrier(s.options);
  }
  fail(ErrorCode::internal, "a collective without a plan");
}

}  // namespace tutti::testing
