/// @file
/// Description of its shared heap by a process that has it preloaded.
#pragma once

#include <cstdint>

namespace tutti::heap {

/// An arena: where it lies in its process, and the file whose memory it is. Plain bytes, which ranks tell one another.
struct ArenaDescription {
  std::uint64_t base = 0;    ///< the arena's first address; 0: the process shares no heap
  std::uint64_t bytes = 0;   ///< its room, of which only blocks that are handed out are mapped there
  std::uint64_t secret = 0;  ///< a number that stands in the file behind the arena's bytes, and in no other file
  std::int32_t file = -1;    ///< under which number the process has the file open
};

/// Tells of the calling process's arena; false where it has none.
using DescribeArena = bool(ArenaDescription*);

/// Whether an address is one of the calling process's arena by now: of its room the program may have mapped what the
/// arena has not reserved yet.
using IsInArena = bool(const void* address);

/// The names of these functions, which the preloaded library alone has.
inline constexpr const char* describe_arena_name = "tutti_heap_arena";
inline constexpr const char* is_in_arena_name = "tutti_heap_has";

}  // namespace tutti::heap
