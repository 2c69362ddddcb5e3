#include "predict/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"

namespace tutti {
namespace {

struct TransportRow {
  std::string_view name;
  const MachineCosts* costs;
};
constexpr std::array<TransportRow, all_transports.size()> rows{{{"threads", &threads_costs},
                                                                {"processes", &processes_costs},
                                                                {"system-copies", &system_copies_costs},
                                                                {"mpi", &mpi_costs}}};

const TransportRow& row_of(Transport transport) { return rows[static_cast<std::size_t>(transport)]; }

}  // namespace

std::string_view name_of(Transport transport) { return row_of(transport).name; }

Transport parse_transport(std::string_view name) {
  std::array<std::string_view, rows.size()> names;
  std::transform(rows.begin(), rows.end(), names.begin(), [](const TransportRow& row) { return row.name; });
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return all_transports[static_cast<std::size_t>(found - names.begin())];
  fail(ErrorCode::invalid_argument, "there is no transport '{}'; {}", name, nearest_in_words(name, names));
}

const MachineCosts& built_in_costs(Transport transport) { return *row_of(transport).costs; }

Profile::Profile() {
  for (const Transport transport : all_transports) {
    costs[transport] = on_shared_cores[transport] = built_in_costs(transport);
    origins[transport] = built_in_origin;
  }
}

std::string text_of(const PlacementKey& key) {
  std::string words = fmt::format("{} on {}", name_of(key.inside), counted(key.cores, "core"));
  if (key.nodes > 1) {
    words += fmt::format(" of {} nodes, {} between them{}", key.nodes, name_of(key.between),
                         key.is_link_measured ? ", as measured when the ranks met" : "");
  }
  return words;
}

}  // namespace tutti
