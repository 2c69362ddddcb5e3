/// @file
/// Every kernel on every instruction set that this processor has, against the definition of its operator: operands,
/// counts, alignments, stores and aliases as a schedule may bring them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/copy.hpp"
#include "support/instruction_sets.hpp"
#include "support/values.hpp"
#include "tutti/operators.hpp"

namespace tutti::detail {
namespace {

constexpr std::uint64_t seed = 4;
constexpr int most_operands = 5;
constexpr std::int64_t counts[] = {0, 1, 2, 3, 7, 31, 64, 1000};
constexpr std::size_t guard = 64;  // elements before and behind an array

template <typename T>
constexpr bool is_small_float = std::same_as<T, float16> || std::same_as<T, bfloat16>;

template <typename T>
T sample(int operand, std::int64_t i) {
  const std::uint64_t bits = testing::mixed(seed, operand, i);
  if constexpr (std::same_as<T, bool>) {
    return bits % 2 != 0;
  } else if constexpr (std::integral<T>) {
    return bits % 5 == 0 ? T{} : static_cast<T>(bits >> 8);
  } else if constexpr (is_small_float<T>) {
    return T::from_bits(static_cast<std::uint16_t>(bits % 3 == 0 ? 0x3c00 + (bits >> 60) : bits >> 8));
  } else if constexpr (std::floating_point<T>) {
    constexpr T odd[] = {T(0),
                         -T(0),
                         std::numeric_limits<T>::infinity(),
                         std::numeric_limits<T>::quiet_NaN(),
                         std::numeric_limits<T>::denorm_min(),
                         -std::numeric_limits<T>::infinity()};
    if (bits % 8 == 0) return odd[(bits >> 8) % std::size(odd)];
    if (bits % 16 == 1) return std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1));
    return (static_cast<T>(bits >> 11) / static_cast<T>(std::uint64_t{1} << 52) - 1) * T(1.7);
  } else {
    using Part = typename T::value_type;
    return {sample<Part>(2 * operand, i), sample<Part>(2 * operand + 1, i)};
  }
}

template <typename T>
T arithmetic(Reduction op, T a, T b) {
  if constexpr (ComplexNumber<T>) {
    if (op == Reduction::sum) return {a.real() + b.real(), a.imag() + b.imag()};
    // Volatile: whatever the compiler may contract elsewhere, here it rounds each product.
    const volatile auto rr = a.real() * b.real(), ii = a.imag() * b.imag();
    const volatile auto ri = a.real() * b.imag(), ir = a.imag() * b.real();
    return {rr - ii, ri + ir};
  } else if constexpr (std::integral<T>) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<T>(op == Reduction::sum ? x + y : x * y);
  } else {
    return T(op == Reduction::sum ? a + b : a * b);
  }
}

template <typename T>
T defined(Reduction op, T a, T b) {
  if (op == Reduction::sum || op == Reduction::product) return arithmetic(op, a, b);
  if constexpr (RealNumber<T> || std::same_as<T, bool>) {
    if (a != a) return a;
    if (op == Reduction::minimum) return a < b ? a : b;
    if (op == Reduction::maximum) return b < a ? a : b;
  }
  if constexpr (std::integral<T>) {
    if (op == Reduction::logical_and) return static_cast<T>(a && b);
    if (op == Reduction::logical_or) return static_cast<T>(a || b);
    if (op == Reduction::logical_xor) return static_cast<T>(!a != !b);
    if (op == Reduction::bitwise_and) return static_cast<T>(a & b);
    if (op == Reduction::bitwise_or) return static_cast<T>(a | b);
    if (op == Reduction::bitwise_xor) return static_cast<T>(a ^ b);
  }
  ADD_FAILURE() << "no definition";
  return a;
}

template <typename T>
T folded(Reduction op, int count, std::int64_t i) {
  if constexpr (is_small_float<T>) {
    if (count > 1 && (op == Reduction::sum || op == Reduction::product)) {
      float value = sample<T>(0, i);
      for (int k = 1; k < count; ++k) value = arithmetic(op, value, static_cast<float>(sample<T>(k, i)));
      return T(value);
    }
  }
  T value = sample<T>(0, i);
  for (int k = 1; k < count; ++k) value = defined(op, value, sample<T>(k, i));
  return value;
}

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Expects equal bits; of NaN as a sum or a product, only that it is NaN.
template <typename T>
bool agree(Reduction op, const T& a, const T& b) {
  if (same_bits(a, b)) return true;
  if (op != Reduction::sum && op != Reduction::product) return false;
  if constexpr (ComplexNumber<T>) {
    return agree(op, a.real(), b.real()) && agree(op, a.imag(), b.imag());
  } else {
    return a != a && b != b;
  }
}

