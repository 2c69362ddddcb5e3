/// @file
/// A message on its way, link after link, as lectures draw it: time goes to the right, and each link has a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::draw {

/// A packet, or a header, on a link.
struct PacketBar {
  std::size_t hop = 0;  ///< index of the link
  int packet = 0;       ///< from 1; 0: the header that goes ahead
  double begin = 0;     ///< seconds
  double end = 0;
};

/// One way to send the message.
struct PacketPanel {
  std::string title;    ///< "store-and-forward, whole: 32.8us"
  double prepared = 0;  ///< when the first link begins: before it the message starts up
  double end = 0;
  std::vector<PacketBar> bars;
};

/// The panels below one another with one scale of time, whose axis stands below them, as an SVG file. `links` are the names of the links, in order.
std::string svg_of_packets(std::string_view title, std::span<const std::string> links,
                           std::span<const PacketPanel> panels);

/// Returns the chart for a terminal of so many columns: a row a link, the last digit of a packet's number while it is
/// on the link, h for a header, a dot before the first link begins.
std::string chart_of_packets(std::span<const std::string> links, std::span<const PacketPanel> panels, int columns);

}  // namespace tutti::draw
