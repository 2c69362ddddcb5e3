/// @file
/// Ranks without which a nonblocking collective does not end.
#pragma once

#include <cstdint>
#include <limits>

namespace tutti::interpose {

/// Ranks that are each to begin a nonblocking collective before it ends on this one.
struct NeededRanks {
  enum class Of : std::uint8_t {
    all,
    lower,    ///< ranks of lower numbers
    root,     ///< the root; the root itself may need none
    by_root,  ///< the root needs all, and others may need none
    unknown,  ///< depends on counts, or on who is whose neighbor; there may be a root
  };
  static constexpr int no_root = std::numeric_limits<int>::min();

  Of of = Of::all;
  int root = no_root;

  bool has_root() const { return root != no_root; }
};

}  // namespace tutti::interpose
