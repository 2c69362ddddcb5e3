/// @file
/// Type of an element as a value: the library's view of a type that only the caller knows.
#pragma once

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tutti/types.hpp"

namespace tutti::detail {

/// The types that the library's own operators are compiled for.
enum class Primitive : std::uint8_t {
  none,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  half,
  brain,
  single,
  twice,
  complex_single,
  complex_twice,
};
inline constexpr int primitive_kinds = 16;

struct Datatype {
  Primitive primitive = Primitive::uint8;
  std::uint32_t size = 1;      ///< bytes
  std::uint64_t identity = 0;  ///< equal for equal types, on every rank
  std::string_view name;       ///< for error messages; static storage
};

/// Returns the integer of `size` bytes, by which languages know theirs; none for sizes that no primitive has.
constexpr Primitive integer_of(std::int64_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? Primitive::int8 : Primitive::uint8;
    case 2:
      return is_signed ? Primitive::int16 : Primitive::uint16;
    case 4:
      return is_signed ? Primitive::int32 : Primitive::uint32;
    case 8:
      return is_signed ? Primitive::int64 : Primitive::uint64;
    default:
      return Primitive::none;
  }
}

template <typename T>
consteval Primitive primitive_of() {
  if constexpr (std::same_as<T, bool>) return Primitive::boolean;
  if constexpr (std::integral<T>) return integer_of(sizeof(T), std::is_signed_v<T>);
  if constexpr (std::same_as<T, float16>) return Primitive::half;
  if constexpr (std::same_as<T, bfloat16>) return Primitive::brain;
  if constexpr (std::same_as<T, float>) return Primitive::single;
  if constexpr (std::same_as<T, double>) return Primitive::twice;
  if constexpr (std::same_as<T, std::complex<float>>) return Primitive::complex_single;
  if constexpr (std::same_as<T, std::complex<double>>) return Primitive::complex_twice;
  return Primitive::none;
}

constexpr std::string_view name_of(Primitive primitive) {
  constexpr std::string_view names[primitive_kinds] = {
      "a class", "bool",   "int8",    "int16",    "int32", "int64",  "uint8",          "uint16",
      "uint32",  "uint64", "float16", "bfloat16", "float", "double", "complex<float>", "complex<double>"};
  return names[static_cast<std::size_t>(primitive)];
}

/// The type's name as the compiler prints it. GCC says behind it what the result is an alias of, Clang nothing;
/// brackets and semicolons may be part of the name.
template <typename T>
consteval std::string_view printed_name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ") + 4;
  const std::size_t end = std::min(text.rfind("; std::string_view = "), text.rfind(']'));
  return text.substr(begin, end - begin);
}

/// The FNV-1a hash: short, constexpr, and the same on every rank.
constexpr std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325U) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

constexpr Datatype named_type(Primitive primitive, std::uint32_t size, std::string_view name) {
  return {primitive, size, hash_of(name, size + 1), name};
}

/// Any trivially copyable type moves; the primitives are combined by the library's operators, others by the user's.
template <typename T>
constexpr Datatype datatype_of() {
  static_assert(std::is_trivially_copyable_v<T>,
                "tutti moves elements as bytes: the element type must be trivially copyable");
  static_assert(alignof(T) <= 64, "tutti aligns its own buffers to 64 bytes: the element type needs more");
  constexpr Primitive primitive = primitive_of<T>();
  constexpr std::string_view name = primitive == Primitive::none ? printed_name<T>() : name_of(primitive);
  return named_type(primitive, sizeof(T), name);
}

}  // namespace tutti::detail
