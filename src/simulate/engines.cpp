#include "simulate/engines.hpp"

#include <fmt/format.h>

#include <string>

#include "base/check.hpp"

namespace tutti {

double combining_time(const Machine& machine, const SimulationOptions& options, int rank, std::int64_t bytes) {
  const double slowness = options.skew.empty() ? 1 : options.skew[static_cast<std::size_t>(rank)].slowness;
  return static_cast<double>(bytes) * machine.tc * slowness;
}

void refuse_stall(const Ranks& ranks) {
  constexpr std::size_t named = 8;
  const std::vector<int> waiting = ranks.waiting();
  if (waiting.empty()) return;
  std::string who;
  for (std::size_t k = 0; k < waiting.size() && k < named; ++k) {
    who += fmt::format("{}rank {} for rank {}", k == 0 ? "" : ", ", waiting[k], ranks.awaited_by(waiting[k]));
  }
  if (waiting.size() > named) who += fmt::format(" and {} more", waiting.size() - named);
  fail(ErrorCode::unsupported, "the schedule stalls: {} wait{}: {}",
       waiting.size() == 1 ? "one rank" : fmt::format("{} ranks", waiting.size()), waiting.size() == 1 ? "s" : "", who);
}

}  // namespace tutti
