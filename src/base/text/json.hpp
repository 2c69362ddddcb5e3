/// @file
/// JSON from outside.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tutti {

/// Limits on what is held of a document at a time. The library allocates as it reads: without limits a file of one
/// character, repeated, takes a hundred times its size in memory.
struct JsonLimits {
  std::size_t depth = 0;   ///< lists and objects within one another
  std::size_t values = 0;  ///< numbers, words, lists and objects together
};

/// A list or an object that a value stands in.
struct JsonParent {
  bool list = false;
  std::string key;  ///< the value's, in an object
};

/// Sees each value when it is complete, with what is around it, outermost first. Returns whether the document keeps it:
/// what is read one by one need not be held.
using JsonVisitor = std::function<bool(std::span<const JsonParent> around, const nlohmann::json& value)>;

/// The document in the text, less what `visit` does not keep. Throws `Error(invalid_argument)`, a line that begins with
/// `name`, where the text is no JSON, has a key twice in one object, or passes a limit, and reads no further.
nlohmann::json read_json(std::string_view text, const std::string& name, const JsonLimits& limits,
                         const JsonVisitor& visit = {});

}  // namespace tutti
