#include "interpose/mpi/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "interpose/mpi/types.hpp"

namespace tutti::interpose {
namespace {

/// 0 where the type has holes.
std::int64_t length_of(const Region& region) {
  if (region.count <= 0 || region.type == MPI_DATATYPE_NULL) return 0;
  const Type type = type_of(region.type);
  return type.is_plain ? region.count * type.size : 0;
}

}  // namespace

std::int64_t bytes_in_common(const Region& one, const Region& other) {
  if (one.at == nullptr || other.at == nullptr) return 0;
  const auto begin_of = [](const Region& region) { return reinterpret_cast<std::intptr_t>(region.at); };
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
