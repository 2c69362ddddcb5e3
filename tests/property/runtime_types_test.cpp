/// @file
/// Every operator on every element type that it applies to, in and out of place, over enough elements for vector code
/// and its rest.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "support/ranks.hpp"
#include "support/values.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using testing::mixed;
using testing::on_ranks;

constexpr int ranks = 3;
constexpr std::size_t elements = 67;

template <typename T>
T sample(int rank, std::size_t i) {
  const std::uint64_t bits = mixed(17, rank, static_cast<std::int64_t>(i));
  if constexpr (detail::ComplexNumber<T>) {
    return T(static_cast<typename T::value_type>(bits % 7), static_cast<typename T::value_type>(bits / 7 % 5));
  } else if constexpr (detail::is_located<T>) {
    return T{static_cast<decltype(T::value)>(bits % 3), 100 * rank + 7};  // few values: many ties
  } else if constexpr (detail::FloatingNumber<T>) {
    return T(static_cast<float>(bits % 9) - 3.0F);  // sums and products of three are exact in every type
  } else if constexpr (std::same_as<T, bool>) {
    return bits % 3 != 0;
  } else {
    return static_cast<T>(bits >> 8);  // all bits: sums and products wrap around
  }
}

template <typename T>
std::vector<T> samples(int rank) {
  std::vector<T> values;
  for (std::size_t i = 0; i < elements; ++i) values.push_back(sample<T>(rank, i));
  return values;
}

/// Bool vectors are not memory: arrays of bool are.
template <typename T>
struct Memory {
  explicit Memory(const std::vector<T>& values) { std::copy(values.begin(), values.end(), data.begin()); }
  std::array<T, elements> data{};
};

template <typename T, typename Op, typename F>
void expect_all_reduce(const Op& op, const F& plain, const std::string& name) {
  on_ranks(ranks, [&](Communicator& comm) {
    const Memory<T> in(samples<T>(comm.rank()));
    Memory<T> here(samples<T>(comm.rank()));
    Memory<T> out{std::vector<T>{}};
    comm.all_reduce(in.data, out.data, op, {.algorithm = "reduce-broadcast"});
    comm.all_reduce(here.data, op);
    for (std::size_t i = 0; i < elements; ++i) {
      const T wanted = plain(plain(sample<T>(0, i), sample<T>(1, i)), sample<T>(2, i));
      EXPECT_TRUE(out.data[i] == wanted) << name << " on " << detail::datatype_of<T>().name << ", element " << i;
      EXPECT_TRUE(here.data[i] == wanted)
          << name << " in place on " << detail::datatype_of<T>().name << ", element " << i;
    }
  });
}

template <typename T>
T wrapped(std::uint64_t value) {
  return static_cast<T>(value);
}

template <typename T>
void expect_arithmetic() {
  if constexpr (detail::IntegralNumber<T>) {
    expect_all_reduce<T>(
        sum, [](T a, T b) { return wrapped<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }, "sum");
    expect_all_reduce<T>(
        product, [](T a, T b) { return wrapped<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); },
        "product");
  } else {
    expect_all_reduce<T>(
        sum, [](T a, T b) { return T(a + b); }, "sum");
    expect_all_reduce<T>(
        product, [](T a, T b) { return T(a * b); }, "product");
  }
}

template <typename T>
void expect_extremes() {
  expect_all_reduce<T>(
      minimum, [](T a, T b) { return b < a ? b : a; }, "minimum");
  expect_all_reduce<T>(
      maximum, [](T a, T b) { return a < b ? b : a; }, "maximum");
}

template <typename T>
void expect_logic() {
  expect_all_reduce<T>(
      logical_and, [](T a, T b) { return static_cast<T>(a && b); }, "logical_and");
  expect_all_reduce<T>(
      logical_or, [](T a, T b) { return static_cast<T>(a || b); }, "logical_or");
  expect_all_reduce<T>(
      logical_xor, [](T a, T b) { return static_cast<T>(!a != !b); }, "logical_xor");
  expect_all_reduce<T>(
      bitwise_and, [](T a, T b) { return static_cast<T>(a & b); }, "bitwise_and");
  expect_all_reduce<T>(
      bitwise_or, [](T a, T b) { return static_cast<T>(a | b); }, "bitwise_or");
  expect_all_reduce<T>(
      bitwise_xor, [](T a, T b) { return static_cast<T>(a ^ b); }, "bitwise_xor");
}

template <typename T>
class RuntimeIntegers : public ::testing::Test {};
using Integers = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                  std::uint32_t, std::uint64_t, long long, char>;
TYPED_TEST_SUITE(RuntimeIntegers, Integers);

TYPED_TEST(RuntimeIntegers, EveryOperator) {
  expect_arithmetic<TypeParam>();
  expect_extremes<TypeParam>();
  expect_logic<TypeParam>();
}

template <typename T>
class RuntimeFloats : public ::testing::Test {};
using Floats = ::testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(RuntimeFloats, Floats);

TYPED_TEST(RuntimeFloats, EveryOperator) {
  expect_arithmetic<TypeParam>();
  expect_extremes<TypeParam>();
}

