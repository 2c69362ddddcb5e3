#include "c_interface/elements.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "c_interface/status.hpp"

namespace tutti::c_interface {
namespace {

using detail::Stores;
using untyped::Primitive;
using untyped::Reduction;

// Numbers of types and operators are the library's own.
static_assert(TUTTI_BOOL == static_cast<int>(Primitive::boolean) && TUTTI_INT64 == static_cast<int>(Primitive::int64) &&
              TUTTI_UINT64 == static_cast<int>(Primitive::uint64) &&
              TUTTI_FLOAT16 == static_cast<int>(Primitive::half) &&
              TUTTI_BFLOAT16 == static_cast<int>(Primitive::brain) &&
              TUTTI_FLOAT == static_cast<int>(Primitive::single) &&
              TUTTI_COMPLEX_DOUBLE == static_cast<int>(Primitive::complex_twice) &&
              TUTTI_COMPLEX_DOUBLE + 1 == detail::primitive_kinds);
static_assert(TUTTI_SUM == static_cast<int>(Reduction::sum) && TUTTI_MAXIMUM == static_cast<int>(Reduction::maximum) &&
              TUTTI_LOGICAL_XOR == static_cast<int>(Reduction::logical_xor) &&
              TUTTI_BITWISE_XOR == static_cast<int>(Reduction::bitwise_xor) &&
              TUTTI_BITWISE_XOR + 1 == detail::reduction_kinds && TUTTI_AVERAGE == detail::reduction_kinds);

constexpr auto types = static_cast<std::size_t>(detail::primitive_kinds);
constexpr auto operators = static_cast<std::size_t>(detail::reduction_kinds) + 1;  // and average

/// The types of all primitives, made once: a call looks one up.
const std::array<untyped::Datatype, types>& primitive_types() {
  static const auto all = [] {
    std::array<untyped::Datatype, types> made;
    for (std::size_t k = 1; k < types; ++k) made[k] = untyped::type_of(static_cast<Primitive>(k));
    return made;
  }();
  return all;
}

/// Types of elements that are only moved: their names say their size, and last as long as the process.
const untyped::Datatype& moved_type(std::int64_t size) {
  struct Moved {
    std::string name;
    untyped::Datatype type;
  };
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::int64_t, Moved>;
  const std::lock_guard lock(mutex);
  Moved& moved = known[size];
  if (moved.name.empty()) {
    moved.name = fmt::format("elements of {} bytes", size);
    moved.type = untyped::type_of_bytes(static_cast<std::uint32_t>(size), moved.name);
  }
  return moved.type;
}

/// A name that lasts as long as the process.
std::string_view lasting(const char* name) {
  static auto& mutex = *new std::mutex;
  static auto& names = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return *names.emplace(name).first;
}

/// An operator of the program's on elements of a size.
struct SizedOperator {
  tutti_user_operator user;
  std::size_t element;
};

/// Two results in turn, so that the program's function never reads where it writes.
class Results {
 public:
  explicit Results(std::size_t element) : elements_(std::max<std::size_t>(1, near_.size() / 2 / element)) {
    const std::size_t half = elements_ * element;
    if (2 * half > near_.size()) far_.resize(2 * half);
    first_ = far_.empty() ? near_.data() : far_.data();
    second_ = first_ + half;
  }

  /// Returns the number of elements of each.
  std::int64_t elements() const { return static_cast<std::int64_t>(elements_); }
  std::byte* next() {
    std::swap(first_, second_);
    return second_;
  }

