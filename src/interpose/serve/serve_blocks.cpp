// Collectives by counts that only move data. Ranks do not know one another's counts in all of them, so elements are
// single bytes.

#include <numeric>

#include "interpose/serve/rank_blocks.hpp"
#include "interpose/serve/served_call.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using untyped::Call;

Call by_counts(Collective collective, int root = 0) {
  Call call{.collective = collective, .by_counts = true};
  call.type = ByteUnits().type();
  call.root = root;
  return call;
}

/// Whether blocks may lie at `buffer`, and a rank's own block elsewhere. MPICH refuses it where it is one of them.
bool may_lie_apart(const void* buffer, const RankBlocks& blocks, int rank, const void* own, MPI_Count count,
                   const MpiType& type) {
  const bool is_one_type = blocks.type().handle == type.handle && count > 0 && blocks.count(rank) > 0;
  return blocks.may_lie_at(buffer) && may_lie_at(own, count, type) &&
         !(is_one_type && are_refused(blocks.block(static_cast<const std::byte*>(buffer), rank), own));
}

/// Blocks where they lie, if they are plain, else room for them one after another.
class BlockMemory {
 public:
  /// `is_apart`: in memory of their own in any case.
  BlockMemory(const RankBlocks& blocks, const void* buffer, std::vector<std::int64_t>& displacements,
              bool is_apart = false)
      : blocks_(blocks), buffer_(static_cast<std::byte*>(const_cast<void*>(buffer))) {
    if (blocks.are_plain() && !is_apart) {
      const RankBlocks::Range range = blocks.range();
      blocks.put_displacements(displacements, range);
      data_ = buffer_ + range.begin;
      bytes_ = range.end - range.begin;
      displacements_ = displacements;
      return;
    }
    bytes_ = blocks.packed_bytes();
    packed_ = memory_of(bytes_);
    data_ = packed_.get();
  }

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }
  std::span<const std::int64_t> displacements() const { return displacements_; }
  /// Returns the begin of the rank's block, of blocks of so many bytes.
  std::byte* block(int rank, std::span<const std::int64_t> counts) const {
    if (!displacements_.empty()) return data_ + displacements_[static_cast<std::size_t>(rank)];
    return data_ + std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
  }
  /// Packs blocks that are read: before the call.
  void pack() const {
    if (packed_) blocks_.pack_all(buffer_, packed_.get());
  }
  /// Unpacks blocks that are written: after the call, which has ended with that code.
  int finished(int code) const {
    if (packed_ && code == MPI_SUCCESS) blocks_.unpack_all(packed_.get(), buffer_);
    return code;
  }

 private:
  const RankBlocks& blocks_;
  std::byte* buffer_;  // only read where blocks are
  std::unique_ptr<std::byte[]> packed_;
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
  std::span<const std::int64_t> displacements_;
};

/// Whether blocks that are written go through memory of their own, because they overlap. MPI forbids that, and MPIs
/// write one block after another: a program that relies on it works on, unless it is checked.
bool are_written_apart(const RankBlocks& blocks) { return blocks.are_plain() && !is_checked() && blocks.overlap(); }

/// Each rank's block of `sent` goes to that rank, where it is its block of `received`.
int exchange(ServedCommunicator& on, const BlockMemory& input, const RankBlocks& sent, const BlockMemory& output,
             const RankBlocks& received, InputPlacement placement) {
  input.pack();
  sent.put_counts(on.numbers(0));
  received.put_counts(on.numbers(1));
  Call call = by_counts(Collective::all_to_all);
  call.counts = on.numbers(0);
  call.receive_counts = on.numbers(1);
  call.displacements = input.displacements();
  call.receive_displacements = output.displacements();
  call.input = input.data();
  call.input_size = input.bytes();
  call.output = output.data();
  call.output_size = output.bytes();
  call.type = told_with(call.type, placement);
  return output.finished(run(on, call, placement));
}

