/// @file
/// What a message says of itself before it is read.
#pragma once

#include <cstdint>

namespace tutti {

/// In the place of a sender's rank: whoever sends first.
inline constexpr int any_rank = -1;
/// In the place of a tag: whatever it is.
inline constexpr int any_tag = -1;

struct MessageOptions {
  /// Tells messages between two ranks apart: a receive takes those of its tag alone. At least 0; receives and probes
  /// may ask for any_tag.
  int tag = 0;
};

/// Who has sent a message, under which tag, and how many elements it has.
struct Envelope {
  int rank = any_rank;
  int tag = any_tag;
  std::int64_t count = 0;

  friend bool operator==(const Envelope&, const Envelope&) = default;
};

}  // namespace tutti
