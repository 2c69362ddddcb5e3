#include "interpose/mpi/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "interpose/report.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {
namespace {

/// An error of MPI's with tutti's sentence, cut off where MPI's room for it ends.
int code_of(const Error& error) {
  int error_class = MPI_ERR_OTHER;
  int code = MPI_ERR_OTHER;
  if (PMPI_Add_error_class(&error_class) != MPI_SUCCESS || PMPI_Add_error_code(error_class, &code) != MPI_SUCCESS)
    return MPI_ERR_OTHER;
  std::string text = error.what();
  text.resize(std::min<std::size_t>(text.size(), MPI_MAX_ERROR_STRING - 1));
  PMPI_Add_error_string(code, text.data());
  return code;
}

/// For the report: how long this rank waits for the last one, which nothing shows but a barrier, and what is done then.
void note(Taken& on, const untyped::Call& call, CountedCall& counted) {
  on.ranks().run({.collective = Collective::barrier});
  counted.note_all_have_come();
  std::int64_t elements = std::max(call.input_size, call.output_size);
  if (call.by_counts) {
    for (const std::int64_t count : call.counts) elements = std::max(elements, count);
    counted.note_bytes(elements * call.type.size, "tutti: by counts");
    return;
  }
  const bool counts_blocks = call.collective == Collective::all_gather || call.collective == Collective::gather ||
                             call.collective == Collective::scatter || call.collective == Collective::all_to_all;
  if (counts_blocks)
    elements = elements % on.size() == 0 && call.input_size != call.output_size ? elements / on.size() : elements;
  const std::string_view algorithm = on.ranks().algorithm_of(call.collective, elements, call.type.size);
  counted.note_bytes(elements * call.type.size, fmt::format("tutti: {}", algorithm));
}

void tell(const Taken& on, const Error& error) {
  say(fmt::format("rank {} of {}: {}", on.rank(), on.size(), error.what()));
  if (is_checked()) say_where_all_are(on);
}

}  // namespace

Bytes Bytes::dividing(std::int64_t bytes) {
  // A program that is checked reads of bytes alone.
  return {is_checked() ? 1 : bytes % 64 == 0 ? 64 : bytes % 8 == 0 ? 8 : 1};
}

// Made once: a short collective takes no longer than a name's hash.
untyped::Datatype Bytes::type() const {
  static const untyped::Datatype one = untyped::type_of_bytes(1, "byte");
  static const untyped::Datatype eight = untyped::type_of_bytes(8, "8 bytes");
  static const untyped::Datatype line = untyped::type_of_bytes(64, "64 bytes");
  return unit == 64 ? line : unit == 8 ? eight : one;
}

int run(Taken& on, const untyped::Call& call) {
  const Inside inside;
  try {
    if (CountedCall* const counted = CountedCall::current()) note(on, call, *counted);
    on.ranks().run(call);
    return MPI_SUCCESS;
  } catch (const Error& error) {
    tell(on, error);
    const int code = code_of(error);
    PMPI_Comm_call_errhandler(on.handle(), code);
    return code;
  }
}

bool Blocks::are_sound() const {
  if (type_.handle == MPI_DATATYPE_NULL || !counts_.is_there() || !displacements_.is_there()) return false;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] < 0) return false;
  }
  return true;
}

void Blocks::put_counts(std::vector<std::int64_t>& bytes) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) bytes[static_cast<std::size_t>(rank)] = counts_[rank] * type_.size;
}

std::int64_t Blocks::packed_bytes() const {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < ranks_; ++rank) bytes += counts_[rank] * type_.size;
  return bytes;
}

bool Blocks::are_equal() const {
  for (int rank = 1; rank < ranks_; ++rank) {
    if (counts_[rank] != counts_[0]) return false;
  }
  return true;
}

bool Blocks::are_in_a_row() const {
  for (int rank = 1; rank < ranks_; ++rank) {
    if (displacements_[rank] != displacements_[rank - 1] + counts_[rank - 1]) return false;
  }
  return true;
}

// Displacements may be negative, and those of empty blocks anything.
Blocks::Range Blocks::range() const {
  Range range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] == 0) continue;
    const std::int64_t begin = displacements_[rank] * type_.extent;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + counts_[rank] * type_.size);
  }
  return range.begin <= range.end ? range : Range{};
}

void Blocks::put_displacements(std::vector<std::int64_t>& bytes, const Range& range) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    bytes[static_cast<std::size_t>(rank)] = counts_[rank] == 0 ? 0 : displacements_[rank] * type_.extent - range.begin;
  }
}

void Blocks::pack_all(const std::byte* buffer, std::byte* packed) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    pack(block(buffer, rank), counts_[rank], type_, packed);
    packed += counts_[rank] * type_.size;
  }
}

void Blocks::unpack_all(const std::byte* packed, std::byte* buffer) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    unpack(packed, counts_[rank], type_, block(buffer, rank));
    packed += counts_[rank] * type_.size;
  }
}

}  // namespace tutti::interpose
