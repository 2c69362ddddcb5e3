#include "runtime/board.hpp"

namespace tutti::runtime {

Board::Board(int ranks) : slots_(static_cast<std::size_t>(ranks) * 2 * collective_lanes) {}

void Board::sign(int rank, std::uint64_t number, const Signature& signature) {
  Slot& mine = slots_[place(rank, number)];
  mine.signature = signature;
  // Release: publishes the signature; acquired by has_signed() of every rank.
  mine.signed_number.store(number + 1, std::memory_order_release);
}

}  // namespace tutti::runtime
