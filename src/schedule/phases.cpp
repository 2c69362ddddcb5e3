#include "schedule/phases.hpp"

#include <algorithm>
#include <array>

namespace tutti {

std::string_view phase_along(const Shape& grid, int dimension) {
  static constexpr std::array<std::string_view, 8> many{"dimension 0", "dimension 1", "dimension 2", "dimension 3",
                                                        "dimension 4", "dimension 5", "dimension 6", "dimension 7"};
  if (grid.dimensions() == 1) return {};
  if (grid.dimensions() == 2) return dimension == 1 ? "rows" : "columns";
  return static_cast<std::size_t>(dimension) < many.size() ? many[static_cast<std::size_t>(dimension)] : "";
}

PhaseOrder::PhaseOrder(const Schedule& schedule) {
  const auto shorter = [](const Program& a, const Program& b) { return a.phases.size() < b.phases.size(); };
  const auto longest = std::max_element(schedule.programs.begin(), schedule.programs.end(), shorter);
  if (longest == schedule.programs.end()) return;
  for (const PhaseMark& mark : longest->phases) names_.push_back(mark.name);
  for (const Program& program : schedule.programs) {
    marks_.emplace_back();
    auto next = names_.begin();
    for (const PhaseMark& mark : program.phases) {
      next = std::find(next, names_.end(), mark.name);
      if (next == names_.end()) {
        names_.clear();
        marks_.clear();
        return;
      }
      marks_.back().push_back({mark.op, static_cast<int>(next - names_.begin())});
      ++next;
    }
  }
}

int PhaseOrder::number_of(int rank, std::size_t op) const {
  if (names_.empty()) return -1;
  const std::vector<Mark>& marks = marks_[static_cast<std::size_t>(rank)];
  const auto after =
      std::upper_bound(marks.begin(), marks.end(), op, [](std::size_t at, const Mark& mark) { return at < mark.op; });
  return after == marks.begin() ? -1 : std::prev(after)->number;
}

}  // namespace tutti
