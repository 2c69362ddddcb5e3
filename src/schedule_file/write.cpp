#include "schedule_file/schedule_file.hpp"

namespace tutti {
namespace {

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
