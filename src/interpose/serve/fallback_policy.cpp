#include "interpose/serve/fallback_policy.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/text/short_file.hpp"
#include "interpose/serve/fallback_measurement.hpp"
#include "mpi_check/communicators/call_owner.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/process/settings.hpp"
#include "schedule/model/planning.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

namespace {

/// Returns the file's text. A file that nobody has named need not be there.
std::string text_of_table(const std::string& path) {
  std::error_code none;
  const bool is_named = !setting("TUTTI_MPI_TABLE").empty() && !is_set("TUTTI_MPI_MEASURE");
  if (!is_named && !std::filesystem::exists(path, none)) return {};
  try {
    return short_file(path);
  } catch (const Error& error) {
    if (job().rank == 0) say(fmt::format("TUTTI_MPI_TABLE: {}; the default holds: the built-in table", error.what()));
    return {};
  }
}

/// Whether a table may be written there: where nothing is, or a table.
bool has_place_for_table(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return true;
  try {
    return FallbackTable::is_one(short_file(path));
  } catch (const Error&) {
    return false;  // no table is that long
  }
}

}  // namespace

FallbackTable table_of_this_machine() {
  FallbackTable table = FallbackTable::built_in(TUTTI_MPI_FLAVOR);
  const std::string path = table_path(TUTTI_MPI_FLAVOR);
  const std::string text = text_of_table(path);
  if (const std::string wrong = table.read(text); !wrong.empty() && job().rank == 0) {
    say(fmt::format("{} is left out from '{}' on: {}; {}", path, wrong, FallbackTable::mistake_in(wrong),
                    FallbackTable::is_one(text) ? "TUTTI_MPI_MEASURE=1 writes it anew"
                                                : "name another file, TUTTI_MPI_TABLE=FILE"));
  }
  for (std::size_t k = 0; k < served_collectives; ++k) {
    const auto collective = static_cast<ServedCollective>(k);
    const std::string name = algorithm_variable(name_of(collective));
    if (setting(name.c_str()) != "mpi") continue;
    table.leave(collective);
    unsetenv(name.c_str());
  }
  return is_checked() ? FallbackTable() : table;
}

void measure_this_machine() {
  const std::filesystem::path path = table_path(TUTTI_MPI_FLAVOR);
  int has_place = job().rank == 0 && has_place_for_table(path) ? 1 : 0;
  PMPI_Bcast(&has_place, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (has_place == 0) {
    if (job().rank == 0)
      say(fmt::format("TUTTI_MPI_TABLE={} is no table, and stays as it is: name another file", path.string()));
    return;
  }
  FallbackTable table = std::exchange(job().table, FallbackTable());
  ServedCommunicator* const whole = state_of(MPI_COMM_WORLD);
  if (whole != nullptr && !decide(*whole, "MPI_Init") && whole->is_served()) measure(*whole, table);
  PMPI_Comm_delete_attr(MPI_COMM_WORLD, job().attribute);
  job().table = table;
  if (job().rank != 0) return;
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path);
  file << table.text();
  say(fmt::format("{} {}", path.string(), file.flush() ? "says who serves what from here on" : "cannot be written"));
}

void leave_to_tools(FallbackTable& table) {
  for (std::size_t k = 0; k < served_collectives; ++k) {
    const auto collective = static_cast<ServedCollective>(k);
    if (has_tool_behind(name_in_mpi(collective))) table.leave(collective);
  }
}

}  // namespace tutti::interpose
