/// @file
/// Folds over memory that this rank reaches.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "transport/interfaces/message.hpp"

namespace tutti::runtime {

/// Room of folds beside operands and result, kept from one fold to the next.
struct FoldRoom {
  std::vector<const void*> pointers;
  std::vector<std::byte> stage;
  bool is_in_use = false;
};

/// A fold's use of the room, while it lives. A user's operator may call tutti, by which another fold begins in the
/// midst of its own: that one has a room to itself, and what the outer fold's kernel reads stays as it is.
class RoomInUse {
 public:
  explicit RoomInUse(FoldRoom& room) : room_(room) {
    if (room.is_in_use) outer_.emplace(std::exchange(room, {}));
    room.is_in_use = true;
  }
  RoomInUse(const RoomInUse&) = delete;
  RoomInUse& operator=(const RoomInUse&) = delete;
  ~RoomInUse() {
    if (outer_) room_ = std::move(*outer_);
    room_.is_in_use = outer_.has_value();
  }

 private:
  FoldRoom& room_;
  std::optional<FoldRoom> outer_;
};

/// Returns how the result of a fold of so many bytes is best written: past the caches if it does not fit into them.
detail::Stores stores_for(std::int64_t bytes);

/// Computes `bytes` bytes of the fold from its byte `first` on; whole elements. All ranges are here. `pointers` is
/// room that is kept from call to call, and no other fold's meanwhile.
void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers);

}  // namespace tutti::runtime
