#include "schedule_file/schedule_file.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>

#include "base/check.hpp"
#include "base/text/json.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/one_line.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti {
namespace {

using nlohmann::json;

constexpr int version = 1;
constexpr std::size_t most_values = std::size_t{1} << 23;
constexpr int most_ranks = 1 << 16;
constexpr std::int64_t most_elements = std::int64_t{1} << 53;

/// Reads a document; errors say in whose step something is wrong.
class ScheduleReader {
 public:
  explicit ScheduleReader(const std::string& name) : place_(name) {}

  Schedule read(const json& document) {
    require(document.is_object() && document.contains("tutti_schedule"),
            "{}: this is no schedule: it has no field \"tutti_schedule\"", place_);
    require(document["tutti_schedule"] == version, "{}: schedules of version {} are read, not of version {}", place_,
            version, document["tutti_schedule"].dump());
    known_fields(document, {"tutti_schedule", "collective", "ranks", "count", "counts", "extra", "root", "distance",
                            "commutative", "in_place", "operations"});
    Schedule schedule{.problem = problem_of(document), .programs = {}};
    const json& programs = list(document, "operations");
    require(programs.size() == static_cast<std::size_t>(schedule.problem.ranks),
            "{}: \"operations\" has lists for {}, not for {}", place_,
            counted(static_cast<std::int64_t>(programs.size()), "rank"), schedule.problem.ranks);
    const std::string file = place_;
    for (std::size_t rank = 0; rank < programs.size(); ++rank) {
      place_ = fmt::format("{}: rank {}", file, rank);
      schedule.programs.push_back(program_of(programs[rank]));
    }
    return schedule;
  }

 private:
  [[noreturn]] void refuse(const json& found, std::string_view wanted) const {
    constexpr std::size_t most_quoted = 80;
    fail(ErrorCode::invalid_argument, "{}: {}, not {}", place_, wanted, shortened(found.dump(), most_quoted));
  }

  void known_fields(const json& object, std::initializer_list<std::string_view> names) const {
    for (const auto& [key, value] : object.items()) {
      if (std::find(names.begin(), names.end(), key) != names.end()) continue;
      fail(ErrorCode::invalid_argument, "{}: there is no field \"{}\"; {}", place_, key,
           nearest_in_words(key, std::vector<std::string_view>(names)));
    }
  }

  const json& list(const json& object, const char* key) const {
    require(object.contains(key) && object[key].is_array(), "{}: a list \"{}\" is needed", place_, key);
    return object[key];
  }

  std::int64_t number(const json& object, const char* key, std::int64_t least, std::int64_t most) const {
    require(object.contains(key) && object[key].is_number(), "{}: a number \"{}\" is needed", place_, key);
    const json& given = object[key];
    const bool fits =
        given.is_number_integer() &&
        (!given.is_number_unsigned() || given.get<std::uint64_t>() <= static_cast<std::uint64_t>(most_elements));
    const std::int64_t value = fits ? given.get<std::int64_t>() : most_elements + 1;
    if (value < least || value > most)
      fail(ErrorCode::invalid_argument, "{}: \"{}\" is {}, not one of {} to {}", place_, key, given.dump(), least,
           most);
    return value;
  }

