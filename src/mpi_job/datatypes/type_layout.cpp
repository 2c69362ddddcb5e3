#include "mpi_job/datatypes/type_layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "mpi_job/datatypes/type_construction.hpp"

namespace tutti::interpose {
namespace {

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  PMPI_Type_get_extent_x(type, &lower, &extent);
  return extent;
}

template <typename Value>
struct ValueAndIndex {
  Value value;
  int place;
};

/// A predefined pair of a value and its place, which may have a gap between them.
struct KnownPair {
  MPI_Datatype type;
  std::int64_t value_bytes;
  std::int64_t place_at;
};

const KnownPair* pair_of(MPI_Datatype type) {
  static const std::array<KnownPair, 5> pairs{{
      {MPI_FLOAT_INT, sizeof(float), offsetof(ValueAndIndex<float>, place)},
      {MPI_DOUBLE_INT, sizeof(double), offsetof(ValueAndIndex<double>, place)},
      {MPI_LONG_INT, sizeof(long), offsetof(ValueAndIndex<long>, place)},
      {MPI_SHORT_INT, sizeof(short), offsetof(ValueAndIndex<short>, place)},
      {MPI_LONG_DOUBLE_INT, sizeof(long double), offsetof(ValueAndIndex<long double>, place)},
  }};
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const KnownPair& pair) { return pair.type == type; });
  return found == pairs.end() ? nullptr : &*found;
}

/// Copies out of memory, to packed bytes that follow one another.
struct PackCopy {
  std::byte* packed;

  void one(std::intptr_t at, std::size_t bytes) {
    std::memcpy(packed, reinterpret_cast<const std::byte*>(at), bytes);
    packed += bytes;
  }
  template <std::size_t bytes>
  void some(std::intptr_t at, std::int64_t stride, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k, at += stride, packed += bytes)
      std::memcpy(packed, reinterpret_cast<const std::byte*>(at), bytes);
  }
};

/// Copies packed bytes that follow one another into memory.
struct UnpackCopy {
  const std::byte* packed;

  void one(std::intptr_t at, std::size_t bytes) {
    std::memcpy(reinterpret_cast<std::byte*>(at), packed, bytes);
    packed += bytes;
  }
  template <std::size_t bytes>
  void some(std::intptr_t at, std::int64_t stride, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k, at += stride, packed += bytes)
      std::memcpy(reinterpret_cast<std::byte*>(at), packed, bytes);
  }
};

/// Copies `count` pieces of `bytes` bytes: short ones by loops that know their length.
template <typename Copy>
void copy_row(std::intptr_t at, std::int64_t stride, std::int64_t count, std::int64_t bytes, Copy& copy) {
  switch (bytes) {
    case 4:
      return copy.template some<4>(at, stride, count);
    case 8:
      return copy.template some<8>(at, stride, count);
    case 16:
      return copy.template some<16>(at, stride, count);
    case 32:
      return copy.template some<32>(at, stride, count);
    default:
      for (std::int64_t k = 0; k < count; ++k, at += stride) copy.one(at, static_cast<std::size_t>(bytes));
  }
}

}  // namespace

/// Making of a layout from a type, with the needs of each kind of it.
struct TypeLayout::Making {
  const TypeConstruction& of;
  TypeLayout item;  // layout of the first inner type
  std::int64_t extent = 0;
};

// ---- Making

TypeLayout TypeLayout::bytes(std::int64_t size) {
  TypeLayout layout;
  layout.size_ = size;
  return layout;
}

TypeLayout TypeLayout::row(std::int64_t count, std::int64_t stride, TypeLayout item) {
  if (count == 0 || item.size_ == 0) return bytes(0);
  if (count == 1) return item;
  const bool is_plain = item.count_ == 0 && item.blocks_.empty();
  if (is_plain && stride == item.size_) return bytes(count * stride);
  TypeLayout layout;
  layout.size_ = count * item.size_;
  layout.count_ = count;
  layout.stride_ = stride;
  layout.item_ = std::make_shared<const TypeLayout>(std::move(item));
  return layout;
}

