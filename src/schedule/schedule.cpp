#include "schedule/schedule.hpp"

#include "schedule/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tutti {
namespace {

// The end of any slice, also of one in a wrong schedule that ends beyond all numbers.
std::int64_t printable_end(const Slice& slice) {
  std::int64_t end = 0;
  return __builtin_add_overflow(slice.first, slice.count, &end) ? std::numeric_limits<std::int64_t>::max() : end;
}

std::string unchained_text_of(const Program& program, const Op& op) {
  const std::string slices = text_of(program.slices(op));
  const std::string operand = text_of(program.operand(op));
  switch (op.kind) {
    case OpKind::send:
      return op.slices == 0 ? fmt::format("signal {}", op.peer) : fmt::format("send {} to {}", slices, op.peer);
    case OpKind::receive:
      return op.slices == 0 ? fmt::format("await {}", op.peer) : fmt::format("receive {} from {}", slices, op.peer);
    case OpKind::receive_reduce:
      return op.side == Side::mine_first ? fmt::format("receive {} = {} ∘ message from {}", slices, operand, op.peer)
                                         : fmt::format("receive {} = message ∘ {} from {}", slices, operand, op.peer);
    case OpKind::copy:
      return fmt::format("copy {} = {}", slices, operand);
    case OpKind::reduce:
      return fmt::format("reduce {} = {} ∘ {}", slices, operand, text_of(program.second(op)));
  }
  return "?";
}

}  // namespace

std::string_view name_of(Buffer buffer) {
  switch (buffer) {
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::scratch:
      return "scratch";
  }
  return "?";
}

std::string_view name_of(OpKind kind) {
  switch (kind) {
    case OpKind::send:
      return "send";
    case OpKind::receive:
      return "receive";
    case OpKind::receive_reduce:
      return "receive_reduce";
    case OpKind::copy:
      return "copy";
    case OpKind::reduce:
      return "reduce";
  }
  return "?";
}

std::int64_t Slices::elements() const {
  std::int64_t total = 0;
  for (const Slice& slice : view_) total += slice.count;
  return total;
}

std::size_t Program::step_end(std::size_t begin) const {
  while (begin < ops.size() && !ops[begin].ends_step) ++begin;
  return std::min(begin + 1, ops.size());
}

std::size_t Program::chain_end(std::size_t begin) const {
  ++begin;
  while (begin < ops.size() && ops[begin].chained) ++begin;
  return begin;
}

std::int64_t buffer_size(const Problem& problem, int rank, Buffer buffer) {
  const auto input = [&] { return input_blocks(problem, rank).total(); };
  const auto output = [&] { return output_blocks(problem, rank).total(); };
  switch (buffer) {
    case Buffer::input:
      return problem.in_place ? 0 : input();
    case Buffer::output:
      return problem.in_place ? std::max(input(), output()) : output();
    case Buffer::scratch:
      return 0;
  }
  return 0;
}

std::string text_of(Slices slices) {
  std::string text;
  for (const Slice& slice : slices) {
    text +=
        fmt::format("{}{}[{}..{})", text.empty() ? "" : " ", name_of(slice.buffer), slice.first, printable_end(slice));
  }
  return text;
}

std::string text_of(const Program& program, const Op& op) {
  return (op.chained ? "then " : "") + unchained_text_of(program, op);
}

std::string text_of(const Schedule& schedule) {
  std::string text = describe(schedule.problem) + "\n";
  for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank)
    text += text_of_rank(static_cast<int>(rank), schedule.programs[rank], schedule.layout);
  return text;
}

std::string text_of_rank(int rank, const Program& program, const Layout& layout) {
  const int node = layout.node_of(rank);
  const auto crossing = [&](const Op& op) {
    const bool crosses = op.communicates() && layout.node_of(op.peer) != node;
    return crosses ? fmt::format(", {} node {}", op.receives() ? "of" : "on", layout.node_of(op.peer)) : std::string();
  };
  std::string text = fmt::format("rank {}{}{}\n", rank, layout.nodes() > 1 ? fmt::format(" on node {}", node) : "",
                                 program.ops.empty() ? ": nothing to do" : "");
  int step = 1;
  auto phase = program.phases.begin();
  auto pruned = program.pruned.begin();
  for (std::size_t at = 0; at < program.ops.size(); ++step) {
    const std::size_t end = program.step_end(at);
    for (; phase != program.phases.end() && phase->op < end; ++phase) text += fmt::format("  {}\n", phase->name);
    for (std::string label = fmt::format("step {}", step); at < end; ++at, label.assign(label.size(), ' ')) {
      text += fmt::format("  {}  {}{}\n", label, text_of(program, program.ops[at]), crossing(program.ops[at]));
    }
    for (; pruned != program.pruned.end() && pruned->op < end; ++pruned)
      text += fmt::format("          no send to {}: pruned, nobody needs what it would carry\n", pruned->to);
  }
  return text;
}

}  // namespace tutti
