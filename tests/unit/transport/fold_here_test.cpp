/// @file
/// Folds over memory at hand: the result stands in its place and in all others, and nothing else is written.

#include "transport/fold_here.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/odd_element.hpp"
#include "support/values.hpp"
#include "tutti/detail/operator.hpp"

namespace tutti::runtime {
namespace {

using testing::Affine;
using testing::contributions;

constexpr std::uint64_t seed = 11;
constexpr std::size_t guard = 5;  // elements before and behind what is written, so that no array is aligned

/// Elements between guards that nobody may write.
template <typename T>
class Guarded {
 public:
  explicit Guarded(const std::vector<T>& values) : all_(values.size() + 2 * guard, T{}) {
    std::copy(values.begin(), values.end(), all_.begin() + guard);
  }
  MemoryRange range() {
    const auto bytes = static_cast<std::int64_t>((all_.size() - 2 * guard) * sizeof(T));
    return MemoryRange::of(reinterpret_cast<const std::byte*>(all_.data() + guard), bytes);
  }
  std::vector<T> values() const { return {all_.begin() + guard, all_.end() - guard}; }
  bool is_guarded() const {
    const auto none = [](const T& value) { return value == T{}; };
    return std::all_of(all_.begin(), all_.begin() + guard, none) && std::all_of(all_.end() - guard, all_.end(), none);
  }

 private:
  std::vector<T> all_;
};

/// The operands' fold, element by element, from left to right.
template <typename T, typename F>
std::vector<T> folded(const std::vector<std::vector<T>>& operands, F f) {
  std::vector<T> result = operands.front();
  for (std::size_t k = 1; k < operands.size(); ++k) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = f(result[i], operands[k][i]);
  }
  return result;
}

/// Folds the elements from the third on of `count`; `own` operand lies where the result goes, and the last one in the
/// first of the other places.
template <typename T, typename F>
void expect_stored_everywhere(std::int64_t count, std::size_t operands, std::size_t places, detail::Stores stores,
                              const detail::Operator& op, F f) {
  SCOPED_TRACE(::testing::Message() << count << " elements of " << sizeof(T) << " bytes, " << operands << " operands, "
                                    << places << " other places, stores " << static_cast<int>(stores));
  std::vector<std::vector<T>> given;
  std::vector<Guarded<T>> arrays;
  for (std::size_t k = 0; k < std::max(operands, places + 1); ++k) {
    given.push_back(contributions<T>(seed, static_cast<int>(k), count));
    arrays.emplace_back(given.back());
  }
  std::vector<MemoryRange> sides;
  for (Guarded<T>& array : arrays) sides.push_back(array.range());
  given.resize(operands);
  const std::vector<T> result = folded(given, f);
  const std::vector<MemoryRange> also(sides.begin() + 1, sides.begin() + 1 + static_cast<std::ptrdiff_t>(places));
  const Fold fold{sides.front(), std::span(sides).first(operands), also};
  const std::int64_t first = std::min<std::int64_t>(count, 3);
  const auto size = static_cast<std::int64_t>(sizeof(T));
  std::vector<const void*> pointers;
  fold_here(fold, {&op, size}, first * size, (count - first) * size, stores, pointers);
  for (std::size_t k = 0; k <= places; ++k) {
    const std::vector<T> got = arrays[k].values();
    EXPECT_TRUE(std::equal(got.begin() + first, got.end(), result.begin() + first)) << "place " << k;
    const std::vector<T> before = contributions<T>(seed, static_cast<int>(k), first);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), got.begin())) << "place " << k;
    EXPECT_TRUE(arrays[k].is_guarded()) << "place " << k;
  }
}

TEST(FoldHere, StoresTheResultAtEveryPlace) {
  const detail::Operator compose = detail::user_operator<Affine>(testing::Compose(), false);
  const detail::Operator sum{.kernel = detail::kernel_for(detail::Reduction::sum, detail::Primitive::int64)};
  for (const std::int64_t count : {0, 1, 4, 100, 1'025, 5'000}) {
    for (const std::size_t operands : {2U, 3U, 5U}) {
      for (const std::size_t places : {0U, 1U, 3U}) {
        for (const detail::Stores stores : {detail::Stores::cached, detail::Stores::streaming}) {
          expect_stored_everywhere<Affine>(count, operands, places, stores, compose, testing::Compose());
          expect_stored_everywhere<std::int64_t>(count, operands, places, stores, sum, [](auto a, auto b) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
          });
        }
      }
    }
  }
}

