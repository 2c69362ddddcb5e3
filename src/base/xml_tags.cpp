#include "base/xml_tags.hpp"

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

std::optional<std::string_view> xml_attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find_first_of(blanks); at < tag.size();) {
    at = tag.find_first_not_of(blanks, at);
    const std::size_t equals = tag.find('=', at);
    if (at == std::string_view::npos || equals == std::string_view::npos || equals + 1 == tag.size()) break;
    const std::size_t end = tag.find(tag[equals + 1], equals + 2);
    if (end == std::string_view::npos) break;
    if (tag.substr(at, equals - at) == name) return tag.substr(equals + 2, end - equals - 2);
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace tutti
