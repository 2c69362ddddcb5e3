#include "app/options/setting_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/command_line/user_settings.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "topology/formats/named.hpp"

namespace tutti::app {
namespace {

bool is_given(const Request& request, std::string_view option) {
  return std::any_of(request.given.begin(), request.given.end(),
                     [&](const auto& pair) { return pair.first == option; });
}

// Whether the network can be the request's: nothing says another one, and it has as many ranks.
bool has_room(const Request& request, const std::string& network) {
  if (request.topology || !request.sizeless_network.empty() || request.nodes || request.grid) return false;
  const bool has_ranks = request.ranks && request.ranks->first == request.ranks->last;
  return lacks_size(network) ? has_ranks : !request.ranks;
}

// Whether the request takes the network. An error names the file, which nobody sees in the line.
bool takes_network(Request& request, const std::string& network, const std::string& file) {
  try {
    if (!has_room(request, network)) return false;
    set_network(request, lacks_size(network) ? sized_topology(network, request.ranks->first) : network);
    return true;
  } catch (const Error& error) {
    fail(error.code(), "{}: {}; --topology goes before this setting", file, error.what());
  }
}

}  // namespace

void take_settings(Request& request, Machine& machine, NetworkSetting network) {
  request.take_settings = [&request, &machine, network] {
    const UserSettings settings = user_settings();
    std::vector<std::string> taken;
    if (settings.ts && !is_given(request, "--ts")) {
      machine.ts = parse_seconds(*settings.ts).count;
      taken.push_back("ts " + *settings.ts);
    }
    if (settings.tw && !is_given(request, "--tw")) {
      machine.tw = parse_seconds(*settings.tw).count;
      taken.push_back("tw " + *settings.tw);
    }
    if (network == NetworkSetting::taken && settings.topology &&
        takes_network(request, *settings.topology, settings.file))
      taken.push_back("the network " + *settings.topology);
    if (!taken.empty()) request.notes.push_back(fmt::format("{} by {}", fmt::join(taken, ", "), settings.file));
  };
}

}  // namespace tutti::app
