/// @file
/// The tags of an XML text, for files in which all that matters stands in them.
#pragma once

#include <optional>
#include <string_view>

namespace tutti {

/// Goes from tag to tag; comments and the text between tags are passed over.
class XmlTags {
 public:
  explicit XmlTags(std::string_view text) : text_(text) {}

  /// Returns the text between the next "<" and its ">": `object type="Core"/`, or `/object`. Nothing at the end.
  std::optional<std::string_view> next();
  /// Whether the text ended within a tag.
  bool is_cut_off() const { return cut_off_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool cut_off_ = false;
};

/// The name of a tag: `object` of `object type="Core"/`, `/object` of what ends it.
std::string_view xml_name(std::string_view tag);
/// The value of an attribute, as it is written between its quotes. Nothing where the tag has no such attribute before
/// the first one without quotes.
std::optional<std::string_view> xml_attribute(std::string_view tag, std::string_view name);
/// Whether every attribute of the tag has a value between quotes, without which XML has none.
bool xml_has_quoted_values(std::string_view tag);
/// The name of an attribute that the tag has twice, which XML forbids; nothing where there is none.
std::optional<std::string_view> xml_repeated_attribute(std::string_view tag);

}  // namespace tutti
