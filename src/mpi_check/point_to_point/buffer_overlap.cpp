#include "mpi_check/point_to_point/buffer_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {
namespace {

/// 0 where the type has holes.
std::int64_t length_of(const BufferRegion& region) {
  if (region.count <= 0 || region.type == MPI_DATATYPE_NULL) return 0;
  const MpiType type = type_of(region.type);
  return type.is_plain ? region.count * type.size : 0;
}

}  // namespace

std::int64_t bytes_in_common(const BufferRegion& one, const BufferRegion& other) {
  if (one.at == nullptr || other.at == nullptr) return 0;
  const auto begin_of = [](const BufferRegion& region) { return reinterpret_cast<std::intptr_t>(region.at); };
  const std::int64_t begin = std::max(begin_of(one), begin_of(other));
  const std::int64_t end = std::min(begin_of(one) + length_of(one), begin_of(other) + length_of(other));
  return std::max(end - begin, std::int64_t{0});
}

Error overlap(std::string_view call, int rank, std::int64_t bytes, std::string_view remedy) {
  return Error(ErrorCode::invalid_argument,
               fmt::format("{}: what rank {} sends and what it receives have {} in common; MPI wants them apart{}",
                           call, rank, counted(bytes, "byte"), remedy));
}

}  // namespace tutti::interpose
