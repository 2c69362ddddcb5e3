#include "user_programs/language/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/check.hpp"
#include "base/integers.hpp"

namespace tutti::language {
namespace {

/// Returns the truth of a comparison, or of words of logic; nothing for an operator that gives a number. Of `and` and
/// `or` the left side is known not to decide.
std::optional<bool> truth_of(Operator operation, std::int64_t left, std::int64_t right) {
  switch (operation) {
    case Operator::logical_or:
    case Operator::logical_and:
      return right != 0;
    case Operator::logical_not:
      return left == 0;
    case Operator::equal:
      return left == right;
    case Operator::unequal:
      return left != right;
    case Operator::less:
      return left < right;
    case Operator::at_most:
      return left <= right;
    case Operator::more:
      return left > right;
    case Operator::at_least:
      return left >= right;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view lack_of(Operator operation, std::int64_t left, std::int64_t right) {
  constexpr std::int64_t most_shift = 40;
  const bool shifts = right >= 0 && right <= most_shift;
  switch (operation) {
    case Operator::shift_left:
      return shifts && std::abs(left) < std::int64_t{1} << (62 - most_shift) ? "" : "a number beyond 2^62 comes";
    case Operator::power:
      return shifts ? "" : "no power comes";
    case Operator::shift_right:
      return shifts ? "" : "no shift comes";
    case Operator::multiply:
      return std::abs(static_cast<double>(left) * static_cast<double>(right)) < 4e18 ? ""
                                                                                     : "a number beyond 2^62 comes";
    case Operator::divide:
    case Operator::modulo:
      return right > 0 ? "" : "no quotient comes";
    case Operator::square_root:
      return left >= 0 ? "" : "no root comes";
    case Operator::logarithm:
      return left > 0 ? "" : "no logarithm comes";
    default:
      return "";
  }
}

std::int64_t number_by(Operator operation, std::int64_t left, std::int64_t right) {
  if (const std::optional<bool> holds = truth_of(operation, left, right)) return *holds ? 1 : 0;
  switch (operation) {
    case Operator::bit_or:
      return left | right;
    case Operator::bit_xor:
      return left ^ right;
    case Operator::bit_and:
      return left & right;
    case Operator::shift_left:
      return left * (std::int64_t{1} << right);
    case Operator::power:
      return std::int64_t{1} << right;
    case Operator::shift_right:
      return left >> right;
    case Operator::add:
      return left + right;
    case Operator::subtract:
      return left - right;
    case Operator::multiply:
      return left * right;
    case Operator::divide:
      return (left - tutti::modulo(left, right)) / right;
    case Operator::modulo:
      return tutti::modulo(left, right);
    case Operator::negate:
      return -left;
    case Operator::square_root:
      return static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)) + 1e-9);
    case Operator::logarithm:
      return std::bit_width(static_cast<std::uint64_t>(left - 1));
    case Operator::minimum:
      return std::min(left, right);
    case Operator::maximum:
      return std::max(left, right);
    default:
      fail(ErrorCode::internal, "an operator of a program gives no number");
  }
}

}  // namespace tutti::language
