/// @file
/// Lists of slices in which adjacent slices are one.
#pragma once

#include "schedule/model/schedule.hpp"

namespace tutti {

/// Appends the slice to those from position `begin` on, joined to the last of them where it goes on where that one
/// ends.
///
/// Field by field: a copy of a whole slice reads at once what its maker has just written in parts, and a processor
/// waits some ten cycles until the parts have left its store buffer.
inline void append(std::vector<Slice>& slices, std::size_t begin, const Slice& slice) {
  const Buffer buffer = slice.buffer;
  const std::int64_t first = slice.first;
  const std::int64_t count = slice.count;
  if (slices.size() > begin) {
    Slice& last = slices.back();
    if (last.buffer == buffer && last.end() == first) {
      last.count += count;
      return;
    }
  }
  Slice& fresh = slices.emplace_back();
  fresh.buffer = buffer;
  fresh.first = first;
  fresh.count = count;
}

}  // namespace tutti
