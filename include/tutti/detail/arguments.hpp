/// @file
/// From typed arguments to an untyped call, with a sentence for each argument that cannot be meant.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tutti/counts.hpp"
#include "tutti/elements.hpp"
#include "tutti/operators.hpp"
#include "tutti/untyped.hpp"

namespace tutti::detail {

/// Data is one element by itself, and not a range.
template <typename A>
inline constexpr bool is_single = !std::ranges::range<A>;
/// The argument is gone when the call returns.
template <typename A>
inline constexpr bool is_temporary = !std::is_lvalue_reference_v<A> && !std::ranges::borrowed_range<A>;

template <typename A>
struct Argument {
  using Element = std::remove_cvref_t<A>;
};
template <std::ranges::range A>
struct Argument<A> {
  using Element = std::ranges::range_value_t<A>;
};
template <typename A>
using ElementIn = typename Argument<A>::Element;

template <typename A>
constexpr bool can_be_written() {
  if constexpr (is_single<A>) {
    return std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;
  } else {
    return !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<A>>>;
  }
}
/// The result goes where the data lies; otherwise it is returned.
template <typename A>
inline constexpr bool is_in_place = !is_single<A> && !is_temporary<A> && can_be_written<A>();

template <typename A>
concept can_be_resized = requires(std::remove_cvref_t<A>& data, std::size_t n) {
  data.resize(n);
};

/// Text, such as an algorithm's name, and not memory for text: no options by itself, and no operator.
template <typename A>
inline constexpr bool is_text = std::same_as<std::decay_t<A>, const char*> ||
                                std::same_as<std::remove_cvref_t<A>, std::string_view> ||
                                (std::is_array_v<A> &&
                                 std::same_as<std::remove_cv_t<std::remove_all_extents_t<A>>, char>);

/// Arguments that are neither a root, a distance or a tag, nor options.
template <typename A>
concept NotAnOption =
    !std::integral<std::remove_cvref_t<A>> && !std::same_as<std::remove_cvref_t<A>, CollectiveOptions> && !is_text<A>;

template <typename... A>
consteval bool ends_in_text() {
  bool last = false;
  ((last = is_text<A>), ...);
  return last;
}

/// Arguments of a call whose last is text where options are meant.
template <typename... A>
concept TextForOptions = sizeof...(A) > 1 && ends_in_text<A...>();

/// Refuses such a call.
template <typename... A>
constexpr void refuse_text() {
  static_assert(sizeof...(A) == 0, "options stand in braces: {.algorithm = \"ring\"}");
}

/// Refuses a reduction that names no operator.
template <typename Data>
constexpr void refuse_without_operator() {
  static_assert(sizeof(Data) == 0,
                "the operator is missing: it comes after the data, as in all_reduce(data, tutti::sum)");
}

template <typename A>
constexpr void check_elements() {
  if constexpr (is_single<A>) {
    static_assert(!std::is_pointer_v<std::remove_cvref_t<A>>,
                  "an address means nothing to another rank: pass std::span(pointer, count)");
  } else {
    static_assert(
        Elements<A>,
        "tutti moves consecutive elements: pass a vector, an array or a span; std::vector<bool>, std::list and "
        "views that compute their elements do not have them");
  }
}

template <typename Out>
constexpr void check_output() {
  check_elements<Out>();
  static_assert(
      !is_temporary<Out>,
      "the output is a temporary, which is gone when the call returns: pass a variable or a span, or leave the "
      "output out and take what the call returns");
  static_assert(can_be_written<Out>(), "the output cannot be written: its elements are const");
}

/// For calls that return before their buffers have been used.
template <typename... Data>
constexpr void check_lasting() {
  static_assert(
      !(is_temporary<Data> || ...),
      "this call returns before its buffers have been used: pass variables or spans of them, not temporaries");
}

/// Passing the argument's own type as `A`, because its name in the calling function is no temporary.
template <typename A>
void bind_input(untyped::Call& call, std::remove_reference_t<A>& data) {
  check_elements<A>();
  if constexpr (is_single<A>) {
    call.input = std::addressof(data);
    call.input_size = 1;
  } else if constexpr (Elements<A>) {
    call.input = std::ranges::data(data);
    call.input_size = static_cast<std::int64_t>(std::ranges::size(data));
  }
}

template <typename A>
void bind_output(untyped::Call& call, std::remove_reference_t<A>& data) {
  if constexpr (is_single<A>) {
    call.output = const_cast<std::remove_cvref_t<A>*>(std::addressof(data));
    call.output_size = 1;
  } else if constexpr (Elements<A>) {
    call.output = const_cast<ElementIn<A>*>(std::ranges::data(data));
    call.output_size = static_cast<std::int64_t>(std::ranges::size(data));
  }
  if constexpr (is_single<A> || Elements<A>) call.type = datatype_of<ElementIn<A>>();
}

/// A call with nothing set but these. Copied from an object that compilers do not see, because g++ clears so much memory
/// by `rep stos`: a broadcast of 8 B between two threads takes 63 ns instead of 65, a scan 70 instead of 75 (AMD EPYC).
inline untyped::Call call_of(Collective collective, const CollectiveOptions& options) {
  untyped::Call call = untyped::unset_call;
  call.collective = collective;
  call.options = &options;
  return call;
}

/// A call with one buffer, which is read and written.
template <typename Data>
untyped::Call call_on(Collective collective, std::remove_reference_t<Data>& data, const CollectiveOptions& options) {
  check_output<Data>();
  untyped::Call call = call_of(collective, options);
  call.in_place = true;
  bind_output<Data>(call, data);
  return call;
}

template <typename In, typename Out>
untyped::Call call_on(Collective collective, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                      const CollectiveOptions& options) {
  check_output<Out>();
  static_assert(std::same_as<ElementIn<In>, ElementIn<Out>>, "input and output must have the same element type");
  untyped::Call call = call_of(collective, options);
  bind_input<In>(call, in);
  bind_output<Out>(call, out);
  return call;
}

template <typename A>
untyped::Parcel parcel_of(std::remove_reference_t<A>& data) {
  untyped::Call call;
  check_elements<A>();
  bind_output<A>(call, data);
  return {call.output, call.output_size, call.type};
}

/// Returns the view of elements that are to be written.
template <typename A>
untyped::Parcel parcel_into(std::remove_reference_t<A>& data) {
  check_output<A>();
  return parcel_of<A>(data);
}

// These change the call where it lies: copying it costs as much as a short collective's own work.

/// The counts must outlive the call.
inline untyped::Call&& with_counts(untyped::Call&& call, const Counts& counts) {
  call.by_counts = true;
  call.counts_at_root = counts.at_root_alone();
  call.counts = counts.view();
  call.displacements = counts.displacements();
  return std::move(call);
}

inline untyped::Call&& with_counts(untyped::Call&& call, const Counts& counts, const Counts& receive_counts) {
  call.receive_counts = receive_counts.view();
  call.receive_displacements = receive_counts.displacements();
  return with_counts(std::move(call), counts);
}

template <typename T, typename Op>
void set_operator(untyped::Call& call, const Op& op) {
  static_assert(!std::ranges::range<Op>,
                "the operator is missing: it comes after the data, as in all_reduce(data, tutti::sum)");
  if constexpr (!std::ranges::range<Op>) call.op = operator_for<T>(op);
}

/// Returns n elements that the call is about to write. Throws `Error(invalid_argument)` if n, which may come from
/// counts that nothing has checked yet, is below 0 or more than a std::vector can have.
template <typename T>
std::vector<T> result_of(std::int64_t n) {
  static_assert(
      !std::same_as<T, bool>,
      "results come in a std::vector, and that of bool has no elements in memory: give the call a std::uint8_t, "
      "or memory for the result");
  static_assert(
      std::default_initializable<T>,
      "a result is made before it is filled, so that its type needs a default constructor: give the call memory "
      "for the result");
  if (n < 0 || static_cast<std::size_t>(n) > std::vector<T>().max_size()) refuse_result(n, sizeof(T));
  return std::vector<T>(static_cast<std::size_t>(n));
}

/// The sum; of counts that cannot be meant, one that result_of() refuses.
inline std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    if (count < 0) return count;
    sum = count > most - sum ? most : sum + count;
  }
  return sum;
}

template <typename A>
std::int64_t size_of(const A& data) {
  if constexpr (is_single<A>) {
    return 1;
  } else {
    return static_cast<std::int64_t>(std::ranges::size(data));
  }
}

}  // namespace tutti::detail
