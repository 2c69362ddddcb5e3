/// @file
/// Just enough of an XML reader to hold a drawing against its structure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;       ///< directly inside, with entities resolved
  std::size_t depth = 0;  ///< number of elements around it

  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

/// The elements of a well-formed document, in the order of their opening tags. Throws `std::runtime_error` for one that
/// is not well formed: tags that do not nest, attributes without quotes or given twice, bare `<` or `&`.
std::vector<Element> elements_of(std::string_view document);

}  // namespace tutti::test
