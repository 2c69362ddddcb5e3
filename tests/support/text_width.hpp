/// @file
/// Width of a drawing's text.
#pragma once

#include "draw/text_width.hpp"
#include "support/xml.hpp"

namespace tutti::test {

inline double width_of(const Element& text) {
  const bool bold = text.attributes.contains("font-weight");
  return draw::width_of(text.text, text.number("font-size"), bold ? draw::Weight::bold : draw::Weight::regular);
}

}  // namespace tutti::test
