// Elements out of memory and back, packed as MPI packs them.

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/datatypes/type_layout.hpp"
#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {
namespace {

/// Returns how many elements a call of MPI_Pack may have: it counts bytes in an int.
std::int64_t elements_at_once(const MpiType& type) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  return std::max<std::int64_t>(most / std::max<std::int64_t>(type.size, 1), 1);
}

bool is_long(const MpiType& type) { return type.size > std::numeric_limits<int>::max(); }

/// Datatype of so many bytes as one element, which may be more than an int counts.
class LongBytes {
 public:
  explicit LongBytes(std::int64_t bytes) {
    constexpr std::int64_t part = std::int64_t{1} << 30;
    MPI_Datatype parts = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous(static_cast<int>(part), MPI_BYTE, &parts);
    const int lengths[] = {static_cast<int>(bytes / part), static_cast<int>(bytes % part)};
    const MPI_Aint places[] = {0, bytes / part * part};
    const MPI_Datatype types[] = {parts, MPI_BYTE};
    PMPI_Type_create_struct(2, lengths, places, types, &type_);
    PMPI_Type_commit(&type_);
    PMPI_Type_free(&parts);
  }
  LongBytes(const LongBytes&) = delete;
  LongBytes& operator=(const LongBytes&) = delete;
  ~LongBytes() { PMPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// An element that is too long for MPI_Pack is sent by this rank to itself. One thread at a time, which gets its own.
void send_to_itself(const void* from, MPI_Datatype sent, void* to, MPI_Datatype received) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  PMPI_Sendrecv(from, 1, sent, 0, 0, to, 1, received, 0, 0, quiet_self(), MPI_STATUS_IGNORE);
}

/// Elements at MPI_BOTTOM, as MPICH's packing takes them: it refuses a null address, and takes any other from which the
/// type's own addresses are reckoned back.
class Reckoned {
 public:
  Reckoned(std::byte* elements, int count, const MpiType& type)
      : elements_(elements), count_(count), type_(type.handle) {
    if (elements != nullptr) return;
    const MPI_Aint back = -shift;
    PMPI_Type_create_hindexed(1, &count, &back, type.handle, &type_);
    PMPI_Type_commit(&type_);
    elements_ = reinterpret_cast<std::byte*>(shift);
    count_ = 1;
    is_own_ = true;
  }
  Reckoned(const Reckoned&) = delete;
  Reckoned& operator=(const Reckoned&) = delete;
  ~Reckoned() {
    if (is_own_) PMPI_Type_free(&type_);
  }

  std::byte* elements() const { return elements_; }
  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  static constexpr std::intptr_t shift = 64;
  std::byte* elements_;
  int count_;
  MPI_Datatype type_;
  bool is_own_ = false;
};

/// The layout of so many elements where it is worth being read: what MPI packs in less time is left to it.
std::optional<TypeLayout> layout_of(std::int64_t count, const MpiType& type) {
  constexpr std::int64_t few = std::int64_t{16} << 10;
  return count * type.size >= few ? TypeLayout::of(type.handle, count, type.extent) : std::nullopt;
}

/// Visits a long message a piece at a time; other ranks see each that is done.
template <typename Visit>
void visit_pieces(std::int64_t bytes, const Visit& visit) {
  constexpr std::int64_t most = std::int64_t{8} << 20;
  for (std::int64_t begin = 0; begin < bytes; begin += most) {
    visit(PackedRange{begin, std::min(most, bytes - begin)});
    if (bytes > most && job().ranks != nullptr) job().ranks->note_work();
  }
}

}  // namespace

std::unique_ptr<std::byte[]> memory_of(std::int64_t bytes) {
  return std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))]);
}

void pack(const void* elements, std::int64_t count, const MpiType& type, std::byte* packed) {
  if (const auto layout = layout_of(count, type)) {
    return visit_pieces(layout->size(),
                        [&](const PackedRange& piece) { layout->pack(elements, piece, packed + piece.begin); });
  }
  const std::int64_t most = elements_at_once(type);
  for (std::int64_t k = 0; k < count; k += most) {
    const auto n = static_cast<int>(std::min(most, count - k));
    int position = 0;
    auto* const from = static_cast<std::byte*>(const_cast<void*>(elements)) + k * type.extent;
    const Reckoned part(from, n, type);
    if (is_long(type)) {
      send_to_itself(part.elements(), part.type(), packed + k * type.size, LongBytes(type.size).type());
      continue;
    }
    PMPI_Pack(part.elements(), part.count(), part.type(), packed + k * type.size, static_cast<int>(n * type.size),
              &position, quiet_self());
  }
}

void unpack(const std::byte* packed, std::int64_t count, const MpiType& type, void* elements) {
  if (const auto layout = layout_of(count, type)) {
    return visit_pieces(layout->size(),
                        [&](const PackedRange& piece) { layout->unpack(packed + piece.begin, piece, elements); });
  }
  const std::int64_t most = elements_at_once(type);
  for (std::int64_t k = 0; k < count; k += most) {
    const auto n = static_cast<int>(std::min(most, count - k));
    int position = 0;
    const Reckoned part(static_cast<std::byte*>(elements) + k * type.extent, n, type);
    if (is_long(type)) {
      send_to_itself(packed + k * type.size, LongBytes(type.size).type(), part.elements(), part.type());
      continue;
    }
    PMPI_Unpack(packed + k * type.size, static_cast<int>(n * type.size), &position, part.elements(), part.count(),
                part.type(), quiet_self());
  }
}

PackedInput::PackedInput(const void* elements, std::int64_t count, const MpiType& type)
    : data_(static_cast<const std::byte*>(elements)), bytes_(count * type.size) {
  if (!type.is_plain) *this = copy_of(elements, count, type);
}

PackedInput PackedInput::copy_of(const void* elements, std::int64_t count, const MpiType& type) {
  PackedInput copy;
  copy.bytes_ = count * type.size;
  copy.packed_ = memory_of(copy.bytes_);
  copy.data_ = copy.packed_.get();
  if (type.is_plain) {
    if (count > 0) std::memcpy(copy.packed_.get(), elements, static_cast<std::size_t>(copy.bytes_));
  } else {
    pack(elements, count, type, copy.packed_.get());
  }
  return copy;
}

PackedOutput::PackedOutput(void* elements, std::int64_t count, const MpiType& type, bool is_apart)
    : elements_(elements), count_(count), type_(type), data_(static_cast<std::byte*>(elements)) {
  if (type.is_plain && !is_apart) return;
  packed_ = memory_of(count * type.size);
  data_ = packed_.get();
}

int PackedOutput::finished(int code) const {
  if (packed_ == nullptr || code != MPI_SUCCESS || count_ == 0) return code;
  if (type_.is_plain) {
    std::memcpy(elements_, packed_.get(), static_cast<std::size_t>(count_ * type_.size));
  } else {
    unpack(packed_.get(), count_, type_, elements_);
  }
  return code;
}

}  // namespace tutti::interpose
