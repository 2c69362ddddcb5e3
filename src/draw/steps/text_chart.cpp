#include "draw/steps/text_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace tutti::draw {
namespace {

enum class ChartRow { heading, phase, action, holding };

struct ChartLine {
  ChartRow row = ChartRow::action;
  std::vector<std::string> cells;  // the step's name, then a cell a rank
};

// Characters, not bytes. None of those in charts is wider than one column.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Adds the text of each rank, in as many lines as the longest text has.
void add_lines(std::vector<ChartLine>& lines, ChartRow row, const std::string& name,
               const std::vector<std::vector<std::string>>& said) {
  std::size_t height = 0;
  for (const auto& words : said) height = std::max(height, words.size());
  for (std::size_t k = 0; k < height; ++k) {
    ChartLine line{row, {k == 0 ? name : ""}};
    for (const auto& words : said) line.cells.push_back(k < words.size() ? words[k] : "");
    lines.push_back(std::move(line));
  }
}

std::vector<std::vector<std::string>> actions_of(const Frame& frame, bool with_content) {
  std::vector<std::vector<std::string>> said(frame.ranks.size());
  for (const Arrow& arrow : frame.arrows) {
    const bool content = with_content && !arrow.content.empty();
    said[static_cast<std::size_t>(arrow.from)].push_back(fmt::format(
        "{}{}{}{}", content ? arrow.content : "", content ? " " : "", arrow.between_nodes ? "⇒" : "→", arrow.to));
  }
  for (const Arrow& arrow : frame.arrows)
    said[static_cast<std::size_t>(arrow.to)].push_back(
        fmt::format("{}{}", arrow.between_nodes ? "⇐" : "←", arrow.from));
  return said;
}

std::vector<std::vector<std::string>> news_of(const Frame& frame) {
  std::vector<std::vector<std::string>> said;
  for (const RankFrame& rank : frame.ranks)
    said.push_back(rank.after == rank.before ? std::vector<std::string>{} : rank.after);
  return said;
}

std::vector<ChartLine> lines_of(const ScheduleFrames& frames, bool with_content) {
  std::vector<ChartLine> lines{{ChartRow::heading, {"rank"}}};
  for (int rank = 0; rank < frames.shown_ranks; ++rank) lines[0].cells.push_back(std::to_string(rank));
  if (!frames.nodes.empty()) {
    lines.push_back({ChartRow::heading, {"node"}});
    for (const int node : frames.nodes) lines.back().cells.push_back(std::to_string(node));
  }
  std::vector<std::vector<std::string>> start;
  for (const RankFrame& rank : frames.shown.front().ranks) start.push_back(rank.before);
  add_lines(lines, ChartRow::holding, "start", start);
  std::string_view phase;
  for (std::size_t step = 0; step < frames.shown.size(); ++step) {
    if (frames.shown[step].phase != phase) {
      phase = frames.shown[step].phase;
      lines.push_back({ChartRow::phase, {phase.empty() ? "no phase:" : fmt::format("{}:", phase)}});
    }
    add_lines(lines, ChartRow::action, fmt::format("step {}", step + 1), actions_of(frames.shown[step], with_content));
    add_lines(lines, ChartRow::holding, "", news_of(frames.shown[step]));
  }
  return lines;
}

std::vector<std::size_t> widths_of(const std::vector<ChartLine>& lines) {
  std::vector<std::size_t> widths(lines.front().cells.size(), 0);
  for (const ChartLine& line : lines) {
    if (line.row == ChartRow::phase) continue;  // a phase has its line to itself
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], length_of(line.cells[k]));
  }
  return widths;
}

std::string_view escape_of(ChartRow row) {
  return row == ChartRow::heading || row == ChartRow::phase ? "\033[1m" : row == ChartRow::holding ? "\033[2m" : "";
}

constexpr std::size_t cell_gap = 2;

std::string text_of(const ChartLine& line, const std::vector<std::size_t>& widths, ChartStyle style) {
  std::string text;
  std::size_t missing = 0;
  if (line.row == ChartRow::phase) text = line.cells.front();
  for (std::size_t k = 0; k < widths.size() && line.row != ChartRow::phase; ++k) {
    if (!line.cells[k].empty()) text += std::string(missing, ' ') + line.cells[k];
    missing = (line.cells[k].empty() ? missing + widths[k] : widths[k] - length_of(line.cells[k])) + cell_gap;
  }
  const std::string_view begin = style == ChartStyle::terminal ? escape_of(line.row) : "";
  return fmt::format("{}{}{}\n", begin, text, begin.empty() ? "" : "\033[0m");
}

}  // namespace

std::optional<std::string> chart_of(const ScheduleFrames& frames, int columns, ChartStyle style) {
  if (frames.shown_ranks < frames.ranks || static_cast<int>(frames.shown.size()) < frames.steps) return std::nullopt;
  if (frames.shown.empty()) return "nothing is sent\n";
  for (const bool with_content : {true, false}) {
    const std::vector<ChartLine> lines = lines_of(frames, with_content);
    const std::vector<std::size_t> widths = widths_of(lines);
    const std::size_t width = std::accumulate(widths.begin(), widths.end(), cell_gap * (widths.size() - 1));
    if (width > static_cast<std::size_t>(columns)) continue;
    std::string text;
    for (const ChartLine& line : lines) text += text_of(line, widths, style);
    return text;
  }
  return std::nullopt;
}

}  // namespace tutti::draw
