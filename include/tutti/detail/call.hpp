/// @file
/// A collective call with its types erased: what the templates of the public headers hand to the library.
#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "tutti/collective.hpp"
#include "tutti/detail/datatype.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"

namespace tutti {

/// Consecutive elements that can be read: a span, a vector that outlives the call, an array.
template <typename R>
concept Elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && std::ranges::borrowed_range<R>;
/// Consecutive elements that can be written.
template <typename R>
concept WritableElements = Elements<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
/// One element by itself.
template <typename T>
concept OneElement = !std::ranges::range<T> && std::is_trivially_copyable_v<T>;

/// The element type of a range.
template <typename R>
using ElementOf = std::ranges::range_value_t<R>;

/// Counts, one a rank, that every rank passes alike.
using Counts = std::span<const std::int64_t>;

namespace detail {

struct Call {
  Collective collective = Collective::barrier;
  const void* input = nullptr;
  std::int64_t input_size = 0;  ///< elements, here and below
  void* output = nullptr;
  std::int64_t output_size = 0;
  bool in_place = false;  ///< asked for by leaving the input out
  bool by_counts = false;
  Counts counts = {};  ///< all-to-all: what this rank sends to each
  Counts receive_counts = {};
  int root = 0;
  int distance = 0;
  Datatype type = {};
  Operator op = {};
  const CollectiveOptions* options = nullptr;  ///< the caller's
};

template <Elements R>
void bind_input(Call& call, R&& range) {
  call.input = std::ranges::data(range);
  call.input_size = static_cast<std::int64_t>(std::ranges::size(range));
}

template <WritableElements R>
void bind_output(Call& call, R&& range) {
  call.output = std::ranges::data(range);
  call.output_size = static_cast<std::int64_t>(std::ranges::size(range));
  call.type = datatype_of<ElementOf<R>>();
}

/// A call with one buffer, which is read and written.
template <WritableElements R>
Call call_on(Collective collective, R&& inout, const CollectiveOptions& options) {
  Call call{.collective = collective, .in_place = true, .options = &options};
  bind_output(call, inout);
  return call;
}

template <Elements In, WritableElements Out>
Call call_on(Collective collective, In&& in, Out&& out, const CollectiveOptions& options) {
  static_assert(std::same_as<ElementOf<In>, ElementOf<Out>>, "input and output must have the same element type");
  Call call{.collective = collective, .options = &options};
  bind_input(call, in);
  bind_output(call, out);
  return call;
}

// These change the call where it lies: copying it costs as much as a short collective's own work.

inline Call&& with_root(Call&& call, int root) {
  call.root = root;
  return std::move(call);
}

inline Call&& with_counts(Call&& call, Counts counts, Counts receive_counts = {}) {
  call.by_counts = true;
  call.counts = counts;
  call.receive_counts = receive_counts;
  return std::move(call);
}

template <typename T, typename Op>
void set_operator(Call& call, const Op& op) {
  call.op = operator_for<T>(op);
}

}  // namespace detail
}  // namespace tutti
