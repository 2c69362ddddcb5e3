#include "interpose/serve/segmented_moves.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "interpose/serve/served_call.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using untyped::Call;

/// From here on a rank's messages of a call are cut: packing fewer bytes takes some hundredths of a second.
constexpr std::int64_t parted_from = std::int64_t{64} << 20;
/// Bytes that a rank packs at a time, of all blocks together.
constexpr std::int64_t part_bytes = std::int64_t{32} << 20;
constexpr std::int64_t least_part = std::int64_t{64} << 10;

/// Room for one part of each block, for sides whose parts do not lie in their buffers.
std::unique_ptr<std::byte[]> room_for(const SegmentedSide& side, std::int64_t part, int ranks) {
  const bool needs_room = side.is_used && (side.is_dropped || !side.elements.are_plain());
  return needs_room ? memory_of(side.has_all ? part * ranks : part) : nullptr;
}

/// Visits the ranges of a side's blocks that belong to a part, and where each lies in the room.
template <typename Visit>
void visit_blocks(const SegmentedSide& side, const PackedRange& part, std::int64_t block, int ranks,
                  const Visit& visit) {
  for (int rank = 0; rank < (side.has_all ? ranks : 1); ++rank)
    visit(PackedRange{side.first + rank * block + part.begin, part.bytes}, rank * part.bytes);
}

/// Place in which a part of a side is read or written: the memory of the whole call, and its bytes.
struct SegmentPlace {
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
  std::span<const std::int64_t> displacements;
};

SegmentPlace place_of(const SegmentedSide& side, const PackedRange& part, std::byte* room, std::int64_t block,
                      int ranks, std::vector<std::int64_t>& displacements) {
  if (!side.is_used) return {};
  const std::int64_t blocks = side.has_all ? ranks : 1;
  if (room != nullptr) return {room, blocks * part.bytes, {}};
  std::byte* const data = side.elements.data() + side.first + part.begin;
  if (!side.has_all) return {data, part.bytes, {}};
  displacements.resize(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) displacements[static_cast<std::size_t>(rank)] = rank * block;
  return {data, (blocks - 1) * block + part.bytes, displacements};
}

void note_parts(std::int64_t bytes) {
  if (CountedCall* const counted = CountedCall::current()) counted->note_bytes(bytes, "tutti: by parts");
}

}  // namespace

SegmentedElements::SegmentedElements(const void* elements, std::int64_t count, const MpiType& type)
    : elements_(static_cast<std::byte*>(const_cast<void*>(elements))), count_(count), type_(type) {
  if (!type.is_plain) layout_ = TypeLayout::of(type.handle, count, type.extent);
}

void SegmentedElements::take_whole() {
  if (whole_ == nullptr) whole_ = memory_of(count_ * type_.size);
}

void SegmentedElements::pack_whole() {
  if (!is_whole()) return;
  take_whole();
  pack(elements_, count_, type_, whole_.get());
}

void SegmentedElements::read(const PackedRange& part, std::byte* room) const {
  if (layout_) return layout_->pack(elements_, part, room);
  std::memcpy(room, whole_.get() + part.begin, static_cast<std::size_t>(part.bytes));
}

void SegmentedElements::write(const PackedRange& part, const std::byte* room) {
  if (layout_) return layout_->unpack(room, part, elements_);
  take_whole();
  std::memcpy(whole_.get() + part.begin, room, static_cast<std::size_t>(part.bytes));
}

void SegmentedElements::finish() {
  if (is_whole() && whole_ != nullptr) unpack(whole_.get(), count_, type_, elements_);
}

// A program that is checked is told of its calls, each of which is one.
std::int64_t part_of(const ServedCommunicator& on, std::int64_t block, std::int64_t blocks) {
  if (is_checked() || on.size() == 1 || block * blocks < parted_from) return block;
  return std::min(block, std::max(least_part, part_bytes / blocks / 64 * 64));
}

int move_by_parts(ServedCommunicator& on, Collective collective, int root, SegmentedSide& input, SegmentedSide& output,
                  std::int64_t block, std::int64_t part) {
  const int p = on.size();
  const std::unique_ptr<std::byte[]> sent = room_for(input, part, p);
  const std::unique_ptr<std::byte[]> received = room_for(output, part, p);
  if (input.is_used) input.elements.pack_whole();
  for (std::int64_t begin = 0; begin < block; begin += part) {
    const PackedRange now{begin, std::min(part, block - begin)};
    if (sent) {
      visit_blocks(input, now, block, p,
                   [&](const PackedRange& range, std::int64_t at) { input.elements.read(range, sent.get() + at); });
    }
    const SegmentPlace from = place_of(input, now, sent.get(), block, p, on.numbers(1));
    const SegmentPlace to = place_of(output, now, received.get(), block, p, on.numbers(2));
    on.numbers(0).assign(static_cast<std::size_t>(p), now.bytes);
    Call call{.collective = collective, .by_counts = true};
    call.type = ByteUnits().type();
    call.root = root;
    call.counts = on.numbers(0);
    call.input = from.data;
    call.input_size = from.bytes;
    call.output = to.data;
    call.output_size = to.bytes;
    const bool is_to_all = collective == Collective::all_to_all;
    if (is_to_all) call.receive_counts = on.numbers(0);
    const bool is_of_input = is_to_all || collective == Collective::scatter;
    call.displacements = is_of_input ? from.displacements : to.displacements;
    if (is_to_all) call.receive_displacements = to.displacements;
    if (const int code = run(on, call); code != MPI_SUCCESS) return code;
    if (!received || output.is_dropped) continue;
    visit_blocks(output, now, block, p,
                 [&](const PackedRange& range, std::int64_t at) { output.elements.write(range, received.get() + at); });
  }
  if (output.is_used && !output.is_dropped) output.elements.finish();
  note_parts(block);
  return MPI_SUCCESS;
}

int broadcast_by_parts(ServedCommunicator& on, int root, SegmentedElements& message, std::int64_t bytes,
                       std::int64_t part) {
  const bool is_sent = on.rank() == root;
  const std::unique_ptr<std::byte[]> room = message.are_plain() ? nullptr : memory_of(part);
  if (is_sent) message.pack_whole();
  for (std::int64_t begin = 0; begin < bytes; begin += part) {
    const PackedRange now{begin, std::min(part, bytes - begin)};
    if (room && is_sent) message.read(now, room.get());
    Call call{.collective = Collective::broadcast};
    call.type = ByteUnits::dividing(now.bytes).type();
    call.root = root;
    call.output = room ? room.get() : message.data() + begin;
    call.output_size = now.bytes / call.type.size;
    call.in_place = true;
    call.read_only = is_sent;
    if (const int code = run(on, call, InputPlacement::in_place); code != MPI_SUCCESS) return code;
    if (room && !is_sent) message.write(now, room.get());
  }
  if (!is_sent) message.finish();
  note_parts(bytes);
  return MPI_SUCCESS;
}

}  // namespace tutti::interpose
