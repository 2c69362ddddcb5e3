#include "mpi_job/process/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "base/system/environment.hpp"
#include "base/system/tell_user.hpp"
#include "runtime/settings.hpp"
#include "schedule/model/planning.hpp"
#include "transport/late_after.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {
namespace {

constexpr Collective with_algorithms[] = {
    Collective::broadcast,      Collective::reduce,     Collective::all_reduce, Collective::scan,
    Collective::exclusive_scan, Collective::scatter,    Collective::gather,     Collective::all_gather,
    Collective::reduce_scatter, Collective::all_to_all, Collective::barrier};

struct Switch {
  const char* name;
  const char* standard;  ///< the default
};
constexpr Switch switches[] = {{"TUTTI_MPI", "1"},
                               {"TUTTI_MPI_CHECK", "0"},
                               {"TUTTI_MPI_MEASURE", "0"},
                               {"TUTTI_EXPLAIN", "0"},
                               {"TUTTI_PEER_READS", "1"}};

void drop(const std::string& name, const std::string& why, std::string_view standard, bool is_told) {
  if (is_told) tell_user("tutti: {}; the default holds: {}\n", why, standard);
  unsetenv(name.c_str());
}

/// The sentence of the error that `use` throws; empty: it throws none.
std::string error_of(const std::function<void()>& use) {
  try {
    use();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

std::string_view setting(const char* name) {
  const char* const text = environment_variable(name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

bool is_checked() {
  static const bool checked = is_set("TUTTI_MPI_CHECK");
  return checked;
}

void drop_nonsense(bool is_told) {
  for (const auto& [name, standard] : switches) {
    const std::string_view value = setting(name);
    if (!value.empty() && value != "0" && value != "1")
      drop(name, fmt::format("{} is 0 or 1, not \"{}\"", name, value), standard, is_told);
  }
  if (const std::string wrong = error_of([] { runtime::timeout_of({}); }); !wrong.empty())
    drop("TUTTI_TIMEOUT", wrong, "no limit", is_told);
  if (const std::string wrong = error_of([] { runtime::late_after(); }); !wrong.empty())
    drop("TUTTI_LATE_AFTER", wrong, "30 s", is_told);
  if (const std::string wrong = error_of([] { runtime::planning_in_environment(); }); !wrong.empty())
    drop("TUTTI_PLAN", wrong, name_of(runtime::default_planning), is_told);
}

void drop_trace(bool is_told) {
  if (setting("TUTTI_TRACE").empty()) return;
  drop("TUTTI_TRACE", "TUTTI_TRACE traces no program that asks for MPI_THREAD_MULTIPLE", "no trace", is_told);
}

void drop_unknown_algorithms(const Communicator& ranks, bool is_told) {
  for (const Collective collective : with_algorithms) {
    const std::string name = algorithm_variable(collective);
    if (setting(name.c_str()).empty()) continue;
    const std::string wrong = error_of([&] { static_cast<void>(ranks.algorithm_of(collective, 1, 8)); });
    if (!wrong.empty()) drop(name, wrong, "the cheapest by prediction", is_told);
  }
}

}  // namespace tutti::interpose
