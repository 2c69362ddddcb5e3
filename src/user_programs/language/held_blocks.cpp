#include "user_programs/language/held_blocks.hpp"

#include <fmt/format.h>

namespace tutti::language {
namespace {

bool has_one_input(Collective collective) {
  switch (collective) {
    case Collective::scatter:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return false;
    default:
      return true;
  }
}

bool labels_by_rank(Collective collective) {
  return collective == Collective::all_gather || collective == Collective::gather;
}

// Returns the value of the block in words: as the program says, or named after its rank.
Term term_of(const Code& code, int rank, std::int64_t block) {
  const std::string& name = code.names[static_cast<std::size_t>(code.computes->input)];
  if (block >= 0)
    return Term::of(code.computes->collective == Collective::all_to_all ? fmt::format("{{{},{}}}", rank, block)
                                                                        : fmt::format("{}[{}]", name, block));
  if (!code.values.empty()) return Term::of(code.values[static_cast<std::size_t>(rank)]);
  return Term::of(fmt::format("{}{}", name, rank));
}

}  // namespace

bool has_one_output(Collective collective) {
  return !labels_by_rank(collective) && collective != Collective::all_to_all;
}

HeldBlocks inputs_of(const Code& code, const RunShape& shape, int rank) {
  if (rank >= shape.real) return {};
  const Collective collective = shape.problem.collective;
  const bool from_root = collective == Collective::broadcast || collective == Collective::scatter;
  if (from_root && rank != shape.problem.root) return {};
  if (has_one_input(collective)) {
    const Buffer buffer = collective == Collective::broadcast ? Buffer::output : Buffer::input;
    const BlockLabel label{labels_by_rank(collective) ? rank : 0};
    return {{label, {{buffer, 0, shape.bytes}, term_of(code, rank, -1)}}};
  }
  HeldBlocks blocks;
  for (int block = 0; block < shape.real; ++block) {
    const BlockLabel label = code.computes->pairs ? BlockLabel{rank, block} : BlockLabel{block};
    blocks[label] = {{Buffer::input, block * shape.bytes, shape.bytes}, term_of(code, rank, block)};
  }
  return blocks;
}

std::optional<Slice> only_output(const RunShape& shape, int rank) {
  if (rank >= shape.real || buffer_size(shape.problem, rank, Buffer::output) == 0) return std::nullopt;
  return Slice{Buffer::output, 0, shape.bytes};
}

std::optional<Slice> output_place(const Code& code, const RunShape& shape, int rank, const BlockLabel& label) {
  const Collective collective = shape.problem.collective;
  if (has_one_output(collective)) return label == BlockLabel{} ? only_output(shape, rank) : std::nullopt;
  const bool named = code.computes->pairs ? label.second == rank : label.second < 0;
  const bool due = rank < shape.real && (collective != Collective::gather || rank == shape.problem.root);
  if (!named || !due || label.first < 0 || label.first >= shape.real) return std::nullopt;
  return Slice{Buffer::output, label.first * shape.bytes, shape.bytes};
}

}  // namespace tutti::language
