#include "interpose/mpi/beginning.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/units.hpp"
#include "interpose/mpi/quiet_world.hpp"

namespace tutti::interpose {
namespace {

const char* name_of(MPI_Op op) {
  const std::pair<MPI_Op, const char*> known[] = {
      {MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"}, {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
      {MPI_LAND, "MPI_LAND"}, {MPI_LOR, "MPI_LOR"},   {MPI_LXOR, "MPI_LXOR"},     {MPI_BAND, "MPI_BAND"},
      {MPI_BOR, "MPI_BOR"},   {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"}};
  for (const auto& [each, name] : known) {
    if (each == op) return name;
  }
  return "an operator of the program's";
}

/// Nothing where MPI has something to say against the type.
std::optional<MPI_Count> bytes_of(const Amount::Elements& elements) {
  const QuietWorld quiet;
  MPI_Count size = 0;
  const bool is_known = elements.type != MPI_DATATYPE_NULL && PMPI_Type_size_x(elements.type, &size) == MPI_SUCCESS;
  return is_known && size >= 0 ? std::optional(elements.count * size) : std::nullopt;
}

}  // namespace

std::string words_of(const char* function, const Needed& needed, const Amount& amount, int rank) {
  const bool has_root = needed.of == Needed::Of::root || needed.of == Needed::Of::by_root;
  std::vector<std::string> all;
  if (has_root) all.push_back(fmt::format("root {}", needed.root));
  const auto& elements = has_root && rank == needed.root ? amount.at_root : amount.elsewhere;
  if (const auto bytes = elements ? bytes_of(*elements) : std::nullopt) all.push_back(counted(*bytes, "byte"));
  if (amount.op) all.emplace_back(name_of(*amount.op));
  std::string words = function;
  // Ranks may begin the form with counts of either width.
  if (words.ends_with("_c")) words.resize(words.size() - 2);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const char* const before = k == 0 ? " with" : k + 1 == all.size() ? " and" : ",";
    words += fmt::format("{} {}", before, all[k]);
  }
  return words;
}

}  // namespace tutti::interpose