/// Folds the elements from the third on of `count`, and stores operand `copied` as well, in memory of its own.
template <typename T, typename F>
void expect_copied(std::int64_t count, std::size_t operands, std::size_t copied, std::size_t places,
                   detail::Stores stores, const detail::Operator& op, F f) {
  SCOPED_TRACE(::testing::Message() << count << " elements of " << sizeof(T) << " bytes, operand " << copied << " of "
                                    << operands << ", " << places << " other places, stores "
                                    << static_cast<int>(stores));
  std::vector<std::vector<T>> given;
  std::vector<Guarded<T>> arrays;
  for (std::size_t k = 0; k < operands; ++k) {
    given.push_back(contributions<T>(seed, static_cast<int>(k), count));
    arrays.emplace_back(given.back());
  }
  const std::size_t first_written = arrays.size();
  const std::vector<T> before = contributions<T>(seed, 99, count);
  for (std::size_t k = 0; k < places + 2; ++k) arrays.emplace_back(before);
  std::vector<MemoryRange> sides;
  for (Guarded<T>& array : arrays) sides.push_back(array.range());
  const std::span<const MemoryRange> written = std::span(sides).subspan(first_written);
  const Fold fold{written.front(), std::span(sides).first(operands), written.subspan(1, places), written.back(),
                  static_cast<std::int32_t>(copied)};
  const std::int64_t first = std::min<std::int64_t>(count, 3);
  const auto size = static_cast<std::int64_t>(sizeof(T));
  std::vector<const void*> pointers;
  fold_here(fold, {&op, size}, first * size, (count - first) * size, stores, pointers);
  const std::vector<T> result = folded(given, f);
  for (std::size_t k = first_written; k < arrays.size(); ++k) {
    const std::vector<T> got = arrays[k].values();
    const std::vector<T>& wanted = k + 1 < arrays.size() ? result : given[copied];
    EXPECT_TRUE(std::equal(got.begin() + first, got.end(), wanted.begin() + first)) << "place " << k - first_written;
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + first, got.begin())) << "place " << k - first_written;
    EXPECT_TRUE(arrays[k].is_guarded()) << "place " << k - first_written;
  }
}

TEST(FoldHere, CopiesAnOperandAsWell) {
  const detail::Operator compose = detail::user_operator<Affine>(testing::Compose(), false);
  const detail::Operator sum{.kernel = detail::kernel_for(detail::Reduction::sum, detail::Primitive::int64)};
  for (const std::int64_t count : {0, 1, 7, 1'025, 5'000, 20'000}) {
    for (const std::size_t operands : {1U, 2U, 4U}) {
      for (const std::size_t places : {0U, 2U}) {
        for (const detail::Stores stores : {detail::Stores::cached, detail::Stores::streaming}) {
          const std::size_t copied = static_cast<std::size_t>(count) % operands;
          expect_copied<Affine>(count, operands, copied, places, stores, compose, testing::Compose());
          expect_copied<std::int64_t>(count, operands, copied, places, stores, sum, [](auto a, auto b) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
          });
        }
      }
    }
  }
}

/// Memory that begins so many bytes behind a line of the cache.
class Shifted {
 public:
  Shifted(std::int64_t bytes, std::size_t shift, unsigned char value)
      : memory_(static_cast<std::size_t>(bytes) + 3 * line, std::byte{value}), bytes_(bytes) {
    const std::size_t into_line = reinterpret_cast<std::uintptr_t>(memory_.data()) % line;
    begin_ = line - into_line + shift;
  }
  std::byte* data() { return memory_.data() + begin_; }
  MemoryRange range() { return MemoryRange::of(data(), bytes_); }
  /// Whether nothing outside has been written.
  bool is_guarded() const {
    const auto is_old = [&](std::byte byte) { return byte == memory_.front(); };
    const auto first = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::all_of(memory_.begin(), first, is_old) && std::all_of(first + bytes_, memory_.end(), is_old);
  }

