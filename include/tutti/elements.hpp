/// @file
/// Elements that can be communicated: consecutive ones, or one by itself.
#pragma once

#include <ranges>
#include <type_traits>

namespace tutti {

/// Consecutive elements that can be read: a span, a vector, an array, a Memory. An element is a number, or any other
/// type that is trivially copyable, like a struct of numbers.
template <typename R>
concept Elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;
/// Consecutive elements that can be written.
template <typename R>
concept WritableElements = Elements<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
/// One element by itself.
template <typename T>
concept OneElement = !std::ranges::range<T> && std::is_trivially_copyable_v<T>;

/// The element type of a range.
template <typename R>
using ElementOf = std::ranges::range_value_t<R>;

}  // namespace tutti
