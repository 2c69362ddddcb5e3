#include "base/text/xml_tags.hpp"

#include <algorithm>
#include <vector>

namespace tutti {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::optional<std::string_view> XmlTags::next() {
  constexpr std::string_view comment = "<!--";
  constexpr std::string_view comment_end = "-->";
  at_ = text_.find('<', at_);
  while (at_ != std::string_view::npos && text_.substr(at_).starts_with(comment)) {
    at_ = text_.find(comment_end, at_);
    cut_off_ = at_ == std::string_view::npos;
    if (!cut_off_) at_ = text_.find('<', at_);
  }
  if (at_ == std::string_view::npos) return std::nullopt;
  const std::size_t begin = ++at_;
  char quote = 0;
  for (; at_ < text_.size() && (quote != 0 || text_[at_] != '>'); ++at_) {
    const char each = text_[at_];
    if (quote == 0 && (each == '"' || each == '\'')) {
      quote = each;
    } else if (each == quote) {
      quote = 0;
    }
  }
  cut_off_ = at_ == text_.size();
  if (cut_off_) return std::nullopt;
  return text_.substr(begin, at_ - begin);
}

std::string_view xml_name(std::string_view tag) {
  std::string_view name = tag.substr(0, tag.find_first_of(blanks));
  if (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  return name;
}

namespace {

// Calls `see(name, value)` for the tag's attributes, in order, until it returns true. False where one comes first that
// has no value between quotes.
template <typename See>
bool look_through(std::string_view tag, const See& see) {
  for (std::size_t at = tag.find_first_not_of(blanks, xml_name(tag).size()); at < tag.size() && tag[at] != '/';) {
    const std::size_t name_end = std::min(tag.find_first_of(blanks, at), tag.find('=', at));
    const std::size_t equals = tag.find_first_not_of(blanks, name_end);
    if (equals == std::string_view::npos || tag[equals] != '=') return false;
    const std::size_t quote = tag.find_first_not_of(blanks, equals + 1);
    if (quote == std::string_view::npos || (tag[quote] != '"' && tag[quote] != '\'')) return false;
    const std::size_t end = tag.find(tag[quote], quote + 1);
    if (end == std::string_view::npos) return false;
    if (see(tag.substr(at, name_end - at), tag.substr(quote + 1, end - quote - 1))) return true;
    at = tag.find_first_not_of(blanks, end + 1);
  }
  return true;
}

}  // namespace

std::optional<std::string_view> xml_attribute(std::string_view tag, std::string_view name) {
  std::optional<std::string_view> found;
  look_through(tag, [&](std::string_view each, std::string_view value) {
    if (each == name) found = value;
    return found.has_value();
  });
  return found;
}

bool xml_has_quoted_values(std::string_view tag) {
  return look_through(tag, [](std::string_view, std::string_view) { return false; });
}

std::optional<std::string_view> xml_repeated_attribute(std::string_view tag) {
  std::optional<std::string_view> repeated;
  std::vector<std::string_view> names;
  look_through(tag, [&](std::string_view each, std::string_view) {
    if (std::find(names.begin(), names.end(), each) != names.end()) repeated = each;
    names.push_back(each);
    return repeated.has_value();
  });
  return repeated;
}

}  // namespace tutti