void TypeLayout::add_block(std::int64_t at, const std::shared_ptr<const TypeLayout>& item) {
  if (item->size_ == 0) return;
  blocks_.push_back({at, size_, item});
  size_ += item->size_;
}

std::optional<TypeLayout> TypeLayout::of(MPI_Datatype type, std::int64_t count, std::int64_t extent) {
  std::optional<TypeLayout> one = of_one(type);
  if (!one) return std::nullopt;
  return row(count, extent, std::move(*one));
}

std::optional<TypeLayout> TypeLayout::of_one(MPI_Datatype type) {
  const TypeConstruction making(type);
  if (is_kept_by_mpi(making.combiner())) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    const std::int64_t extent = extent_of(type);
    if (size == extent) return bytes(size);
    const KnownPair* const pair = pair_of(type);
    if (pair == nullptr || size != pair->value_bytes + static_cast<std::int64_t>(sizeof(int))) return std::nullopt;
    TypeLayout layout;
    layout.add_block(0, std::make_shared<const TypeLayout>(bytes(pair->value_bytes)));
    layout.add_block(pair->place_at, std::make_shared<const TypeLayout>(bytes(sizeof(int))));
    return layout;
  }
  if (making.combiner() == MPI_COMBINER_STRUCT) return structure({making, {}});
  if (making.types() != 1) return std::nullopt;
  std::optional<TypeLayout> item = of_one(making.type(0));
  if (!item) return std::nullopt;
  return made({making, std::move(*item), extent_of(making.type(0))});
}

std::optional<TypeLayout> TypeLayout::made(const Making& making) {
  switch (making.of.combiner()) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return making.item;
    case MPI_COMBINER_CONTIGUOUS:
      return row(making.of.number(0), making.extent, making.item);
    case MPI_COMBINER_VECTOR:
      return vector(making, false);
    case MPI_COMBINER_HVECTOR:
      return vector(making, true);
    case MPI_COMBINER_INDEXED:
      return indexed(making, false, false);
    case MPI_COMBINER_HINDEXED:
      return indexed(making, true, false);
    case MPI_COMBINER_INDEXED_BLOCK:
      return indexed(making, false, true);
    case MPI_COMBINER_HINDEXED_BLOCK:
      return indexed(making, true, true);
    case MPI_COMBINER_SUBARRAY:
      return subarray(making);
    default:
      return std::nullopt;
  }
}

/// Count, length of a block, stride.
std::optional<TypeLayout> TypeLayout::vector(const Making& making, bool is_in_bytes) {
  const std::int64_t stride = making.of.number(2) * (is_in_bytes ? 1 : making.extent);
  return row(making.of.number(0), stride, row(making.of.number(1), making.extent, making.item));
}

/// Count, the lengths of all blocks or that of each, their displacements.
std::optional<TypeLayout> TypeLayout::indexed(const Making& making, bool is_in_bytes, bool has_one_length) {
  const auto count = static_cast<std::size_t>(making.of.number(0));
  const std::int64_t unit = is_in_bytes ? 1 : making.extent;
  const std::size_t places = 1 + (has_one_length ? 1 : count);
  // Most lists have few lengths, one after another: blocks of one length share what they are.
  std::int64_t latest = -1;
  std::shared_ptr<const TypeLayout> block;
  TypeLayout layout;
  layout.blocks_.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::int64_t length = making.of.number(has_one_length ? 1 : 1 + k);
    if (length != latest) block = std::make_shared<const TypeLayout>(row(length, making.extent, making.item));
    latest = length;
    layout.add_block(making.of.number(places + k) * unit, block);
  }
  return layout;
}

