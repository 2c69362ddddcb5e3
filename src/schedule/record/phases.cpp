#include "schedule/record/phases.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tutti {

std::string_view phase_along(const Shape& grid, int dimension) {
  static constexpr std::array<std::string_view, 8> many{"dimension 0", "dimension 1", "dimension 2", "dimension 3",
                                                        "dimension 4", "dimension 5", "dimension 6", "dimension 7"};
  if (grid.dimensions() == 1) return {};
  if (grid.dimensions() == 2) return dimension == 1 ? "rows" : "columns";
  return static_cast<std::size_t>(dimension) < many.size() ? many[static_cast<std::size_t>(dimension)] : "";
}

namespace {

enum class Where : std::uint8_t { anywhere, inside, between };
constexpr std::array all_places{Where::anywhere, Where::inside, Where::between};
constexpr std::array<std::string_view, 3> words{"", " inside nodes", " between nodes"};

// A name that lasts as long as the program runs.
std::string_view name_at(Collective collective, Where where) {
  static const std::vector<std::array<std::string, 3>> names = [] {
    std::vector<std::array<std::string, 3>> all(all_collectives().size());
    for (const Collective each : all_collectives()) {
      for (const Where place : all_places) {
        const auto at = static_cast<std::size_t>(place);
        all[static_cast<std::size_t>(each)][at] = std::string(name_of(each)) + std::string(words[at]);
      }
    }
    return all;
  }();
  return names[static_cast<std::size_t>(collective)][static_cast<std::size_t>(where)];
}

}  // namespace

std::string_view phase_inside(Collective collective, bool first) {
  if (collective != Collective::barrier) return name_at(collective, Where::inside);
  return first ? "arrival inside nodes" : "release inside nodes";
}

std::string_view phase_between(Collective collective) { return name_at(collective, Where::between); }

std::string_view dual_phase(std::string_view name) {
  static const std::map<std::string_view, std::string_view> duals = [] {
    std::map<std::string_view, std::string_view> all;
    for (const Collective collective : all_collectives()) {
      const auto dual = dual_of(collective);
      if (!dual) continue;
      for (const Where place : all_places) all.emplace(name_at(collective, place), name_at(*dual, place));
    }
    return all;
  }();
  const auto dual = duals.find(name);
  return dual == duals.end() ? name : dual->second;
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
