#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "app/command_line/platform.hpp"
#include "app/commands/subcommands.hpp"
#include "base/text/split.hpp"
#include "kernels/dispatch.hpp"
#include "predict/profile/profile.hpp"
#include "transport/library_places.hpp"

namespace tutti::app {
namespace {

// MPI that tutti may have been built for.
struct Mpi {
  std::string_view flavor;
  std::string_view name;
};

constexpr Mpi mpis[] = {{"openmpi", "Open MPI"}, {"mpich", "MPICH"}};

// "openmpi 4.1.4,mpich 4.0.2": version with which the plugin of that flavor was built; empty where none was.
std::string version_of(std::string_view flavor) {
  for (const std::string_view built : split(TUTTI_BUILT_MPIS, ',')) {
    if (built.starts_with(flavor)) return std::string(built.substr(flavor.size()));
  }
  return {};
}

std::string mpis_found() {
  std::vector<std::string> found;
  for (const Mpi& mpi : mpis) {
    if (!runtime::library_beside(fmt::format("libtutti-{}.so", mpi.flavor)).empty())
      found.push_back(fmt::format("{}{}", mpi.name, version_of(mpi.flavor)));
  }
  return found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", "));
}

std::string transports() {
  std::vector<std::string_view> names;
  for (const Transport transport : all_transports) names.push_back(name_of(transport));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string kernels() {
  const std::int64_t sets = runtime::instruction_sets();
  if ((sets & HWY_AVX3) != 0) return "kernels for AVX-512";
  if ((sets & HWY_AVX2) != 0) return "kernels for AVX2";
  return (sets & HWY_SSSE3) != 0 ? "kernels for SSSE3" : "kernels for every processor";
}

std::string features() {
  std::string words = kernels();
  if (!runtime::library_beside("libtutti-heap.so").empty()) words += ", a heap that ranks share";
  if (run_program({"rsvg-convert", "--version"})) words += ", PDF and PNG by rsvg-convert";
  return words;
}

}  // namespace

const bool has_runtime = true;

std::string facts_of_build() {
  return fmt::format("Compiler   {}\nMPIs       {}\nTransports {}\nFeatures   {}", TUTTI_COMPILER_NAME, mpis_found(),
                     transports(), features());
}

}  // namespace tutti::app
