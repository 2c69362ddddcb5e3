/// @file
/// What a rank that waits for long has under way, and needs of whom: told to all, so that those who wait for one
/// another in a circle can find it (progress/circle.hpp). Plain bytes: it is read by other processes, and sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/digest.hpp"

namespace tutti::runtime {

/// One rank's part in a collective, a send or a receive, under a name that all ranks give it. Names of different deeds
/// differ but by a chance of 2^-64.
using Deed = std::uint64_t;

inline Deed deed(std::uint64_t kind, std::uint64_t communicator, std::uint64_t number, int from = 0, int to = 0) {
  std::uint64_t hash = digest_of_nothing;
  for (const std::uint64_t value :
       {kind, communicator, number, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)}) {
    hash = mixed(hash, value);
  }
  return hash;
}
inline Deed collective_deed(std::uint64_t communicator, std::uint64_t number) { return deed(1, communicator, number); }
inline Deed send_deed(std::uint64_t communicator, std::uint64_t number, int from, int to) {
  return deed(2, communicator, number, from, to);
}
inline Deed receive_deed(std::uint64_t communicator, std::uint64_t number, int from, int to) {
  return deed(3, communicator, number, from, to);
}
inline Deed settling_deed(std::uint64_t communicator, std::uint64_t number) { return deed(4, communicator, number); }

/// Something without which an operation cannot go on.
struct Need {
  enum class Kind : std::uint32_t {
    begin,    ///< the rank is to begin the deed
    message,  ///< the rank, in the deed, is to send this rank a message that it has not offered
    reading,  ///< the rank, in the deed, is to read a message that this rank has offered
  };
  Deed deed = 0;
  std::int32_t rank = 0;  ///< of the run: whose deed it is
  Kind kind = Kind::begin;
};

/// An operation under way: the needs of the step that it is at. It leaves the step only when all of them are met, or
/// one of them where that suffices.
struct Part {
  Deed deed = 0;
  std::uint16_t first_need = 0;
  std::uint16_t needs = 0;
  bool is_doubtful = false;   ///< it may go on by other means than its needs say
  bool is_cut = false;        ///< it has more needs than are told
  bool any_suffices = false;  ///< it leaves the step once one of its needs is met
};

struct Standing {
  static constexpr std::size_t most_parts = 12;
  static constexpr std::size_t most_needs = 40;

  std::uint32_t parts =
      0;  ///< the first are what the rank waits for; none: it does not wait, or has too much under way
  std::uint32_t needs = 0;
  std::uint32_t awaited = 1;  ///< how many parts it waits for: its wait ends with the first of them that ends
  std::uint32_t unused = 0;
  std::array<Part, most_parts> part = {};
  std::array<Need, most_needs> need = {};

  /// The needs that follow are those of a part in `deed`. False where there is no room.
  bool begin(Deed deed) {
    if (parts == most_parts) return false;
    part[parts] = {deed, static_cast<std::uint16_t>(needs), 0, false, false};
    ++parts;
    return true;
  }
  void add(const Need& next) {
    Part& latest = part[parts - 1];
    if (needs == most_needs) {
      latest.is_cut = true;
      return;
    }
    need[needs++] = next;
    ++latest.needs;
  }
  /// One of the needs of the part is enough.
  void let_any_suffice() { part[parts - 1].any_suffices = true; }
  void doubt() { part[parts - 1].is_doubtful = true; }
};

static_assert(std::is_trivially_copyable_v<Standing>);
static_assert(sizeof(Standing) % sizeof(std::uint64_t) == 0, "records hold it as words");

}  // namespace tutti::runtime
