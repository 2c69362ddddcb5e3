/// @file
/// Reference: the results of every collective, computed the plain way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/integers.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/problem_blocks.hpp"

namespace tutti::testing {

template <typename T>
using Data = std::vector<T>;

/// Returns the number of elements that `rank` passes in. The root's message counts as input of a broadcast.
inline std::int64_t input_size(const Problem& problem, int rank) {
  if (problem.collective == Collective::broadcast) return rank == problem.root ? problem.count : 0;
  return input_blocks(problem, rank).total();
}

template <typename T>
Data<T> slice(const Data<T>& data, std::int64_t first, std::int64_t count) {
  return {data.begin() + first, data.begin() + first + count};
}

template <typename T>
void append(Data<T>& to, const Data<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// x(first) ∘ … ∘ x(last), elementwise, in order of rank.
template <typename T, typename F>
Data<T> folded(const std::vector<Data<T>>& inputs, int first, int last, const F& f) {
  Data<T> result = inputs[static_cast<std::size_t>(first)];
  for (int rank = first + 1; rank <= last; ++rank) {
    const Data<T>& next = inputs[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = f(result[i], next[i]);
  }
  return result;
}

/// Returns the elements that `rank` must hold afterwards, given all inputs; nothing if the collective leaves its output
/// alone.
template <typename T, typename F>
std::optional<Data<T>> expected(const Problem& problem, const std::vector<Data<T>>& inputs, int rank, const F& f) {
  const int p = problem.ranks;
  const auto input = [&](int r) -> const Data<T>& { return inputs[static_cast<std::size_t>(r)]; };
  const auto block = [&](int r, int b) {
    const Blocks blocks = input_blocks(problem, r);
    return slice(input(r), blocks.first(b), blocks.count(b));
  };
  Data<T> result;
  switch (problem.collective) {
    case Collective::barrier:
      return std::nullopt;
    case Collective::broadcast:
      return input(problem.root);
    case Collective::reduce:
      if (rank != problem.root) return std::nullopt;
      return folded(inputs, 0, p - 1, f);
    case Collective::all_reduce:
      return folded(inputs, 0, p - 1, f);
    case Collective::scan:
      return folded(inputs, 0, rank, f);
    case Collective::exclusive_scan:
      if (rank == 0) return std::nullopt;
      return folded(inputs, 0, rank - 1, f);
    case Collective::scatter:
      return block(problem.root, rank);
    case Collective::gather:
      if (rank != problem.root) return std::nullopt;
      [[fallthrough]];
    case Collective::all_gather:
      for (int r = 0; r < p; ++r) append(result, input(r));
      return result;
    case Collective::reduce_scatter: {
      const Blocks blocks = input_blocks(problem, rank);
      return slice(folded(inputs, 0, p - 1, f), blocks.first(rank), blocks.count(rank));
    }
    case Collective::all_to_all:
      for (int r = 0; r < p; ++r) append(result, block(r, rank));
      return result;
    case Collective::shift:
      return input(static_cast<int>(modulo<std::int64_t>(std::int64_t{rank} - problem.distance, p)));
  }
  return std::nullopt;
}

}  // namespace tutti::testing
