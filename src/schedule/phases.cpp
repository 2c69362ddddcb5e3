#include "schedule/phases.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>

namespace tutti {

std::string_view phase_along(const Shape& grid, int dimension) {
  static constexpr std::array<std::string_view, 8> many{"dimension 0", "dimension 1", "dimension 2", "dimension 3",
                                                        "dimension 4", "dimension 5", "dimension 6", "dimension 7"};
  if (grid.dimensions() == 1) return {};
  if (grid.dimensions() == 2) return dimension == 1 ? "rows" : "columns";
  return static_cast<std::size_t>(dimension) < many.size() ? many[static_cast<std::size_t>(dimension)] : "";
}

namespace {

constexpr std::string_view inside = " inside nodes";
constexpr std::string_view between = " between nodes";

// A name that lasts as long as the program runs.
std::string_view kept(std::string_view collective, std::string_view where) {
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> all;
    const auto add = [&](std::string_view what) {
      for (const std::string_view place : {std::string_view(), inside, between})
        all.insert(std::string(what) + std::string(place));
    };
    for (const Collective each : all_collectives()) add(name_of(each));
    for (const std::string_view half : {"arrival", "release"}) add(half);
    return all;
  }();
  return *names.find(std::string(collective) + std::string(where));
}

}  // namespace

std::string_view phase_inside(Collective collective, bool first) {
  if (collective != Collective::barrier) return kept(name_of(collective), inside);
  return kept(first ? "arrival" : "release", inside);
}

std::string_view phase_between(Collective collective) { return kept(name_of(collective), between); }

std::string_view dual_phase(std::string_view name) {
  for (const Collective collective : all_collectives()) {
    const auto dual = dual_of(collective);
    if (!dual) continue;
    for (const std::string_view where : {std::string_view(), inside, between}) {
      if (name == kept(name_of(collective), where)) return kept(name_of(*dual), where);
    }
  }
  return name;
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