/// Count, the lengths of all blocks, their displacements; a type each.
std::optional<TypeLayout> TypeLayout::structure(const Making& making) {
  const auto count = static_cast<std::size_t>(making.of.number(0));
  TypeLayout layout;
  for (std::size_t k = 0; k < count; ++k) {
    std::optional<TypeLayout> item = of_one(making.of.type(k));
    if (!item) return std::nullopt;
    TypeLayout block = row(making.of.number(1 + k), extent_of(making.of.type(k)), std::move(*item));
    layout.add_block(making.of.number(1 + count + k), std::make_shared<const TypeLayout>(std::move(block)));
  }
  return layout;
}

/// Dimensions, the sizes of all of the array, those of the part, where it begins; the order of the dimensions.
std::optional<TypeLayout> TypeLayout::subarray(const Making& making) {
  const TypeConstruction& of = making.of;
  const auto dimensions = static_cast<std::size_t>(of.integer(0));
  const bool is_large = of.has_large_counts();
  const auto number = [&](std::size_t list, std::size_t k) {
    const std::size_t at = list * dimensions + k;
    return is_large ? of.large_count(at) : std::int64_t{of.integer(1 + at)};
  };
  const bool is_fortran = of.integer(is_large ? 1 : 1 + 3 * dimensions) == MPI_ORDER_FORTRAN;
  TypeLayout layout = making.item;
  std::int64_t stride = making.extent;
  std::int64_t first = 0;
  for (std::size_t inner = 0; inner < dimensions; ++inner) {
    const std::size_t k = is_fortran ? inner : dimensions - 1 - inner;
    layout = row(number(1, k), stride, std::move(layout));
    first += number(2, k) * stride;
    stride *= number(0, k);
  }
  if (first == 0) return layout;
  TypeLayout moved;
  moved.add_block(first, std::make_shared<const TypeLayout>(std::move(layout)));
  return moved;
}

// ---- Copying

template <typename Copy>
void TypeLayout::walk(std::intptr_t at, PackedRange range, Copy& copy) const {
  if (range.bytes <= 0) return;
  if (count_ > 0) return walk_row(at, range, copy);
  if (!blocks_.empty()) return walk_blocks(at, range, copy);
  copy.one(at + range.begin, static_cast<std::size_t>(range.bytes));
}

// The range may begin and end within an item.
template <typename Copy>
void TypeLayout::walk_row(std::intptr_t at, PackedRange range, Copy& copy) const {
  const std::int64_t each = item_->size_;
  std::int64_t k = range.begin / each;
  if (const std::int64_t within = range.begin % each; within > 0) {
    const std::int64_t bytes = std::min(each - within, range.bytes);
    item_->walk(at + k * stride_, {within, bytes}, copy);
    range.bytes -= bytes;
    ++k;
  }
  const std::int64_t whole = range.bytes / each;
  if (item_->count_ == 0 && item_->blocks_.empty()) {
    copy_row(at + k * stride_, stride_, whole, each, copy);
  } else {
    for (std::int64_t j = 0; j < whole; ++j) item_->walk(at + (k + j) * stride_, {0, each}, copy);
  }
  item_->walk(at + (k + whole) * stride_, {0, range.bytes - whole * each}, copy);
}

template <typename Copy>
void TypeLayout::walk_blocks(std::intptr_t at, PackedRange range, Copy& copy) const {
  auto block = std::upper_bound(blocks_.begin(), blocks_.end(), range.begin,
                                [](std::int64_t begin, const Block& each) { return begin < each.packed_before; });
  for (--block; range.bytes > 0; ++block) {
    const std::int64_t within = range.begin - block->packed_before;
    const std::int64_t bytes = std::min(block->item->size_ - within, range.bytes);
    block->item->walk(at + block->at, {within, bytes}, copy);
    range = {range.begin + bytes, range.bytes - bytes};
  }
}

void TypeLayout::pack(const void* elements, const PackedRange& range, std::byte* packed) const {
  PackCopy copy{packed};
  walk(reinterpret_cast<std::intptr_t>(elements), range, copy);
}

void TypeLayout::unpack(const std::byte* packed, const PackedRange& range, void* elements) const {
  UnpackCopy copy{packed};
  walk(reinterpret_cast<std::intptr_t>(elements), range, copy);
}

}  // namespace tutti::interpose