  std::int64_t number_or(const json& object, const char* key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const {
    return object.contains(key) ? number(object, key, least, most) : otherwise;
  }

  bool truth_or(const json& object, const char* key, bool otherwise) const {
    if (!object.contains(key)) return otherwise;
    if (!object[key].is_boolean()) refuse(object[key], fmt::format("\"{}\" is true or false", key));
    return object[key].get<bool>();
  }

  std::string word(const json& object, const char* key) const {
    require(object.contains(key) && object[key].is_string(), "{}: a word \"{}\" is needed", place_, key);
    return object[key].get<std::string>();
  }

  // The value of an enumeration that has that name.
  template <typename Value, std::size_t n>
  Value named(const json& object, const char* key, const std::array<Value, n>& values) const {
    const std::string name = word(object, key);
    std::vector<std::string_view> names;
    for (const Value value : values) {
      if (name_of(value) == name) return value;
      names.push_back(name_of(value));
    }
    fail(ErrorCode::invalid_argument, "{}: there is no {} '{}'; {}", place_, key, name, nearest_in_words(name, names));
  }

  Problem problem_of(const json& document) const {
    Problem problem;
    const std::string collective = word(document, "collective");
    const auto known = collective_called(collective);
    require(known.has_value(), "{}: {}", place_, no_collective(collective));
    problem.collective = *known;
    problem.ranks = static_cast<int>(number(document, "ranks", 1, most_ranks));
    problem.count = number_or(document, "count", 0, 0, most_elements);
    problem.extra = number_or(document, "extra", 0, 0, problem.ranks);
    problem.root = static_cast<int>(number_or(document, "root", 0, 0, problem.ranks - 1));
    constexpr int far = std::numeric_limits<int>::max();
    problem.distance = static_cast<int>(number_or(document, "distance", 0, -far, far));
    problem.commutative = truth_or(document, "commutative", true);
    problem.in_place = truth_or(document, "in_place", false);
    if (document.contains("counts")) {
      for (const json& each : list(document, "counts"))
        problem.counts.push_back(number({{"counts", each}}, "counts", 0, most_elements));
    }
    check_in_file(problem, place_);
    const std::string_view name = name_of(problem.collective);
    require(has_root(problem.collective) || problem.root == 0, "{}: {} has no root; leave \"root\" out", place_, name);
    require(problem.collective == Collective::shift || problem.distance == 0,
            "{}: {} goes no distance; leave \"distance\" out", place_, name);
    require(problem.collective != Collective::barrier || problem.count == 0,
            "{}: a barrier moves no data; leave \"count\" out", place_);
    return problem;
  }

  Program program_of(const json& steps) {
    if (!steps.is_array()) refuse(steps, "a list of steps is needed");
    Program program;
    const std::string rank = place_;
    for (std::size_t step = 0; step < steps.size(); ++step) {
      place_ = fmt::format("{}, step {}", rank, step + 1);
      require(steps[step].is_array() && !steps[step].empty(), "{}: a list of operations is needed", place_);
      for (const json& op : steps[step]) add(program, op);
      require(!program.ops[program.ops.size() - steps[step].size()].chained,
              "{}: its first operation has none before it to be chained to", place_);
      program.ops.back().ends_step = true;
    }
    return program;
  }

  void add(Program& program, const json& fields) {
    if (!fields.is_object()) refuse(fields, "an operation is an object");
    known_fields(fields, {"kind", "peer", "slices", "operand", "second", "received_first", "chained"});
    constexpr std::array kinds{OpKind::send, OpKind::receive, OpKind::receive_reduce, OpKind::copy, OpKind::reduce};
    Op op{.kind = named(fields, "kind", kinds)};
    const bool has_operand = op.kind != OpKind::send && op.kind != OpKind::receive;
    const auto takes = [&](const char* key, bool taken) {
      require(taken || !fields.contains(key), "{}: a {} has no \"{}\"; leave it out", place_, name_of(op.kind), key);
      return taken;
    };
    if (takes("peer", op.communicates()))
      op.peer = static_cast<std::int32_t>(number(fields, "peer", 0, most_ranks - 1));
    takes("received_first", op.kind == OpKind::receive_reduce);
    const bool received_first = truth_or(fields, "received_first", false);
    op.side = received_first ? Side::received_first : Side::mine_first;
    op.chained = truth_or(fields, "chained", false);
    op.at = static_cast<std::uint32_t>(program.pool.size());
    op.slices = pour(program, list(fields, "slices"));
    if (takes("operand", has_operand)) op.operand = pour(program, list(fields, "operand"));
    if (takes("second", op.kind == OpKind::reduce)) op.second = pour(program, list(fields, "second"));
    program.ops.push_back(op);
  }

  std::uint32_t pour(Program& program, const json& slices) {
    constexpr std::array buffers{Buffer::input, Buffer::output, Buffer::scratch};
    for (const json& fields : slices) {
      if (!fields.is_object()) refuse(fields, "a slice is an object");
      known_fields(fields, {"buffer", "first", "count"});
      Slice slice{.buffer = named(fields, "buffer", buffers)};
      slice.first = number(fields, "first", 0, most_elements);
      slice.count = number(fields, "count", 0, most_elements);
      require(slice.count <= left_,
              "{}: its operations and those before have more than 2^62 elements in all; give them fewer", place_);
      left_ -= slice.count;
      if (slice.buffer == Buffer::scratch) program.scratch = std::max(program.scratch, slice.end());
      program.pool.push_back(slice);
    }
    return static_cast<std::uint32_t>(slices.size());
  }

  std::int64_t left_ =
      std::int64_t{1} << 62;  // elements of all slices that are still allowed, so that their sum does not overflow
  std::string place_;         // place that is being read: the file, and in it a rank and its step
};

using Json = nlohmann::ordered_json;

nlohmann::json slices_json(std::span<const Slice> slices) {
  nlohmann::json list = nlohmann::json::array();
  for (const Slice& slice : slices)
    list.push_back({{"buffer", name_of(slice.buffer)}, {"first", slice.first}, {"count", slice.count}});
  return list;
}

nlohmann::json operation_json(const Program& program, const Op& op) {
  nlohmann::json fields{{"kind", name_of(op.kind)}};
  if (op.communicates()) fields["peer"] = op.peer;
  fields["slices"] = slices_json(program.slices(op));
  if (op.operand > 0) fields["operand"] = slices_json(program.operand(op));
  if (op.second > 0) fields["second"] = slices_json(program.second(op));
  if (op.kind == OpKind::receive_reduce) fields["received_first"] = op.side == Side::received_first;
  if (op.chained) fields["chained"] = true;
  return fields;
}

}  // namespace

Schedule read_schedule(std::string_view text, const std::string& name) {
  return ScheduleReader(name).read(read_json(text, name, {.depth = 8, .values = most_values}));
}

nlohmann::json operations_json(const Program& program) {
  nlohmann::json steps = nlohmann::json::array();
  for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
    nlohmann::json step = nlohmann::json::array();
    for (std::size_t k = begin; k < program.step_end(begin); ++k)
      step.push_back(operation_json(program, program.ops[k]));
    steps.push_back(step);
  }
  return steps;
}

// A line an operation: files of that kind are read by people, too, and compared.
std::string file_of(const Schedule& schedule) {
  const Problem& problem = schedule.problem;
  Json fields{{"tutti_schedule", 1},
              {"collective", name_of(problem.collective)},
              {"ranks", problem.ranks},
              {"count", problem.count}};
  if (!problem.counts.empty()) fields["counts"] = problem.counts;
  if (problem.extra > 0) fields["extra"] = problem.extra;
  if (has_root(problem.collective)) fields["root"] = problem.root;
  if (problem.collective == Collective::shift) fields["distance"] = problem.distance;
  if (!problem.commutative) fields["commutative"] = false;
  if (problem.in_place) fields["in_place"] = true;
  std::string text = fields.dump();
  text.back() = ',';
  text += "\n \"operations\": [";
  for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
    text += rank == 0 ? "\n  [" : ",\n  [";
    const nlohmann::json steps = operations_json(schedule.programs[rank]);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      text += step == 0 ? "[" : ",\n   [";
      for (std::size_t op = 0; op < steps[step].size(); ++op)
        text += (op == 0 ? "" : ",\n    ") + steps[step][op].dump();
      text += "]";
    }
    text += "]";
  }
  return text + "\n ]}\n";
}

}  // namespace tutti
