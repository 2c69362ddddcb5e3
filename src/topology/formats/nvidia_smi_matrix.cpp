#include "topology/formats/nvidia_smi_matrix.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/check.hpp"
#include "base/text/text_kind.hpp"
#include "base/units.hpp"

namespace tutti::nvidia_smi {
namespace {

using Words = std::vector<std::string>;

constexpr int most_told = 1000;  // in an entry: a row's sum stays a number whatever the file says
constexpr std::size_t most_gpus = 1 << 10;

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "GPU0" of "GPU0", of "__GPU0__" and of "4mGPU0", whose escape sequence has lost its beginning; otherwise nothing.
std::string_view gpu_in(std::string_view word) {
  const auto first = word.find("GPU");
  if (first == std::string_view::npos) return {};
  std::string_view before = word.substr(0, first);
  if (before.ends_with('m') && are_digits(before.substr(0, before.size() - 1))) before = {};
  if (before.find_first_not_of('_') != std::string_view::npos) return {};
  word.remove_prefix(first);
  while (word.ends_with('_')) word.remove_suffix(1);
  return are_digits(word.substr(3)) ? word : std::string_view{};
}

std::optional<int> nvlinks_in(std::string_view entry) {
  if (!entry.starts_with("NV") || !are_digits(entry.substr(2))) return std::nullopt;
  int nvlinks = most_told + 1;
  const auto read = std::from_chars(entry.data() + 2, entry.data() + entry.size(), nvlinks);
  return read.ec == std::errc() ? nvlinks : most_told + 1;
}

std::size_t level_of(std::string_view entry) {
  const auto level = std::find(levels.begin(), levels.end(), entry == "SOC" ? levels.back() : entry);
  return static_cast<std::size_t>(level - levels.begin());
}

bool is_entry(std::string_view word) {
  return word == "X" || word == "N/A" || level_of(word) < levels.size() || nvlinks_in(word).has_value();
}

/// A row of the matrix: the words behind its GPU.
using Row = std::span<const std::string>;

// Returns how many of the words, from the first on, are entries.
std::size_t entries_of(Row row) {
  return static_cast<std::size_t>(std::find_if_not(row.begin(), row.end(), is_entry) - row.begin());
}

// The longest run of GPUs in the line that no entry follows: the columns of a matrix.
Words columns_in(const Words& line) {
  Words longest;
  Words run;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    const std::string_view gpu = at < line.size() ? gpu_in(line[at]) : std::string_view{};
    if (!gpu.empty()) {
      run.emplace_back(gpu);
      continue;
    }
    if ((at == line.size() || !is_entry(line[at])) && run.size() > longest.size()) longest = run;
    run.clear();
  }
  return longest;
}

class MatrixReader {
 public:
  MatrixReader(const std::vector<Words>& lines, std::string_view text, const std::string& name)
      : lines_(lines), text_(text), name_(name) {
    for (const Words& line : lines) {
      for (std::size_t at = 0; at + 1 < line.size(); ++at) {
        const std::string_view gpu = gpu_in(line[at]);
        if (gpu.empty() || !is_entry(line[at + 1])) continue;
        rows_[std::string(gpu)].push_back(Row(line).subspan(at + 1));
        break;
      }
    }
  }