TYPED_TEST(RuntimeFloats, NanIsNeverLost) {
  on_ranks(ranks, [](Communicator& comm) {
    for (int holder = 0; holder < ranks; ++holder) {
      const float mine = comm.rank() == holder ? std::numeric_limits<float>::quiet_NaN() : 1.0F;
      EXPECT_TRUE(std::isnan(static_cast<float>(comm.all_reduce(TypeParam(mine), minimum))));
      EXPECT_TRUE(std::isnan(static_cast<float>(comm.all_reduce(TypeParam(mine), maximum))));
    }
  });
}

TYPED_TEST(RuntimeFloats, AverageDividesTheSumOnce) {
  using T = TypeParam;
  on_ranks(ranks, [](Communicator& comm) {
    const Memory<T> in(samples<T>(comm.rank()));
    Memory<T> everywhere{std::vector<T>{}};
    Memory<T> rooted(samples<T>(comm.rank()));
    comm.all_reduce(in.data, everywhere.data, average);
    comm.reduce(rooted.data, average, 1);
    for (std::size_t i = 0; i < elements; ++i) {
      const float total = static_cast<float>(sample<T>(0, i)) + static_cast<float>(sample<T>(1, i)) +
                          static_cast<float>(sample<T>(2, i));
      const T wanted = std::same_as<T, double> ? T(static_cast<double>(total) / 3.0) : T(total / 3.0F);
      EXPECT_EQ(static_cast<double>(everywhere.data[i]), static_cast<double>(wanted));
      EXPECT_EQ(static_cast<double>(rooted.data[i]), static_cast<double>(comm.rank() == 1 ? wanted : in.data[i]));
    }
  });
}

TEST(RuntimeTypes, ComplexNumbers) {
  expect_arithmetic<std::complex<float>>();
  expect_arithmetic<std::complex<double>>();
  on_ranks(2, [](Communicator& comm) {
    const std::complex<double> mean = comm.all_reduce(std::complex<double>(2.0 * comm.rank(), 4.0), average);
    EXPECT_EQ(mean, std::complex<double>(1.0, 4.0));
  });
}

TEST(RuntimeTypes, Booleans) {
  expect_extremes<bool>();
  expect_logic<bool>();
}

TEST(RuntimeTypes, LocationsAndTheirTies) {
  using L = Located<double>;
  const auto less = [](const L& a, const L& b) {
    return b.value < a.value || (b.value == a.value && b.location < a.location) ? b : a;
  };
  const auto more = [](const L& a, const L& b) {
    return a.value < b.value || (b.value == a.value && b.location < a.location) ? b : a;
  };
  expect_all_reduce<L>(min_location, less, "min_location");
  expect_all_reduce<L>(max_location, more, "max_location");
}

TEST(RuntimeTypes, AverageOfScatteredBlocks) {
  on_ranks(3, [](Communicator& comm) {
    const std::vector<double> in{0.0, 3.0, 6.0};
    double out = -1.0;
    comm.reduce_scatter(in, std::span(&out, 1), average);
    EXPECT_EQ(out, 3.0 * comm.rank());
  });
}

int larger(int a, int b) { return std::max(a, b); }
int smaller(int a, int b) { return std::min(a, b); }

TEST(RuntimeTypes, OperatorsOfTheUsersOwn) {
  TUTTI_NEEDS_RANKS(5);
  on_ranks(5, [](Communicator& comm) {
    const int offset = 100;  // captured: the operator carries state
    const auto keep_larger = [offset](int a, int b) { return std::max(a + offset, b + offset) - offset; };
    EXPECT_EQ(comm.all_reduce(comm.rank(), keep_larger), 4);
    EXPECT_EQ(comm.all_reduce(comm.rank(), commutative(keep_larger)), 4);
    EXPECT_EQ(comm.all_reduce(comm.rank(), std::plus<>()), 10);
    // The first rank's contribution survives only if the order of ranks is kept.
    EXPECT_EQ(comm.all_reduce(comm.rank() + 7, [](int a, int) { return a; }), 7);
    EXPECT_EQ(comm.all_reduce(comm.rank() + 7, non_commutative([](int, int b) { return b; })), 11);
    // Processes may have the same function at different addresses.
    EXPECT_EQ(comm.all_reduce(comm.rank(), &larger), 4);
    EXPECT_EQ(comm.all_reduce(comm.rank(), &smaller), 0);
  });
}

struct Particle {
  double position[3];
  char kind;
  friend bool operator==(const Particle&, const Particle&) = default;
};

TEST(RuntimeTypes, AnythingTriviallyCopyableMoves) {
  on_ranks(4, [](Communicator& comm) {
    std::vector<Particle> all = comm.all_gather(Particle{{1.0, 2.0, 3.0 + comm.rank()}, 'x'});
    for (int r = 0; r < 4; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], (Particle{{1.0, 2.0, 3.0 + r}, 'x'}));
  });
}

template <typename, typename>
struct Pair {
  int value;
};

// Ranks compare types by their printed names, in which brackets may stand.
TEST(RuntimeTypes, WhatDiffersBehindABracketIsAnotherType) {
  constexpr auto floats = detail::datatype_of<Pair<int[3], float>>();
  constexpr auto doubles = detail::datatype_of<Pair<int[3], double>>();
  EXPECT_NE(floats.name, doubles.name);
  EXPECT_EQ(floats.size, doubles.size);
}

}  // namespace
}  // namespace tutti
