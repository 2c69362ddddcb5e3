#include "mpi_table/entry_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/text/split.hpp"
#include "tutti/error.hpp"

namespace tutti::mpi_table {
namespace {

using Words = std::map<std::string, std::string>;

constexpr std::string_view prefix_of_texts = "text ";

std::string in_case(std::string name, int (*change)(int)) {
  for (char& letter : name) letter = static_cast<char>(change(static_cast<unsigned char>(letter)));
  return name;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string symbol_of(std::string pattern, const std::string& name) {
  replace_all(pattern, "{Name}", name);
  replace_all(pattern, "{name}", in_case(name, std::tolower));
  replace_all(pattern, "{NAME}", in_case(name, std::toupper));
  return pattern;
}

/// Puts words in the place of "@key@", also of those that the words name.
std::string filled(std::string_view text, const Words& words, int depth = 0) {
  if (depth > 8) throw Error(ErrorCode::invalid_argument, fmt::format("'{}' names itself", text));
  const std::vector<std::string_view> parts = split(text, '@');
  std::string result;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k % 2 == 0) {
      result += parts[k];
      continue;
    }
    const auto found = words.find(std::string(parts[k]));
    if (found == words.end() || k + 1 == parts.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("MPI_{} has no '{}'; write '  {}: ...' behind it", words.at("name"), parts[k], parts[k]));
    result += filled(found->second, words, depth + 1);
  }
  return result;
}

/// Parameters of a function in one of its forms: names with the language's type in front.
struct EntryParameters {
  std::string type;
  std::vector<std::string> names;

  std::string declared() const {
    std::vector<std::string> all;
    for (const std::string& name : names) all.push_back(type + name);
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string types() const {
    const std::string one = type.substr(0, type.find_last_not_of(' ') + 1);
    return fmt::format("{}", fmt::join(std::vector<std::string>(names.size(), one), ", "));
  }
  std::string passed() const { return fmt::format("{}", fmt::join(names, ", ")); }
};

/// Writes one function in one form.
class EntryOfForm {
 public:
  EntryOfForm(const MpiTable& table, const MpiFunction& function, const EntryForm& form)
      : table_(table), function_(function), form_(form) {}

  /// Returns the texts that a template may name, but for the symbol.
  Words words() const {
    const EntryParameters parameters = this->parameters();
    Words words = function_.words;
    words["name"] = function_.name;
    words["parameters"] = parameters.declared();
    words["parameter_types"] = parameters.types();
    words["pass"] = parameters.passed();
    words["number"] = std::to_string(parameters.names.size());
    words["types"] = types();
    words["data"] = data();
    words["count"] = form_.has_wide_counts ? "MPI_Count" : "int";
    words["wide"] = form_.has_wide_counts ? "_c" : "";
    words["small"] = in_case(function_.name, std::tolower);
    words["result"] = is_fortran() && words.at("returns") == "int" ? "void" : words.at("returns");
    words["folds"] = has("op") ? "true" : "false";
    return words;
  }

 private:
  bool is_fortran() const { return form_.language == "fortran"; }
  bool has(const std::string& kind) const {
    return std::any_of(function_.arguments.begin(), function_.arguments.end(),
                       [&](const MpiArgument& each) { return each.kind == kind; });
  }

  /// Returns the names as the language passes them: Fortran has the error's code behind all arguments, unless the
  /// function returns something else, and behind that the lengths of texts.
  EntryParameters parameters() const {
    EntryParameters all{is_fortran() ? "void* " : "Word ", {}};
    int lengths = 0;
    for (const MpiArgument& argument : function_.arguments) {
      const ArgumentKind& kind = table_.kinds.at(argument.kind);
      if (is_fortran() && kind.is_of_c) continue;
      if (kind.has_length) ++lengths;
      all.names.push_back(argument.name);
    }
    if (!is_fortran()) return all;
    if (function_.words.at("returns") == "int") all.names.emplace_back("ierror");
    for (int k = 1; k <= lengths; ++k) all.names.push_back(fmt::format("length_{}", k));
    return all;
  }

  std::string types() const {
    std::vector<std::string> all;
    for (const MpiArgument& argument : function_.arguments) {
      const ArgumentKind& kind = table_.kinds.at(argument.kind);
      all.push_back(form_.has_wide_counts ? kind.wide_type : kind.type);
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  std::string data() const {
    std::vector<std::string> all;
    for (const MpiArgument& argument : function_.arguments) {
      if (argument.kind == "comm") break;
      all.push_back(argument.name);
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  const MpiTable& table_;
  const MpiFunction& function_;
  const EntryForm& form_;
};

/// Returns the template of that heading, or of the way alone.
const std::string& template_of(const EntryTemplates& templates, const std::string& way, const std::string& form) {
  for (const std::string& heading : {way + " " + form, way}) {
    if (const auto found = templates.find(heading); found != templates.end()) return found->second;
  }
  throw Error(ErrorCode::invalid_argument, fmt::format("no template is called '{}'; write one under [{}]", way, way));
}

}  // namespace

EntryTemplates templates_of(std::string_view text) {
  EntryTemplates all;
  std::string* latest = nullptr;
  for (const std::string_view line : split(text, '\n')) {
    const bool is_heading = line.starts_with('[') && line.ends_with(']') && !line.starts_with("[[");
    if (is_heading) {
      latest = &all[std::string(line.substr(1, line.size() - 2))];
    } else if (latest != nullptr && !line.starts_with('#') && !line.empty()) {
      (*latest += line) += '\n';
    }
  }
  // A text stands in a line that has an end of its own.
  for (auto& [heading, lines] : all) {
    if (heading.starts_with(prefix_of_texts) && !lines.empty()) lines.pop_back();
  }
  return all;
}

std::map<std::string, std::string> entries_of(const MpiTable& table, const std::string& language,
                                              const EntryTemplates& templates) {
  std::map<std::string, std::string> entries;
  for (const MpiFunction& function : table.functions) {
    for (const std::string& name : function.forms) {
      const EntryForm& form = table.forms.at(name);
      if (form.language != language) continue;
      Words words = EntryOfForm(table, function, form).words();
      for (const auto& [heading, part] : templates) {
        if (heading.starts_with(prefix_of_texts)) words[heading.substr(prefix_of_texts.size())] = part;
      }
      words["body"] = template_of(templates, function.way, name);
      std::string text;
      for (const std::string& pattern : form.symbols) {
        words["symbol"] = symbol_of(pattern, function.name);
        text += filled(template_of(templates, "entry", name), words);
      }
      const auto only = function.words.find("only");
      for (const std::string& condition : {form.condition, only == function.words.end() ? "" : only->second}) {
        if (!condition.empty()) text = fmt::format("#if {}\n{}#endif\n", condition, text);
      }
      entries[function.way] += text;
    }
  }
  return entries;
}

}  // namespace tutti::mpi_table
