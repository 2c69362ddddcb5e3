#include "tutti/untyped.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "calls/sizes.hpp"
#include "tutti/counts.hpp"
#include "tutti/reproducible_reductions.hpp"

namespace tutti {

namespace detail {

void refuse_count(std::uint64_t count) {
  fail(ErrorCode::invalid_argument, "a count is at most 2^63 - 1, not {}", count);
}

void require_root(std::string_view call, int root, int ranks) { runtime::require_root(call, root, ranks); }

void require_output(std::string_view call, std::size_t has, std::int64_t needs) {
  require(std::cmp_equal(has, needs), "{} of reproducible sums: the output has {}, and the result {}", call,
          counted(static_cast<std::int64_t>(has), "element"), needs);
}

void refuse_no_displacements(std::size_t counts) {
  fail(ErrorCode::invalid_argument,
       "{} need as many displacements, and have none; without displaced() blocks lie one "
       "after the other",
       counted(static_cast<std::int64_t>(counts), "displaced count"));
}

void refuse_result(std::int64_t count, std::size_t element_size) {
  require(count >= 0, "a count is at least 0, not {}", count);
  fail(ErrorCode::invalid_argument, "no result has room for {} elements of {} bytes", count, element_size);
}

}  // namespace detail

namespace untyped {

constinit const Call unset_call;

namespace {

std::uint32_t size_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::none:
      return 0;
    case Primitive::boolean:
    case Primitive::int8:
    case Primitive::uint8:
      return 1;
    case Primitive::int16:
    case Primitive::uint16:
    case Primitive::half:
    case Primitive::brain:
      return 2;
    case Primitive::int32:
    case Primitive::uint32:
    case Primitive::single:
      return 4;
    case Primitive::int64:
    case Primitive::uint64:
    case Primitive::twice:
    case Primitive::complex_single:
      return 8;
    case Primitive::complex_twice:
      return 16;
  }
  return 0;
}

std::string_view name_of(Reduction reduction) {
  constexpr std::string_view names[detail::reduction_kinds] = {
      "none",       "sum",         "product",     "minimum",    "maximum",    "logical_and",
      "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"};
  return names[static_cast<std::size_t>(reduction)];
}

void check(Primitive primitive) {
  const int number = static_cast<int>(primitive);
  require(number > 0 && number < detail::primitive_kinds,
          "an element type is a primitive from 1 to {}, not {}, or type_of_bytes()", detail::primitive_kinds - 1,
          number);
}

}  // namespace

Datatype type_of(Primitive primitive) {
  check(primitive);
  const std::uint32_t size = size_of(primitive);
  return detail::named_type(primitive, size, detail::name_of(primitive));
}

Datatype type_of_bytes(std::uint32_t size, std::string_view name) {
  require(size > 0, "the elements of type {} have 0 bytes: they need 1 at least", name);
  return detail::named_type(Primitive::none, size, name);
}

Operator built_in(Reduction reduction, Primitive primitive) {
  const int number = static_cast<int>(reduction);
  require(number > 0 && number < detail::reduction_kinds, "an operator is a reduction from 1 to {}, not {}",
          detail::reduction_kinds - 1, number);
  check(primitive);
  const detail::Kernel kernel = detail::kernel_for(reduction, primitive);
  if (kernel == nullptr) {
    fail(ErrorCode::unsupported, "the operator {} does not apply to {}", name_of(reduction),
         detail::name_of(primitive));
  }
  return {kernel, nullptr, nullptr, true, detail::hash_of(name_of(reduction)), name_of(reduction)};
}

Operator built_in_average(Primitive primitive) {
  Operator average = built_in(Reduction::sum, primitive);
  average.divide = detail::divide_for(primitive);
  if (average.divide == nullptr)
    fail(ErrorCode::unsupported, "the operator average does not apply to {}", detail::name_of(primitive));
  average.name = "average";
  average.identity = detail::hash_of(average.name);
  return average;
}

Operator caller_defined(detail::Kernel kernel, const void* state, bool commutative, std::uint64_t identity,
                        std::string_view name) {
  // An operator without state is one of the library's, which other processes may carry out, too.
  static constexpr char no_state = 0;
  if (state == nullptr) state = &no_state;
  // The state is the caller's: it is shared with nobody, and deleted by nobody.
  return {kernel, std::shared_ptr<const void>(std::shared_ptr<const void>(), state), nullptr, commutative, identity,
          name};
}

}  // namespace untyped

}  // namespace tutti