 private:
  static constexpr std::size_t line = 64;

  std::vector<std::byte> memory_;
  std::int64_t bytes_;
  std::size_t begin_ = 0;
};

/// The second operand is the result, which another place may get as well, and the first is copied; elements have one
/// size.
template <std::size_t Size>
void expect_stored_wherever_it_lies(bool has_another_place) {
  using Element = testing::OddElement<Size>;
  const detail::Operator second =
      detail::user_operator<Element>([](const Element&, const Element& b) { return b; }, false);
  const std::vector<Element> a = testing::parcel<Element>(1, 1'500);
  const std::vector<Element> b = testing::parcel<Element>(2, 1'500);
  const auto bytes = static_cast<std::int64_t>(a.size() * Size);
  const std::vector<MemoryRange> operands{MemoryRange::of(reinterpret_cast<const std::byte*>(a.data()), bytes),
                                          MemoryRange::of(reinterpret_cast<const std::byte*>(b.data()), bytes)};
  for (const std::size_t into : {0U, 1U, 16U, 63U}) {
    for (const std::size_t copy : {0U, 1U, 16U, 63U}) {
      SCOPED_TRACE(::testing::Message() << Size << " bytes, " << into << " and " << copy << " behind a line");
      Shifted result(bytes, into, 7);
      Shifted copied(bytes, copy, 9);
      Shifted also(bytes, into, 8);
      std::vector<MemoryRange> places;
      if (has_another_place) places.push_back(also.range());
      std::vector<const void*> pointers;
      fold_here({result.range(), operands, places, copied.range(), 0}, {&second, Size}, 0, bytes,
                detail::Stores::streaming, pointers);
      EXPECT_EQ(std::memcmp(result.data(), b.data(), static_cast<std::size_t>(bytes)), 0);
      const bool is_everywhere =
          !has_another_place || std::memcmp(also.data(), b.data(), static_cast<std::size_t>(bytes)) == 0;
      EXPECT_TRUE(is_everywhere);
      EXPECT_EQ(std::memcmp(copied.data(), a.data(), static_cast<std::size_t>(bytes)), 0);
      EXPECT_TRUE(result.is_guarded() && copied.is_guarded() && also.is_guarded());
    }
  }
}

TEST(FoldHere, StoresElementsOfAnySizeWhereverTheyLie) {
  for (const bool has_another_place : {false, true}) {
    expect_stored_wherever_it_lies<1>(has_another_place);
    expect_stored_wherever_it_lies<3>(has_another_place);
    expect_stored_wherever_it_lies<8>(has_another_place);
    expect_stored_wherever_it_lies<24>(has_another_place);
    expect_stored_wherever_it_lies<100>(has_another_place);
    expect_stored_wherever_it_lies<700>(has_another_place);
  }
}

/// An element that is longer than what is computed at a time.
struct Long {
  std::int64_t numbers[3'000];
  friend bool operator==(const Long&, const Long&) = default;
};

TEST(FoldHere, TakesElementsOfAnyLength) {
  const auto keep_larger = [](const Long& a, const Long& b) { return a.numbers[7] < b.numbers[7] ? b : a; };
  const detail::Operator op = detail::user_operator<Long>(keep_larger, false);
  std::vector<Long> a(5), b(5);
  for (std::size_t i = 0; i < 5; ++i) {
    a[i].numbers[7] = static_cast<std::int64_t>(i * i);
    b[i].numbers[7] = static_cast<std::int64_t>(3 * i);
  }
  const std::vector<Long> result = folded<Long>({a, b}, keep_larger);
  for (const detail::Stores stores : {detail::Stores::cached, detail::Stores::streaming}) {
    Guarded<Long> mine(a), other(b);
    const std::vector<MemoryRange> operands{mine.range(), other.range()};
    const std::vector<MemoryRange> also{other.range()};
    std::vector<const void*> pointers;
    fold_here({mine.range(), operands, also}, {&op, sizeof(Long)}, 0, mine.range().bytes, stores, pointers);
    EXPECT_EQ(mine.values(), result);
    EXPECT_EQ(other.values(), result);
    EXPECT_TRUE(mine.is_guarded() && other.is_guarded());
  }
}

}  // namespace
}  // namespace tutti::runtime
