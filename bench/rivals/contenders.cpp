#include "bench/rivals/contenders.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::bench {
namespace {

// The rivals lie beside this program.
std::filesystem::path folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

std::string_view program_of(Contender contender) {
  switch (contender) {
    case Contender::open_mpi:
      return "rival_openmpi";
    case Contender::mpich:
      return "rival_mpich";
    case Contender::gloo:
      return "rival_gloo";
    default:
      return "rival_tutti";
  }
}

// Everything before the words that all programs take.
std::string launch(Contender contender, int ranks, const std::string& program) {
  switch (contender) {
    case Contender::tutti_processes:
      return fmt::format("{} run -n {} {} processes", TUTTI_COMMAND, ranks, program);
    case Contender::tutti_threads:
      return fmt::format("{} threads {}", program, ranks);
    case Contender::open_mpi:
      // Open MPI runs as root only when told so, twice.
      return fmt::format("{}mpirun.openmpi --oversubscribe --bind-to none -n {} {}",
                         geteuid() == 0 ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 " : "", ranks,
                         program);
    case Contender::mpich:
      return fmt::format("mpirun.mpich -n {} {}", ranks, program);
    case Contender::gloo:
      return fmt::format("{} {}", program, ranks);
  }
  return {};
}

}  // namespace

std::string_view title_of(Contender contender) {
  switch (contender) {
    case Contender::tutti_processes:
      return "tutti, processes";
    case Contender::tutti_threads:
      return "tutti, threads";
    case Contender::open_mpi:
      return "Open MPI";
    case Contender::mpich:
      return "MPICH";
    case Contender::gloo:
      return "Gloo";
  }
  return {};
}

std::string Task::command() const {
  const std::filesystem::path program = folder() / program_of(contender);
  if (!std::filesystem::exists(program)) return {};
  return fmt::format("{} {} {} {}{}", launch(contender, ranks, program.string()), name_of(collective),
                     fmt::join(sizes, ","), seconds, single ? " single" : "");
}

std::map<std::int64_t, Medians> run(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  require(pipe != nullptr, "a shell cannot be started");
  std::map<std::int64_t, Medians> figures;
  bool understood = true;
  char line[512];
  while (std::fgets(line, sizeof line, pipe)) {
    const auto row = nlohmann::json::parse(line, nullptr, false);
    if (row.is_object() && row.contains("bytes") && row.contains("median_us") && row.contains("warm_us")) {
      figures[row["bytes"].get<std::int64_t>()] = {row["median_us"].get<double>(), row["warm_us"].get<double>(),
                                                   row["least_us"].get<double>(), std::nullopt};
      if (row.contains("fresh_us") && row["fresh_us"].is_number())
        figures[row["bytes"].get<std::int64_t>()].fresh = row["fresh_us"].get<double>();
    } else {
      understood = false;
    }
  }
  const int status = pclose(pipe);
  if (status != 0 || !understood) fail(ErrorCode::peer_failed, "this command failed: {}", command);
  return figures;
}

}  // namespace tutti::bench
