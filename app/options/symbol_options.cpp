#include "app/options/symbol_options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/check.hpp"
#include "base/text/split.hpp"

namespace tutti::app {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" +-*/()0123456789") == std::string_view::npos;
}

// Names that formulas have for other things: ranks, segments, dimensions, radix, distance, links, costs, functions.
constexpr std::array<std::string_view, 15> taken_names = {"p",  "S",   "d",    "k",     "q",   "L",   "th", "tc",
                                                          "tr", "log", "ceil", "floor", "min", "max", "sum"};

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
  for (const std::string_view name : names) {
    require(std::find(taken_names.begin(), taken_names.end(), name) == taken_names.end(),
            "'{}' means something else in formulas; take another name for ts, tw or m than {}", name,
            fmt::join(taken_names, ", "));
  }
  return {std::string(names[0]), std::string(names[1]), std::string(names[2])};
}

}  // namespace tutti::app