/// n elements that begin `shift` elements behind a cache line, with guards on both sides.
template <typename T>
class Array {
 public:
  Array(std::int64_t n, std::size_t shift)
      : bytes_((static_cast<std::size_t>(n) + 2 * guard + shift + 64) * sizeof(T), std::byte{0x5a}),
        n_(static_cast<std::size_t>(n)) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    begin_ = (64 - address % 64) % 64 + (guard + shift) * sizeof(T);
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
  T* begin() { return data(); }
  T* end() { return data() + n_; }
  bool guarded() const {
    const auto untouched = [](std::byte b) { return b == std::byte{0x5a}; };
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::all_of(bytes_.begin(), first, untouched) &&
           std::all_of(first + static_cast<std::ptrdiff_t>(n_ * sizeof(T)), bytes_.end(), untouched);
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t n_;
  std::size_t begin_;
};

struct Case {
  Kernel kernel;
  Reduction op;
  int count;
  std::size_t shift;
  Stores stores;
};

/// Into an array of its own (alias = -1) or over operand number `alias`. Operands lie differently from one another.
template <typename T>
::testing::AssertionResult holds(const Case& it, const std::vector<T>* samples, const std::vector<T>& wanted,
                                 int alias) {
  const auto n = static_cast<std::int64_t>(wanted.size());
  std::vector<Array<T>> arrays;
  const void* operands[most_operands];
  for (int k = 0; k < it.count; ++k) {
    arrays.emplace_back(n, it.shift * static_cast<std::size_t>(k + 1));
    std::copy(samples[k].begin(), samples[k].begin() + n, arrays.back().begin());
  }
  for (int k = 0; k < it.count; ++k) operands[k] = arrays[static_cast<std::size_t>(k)].data();
  Array<T> own(n, it.shift);
  Array<T>& into = alias < 0 ? own : arrays[static_cast<std::size_t>(alias)];
  it.kernel(into.data(), operands, it.count, n, it.stores, nullptr);
  for (std::int64_t i = 0; i < n; ++i) {
    if (!agree(it.op, into.data()[i], wanted[static_cast<std::size_t>(i)])) {
      return ::testing::AssertionFailure() << "element " << i << " of " << n << " differs";
    }
  }
  if (!into.guarded()) return ::testing::AssertionFailure() << "wrote outside its " << n << " elements";
  return ::testing::AssertionSuccess();
}

template <typename T>
void expect_operator(Reduction op, int count, std::int64_t n) {
  std::vector<T> samples[most_operands];
  std::vector<T> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < count; ++k) samples[k].push_back(sample<T>(k, i));
    wanted.push_back(folded<T>(op, count, i));
  }
  testing::for_each_instruction_set([&] {
    Case it{kernel_for(op, primitive_of<T>()), op, count, 0, Stores::cached};
    for (const std::size_t shift : {0, 1, 5}) {
      for (const Stores stores : {Stores::cached, Stores::streaming}) {
        it.shift = shift;
        it.stores = stores;
        for (int alias = -1; alias < count; ++alias) {
          ASSERT_TRUE(holds(it, samples, wanted, alias))
              << "seed " << seed << ", operator " << static_cast<int>(op) << ", " << count << " operands, shift "
              << shift << ", stores " << static_cast<int>(stores) << ", into operand " << alias;
        }
      }
    }
  });
}

template <typename T>
bool applies(Reduction op) {
  if (op <= Reduction::product) return RealNumber<T> || ComplexNumber<T>;
  if (op <= Reduction::maximum) return RealNumber<T> || std::same_as<T, bool>;
  return std::integral<T>;
}

template <typename T>
class Kernels : public ::testing::Test {};

using Types = ::testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                               std::uint32_t, std::uint64_t, float16, bfloat16, float, double, std::complex<float>,
                               std::complex<double>>;
TYPED_TEST_SUITE(Kernels, Types);

TYPED_TEST(Kernels, FoldAsTheOperatorIsDefined) {
  for (int op = 1; op < reduction_kinds; ++op) {
    const auto reduction = static_cast<Reduction>(op);
    const Kernel kernel = kernel_for(reduction, primitive_of<TypeParam>());
    ASSERT_EQ(kernel != nullptr, applies<TypeParam>(reduction)) << op;
    if (kernel == nullptr) continue;
    for (int count = 1; count <= most_operands; ++count) {
      for (const std::int64_t n : counts) {
        expect_operator<TypeParam>(reduction, count, n);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TEST(CopyBytes, CopiesWhatItIsToldAndNoMore) {
  for (const Stores stores : {Stores::cached, Stores::streaming}) {
    for (const std::int64_t n : {0, 1, 15, 63, 64, 65, 200, 4096, 70001}) {
      for (const std::size_t shift : {0, 1, 17, 63}) {
        Array<std::uint8_t> from(n, 3);
        Array<std::uint8_t> to(n, shift);
        for (std::int64_t i = 0; i < n; ++i) from.data()[i] = sample<std::uint8_t>(0, i);
        runtime::copy_bytes(to.data(), from.data(), static_cast<std::size_t>(n), stores);
        EXPECT_TRUE(std::equal(to.begin(), to.end(), from.begin())) << n << " bytes, shift " << shift;
        EXPECT_TRUE(to.guarded()) << n << " bytes, shift " << shift;
      }
    }
  }
}

TEST(UserOperators, FoldFromLeftToRight) {
  using testing::Affine;
  const testing::Compose compose;
  std::vector<Affine> operands[3];
  for (int k = 0; k < 3; ++k) {
    for (std::int64_t i = 0; i < 9; ++i) operands[k].push_back(testing::contribution<Affine>(seed, k, i));
  }
  const auto before = operands[1];
  const void* pointers[] = {operands[0].data(), operands[1].data(), operands[2].data()};
  combine<Affine, testing::Compose>(operands[1].data(), pointers, 3, 9, Stores::streaming, &compose);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(operands[1][i], compose(compose(operands[0][i], before[i]), operands[2][i])) << "seed " << seed;
  }
}

TEST(Divide, RoundsEachQuotient) {
  double values[] = {1.0, -7.0, 0.5};
  divide_for(Primitive::twice)(values, 3, 3);
  EXPECT_EQ(values[0], 1.0 / 3);
  EXPECT_EQ(values[1], -7.0 / 3);
  EXPECT_EQ(values[2], 0.5 / 3);
  EXPECT_EQ(divide_for(Primitive::int32), nullptr);
}

}  // namespace
}  // namespace tutti::detail
