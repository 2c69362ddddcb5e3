#include "support/drawing.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "support/text_width.hpp"

namespace tutti::test {
namespace {

struct Offset {
  double x = 0;
  double y = 0;
};

Offset translation_of(const Element& element) {
  const auto found = element.attributes.find("transform");
  Offset offset;
  if (found != element.attributes.end() &&
      std::sscanf(found->second.c_str(), "translate(%lf %lf)", &offset.x, &offset.y) != 2)
    offset = {};
  return offset;
}

void set_box(Seen& seen, const Offset& by) {
  const Element& element = seen.element;
  if (element.name == "rect") {
    seen.left = element.number("x") + by.x;
    seen.top = element.number("y") + by.y;
    seen.right = seen.left + element.number("width");
    seen.bottom = seen.top + element.number("height");
  } else if (element.name == "text") {
    const double size = element.number("font-size");
    const double width = test::width_of(element);
    const std::string& anchor = element.attributes.at("text-anchor");
    seen.left = element.number("x") + by.x - (anchor == "start" ? 0 : anchor == "middle" ? width / 2 : width);
    seen.right = seen.left + width;
    seen.top = element.number("y") + by.y - 0.9 * size;
    seen.bottom = element.number("y") + by.y + 0.25 * size;
  }
}

class SvgReader {
 public:
  std::vector<Seen> read(std::string_view svg) {
    for (const Element& element : elements_of(svg)) {
      while (!open_.empty() && open_.back().depth >= element.depth) open_.pop_back();
      see(element);
      const Offset around = offset();
      const Offset own = translation_of(element);
      const auto kind = element.attributes.find("class");
      const auto id = element.attributes.find("id");
      open_.push_back({element.depth,
                       {around.x + own.x, around.y + own.y},
                       kind == element.attributes.end() ? "" : kind->second,
                       id != element.attributes.end() ? id->second
                       : open_.empty()                ? ""
                                                      : open_.back().definition});
    }
    return std::move(seen_);
  }

 private:
  struct Open {
    std::size_t depth;
    Offset offset;
    std::string kind;
    std::string definition;  // definition of which it is a part
  };

  Offset offset() const { return open_.empty() ? Offset{} : open_.back().offset; }

  void see(const Element& element) {
    if (element.name == "use") {
      const std::string id = element.attributes.at("xlink:href").substr(1);
      for (Seen part : definitions_.at(id)) {
        add(part, {offset().x + element.number("x"), offset().y + element.number("y")});
      }
      return;
    }
    Seen seen{.element = element, .groups = {}};
    if (!open_.empty() && !open_.back().definition.empty()) {
      definitions_[open_.back().definition].push_back(seen);
    } else {
      add(seen, offset());
    }
  }

  void add(Seen seen, const Offset& by) {
    for (const Open& open : open_) {
      if (!open.kind.empty()) seen.groups.push_back(open.kind);
    }
    set_box(seen, by);
    seen_.push_back(std::move(seen));
  }

  std::vector<Open> open_;
  std::map<std::string, std::vector<Seen>> definitions_;
  std::vector<Seen> seen_;
};

bool overlap(const Seen& a, const Seen& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool encloses(const Seen& outer, const Seen& inner) {
  const double x = (inner.left + inner.right) / 2;
  const double y = (inner.top + inner.bottom) / 2;
  return outer.left < x && x < outer.right && outer.top < y && y < outer.bottom;
}

}  // namespace

std::vector<Seen> seen_in(std::string_view svg) { return SvgReader().read(svg); }

void expect_readable(std::string_view svg) {
  const std::vector<Seen> all = seen_in(svg);
  const Element& frame = all.front().element;
  std::vector<Seen> texts;
  std::vector<Seen> bodies;
  for (const Seen& seen : all) {
    if (seen.element.name == "text") texts.push_back(seen);
    if (seen.element.name == "rect" && seen.element.attributes.contains("rx")) bodies.push_back(seen);
  }
  ASSERT_FALSE(texts.empty());
  for (std::size_t a = 0; a < texts.size(); ++a) {
    const Seen& text = texts[a];
    const bool inside =
        text.left >= 0 && text.top >= 0 && text.right <= frame.number("width") && text.bottom <= frame.number("height");
    EXPECT_TRUE(inside) << text.element.text << " leaves the picture";
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(overlap(text, texts[b])) << text.element.text << " over " << texts[b].element.text;
    for (const Seen& body : bodies)
      EXPECT_FALSE(overlap(text, body) && !encloses(body, text))
          << text.element.text << " over a vertex at " << body.left << ", " << body.top;
  }
}

}  // namespace tutti::test
