#include "base/text/json.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace tutti {
namespace {

using nlohmann::json;

// Builds the document from what the library meets, one event after the other. Values stand in no list or object before
// they are complete, so that one that is not kept never costs its parent anything.
class JsonBuilder final : public json::json_sax_t {
 public:
  JsonBuilder(const std::string& name, const JsonLimits& limits, const JsonVisitor& visit)
      : name_(name), limits_(limits), visit_(visit) {}

  json take() { return std::move(document_); }

  bool null() override { return leaf(nullptr); }
  bool boolean(bool value) override { return leaf(value); }
  bool number_integer(number_integer_t value) override { return leaf(value); }
  bool number_unsigned(number_unsigned_t value) override { return leaf(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return leaf(value); }
  bool string(string_t& value) override { return leaf(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // text has none

  bool start_object(std::size_t /*size*/) override { return open(json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    const bool is_there = open_.back().value.contains(value);
    around_.back().key = std::move(value);
    require(!is_there, "{}: {} stands twice", name_, place());
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // The library's sentence names line and column after its own error number in brackets.
    const std::string_view what = error.what();
    const std::size_t bracket = what.find("] ");
    fail(ErrorCode::invalid_argument, "{}: {}", name_,
         bracket == std::string_view::npos ? what : what.substr(bracket + 2));
  }

 private:
  struct Open {
    json value;
    std::size_t held_before = 0;  // values of the document before this one
  };

  // Returns the place of the next value: ranks[1].steps[2].peer.
  std::string place() const {
    std::string words;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      if (around_[k].list) {
        words += '[' + std::to_string(open_[k].value.size()) + ']';
      } else {
        words += (words.empty() ? "" : ".") + around_[k].key;
      }
    }
    return words;
  }

  void count() { require(++held_ <= limits_.values, "{}: there are more than {} values", name_, limits_.values); }

  bool leaf(json value) {
    const std::size_t before = held_;
    count();
    add(std::move(value), before);
    return true;
  }

  bool open(json value) {
    require(open_.size() < limits_.depth, "{}: lists and objects are nested more than {} deep", name_, limits_.depth);
    around_.push_back({.list = value.is_array(), .key = {}});
    open_.push_back({std::move(value), held_});
    count();
    return true;
  }

  bool close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    around_.pop_back();
    add(std::move(done.value), done.held_before);
    return true;
  }

  // The value is complete; without it `before` values are held.
  void add(json value, std::size_t before) {
    if (visit_ && !visit_(around_, value)) {
      held_ = before;
    } else if (open_.empty()) {
      document_ = std::move(value);
    } else if (around_.back().list) {
      open_.back().value.push_back(std::move(value));
    } else {
      open_.back().value[around_.back().key] = std::move(value);
    }
  }

  const std::string& name_;
  const JsonLimits& limits_;
  const JsonVisitor& visit_;
  json document_;
  std::vector<Open> open_;
  std::vector<JsonParent> around_;  // parent of each of them
  std::size_t held_ = 0;
};

}  // namespace

json read_json(std::string_view text, const std::string& name, const JsonLimits& limits, const JsonVisitor& visit) {
  JsonBuilder builder(name, limits, visit);
  json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace tutti
