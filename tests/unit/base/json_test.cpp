/// @file
/// JSON from outside: what is read is what the library reads, and no input takes more memory than its limits allow.

#include "base/text/json.hpp"

#include <gtest/gtest.h>

#include "tutti/error.hpp"

namespace tutti {
namespace {

using nlohmann::json;

constexpr JsonLimits usual{.depth = 8, .values = 100};

std::string refusal(const std::string& text, const JsonLimits& limits = usual) {
  try {
    read_json(text, "file.json", limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadJson, ReadsWhatTheLibraryReads) {
  for (const char* text :
       {"null", "true", "-3", "18446744073709551615", "2.5e-7", "\"a\\u00e4\"", "[]", "{}",
        "[[1,[2,{}]],{\"a\":[null,false]}]", R"({"a": {"b": {"c": [1, 2.5, "x"]}}, "": 7, "b": 8})"}) {
    EXPECT_EQ(read_json(text, "file.json", usual), json::parse(text)) << text;
  }
}

TEST(ReadJson, LimitsDepthAndValuesToWhatItsCallerAllows) {
  for (std::size_t depth = 1; depth < 20; ++depth) {
    const std::string lists = std::string(depth, '[') + std::string(depth, ']');
    EXPECT_EQ(refusal(lists, {.depth = depth, .values = 100}), "");
    EXPECT_EQ(refusal("[" + lists + "]", {.depth = depth, .values = 100}),
              "file.json: lists and objects are nested more than " + std::to_string(depth) + " deep");
  }
  EXPECT_EQ(refusal("[1,2,[3],{\"a\":4}]", {.depth = 8, .values = 7}), "");
  EXPECT_EQ(refusal("[1,2,[3],{\"a\":4}]", {.depth = 8, .values = 6}), "file.json: there are more than 6 values");
}

// Text after the limit is not read: it is no JSON, and nobody says so.
TEST(ReadJson, EndsWhereALimitIsPassed) {
  for (const std::string& opening : {std::string("["), std::string("{\"a\":"), std::string("[{\"a\":")}) {
    std::string text;
    for (int k = 0; k < 100000; ++k) text += opening;
    EXPECT_NE(refusal(text + "!").find("nested more than 8 deep"), std::string::npos);
  }
  std::string row = "[";
  for (int k = 0; k < 100000; ++k) row += "0,";
  EXPECT_EQ(refusal(row + "!"), "file.json: there are more than 100 values");
}

TEST(ReadJson, SaysInOneLineWhatIsNoJson) {
  for (const char* text : {"", "[", "{\"a\"}", "[1,]", "nul", "\"\x01\"", "[1] 2"}) {
    const std::string said = refusal(text);
    EXPECT_EQ(said.rfind("file.json: ", 0), 0u) << text;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

// Nobody can know which of two values is meant.
TEST(ReadJson, TakesNoKeyTwice) {
  EXPECT_EQ(refusal(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]})"), "");
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "a": 1})"), "file.json: a stands twice");
  EXPECT_EQ(refusal(R"({"ranks": [[], [{"peer": 1}, {"peer": 2, "peer": 2}]]})"),
            "file.json: ranks[1][1].peer stands twice");
}

TEST(ReadJson, HoldsOnlyWhatItsVisitorKeeps) {
  std::string list = R"({"of": [)";
  for (int k = 0; k < 1000; ++k) list += R"({"k": )" + std::to_string(k) + "},";
  list += R"({"k": 1000}], "rest": [1, 2]})";
  int next = 0;
  const auto take = [&](std::span<const JsonParent> around, const json& value) {
    const bool taken = around.size() == 2 && !around[0].list && around[0].key == "of" && around[1].list;
    if (taken) {
      EXPECT_EQ(value, (json{{"k", next++}}));
    }
    return !taken;
  };
  EXPECT_EQ(read_json(list, "file.json", {.depth = 3, .values = 10}, take),
            json::parse(R"({"of": [], "rest": [1, 2]})"));
  EXPECT_EQ(next, 1001);
}

}  // namespace
}  // namespace tutti
