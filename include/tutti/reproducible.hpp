/// @file
/// Sums of floating-point numbers whose bits depend on nothing but the numbers.
///
///     comm.all_reduce(data, tutti::reproducible);      // elementwise, of float and double
///
///     tutti::ReproducibleSum<double> sum;              // of numbers that ranks share out among them
///     for (double x : my_part) sum += x;
///     double total = comm.all_reduce(sum, tutti::reproducible).value();
///
/// An ordinary sum is rounded after each addition, so that its bits depend on the algorithm, on how many ranks there
/// are, and on who has which part. These do not: a number is cut, once and for all, into pieces at fixed places of its
/// binary digits, and integers sum up the pieces of each place exactly. Kept are the highest places that any of the
/// numbers reaches; which these are does not depend on the order either.
/// Source    J. Demmel, H. D. Nguyen, Parallel Reproducible Summation, IEEE Transactions on Computers 64(7), 2015:
///           binned sums, here with integers for bins, so that nothing is carried before the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti {

/// An exact running sum of the highest digits of numbers: an element of collectives, with `tutti::reproducible`.
///
/// Sum of up to n = 2^31 numbers. Its value differs from their exact sum by at most n u max|x|, with u = 2^-64 for
/// double and 2^-32 for float, and by its own rounding to the nearest: sums of numbers of one sign are right to the
/// last bit or nearly so. Sums beyond 2^31 numbers are not defined. Infinity and NaN count as in any sum, +infinity and
/// -infinity give NaN; a sum that overflows on its way does not matter, and zeros alone give +0. Neither what the
/// compiler assumes of numbers (-ffast-math) nor how the processor rounds changes the bits. Cost: 32 bytes for double,
/// 24 for float; some nanoseconds a number.
template <typename T>
requires(std::same_as<T, float> || std::same_as<T, double>) class ReproducibleSum {
 public:
  ReproducibleSum() = default;
  /// Sum of that number alone. No errors. Cost: some nanoseconds.
  explicit ReproducibleSum(T number) { *this += number; }

  /// Adds a number: by its bits, which programs have whatever their compiler may assume of numbers (-ffast-math). No
  /// errors: see above for infinity and NaN. Cost: some nanoseconds.
  ReproducibleSum& operator+=(T number) {
    const std::uint64_t bits = std::bit_cast<Bits>(number);
    const bool negative = (bits & sign) != 0;
    const auto biased = static_cast<int>((bits & ~sign) >> fraction_digits);
    const std::uint64_t fraction = bits & (one - 1);
    if (biased == no_exponent) {
      special_ |= fraction != 0 ? not_a_number : negative ? minus_infinite : infinite;
      return *this;
    }
    const std::uint64_t digits = biased == 0 ? fraction : fraction | one;
    if (digits == 0) return *this;
    const int lowest =
        (biased == 0 ? 0 : biased - 1) + least_exponent - origin;  // place of the lowest digit, from the origin on
    const int offset = lowest % width;
    const int place = lowest / width;
    const std::uint64_t low = (digits & mask) << offset;
    const std::uint64_t high = ((digits >> width) << offset) + (low >> width);
    add_pieces(place, {low & mask, high & mask, high >> width}, negative);
    return *this;
  }

  /// Becomes the sum of both sums. No errors. Cost: an addition a bin, of which there are two or three.
  ReproducibleSum& operator+=(const ReproducibleSum& other) {
    special_ |= other.special_;
    if (top_ == other.top_) {
      for (std::size_t k = 0; k < bins; ++k) sums_[k] += other.sums_[k];
      return *this;
    }
    raise(other.top_);
    for (std::size_t k = 0; k < bins; ++k) {
      // The bins of a lower `other` stand further down here.
      const auto from = static_cast<std::int64_t>(k) - (top_ - other.top_);
      if (from >= 0) sums_[k] += other.sums_[static_cast<std::size_t>(from)];
    }
    return *this;
  }

  /// Returns the sum, rounded once, to the nearest number, ties to even. No errors. Cost: some nanoseconds.
  T value() const {
    if (special_ != 0) return special_value();
    if (top_ < 0) return 0;
    return rounded();
  }

 private:
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<std::same_as<T, double>, std::uint64_t, std::uint32_t>;
  static constexpr std::size_t bins = std::same_as<T, double> ? 3 : 2;
  static constexpr int width = 32;  // digits a place
  static constexpr int fraction_digits = Limits::digits - 1;
  static constexpr std::uint64_t one = std::uint64_t{1} << fraction_digits;  // the digit before the fraction
  static constexpr std::uint64_t sign = std::uint64_t{1} << (std::numeric_limits<Bits>::digits - 1);
  static constexpr int no_exponent = 2 * Limits::max_exponent - 1;  // stands where infinity and NaN have theirs
  static constexpr std::uint64_t infinity = std::uint64_t{no_exponent} << fraction_digits;
  static constexpr int least_exponent =
      Limits::min_exponent - Limits::digits;  // exponent of the last digit of the least number
  static constexpr int origin = -1088;        // exponent of the lowest place, a multiple of the width
  static constexpr std::uint64_t mask = 0xffffffffU;
  static constexpr std::uint32_t not_a_number = 1;
  static constexpr std::uint32_t infinite = 2;
  static constexpr std::uint32_t minus_infinite = 4;

  // Makes `place` the highest one, unless a higher one is; what is below the lowest one kept is dropped.
  void raise(std::int32_t place) {
    if (place <= top_) return;
    const auto by = static_cast<std::size_t>(place - top_);
    for (std::size_t k = bins; k-- > 0;) sums_[k] = top_ >= 0 && k >= by ? sums_[k - by] : 0;
    top_ = place;
  }

  // Adds pieces to the places from `place` upwards.
  void add_pieces(int place, const std::array<std::uint64_t, 3>& pieces, bool negative) {
    int highest = 2;
    while (pieces[static_cast<std::size_t>(highest)] == 0) --highest;
    raise(place + highest);
    for (int k = 0; k <= highest; ++k) {
      const int down = top_ - (place + k);
      if (down >= static_cast<int>(bins)) continue;
      const auto piece = static_cast<std::int64_t>(pieces[static_cast<std::size_t>(k)]);
      sums_[static_cast<std::size_t>(down)] += negative ? -piece : piece;
    }
  }

  T special_value() const {
    if (special_ == infinite) return number_of(infinity);
    if (special_ == minus_infinite) return number_of(infinity | sign);
    return number_of(infinity | one / 2);
  }

  static T number_of(std::uint64_t bits) { return std::bit_cast<T>(static_cast<Bits>(bits)); }

  T rounded() const {
    // All bins as one number of 128 binary digits or fewer: `high`, and below it one place or two.
    std::uint64_t low = 0;
    std::int64_t high = 0;
    for (std::size_t k = bins; k-- > 1;) {
      const std::int64_t sum = sums_[k] + high;
      low |= (static_cast<std::uint64_t>(sum) & mask) << (width * static_cast<int>(bins - 1 - k));
      high = sum >> width;
    }
    high += sums_[0];
    const bool negative = high < 0;
    auto upper = static_cast<std::uint64_t>(high);
    constexpr int low_digits = width * static_cast<int>(bins - 1);
    constexpr std::uint64_t low_mask =
        low_digits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (low_digits % 64)) - 1;
    if (negative) {
      low = (~low + 1) & low_mask;
      upper = ~upper + (low == 0 ? 1 : 0);
    }
    // At least 64 digits, the last of which says whether any below it is set: enough to be rounded once.
    int exponent = origin + width * (top_ - static_cast<int>(bins) + 1);
    std::uint64_t digits = low;
    if (upper != 0) {
      const int above = std::countl_zero(upper);
      // upper:low, shifted so that the highest digit is the 64th.
      const std::uint64_t next = low << (64 - low_digits);
      digits = above == 0 ? upper : (upper << above) | (next >> (64 - above));
      const std::uint64_t rest = above == 0 ? next : next << above;
      digits |= rest != 0 ? 1 : 0;
      exponent += low_digits - above;
    }
    return digits == 0 ? T{0} : nearest(digits, exponent, negative);
  }

  // The number nearest to digits 2^exponent, ties to even. What is below the least normal number has no digit below
  // that of the least number, because the numbers summed up have none.
  static T nearest(std::uint64_t digits, int exponent, bool negative) {
    const int above = std::countl_zero(digits);
    digits <<= above;
    exponent -= above;
    const int below = std::max(64 - Limits::digits, least_exponent - exponent);
    const std::uint64_t kept = digits >> below;
    const std::uint64_t rest = digits << (64 - below);
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const bool up = rest > half || (rest == half && kept % 2 == 1);
    // The digit before the fraction, and a carry out of it, add to the exponent.
    const auto before = static_cast<std::uint64_t>(exponent + below - least_exponent);
    const std::uint64_t bits = std::min((before << fraction_digits) + kept + (up ? 1 : 0), infinity);
    return number_of(negative ? bits | sign : bits);
  }

  std::array<std::int64_t, bins> sums_{};  // the highest place first
  std::int32_t top_ = -1;                  // index of that place; -1: there is none
  std::uint32_t special_ = 0;
};

namespace detail {

template <typename T>
inline constexpr bool is_reproducible_sum = false;
template <typename T>
inline constexpr bool is_reproducible_sum<ReproducibleSum<T>> = true;

struct AddSums {
  template <typename T>
  ReproducibleSum<T> operator()(ReproducibleSum<T> a, const ReproducibleSum<T>& b) const {
    return a += b;
  }
};

}  // namespace detail

/// The sum that depends on nothing but the numbers: of ReproducibleSum elements, and in the calls that say so of float
/// and double.
struct Reproducible {
  using IsLibraryOperator = void;
  using Pick = detail::AddSums;
  static constexpr std::string_view name = "reproducible";
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::is_reproducible_sum<T>;
};

/// Operator of reproducible sums, as calls take it: comm.all_reduce(data, tutti::reproducible).
inline constexpr Reproducible reproducible{};

}  // namespace tutti
