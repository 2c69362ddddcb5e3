#include "draw/tikz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace tutti::draw {
namespace {

// An element's tag: its name and attributes. What Svg writes has no comments, and no text but in <text> and <title>.
struct Tag {
  std::string_view name;  // "/g" where it ends a group
  std::map<std::string_view, std::string_view> attributes;
  bool is_closed = false;  // has nothing inside

  std::string_view at(std::string_view attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string_view() : found->second;
  }
  double number(std::string_view attribute) const {
    const std::string_view text = at(attribute);
    return text.empty() ? 0 : std::stod(std::string(text));
  }
};

Tag tag_of(std::string_view text) {
  Tag tag;
  tag.is_closed = text.ends_with('/');
  if (tag.is_closed) text.remove_suffix(1);
  tag.name = text.substr(0, text.find(' '));
  text.remove_prefix(tag.name.size());
  for (std::size_t equals = text.find('='); equals != std::string_view::npos; equals = text.find('=')) {
    const std::size_t begin = text.find_first_not_of(' ');
    const std::size_t end = text.find('"', equals + 2);
    tag.attributes[text.substr(begin, equals - begin)] = text.substr(equals + 2, end - equals - 2);
    text.remove_prefix(end + 1);
  }
  return tag;
}

using Substitution = std::pair<std::string_view, std::string_view>;

constexpr std::array entities{Substitution{"&lt;", "<"}, Substitution{"&gt;", ">"}, Substitution{"&quot;", "\""},
                              Substitution{"&#39;", "'"}, Substitution{"&amp;", "&"}};
constexpr std::array letters{Substitution{"\\", "\\textbackslash{}"},
                             Substitution{"{", "\\{"},
                             Substitution{"}", "\\}"},
                             Substitution{"$", "\\$"},
                             Substitution{"&", "\\&"},
                             Substitution{"#", "\\#"},
                             Substitution{"%", "\\%"},
                             Substitution{"_", "\\_"},
                             Substitution{"^", "\\^{}"},
                             Substitution{"~", "\\~{}"},
                             Substitution{"<", "$<$"},
                             Substitution{">", "$>$"},
                             Substitution{"→", "$\\rightarrow$"},
                             Substitution{"⇒", "$\\Rightarrow$"},
                             Substitution{"←", "$\\leftarrow$"},
                             Substitution{"Σ", "$\\Sigma$"},
                             Substitution{"×", "$\\times$"},
                             Substitution{"·", "$\\cdot$"},
                             Substitution{"…", "\\ldots{}"},
                             Substitution{"∘", "$\\circ$"},
                             Substitution{"–", "--"}};

// Takes the first substitution that fits at each place.
template <std::size_t N>
std::string substituted(std::string_view text, const std::array<Substitution, N>& table) {
  std::string result;
  while (!text.empty()) {
    const auto fits = [&](const Substitution& each) { return text.starts_with(each.first); };
    const auto found = std::find_if(table.begin(), table.end(), fits);
    if (found == table.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += found->second;
      text.remove_prefix(found->first.size());
    }
  }
  return result;
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> found;
  while (true) {
    const std::size_t begin = text.find_first_of("0123456789.-");
    if (begin == std::string_view::npos) return found;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.-", begin), text.size());
    found.push_back(std::stod(std::string(text.substr(begin, end - begin))));
    text.remove_prefix(end);
  }
}

std::string place(double x, double y) { return fmt::format("({:.2f},{:.2f})", x, y); }

std::string color_of(std::string_view hex) { return fmt::format("tutti{}", hex.substr(1)); }

// Writes the elements of one drawing.
class TikzWriter {
 public:
  std::string translated(std::string_view svg) {
    while (true) {
      const std::size_t begin = svg.find('<');
      if (begin == std::string_view::npos) break;
      const std::size_t end = svg.find('>', begin);
      require(end != std::string_view::npos, "the drawing ends within an element; draw it again");
      const Tag tag = tag_of(svg.substr(begin + 1, end - begin - 1));
      svg.remove_prefix(end + 1);
      take(tag, svg.substr(0, svg.find('<')));
    }
    std::string head = "% \\usepackage{tikz} \\usepackage{xcolor}\n\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]\n";
    for (const std::string_view color : colors_)
      head += fmt::format("\\definecolor{{{}}}{{HTML}}{{{}}}\n", color_of(color), upper(color.substr(1)));
    return head + body_ + "\\end{tikzpicture}\n";
  }

 private:
  static std::string upper(std::string_view hex) {
    std::string text(hex);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
    return text;
  }