/// `is_one_list`: both are told by the same lists of the program's.
Served exchanged(ServedCommunicator& on, const void* send, const RankBlocks& sent, void* receive,
                 const RankBlocks& received, bool is_one_list) {
  if (!received.are_sound() || !sent.are_sound() || !received.may_lie_at(receive) || !sent.may_lie_at(send))
    return std::nullopt;
  if (is_one_list && are_refused(send, receive)) return std::nullopt;
  const BlockMemory input(sent, send, on.numbers(2));
  const BlockMemory output(received, receive, on.numbers(3), are_written_apart(received));
  return exchange(on, input, sent, output, received, InputPlacement::apart);
}

/// Blocks that are sent lie where those that are received go.
Served exchanged_in_place(ServedCommunicator& on, void* receive, const RankBlocks& blocks) {
  if (!blocks.are_sound() || !blocks.may_lie_at(receive)) return std::nullopt;
  const BlockMemory input(blocks, receive, on.numbers(2), true);
  const BlockMemory output(blocks, receive, on.numbers(3), are_written_apart(blocks));
  return exchange(on, input, blocks, output, blocks, InputPlacement::in_place);
}

}  // namespace

Served gather_v(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type, int root) {
  if (!is_root(on, root) || on.leaves(ServedCollective::gather_v, 0)) return std::nullopt;
  Call call = by_counts(Collective::gather, root);
  call.counts_at_root = true;
  if (on.rank() != root) {
    if (!is_sound(send_count, send_type)) return std::nullopt;
    const MpiType sent = type_of(send_type);
    if (!may_lie_at(send, send_count, sent)) return std::nullopt;
    const PackedInput input(send, send_count, sent);
    call.input = input.data();
    call.input_size = input.bytes();
    return run(on, call);
  }
  const bool in_place = send == MPI_IN_PLACE;
  if (receive_type == MPI_DATATYPE_NULL || (!in_place && !is_sound(send_count, send_type))) return std::nullopt;
  const MpiType received = type_of(receive_type);
  const MpiType sent = in_place ? received : type_of(send_type);
  const RankBlocks blocks(on, receive_counts, displacements, received);
  if (!blocks.are_sound() ||
      !(in_place ? blocks.may_lie_at(receive) : may_lie_apart(receive, blocks, root, send, send_count, sent)))
    return std::nullopt;
  const PackedInput input = in_place ? PackedInput(blocks.block(bytes_of(receive), root), blocks.count(root), received)
                                     : PackedInput(send, send_count, sent);
  const BlockMemory output(blocks, receive, on.numbers(1), are_written_apart(blocks));
  blocks.put_counts(on.numbers(0));
  call.counts = on.numbers(0);
  call.displacements = output.displacements();
  call.input = input.data();
  call.input_size = input.bytes();
  call.output = output.data();
  call.output_size = output.bytes();
  return output.finished(run(on, call, placed(in_place)));
}

Served scatter_v(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers displacements,
                 MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  if (!is_root(on, root) || on.leaves(ServedCollective::scatter_v, 0)) return std::nullopt;
  Call call = by_counts(Collective::scatter, root);
  call.counts_at_root = true;
  if (on.rank() != root) {
    if (!is_sound(receive_count, receive_type)) return std::nullopt;
    const MpiType received = type_of(receive_type);
    if (!may_lie_at(receive, receive_count, received)) return std::nullopt;
    const PackedOutput output(receive, receive_count, received);
    call.output = output.data();
    call.output_size = receive_count * received.size;
    return output.finished(run(on, call));
  }
  const bool in_place = receive == MPI_IN_PLACE;
  if (send_type == MPI_DATATYPE_NULL || (!in_place && !is_sound(receive_count, receive_type))) return std::nullopt;
  const RankBlocks blocks(on, send_counts, displacements, type_of(send_type));
  const MpiType received = in_place ? blocks.type() : type_of(receive_type);
  if (!blocks.are_sound() ||
      !(in_place ? blocks.may_lie_at(send) : may_lie_apart(send, blocks, root, receive, receive_count, received)))
    return std::nullopt;
  const BlockMemory input(blocks, send, on.numbers(1));
  input.pack();
  blocks.put_counts(on.numbers(0));
  call.counts = on.numbers(0);
  call.displacements = input.displacements();
  call.input = input.data();
  call.input_size = input.bytes();
  const PackedOutput output = in_place ? PackedOutput() : PackedOutput(receive, receive_count, received);
  // The root's own block is to stay where it is, and is not written there.
  call.output = in_place ? input.block(root, on.numbers(0)) : output.data();
  call.output_size = in_place ? on.numbers(0)[static_cast<std::size_t>(root)] : receive_count * received.size;
  return output.finished(run(on, call, placed(in_place)));
}

