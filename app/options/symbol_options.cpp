#include "app/options/symbol_options.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/text/split.hpp"

namespace tutti::app {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" +-*/()0123456789") == std::string_view::npos;
}

}  // namespace

void add_symbols(Command& command, Request& request, SymbolRequest& symbols) {
  command.add_flag("--symbolic", symbols.symbolic,
                   "Answer in symbols: times as formulas of ts, tw and m, where each holds, and what decides");
  add_value(command, request, "--symbols", "TS,TW,M", "Names for ts, tw and m in formulas, such as a,b,n",
            [&symbols](const std::string& text) {
              symbols.names = parse_symbols(text);
              symbols.symbolic = true;
            });
}

SymbolNames parse_symbols(std::string_view text) {
  const auto names = split(text, ',');
  const bool three = names.size() == 3 && std::all_of(names.begin(), names.end(), is_name) && names[0] != names[1] &&
                     names[0] != names[2] && names[1] != names[2];
  require(three, "'{}' is no list of names for ts, tw and m; write three different ones, such as a,b,n", text);
  return {std::string(names[0]), std::string(names[1]), std::string(names[2])};
}

}  // namespace tutti::app
