#include "support/xml.hpp"

#include <cctype>
#include <stdexcept>

namespace tutti::test {
namespace {

[[noreturn]] void malformed(const std::string& why) { throw std::runtime_error("not well-formed XML: " + why); }

class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  std::vector<Element> read() {
    if (rest_.starts_with("<?xml")) rest_.remove_prefix(rest_.find("?>") + 2);
    while (!rest_.empty()) {
      if (!take("<")) {
        read_text();
      } else if (take("/")) {
        if (open_.empty() || name() != elements_[open_.back()].name || !take(">")) malformed("a closing tag");
        open_.pop_back();
      } else {
        read_tag();
      }
    }
    if (!open_.empty()) malformed("an open tag at the end");
    return elements_;
  }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string until(char end) {
    const std::size_t length = rest_.find(end);
    if (length == std::string_view::npos) malformed(std::string("no ") + end);
    const std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }
  std::string name() {
    std::string text;
    const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':'; };
    while (!rest_.empty() && fits(rest_[0])) {
      text += rest_[0];
      rest_.remove_prefix(1);
    }
    if (text.empty()) malformed("a name is missing before " + std::string(rest_.substr(0, 20)));
    return text;
  }
  static std::string resolved(const std::string& text) {
    static const std::map<std::string, char> entities{
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '<') malformed("a bare <");
      if (text[at] != '&') {
        result += text[at];
        continue;
      }
      const std::size_t end = text.find(';', at);
      const auto found = entities.find(text.substr(at, end - at + 1));
      if (found == entities.end()) malformed("a bare &");
      result += found->second;
      at = end;
    }
    return result;
  }
  void read_text() {
    std::string text;
    while (!rest_.empty() && rest_[0] != '<') {
      text += rest_[0];
      rest_.remove_prefix(1);
    }
    const bool blank = text.find_first_not_of(" \n") == std::string::npos;
    if (open_.empty() && !blank) malformed("text outside");
    if (!open_.empty()) elements_[open_.back()].text += resolved(text);
  }
  void read_tag() {
    if (open_.empty() && !elements_.empty()) malformed("a second root");
    Element element{.name = name(), .attributes = {}, .text = {}, .depth = open_.size()};
    while (take(" ")) {
      const std::string key = name();
      if (!take("=\"")) malformed("an attribute without quotes");
      if (!element.attributes.emplace(key, resolved(until('"'))).second) malformed(key + " is given twice");
      take("\"");
    }
    const bool closed = take("/");
    if (!take(">")) malformed("a tag that does not end");
    if (!closed) open_.push_back(elements_.size());
    elements_.push_back(element);
  }

  std::string_view rest_;
  std::vector<Element> elements_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<Element> elements_of(std::string_view document) { return Reader(document).read(); }

}  // namespace tutti::test
