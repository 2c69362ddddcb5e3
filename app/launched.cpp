#include "app/launched.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/environment.hpp"
#include "transport/mpi/loader.hpp"

namespace tutti::app {

std::optional<Launched> launched() {
  if (environment_variable("TUTTI_SEGMENT") != nullptr) {
    const char* const rank = environment_variable("TUTTI_RANK");
    return Launched{"tutti run", "processes", rank != nullptr && std::string_view(rank) == "0"};
  }
  if (const auto start = runtime::mpi_start())
    return Launched{fmt::format("the mpirun of {}", start->mpi), "mpi", start->rank == "0"};
  return std::nullopt;
}

}  // namespace tutti::app