 private:
  alignas(64) std::array<std::byte, 8192> near_;
  std::vector<std::byte> far_;  // for larger elements
  std::size_t elements_;
  std::byte* first_;
  std::byte* second_;
};

void fold_piece(std::byte* into, const void* const* operands, int count, std::int64_t first, std::int64_t n,
                const SizedOperator& op, Results& results) {
  const std::size_t offset = static_cast<std::size_t>(first) * op.element;
  const auto at = [&](int k) { return static_cast<const std::byte*>(operands[k]) + offset; };
  const std::byte* folded = at(0);
  for (int k = 1; k < count; ++k) {
    std::byte* const result = results.next();
    op.user.combine(result, folded, at(k), n, op.user.state);
    folded = result;
  }
  std::memmove(into + offset, folded, static_cast<std::size_t>(n) * op.element);
}

/// A kernel, which may be asked to write over one of its operands.
void fold_by_program(void* into, const void* const* operands, int count, std::int64_t n, Stores, const void* state) {
  const auto& op = *static_cast<const SizedOperator*>(state);
  auto* const bytes = static_cast<std::byte*>(into);
  if (count == 2 && into != operands[0] && into != operands[1]) {
    op.user.combine(bytes, operands[0], operands[1], n, op.user.state);
    return;
  }
  Results results(op.element);
  for (std::int64_t first = 0; first < n; first += results.elements())
    fold_piece(bytes, operands, count, first, std::min(results.elements(), n - first), op, results);
}

untyped::Operator user_operator_of(const tutti_call_arguments& arguments, std::string_view function) {
  const tutti_user_operator* const user = arguments.user_operator;
  require(user != nullptr && user->combine != nullptr,
          "{}: the operator is TUTTI_USER, and user_operator or its combine is NULL: set both", function);
  const auto element = static_cast<std::size_t>(datatype_of(arguments.type, function).size);
  const std::string_view name = user->name == nullptr ? "the user's operator" : lasting(user->name);
  std::uint64_t identity = detail::hash_of(name);
  if (user->name == nullptr) {
    identity ^= detail::place_of_function(reinterpret_cast<std::uintptr_t>(user->combine)) * 0x9e3779b97f4a7c15U;
  }
  return {fold_by_program, std::make_shared<const SizedOperator>(SizedOperator{*user, element}),
          nullptr,         user->commutative != 0,
          identity,        name};
}

/// The library's operators on all primitives, made once; without a kernel where they do not apply.
const untyped::Operator& library_operator(std::size_t op, std::size_t primitive) {
  static const auto all = [] {
    std::array<std::array<untyped::Operator, types>, operators> table;
    for (std::size_t type = 1; type < types; ++type) {
      const auto on = static_cast<Primitive>(type);
      for (std::size_t k = 1; k + 1 < operators; ++k) {
        const auto reduction = static_cast<Reduction>(k);
        if (detail::kernel_for(reduction, on) != nullptr) table[k][type] = untyped::built_in(reduction, on);
      }
      if (detail::divide_for(on) != nullptr) table[TUTTI_AVERAGE][type] = untyped::built_in_average(on);
    }
    return table;
  }();
  return all[op][primitive];
}

}  // namespace

const untyped::Datatype& datatype_of(tutti_type type, std::string_view function) {
  if (type < 0) return moved_type(-std::int64_t{type});
  require(type > 0 && type < detail::primitive_kinds,
          "{}: {} is no element type: pass one from TUTTI_BOOL, {}, to TUTTI_COMPLEX_DOUBLE, {}, or TUTTI_BYTES(n)",
          function, type, int{TUTTI_BOOL}, int{TUTTI_COMPLEX_DOUBLE});
  return primitive_types()[static_cast<std::size_t>(type)];
}

void require_addressable(std::int64_t count, const untyped::Datatype& type, std::string_view function) {
  require(count <= most_bytes / type.size, "{}: {} elements of {} bytes are more than a process can address", function,
          count, type.size);
}

untyped::Operator operator_of(const tutti_call_arguments& arguments, std::string_view function) {
  const tutti_operator op = arguments.op;
  if (op == TUTTI_USER) return user_operator_of(arguments, function);
  require(op > 0 && op < static_cast<int>(operators),
          "{}: {} is no operator: pass one from TUTTI_SUM, {}, to TUTTI_AVERAGE, {}, or TUTTI_USER, {}", function, op,
          int{TUTTI_SUM}, int{TUTTI_AVERAGE}, int{TUTTI_USER});
  if (arguments.type < 0)
    fail(ErrorCode::unsupported, "{}: the library's operators do not apply to {}: pass TUTTI_USER and a user_operator",
         function, datatype_of(arguments.type, function).name);
  const auto primitive = static_cast<std::size_t>(arguments.type);
  const untyped::Operator& known = library_operator(static_cast<std::size_t>(op), primitive);
  if (known.kernel != nullptr) return known;
  const auto on = static_cast<Primitive>(primitive);
  // Says why, and throws.
  return op == TUTTI_AVERAGE ? untyped::built_in_average(on) : untyped::built_in(static_cast<Reduction>(op), on);
}

}  // namespace tutti::c_interface
