#include "base/text/table.hpp"

#include <algorithm>
#include <cstddef>

#include "base/text/split.hpp"

namespace tutti {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_folded = 16;  // letters that a folded text keeps, so that it still reads as one

// Characters, not bytes, of UTF-8 text.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_wide = byte >= 0xE3 && byte <= 0xED;  // begins a Chinese, Japanese or Korean letter
    width += (byte & 0xC0) == 0x80 ? 0 : is_wide ? 2 : 1;
  }
  return width;
}

// The blanks before a folded text's further lines: those before its first word and, where there are any, two more.
std::size_t indent_of(std::string_view text) {
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  return blanks == 0 || blanks == text.size() ? 0 : blanks + 2;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : split(text, ' ')) longest = std::max(longest, width_of(word));
  return longest + indent_of(text);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether a word may be parted before that position: behind a hyphen between letters, as in "all-to-all".
bool parts_at(std::string_view word, std::size_t at) {
  return at >= 2 && at < word.size() && word[at - 1] == '-' && is_letter(word[at - 2]) && is_letter(word[at]);
}

// The longest beginning of the word that has room, up to where it may be parted; the whole word where there is none.
std::string_view beginning_of(std::string_view word, std::size_t width) {
  if (width_of(word) <= width) return word;
  std::size_t end = width;
  while (end > 0 && !parts_at(word, end)) --end;
  return end == 0 ? word : word.substr(0, end);
}

std::size_t longest_part(std::string_view text) {
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != ' ' && !parts_at(text, at)) continue;
    longest = std::max(longest, width_of(text.substr(begin, at - begin)));
    begin = at < text.size() && text[at] == ' ' ? at + 1 : at;
  }
  return longest + indent_of(text);
}

/// Treatment of a word that is longer than a line.
enum class LongWord { is_whole, is_parted };

std::vector<std::string> lines_in(std::string_view text, int width, LongWord long_word) {
  const std::size_t room = width <= 0 ? std::string_view::npos : static_cast<std::size_t>(width);
  const std::string indent(indent_of(text), ' ');
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (long_word == LongWord::is_parted) word = beginning_of(word, room - std::min(room, indent.size()));
    std::string& line = lines.back();
    const bool continues = at > 0 && text[at - 1] != ' ';  // a word that was parted
    if (continues || !(line.empty() || width_of(line) + 1 + width_of(word) <= room)) {
      lines.push_back(indent + std::string(word));
    } else {
      if (at > 0) line += ' ';
      line += word;
    }
    at += word.size() + (at + word.size() == end ? 1 : 0);
  }
  return lines;
}

/// One table on its way to its widths.
class TableLayout {
 public:
  TableLayout(const TableRows& rows, const TableLook& look) : rows_(rows), look_(look) {
    for (const auto& row : rows) {
      natural_.resize(std::max(natural_.size(), row.size()));
      words_.resize(natural_.size());
      parts_.resize(natural_.size());
      for (std::size_t k = 0; k < row.size(); ++k) {
        natural_[k] = std::max(natural_[k], width_of(row[k]));
        words_[k] = std::max(words_[k], longest_word(row[k]));
        parts_[k] = std::max(parts_[k], longest_part(row[k]));
      }
    }
    for (std::size_t k = 0; k < words_.size(); ++k)
      least_.push_back(std::min(natural_[k], std::max(words_[k], least_folded)));
    widths_ = natural_;
    kept_.assign(natural_.size(), true);
    if (look.width > 0) fit(static_cast<std::size_t>(look.width));
  }

  std::string text() const {
    std::string text;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::string lines = lines_of(rows_[row]);
      const bool bold = row == 0 && look_.bold_heading;
      if (bold) text += "\033[1m";
      text.append(lines, 0, lines.size() - 1);
      text += bold ? "\033[0m\n" : "\n";
    }
    if (look_.where_left_out.empty() || std::find(kept_.begin(), kept_.end(), false) == kept_.end()) return text;
    for (const std::string& line : folded(look_.where_left_out, look_.width)) text += line + '\n';
    return text;
  }

 private:
  std::size_t total(const std::vector<std::size_t>& widths) const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < widths.size(); ++k) sum += kept_[k] ? widths[k] + gap : 0;
    return sum == 0 ? 0 : sum - gap;
  }

  // Columns give way until the folded texts have room, then the widest text is folded until all have; down to their
  // longest words where that suffices, or to the longest parts of words.
  void fit(std::size_t width) {
    for (const std::size_t column : look_.expendable) {
      if (total(least_) <= width) break;
      if (column < kept_.size()) kept_[column] = false;
    }
    fold(width, least_);
    if (total(words_) <= width) {
      fold(width, words_);
    } else if (total(parts_) <= width) {
      fold(width, parts_);
    }
  }

  void fold(std::size_t width, const std::vector<std::size_t>& least) {
    while (total(widths_) > width) {
      std::size_t widest = widths_.size();
      for (std::size_t k = 0; k < widths_.size(); ++k) {
        if (kept_[k] && widths_[k] > least[k] && (widest == widths_.size() || widths_[k] > widths_[widest])) widest = k;
      }
      if (widest == widths_.size()) return;
      --widths_[widest];
    }
  }

  std::string lines_of(const std::vector<std::string>& row) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool fits = width_of(row[k]) <= widths_[k];
      cells.push_back(fits ? std::vector{row[k]} : lines_in(row[k], static_cast<int>(widths_[k]), LongWord::is_parted));
      if (kept_[k]) height = std::max(height, cells.back().size());
    }
    std::string text;
    for (std::size_t at = 0; at < height; ++at) {
      std::string line;
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (!kept_[k]) continue;
        const std::string& cell = at < cells[k].size() ? cells[k][at] : empty_;
        line += cell;
        line.append(widths_[k] - std::min(widths_[k], width_of(cell)) + gap, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
    return text;
  }

  const TableRows& rows_;
  const TableLook& look_;
  const std::string empty_;
  std::vector<std::size_t> natural_;  // widths where nothing is folded
  std::vector<std::size_t> words_;    // widths of the longest words
  std::vector<std::size_t> parts_;    // widths of the longest parts of words
  std::vector<std::size_t> least_;    // widths at which all that can be folded is, and still reads as text
  std::vector<std::size_t> widths_;
  std::vector<bool> kept_;
};

}  // namespace

std::string table_of(const TableRows& rows, const TableLook& look) { return TableLayout(rows, look).text(); }

std::string table_in_parts(const TableRows& rows, const TableLook& look) {
  const auto width_of_column = [&](std::size_t column) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, column < row.size() ? width_of(row[column]) : 0);
    return widest;
  };
  std::string text;
  const std::size_t columns = rows.front().size();
  for (std::size_t begin = 1; text.empty() || begin < columns;) {
    std::size_t end = begin;
    for (std::size_t width = width_of_column(0); end < columns; ++end) {
      width += gap + width_of_column(end);
      if (look.width > 0 && width > static_cast<std::size_t>(look.width) && end > begin) break;
    }
    TableRows part;
    for (const auto& row : rows) {
      part.push_back({row.front()});
      for (std::size_t k = begin; k < std::min(end, row.size()); ++k) part.back().push_back(row[k]);
    }
    if (!text.empty()) text += '\n';
    text += table_of(part, look);
    begin = end;
  }
  return text;
}

std::vector<std::string> folded(std::string_view text, int width) { return lines_in(text, width, LongWord::is_whole); }

}  // namespace tutti