Served all_gather_v(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                    void* receive, Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type) {
  const bool in_place = send == MPI_IN_PLACE;
  if (receive_type == MPI_DATATYPE_NULL || (!in_place && !is_sound(send_count, send_type))) return std::nullopt;
  const MpiType received = type_of(receive_type);
  const MpiType sent = in_place ? received : type_of(send_type);
  const RankBlocks blocks(on, receive_counts, displacements, received);
  if (!blocks.are_sound() ||
      !(in_place ? blocks.may_lie_at(receive) : may_lie_apart(receive, blocks, on.rank(), send, send_count, sent)))
    return std::nullopt;
  if (on.leaves(ServedCollective::all_gather_v, blocks.packed_bytes() / on.size())) return std::nullopt;
  const PackedInput input =
      in_place ? PackedInput(blocks.block(bytes_of(receive), on.rank()), blocks.count(on.rank()), received)
               : PackedInput(send, send_count, sent);
  // All ranks know alike that blocks are equal, unless one of them is mistaken: where the program is checked, counts
  // are compared. Where blocks go is a matter of this rank.
  const bool are_equal = blocks.are_equal() && !is_checked();
  const bool is_apart = are_equal ? !blocks.are_in_a_row() : are_written_apart(blocks);
  const BlockMemory output(blocks, receive, on.numbers(1), is_apart);
  blocks.put_counts(on.numbers(0));
  Call call = by_counts(Collective::all_gather);
  if (are_equal) {
    call.by_counts = false;
    call.type = ByteUnits::dividing(on.numbers(0).front()).type();
  } else {
    call.counts = on.numbers(0);
    call.displacements = output.displacements();
  }
  call.input = input.data();
  call.input_size = input.bytes() / call.type.size;
  call.output = output.data();
  call.output_size = output.bytes() / call.type.size;
  call.type = told_with(call.type, placed(in_place && blocks.packed_bytes() > 0));
  return output.finished(run(on, call, placed(in_place)));
}

Served all_to_all_v(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers send_displacements,
                    MPI_Datatype send_type, void* receive, Numbers receive_counts, Numbers receive_displacements,
                    MPI_Datatype receive_type) {
  const bool in_place = send == MPI_IN_PLACE;
  if (receive_type == MPI_DATATYPE_NULL || (!in_place && send_type == MPI_DATATYPE_NULL)) return std::nullopt;
  if (on.leaves(ServedCollective::all_to_all_v, 0)) return std::nullopt;
  const RankBlocks received(on, receive_counts, receive_displacements, type_of(receive_type));
  if (in_place) return exchanged_in_place(on, receive, received);
  const bool is_one_list = send_counts == receive_counts && send_type == receive_type;
  return exchanged(on, send, RankBlocks(on, send_counts, send_displacements, type_of(send_type)), receive, received,
                   is_one_list);
}

// Lengths are hidden as in an all-to-all by counts, and so the same row of the table says who serves it.
Served all_to_all_w(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers send_displacements,
                    Types send_types, void* receive, Numbers receive_counts, Numbers receive_displacements,
                    Types receive_types) {
  if (on.leaves(ServedCollective::all_to_all_v, 0)) return std::nullopt;
  const RankBlocks received(on, receive_counts, receive_displacements, receive_types);
  if (send == MPI_IN_PLACE) return exchanged_in_place(on, receive, received);
  const bool is_one_list = send_counts == receive_counts && send_types == receive_types;
  return exchanged(on, send, RankBlocks(on, send_counts, send_displacements, send_types), receive, received,
                   is_one_list);
}

}  // namespace tutti::interpose