  Matrix read() {
    find_columns();
    const std::size_t n = columns_.size();
    std::vector<Row> rows;
    for (const std::string& gpu : columns_) rows.push_back(find_row(gpu, n).value());
    Matrix matrix(n, std::vector<GpuConnection>(n));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (a != b) matrix[a][b] = connection_of(rows[a][b], a, b);
      }
      require(rows[a][a] == "X", "{}: the row of {} has {} where it meets itself, not X; a column is missing or moved",
              name_, columns_[a], rows[a][a]);
    }
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < a; ++b)
        require(matrix[a][b] == matrix[b][a], "{}: {} and {} disagree on their link: {} and {}", name_, columns_[b],
                columns_[a], rows[b][a], rows[a][b]);
    }
    return matrix;
  }

 private:
  // Takes the longest columns all of which have rows; where none have, the longest, of which it says what is missing.
  void find_columns() {
    std::vector<Words> candidates;
    std::set<Words> known;  // text that repeats itself has the same ones again and again
    for (const Words& line : lines_) {
      Words columns = columns_in(line);
      if (columns.empty() || columns.size() > most_gpus || !known.insert(columns).second) continue;
      candidates.push_back(std::move(columns));
    }
    const auto more = [](const Words& a, const Words& b) { return a.size() > b.size(); };
    std::stable_sort(candidates.begin(), candidates.end(), more);
    const auto is_whole = [&](const Words& columns) {
      return std::all_of(columns.begin(), columns.end(),
                         [&](const std::string& gpu) { return find_row(gpu, columns.size()).has_value(); });
    };
    const auto found = std::find_if(candidates.begin(), candidates.end(), is_whole);
    if (found != candidates.end()) {
      columns_ = *found;
    } else {
      refuse(candidates);
    }
    Words sorted = columns_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    require(twice == sorted.end(), "{}: {} is the name of two columns", name_, twice == sorted.end() ? "" : *twice);
  }

  // The words behind the GPU where an entry is among them: a row, though perhaps a wrong one.
  static std::optional<Row> behind(const Words& line, const std::string& gpu) {
    for (std::size_t at = 0; at + 1 < line.size(); ++at) {
      const Row row = Row(line).subspan(at + 1);
      if (gpu_in(line[at]) == gpu && std::any_of(row.begin(), row.end(), is_entry)) return row;
    }
    return std::nullopt;
  }

  // Its first row of `n` entries; throws where another one differs.
  std::optional<Row> find_row(const std::string& gpu, std::size_t n) const {
    std::optional<Row> found;
    const auto rows = rows_.find(gpu);
    if (rows == rows_.end()) return found;
    for (const Row& row : rows->second) {
      if (entries_of(row) < n) continue;
      const Row entries = row.first(n);
      if (!found) found = entries;
      require(std::equal(entries.begin(), entries.end(), found->begin()),
              "{}: {} has two rows that differ, as the matrices of two machines have; keep one matrix", name_, gpu);
    }
    return found;
  }

  [[noreturn]] void refuse(const std::vector<Words>& candidates) const {
    require(!candidates.empty(), "{}: there is no line of columns, 'GPU0 GPU1 …', as 'nvidia-smi topo -m' prints it{}",
            name_, seems_to_be(text_, "matrix of nvidia-smi"));
    const auto kind = kind_of_text(text_);
    require(!kind, "{}: there is no matrix of nvidia-smi; it seems to be {}: {}", name_, kind ? kind->what : "",
            kind ? kind->remedy : "");
    const Words& columns = candidates.front();
    const std::size_t n = columns.size();
    for (std::size_t a = 0; a < n; ++a) {
      if (find_row(columns[a], n)) continue;
      for (const Words& line : lines_) {
        if (const auto row = behind(line, columns[a])) refuse_row(columns, a, *row);
      }
      fail(ErrorCode::invalid_argument, "{}: the row of {} is missing in a matrix of {}", name_, columns[a],
           counted(static_cast<std::int64_t>(n), "GPU"));
    }
    fail(ErrorCode::internal, "{}: all rows are there", name_);
  }

  // Says what is wrong with a row of fewer entries than there are columns.
  [[noreturn]] void refuse_row(const Words& columns, std::size_t a, Row row) const {
    const std::size_t entries = entries_of(row);
    require(entries < row.size(), "{}: the row of {} has {}, not {}", name_, columns[a],
            counted(static_cast<std::int64_t>(entries), "entry", "entries"), columns.size());
    refuse_entry(row[entries], columns[a], columns[entries]);
  }

  [[noreturn]] void refuse_entry(std::string_view entry, const std::string& a, const std::string& b) const {
    fail(ErrorCode::invalid_argument,
         "{}: the entry \"{}\" for {} and {} is none of NV1, NV2, …, PIX, PXB, PHB, NODE, SYS", name_, entry, a, b);
  }

  GpuConnection connection_of(std::string_view entry, std::size_t a, std::size_t b) const {
    if (const std::size_t level = level_of(entry); level < levels.size()) return {.level = level};
    require(entry != "N/A",
            "{}: nvidia-smi could not tell how {} and {} are connected (N/A); write NV#, PIX, PXB, PHB, NODE or SYS in "
            "its place",
            name_, columns_[a], columns_[b]);
    const int nvlinks = nvlinks_in(entry).value_or(0);
    if (nvlinks <= 0 || nvlinks > most_told) refuse_entry(entry, columns_[a], columns_[b]);
    return {.nvlinks = nvlinks};
  }

  const std::vector<Words>& lines_;
  std::string_view text_;
  const std::string& name_;
  std::map<std::string, std::vector<Row>> rows_;  // rows of each GPU, in the order of the text
  Words columns_;
};

}  // namespace

Matrix matrix_in(const std::vector<std::vector<std::string>>& lines, std::string_view text, const std::string& name) {
  return MatrixReader(lines, text, name).read();
}

}  // namespace tutti::nvidia_smi
