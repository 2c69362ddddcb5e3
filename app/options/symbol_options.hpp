/// @file
/// The options that ask for answers in symbols.
#pragma once

#include "app/options/request.hpp"
#include "cost/symbolic/symbolic_time.hpp"

namespace tutti::app {

/// Request of an answer in symbols.
struct SymbolRequest {
  bool symbolic = false;
  SymbolNames names;
};

/// Adds --symbolic and --symbols.
void add_symbols(Command& command, Request& request, SymbolRequest& symbols);

/// "a,b,n": names for ts, tw and m. Throws `Error` for anything but three names that differ.
SymbolNames parse_symbols(std::string_view text);

}  // namespace tutti::app
