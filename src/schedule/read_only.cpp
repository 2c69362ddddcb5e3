#include "schedule/read_only.hpp"

#include <algorithm>

namespace tutti {

Program writing_elsewhere(const Program& program, Buffer buffer) {
  Program result = program;
  std::int64_t longest = 0;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::send) continue;
    for (std::uint32_t k = op.at; k < op.at + op.slices; ++k) {
      Slice& slice = result.pool[k];
      if (slice.buffer != buffer) continue;
      longest = std::max(longest, slice.end());
      slice = {Buffer::scratch, program.scratch + slice.first, slice.count};
    }
  }
  result.scratch += longest;
  return result;
}

}  // namespace tutti
