/// @file
/// Envelope of a message: known before the message is read.
#pragma once

#include <cstdint>

namespace tutti {

/// In the place of a sender's rank: whoever sends first.
inline constexpr int any_rank = -1;
/// In the place of a tag: whatever it is.
inline constexpr int any_tag = -1;

/// Options of a message: its tag.
struct MessageOptions {
  /// Tells messages between two ranks apart: a receive takes those of its tag alone. At least 0; receives and probes
  /// may ask for any_tag.
  int tag = 0;
};

/// Sender, tag and number of elements of a message.
struct Envelope {
  int rank = any_rank;     ///< sender
  int tag = any_tag;       ///< tag that it was sent under
  std::int64_t count = 0;  ///< number of elements

  friend bool operator==(const Envelope&, const Envelope&) = default;
};

}  // namespace tutti
