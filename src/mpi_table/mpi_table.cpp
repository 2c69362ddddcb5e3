#include "mpi_table/mpi_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "base/text/split.hpp"
#include "tutti/error.hpp"

namespace tutti::mpi_table {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Returns where the key of "key: value" ends, and npos if the text is none.
std::size_t end_of_key(std::string_view text) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  const bool is_key = end != 0 && end != std::string_view::npos && text.substr(end).starts_with(": ");
  return is_key ? end : std::string_view::npos;
}

/// Reads a table line by line.
class TableReader {
 public:
  MpiTable table(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      ++number_;
      if (const std::string content = trimmed(line); !content.empty() && content.front() != '#') take(line, content);
    }
    end_row();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, fmt::format("line {}: {}", row_.empty() ? number_ : row_number_, what));
  }

  void take(std::string_view line, const std::string& content) {
    if (line.front() == ' ') {
      go_on(line, content);
      return;
    }
    end_row();
    if (content.starts_with("kind ")) {
      add_kind(content.substr(5));
    } else if (content.starts_with("form ")) {
      add_form(content.substr(5));
    } else if (content.front() == '[' && content.back() == ']') {
      way_ = content.substr(1, content.size() - 2);
      section_.clear();
    } else if (const std::size_t end = end_of_key(content); end != std::string::npos) {
      latest_ = content.substr(0, end);
      section_[latest_] = trimmed(content.substr(end + 1));
    } else {
      row_ = content;
      row_number_ = number_;
      row_words_ = section_;
    }
  }

  /// Takes a line that begins with spaces: behind two of them a text of the row, else more of the line before.
  void go_on(std::string_view line, const std::string& content) {
    const std::size_t end = line.starts_with("   ") ? std::string::npos : end_of_key(content);
    if (end != std::string::npos && !row_.empty()) {
      latest_ = content.substr(0, end);
      row_words_[latest_] = trimmed(content.substr(end + 1));
    } else if (end == std::string::npos && !row_.empty()) {
      std::string& text = row_.back() == ')' ? row_words_[latest_] : row_;
      text += " " + content;
    } else if (end == std::string::npos && !latest_.empty()) {
      section_[latest_] += " " + content;
    } else {
      fail(fmt::format("'{}' belongs to no function; begin the line of one without spaces", content));
    }
  }

  void add_kind(const std::string& text) {
    const std::vector<std::string_view> parts = split(text, '=');
    if (parts.size() != 2) fail("a kind is 'kind NAME = TYPE', with '| TYPE' of large counts or '; length' behind");
    const std::vector<std::string_view> marks = split(parts[1], ';');
    const std::vector<std::string_view> types = split(marks[0], '|');
    const std::string mark = marks.size() > 1 ? trimmed(marks[1]) : std::string();
    if (!mark.empty() && mark != "length" && mark != "c") fail(fmt::format("'{}' is no mark; write length or c", mark));
    table_.kinds[trimmed(parts[0])] = {trimmed(types.front()), trimmed(types.back()), mark == "length", mark == "c"};
  }

  void add_form(const std::string& text) {
    const std::vector<std::string> words = words_in(text);
    if (words.size() < 4 || words[1] != "=") fail("a form is 'form NAME = LANGUAGE [MACRO] [wide] SYMBOL ...'");
    EntryForm form;
    form.language = words[2];
    for (std::size_t k = 3; k < words.size(); ++k) {
      if (words[k] == "wide") {
        form.has_wide_counts = true;
      } else if (words[k].find('{') != std::string::npos) {
        form.symbols.push_back(words[k]);
      } else {
        form.condition = fmt::format("defined({})", words[k]);
      }
    }
    table_.forms[words[0]] = std::move(form);
  }

  /// "Send Ssend(in buffer, count, datatype)" becomes two functions, each with its nonblocking and persistent ones.
  void end_row() {
    if (row_.empty()) return;
    const std::size_t open = row_.find('(');
    if (open == std::string::npos || row_.back() != ')') fail(fmt::format("'{}' is no NAME(kind name, ...)", row_));
    std::vector<MpiArgument> arguments;
    const std::string list = trimmed(row_.substr(open + 1, row_.size() - open - 2));
    if (!list.empty()) {
      for (const std::string_view each : split(list, ',')) arguments.push_back(argument_of(trimmed(each)));
    }
    for (const std::string& name : words_in(row_.substr(0, open))) add_functions(name, arguments);
    row_.clear();
  }

  MpiArgument argument_of(const std::string& text) const {
    const std::vector<std::string> words = words_in(text);
    if (words.empty() || words.size() > 2) fail(fmt::format("'{}' is no kind, nor a kind and a name", text));
    if (!table_.kinds.contains(words[0]))
      fail(fmt::format("'{}' is no kind; add 'kind {} = TYPE'", words[0], words[0]));
    return {words[0], words.back()};
  }

  void add_functions(const std::string& name, const std::vector<MpiArgument>& arguments) {
    const MpiArgument info{"info", "info"};
    const MpiArgument request{"request", "request"};
    add_function(name, arguments, way_, "forms");
    std::vector<MpiArgument> with_request = arguments;
    with_request.push_back(request);
    add_function(fmt::format("I{}{}", static_cast<char>(std::tolower(name.front())), name.substr(1)), with_request,
                 "nonblocking", "nonblocking");
    with_request.insert(with_request.end() - 1, info);
    add_function(name + "_init", with_request, "persistent", "persistent");
  }

  void add_function(const std::string& name, const std::vector<MpiArgument>& arguments, const std::string& way,
                    const std::string& forms) {
    const auto found = row_words_.find(forms);
    if (found == row_words_.end()) return;
    const std::vector<std::string> all = words_in(found->second);
    for (const std::string& form : all) {
      if (!table_.forms.contains(form))
        fail(fmt::format("{} has the form '{}'; add 'form {} = ...'", name, form, form));
    }
    row_words_.emplace("returns", "int");
    table_.functions.push_back({name, arguments, way, all, row_words_});
  }

  MpiTable table_;
  int number_ = 0;
  std::string way_;
  std::map<std::string, std::string> section_;
  std::string row_;  ///< the row that is being read; empty: none
  int row_number_ = 0;
  std::map<std::string, std::string> row_words_;
  std::string latest_;  ///< key of the text that is being read
};

}  // namespace

MpiTable table_of(std::string_view text) { return TableReader().table(text); }

}  // namespace tutti::mpi_table
