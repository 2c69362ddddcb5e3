#include "draw/book/block_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "draw/steps/symbolic_run.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "schedule/record/phases.hpp"

namespace tutti::draw {
namespace {

constexpr double matrix_letters = 11;
constexpr double cell_height = 17;
constexpr double cell_padding = 8;
constexpr double head = 44;  // breadth of the ranks' names

/// A block by its receiver and its sender.
using Block = std::pair<int, int>;
using BlockMatrix = std::vector<std::vector<Block>>;  // by rank

/// Moment between two phases.
struct PhaseEnd {
  int step = 0;  // steps that have ended
  std::string caption;
};

std::vector<Block> blocks_in(const std::vector<SymbolicContent>& contents, const Problem& problem) {
  std::set<Block> blocks;
  for (const SymbolicContent& content : contents) {
    const Blocks all = input_blocks(problem, content.ranks.front());
    for (int to = 0; to < all.size(); ++to) {
      if (all.first(to) < content.offset + content.count && content.offset < all.first(to + 1))
        blocks.emplace(to, content.ranks.front());
    }
  }
  return {blocks.begin(), blocks.end()};
}

BlockMatrix matrix_at(const SymbolicRun& run, int step, const Problem& problem) {
  BlockMatrix matrix;
  for (const std::vector<HeldState>& states : run.states) {
    const HeldState* held = &states.front();
    for (const HeldState& state : states) {
      if (state.from_step <= step) held = &state;
    }
    matrix.push_back(blocks_in(held->contents, problem));
  }
  return matrix;
}

std::vector<PhaseEnd> phase_ends(const SymbolicRun& run, const PhaseOrder& phases) {
  std::vector<PhaseEnd> ends;
  const int named = static_cast<int>(phases.names().size());
  for (int phase = 0; phase < named; ++phase) {
    int last = -1;
    for (const FramedMessage& message : run.messages) {
      if (message.phase == phase) last = std::max(last, message.step);
    }
    if (last >= 0)
      ends.push_back(
          {last + 1, fmt::format("after the phase \"{}\"", phases.names()[static_cast<std::size_t>(phase)])});
  }
  if (ends.size() > 1) return ends;
  ends.clear();
  for (int step = 1; step <= run.steps; ++step) ends.push_back({step, fmt::format("after step {}", step)});
  return ends;
}

std::string text_of(const Block& block, BlockText text) {
  return text == BlockText::pair ? fmt::format("{},{}", block.second, block.first)
                                 : fmt::format("[{},{}]", block.second, block.first);
}

FigurePart part_of(std::string caption, const BlockMatrix& matrix, const BlockMatrix& before, BlockText text) {
  double cell = 0;
  std::size_t most = 0;
  for (const std::vector<Block>& row : matrix) {
    most = std::max(most, row.size());
    for (const Block& block : row) cell = std::max(cell, width_of(text_of(block, text), matrix_letters) + cell_padding);
  }
  const PixelSize size{head + static_cast<double>(most) * cell + 1,
                       static_cast<double>(matrix.size()) * cell_height + 1};
  const auto draw = [=](Svg& svg) {
    const Stroke line{.color = "#000000", .width = 0.7};
    for (std::size_t rank = 0; rank < matrix.size(); ++rank) {
      const double top = static_cast<double>(rank) * cell_height + 0.5;
      svg.text({head - 6, top + cell_height - 5}, fmt::format("rank {}", rank),
               {.size = matrix_letters, .anchor = Anchor::end});
      for (std::size_t k = 0; k < matrix[rank].size(); ++k) {
        const Block& block = matrix[rank][k];
        const std::vector<Block>& old = before[rank];
        const bool is_new = std::find(old.begin(), old.end(), block) == old.end();
        const Point corner{head + static_cast<double>(k) * cell, top};
        svg.rectangle(corner, cell, cell_height, is_new ? "#dddddd" : "#ffffff");
        svg.polyline({corner,
                      {corner.x + cell, top},
                      {corner.x + cell, top + cell_height},
                      {corner.x, top + cell_height},
                      corner},
                     line);
        svg.text({corner.x + cell / 2, top + cell_height - 5}, text_of(block, text),
                 {.size = matrix_letters, .anchor = Anchor::middle, .color = "#000000"});
      }
    }
  };
  return {std::move(caption), size, draw};
}

}  // namespace

std::vector<FigurePart> block_matrices(const Schedule& schedule, BlockText text) {
  const PhaseOrder phases(schedule);
  const Limits limits{.ranks = schedule.problem.ranks, .first = 1, .last = 1 << 20};
  const SymbolicRun run = symbolic_run_of(schedule, limits, phases);
  BlockMatrix before = matrix_at(run, 0, schedule.problem);
  std::vector<FigurePart> parts{part_of("at the start", before, before, text)};
  for (const PhaseEnd& end : phase_ends(run, phases)) {
    BlockMatrix after = matrix_at(run, end.step, schedule.problem);
    parts.push_back(part_of(end.caption, after, before, text));
    before = std::move(after);
  }
  return parts;
}

}  // namespace tutti::draw
