/// @file
/// A user's settings as defaults of options.
#pragma once

#include "app/options/request.hpp"
#include "topology/machine.hpp"

namespace tutti::app {

/// Settings that a command takes, beside the costs of messages.
enum class NetworkSetting : std::uint8_t { ignored, taken };

/// Has the request take the user's ts and tw where its options say nothing of them, and the network, too, where nothing
/// names one and it has the request's ranks. A note names what was taken, and the file.
void take_settings(Request& request, Machine& machine, NetworkSetting network);

}  // namespace tutti::app
