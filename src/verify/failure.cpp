#include "verify/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.hpp"

namespace tutti {
namespace {

constexpr std::array<std::string_view, 10> kind_names{
    "malformed",     "deadlock",       "unmatched",     "size-mismatch", "conflict",
    "uninitialized", "wrong-operands", "counted-twice", "wrong-result",  "not-identical",
};

}  // namespace

std::string_view name_of(ProofFailure::Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string describe(const ProofFailure& failure) {
  std::string where;
  if (failure.rank >= 0) where += fmt::format("rank {}, ", failure.rank);
  if (failure.rank >= 0) where += failure.step >= 0 ? fmt::format("step {}", failure.step) : std::string("at the end");
  if (!failure.slice.empty()) where += (where.empty() ? "" : ", ") + failure.slice;
  return fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", name_of(failure.kind), failure.reason);
}

}  // namespace tutti

namespace tutti::proof {

const Op& op_at(const Schedule& schedule, OpPosition place) {
  return schedule.programs[static_cast<std::size_t>(place.rank)].ops[place.op];
}

int step_of(const Schedule& schedule, OpPosition place) {
  const auto& ops = schedule.programs[static_cast<std::size_t>(place.rank)].ops;
  const auto at = ops.begin() + static_cast<std::ptrdiff_t>(place.op);
  return 1 + static_cast<int>(std::count_if(ops.begin(), at, [](const Op& op) { return op.ends_step; }));
}

ProofFailure failure_at(const Schedule& schedule, OpPosition place, ProofFailure::Kind kind, Slices slices,
                        std::string reason) {
  return {.kind = kind,
          .rank = place.rank,
          .step = step_of(schedule, place),
          .slice = text_of(slices),
          .reason = std::move(reason)};
}

std::string elements_text(std::int64_t count) { return counted(count, "element"); }

}  // namespace tutti::proof