  void take(const Tag& tag, std::string_view text) {
    if (tag.name == "rect") return rectangle(tag);
    if (tag.name == "line")
      return path(tag, fmt::format("{} -- {}", place(tag.number("x1"), tag.number("y1")),
                                   place(tag.number("x2"), tag.number("y2"))));
    if (tag.name == "polyline") return path(tag, corners(tag));
    if (tag.name == "polygon") return path(tag, corners(tag) + " -- cycle");
    if (tag.name == "circle")
      return path(tag, fmt::format("{} circle[radius={:.2f}*0.75bp]", place(tag.number("cx"), tag.number("cy")),
                                   tag.number("r")));
    if (tag.name == "path") return curve(tag);
    if (tag.name == "text") return letters_at(tag, text);
    if (tag.name == "g") return begin_group(tag);
    if (tag.name == "/g") return end_group();
    if (tag.name == "use")
      body_ += fmt::format("\\begin{{scope}}[shift={{{}}}]\\tuttinetwork\\end{{scope}}\n",
                           place(tag.number("x"), tag.number("y")));
  }

  // Makes a macro of a definition.
  void begin_group(const Tag& tag) {
    if (!tag.at("id").empty()) {
      groups_.emplace_back("}\n");
      body_ += "\\def\\tuttinetwork{%\n";
      return;
    }
    const std::vector<double> by = numbers_in(tag.at("transform"));
    groups_.emplace_back("\\end{scope}\n");
    body_ += by.size() < 2    ? "\\begin{scope}\n"
             : by.size() == 2 ? fmt::format("\\begin{{scope}}[shift={{{}}}]\n", place(by[0], by[1]))
                              : fmt::format("\\begin{{scope}}[shift={{{}}},scale={:.4f},transform shape]\n",
                                            place(by[0], by[1]), by[2]);
  }

  void end_group() {
    body_ += groups_.back();
    groups_.pop_back();
  }

  std::string color(std::string_view hex) {
    colors_.insert(std::string(hex));
    return color_of(hex);
  }

  std::string corners(const Tag& tag) {
    const std::vector<double> at = numbers_in(tag.at("points"));
    std::string text;
    for (std::size_t k = 0; k + 1 < at.size(); k += 2)
      text += fmt::format("{}{}", text.empty() ? "" : " -- ", place(at[k], at[k + 1]));
    return text;
  }

  // Options of a path: how it is filled, and how its line is drawn.
  void path(const Tag& tag, const std::string& way) {
    std::string options;
    const auto add = [&](const std::string& option) { options += (options.empty() ? "" : ",") + option; };
    const std::string_view fill = tag.at("fill");
    if (!fill.empty() && fill != "none") add("fill=" + color(fill));
    if (const std::string_view stroke = tag.at("stroke"); !stroke.empty() && tag.number("stroke-width") > 0) {
      add("draw=" + color(stroke));
      add(fmt::format("line width={:.2f}bp", 0.75 * tag.number("stroke-width")));
      std::string dashes;
      const std::vector<double> lengths = numbers_in(tag.at("stroke-dasharray"));
      for (std::size_t k = 0; k + 1 < lengths.size(); k += 2)
        dashes += fmt::format("on {:.2f}bp off {:.2f}bp ", 0.75 * lengths[k], 0.75 * lengths[k + 1]);
      if (!dashes.empty()) add("dash pattern=" + dashes);
    }
    if (const double round = tag.number("rx"); round > 0) add(fmt::format("rounded corners={:.2f}bp", 0.749 * round));
    body_ += fmt::format("\\path[{}] {};\n", options, way);
  }

  void rectangle(const Tag& tag) {
    const double x = tag.number("x");
    const double y = tag.number("y");
    path(tag, fmt::format("{} rectangle {}", place(x, y), place(x + tag.number("width"), y + tag.number("height"))));
  }

  // A quadratic curve as a cubic one.
  void curve(const Tag& tag) {
    const std::vector<double> at = numbers_in(tag.at("d"));
    require(at.size() == 6, "a path of {} numbers is no curve; draw it again", at.size());
    const auto control = [&](std::size_t end) {
      return place(at[end] + 2.0 / 3 * (at[2] - at[end]), at[end + 1] + 2.0 / 3 * (at[3] - at[end + 1]));
    };
    path(tag, fmt::format("{} .. controls {} and {} .. {}", place(at[0], at[1]), control(0), control(4),
                          place(at[4], at[5])));
  }

  void letters_at(const Tag& tag, std::string_view text) {
    const std::string_view anchor = tag.at("text-anchor");
    const std::vector<double> turned = numbers_in(tag.at("transform"));
    const double size = 0.75 * tag.number("font-size");
    body_ += fmt::format(
        "\\node[anchor=base{},inner sep=0,text={}{},font=\\fontsize{{{:.2f}}}{{{:.2f}}}\\selectfont\\sffamily{}] at {} "
        "{{{}}};\n",
        anchor == "start" ? " west"
        : anchor == "end" ? " east"
                          : "",
        color(tag.at("fill")), turned.empty() ? "" : fmt::format(",rotate={}", -turned.front()), size, 1.2 * size,
        tag.at("font-weight") == "bold" ? "\\bfseries" : "", place(tag.number("x"), tag.number("y")),
        substituted(substituted(text, entities), letters));
  }

  std::string body_;
  std::vector<std::string> groups_;  // ends of the open groups
  std::set<std::string> colors_;
};

}  // namespace

std::string tikz_of(std::string_view svg) { return TikzWriter().translated(svg); }

}  // namespace tutti::draw
