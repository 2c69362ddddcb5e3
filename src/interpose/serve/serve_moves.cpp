// Collectives of equal blocks that only move data.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "interpose/serve/segmented_moves.hpp"
#include "interpose/serve/served_call.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using untyped::Call;

/// A call of blocks of `block` bytes each.
Call moving(Collective collective, std::int64_t block, int root = 0) {
  Call call{.collective = collective};
  call.type = ByteUnits::dividing(block).type();
  call.root = root;
  return call;
}

void set_input(Call& call, const PackedInput& input) {
  call.input = input.data();
  call.input_size = input.bytes() / call.type.size;
}

void set_output(Call& call, void* data, std::int64_t bytes) {
  call.output = data;
  call.output_size = bytes / call.type.size;
}

/// Rank `rank`'s block of a buffer of equal ones.
template <typename Buffer>
Buffer* block_of(Buffer* buffer, int rank, MPI_Count count, const MpiType& type) {
  return buffer + rank * count * type.extent;
}

/// Whether it is already clear that MPI is the faster one: a short call one way costs MPI some tens of ns, and all that
/// could be asked about its types and buffers a good part of that.
bool leaves_at_once(const ServedCommunicator& on, ServedCollective collective, MPI_Count count, MPI_Datatype type) {
  const MpiType* const predefined = predefined_type(type);
  return predefined != nullptr && on.leaves(collective, count * predefined->size);
}

/// Elements of a buffer, as MPI's arguments describe them.
struct Described {
  const void* buffer;
  MPI_Count count;
  const MpiType& type;
};

/// Whether elements may lie at both places. MPICH refuses a rank's own block that is one of `all` already.
bool may_lie_at_both(const Described& all, int rank, const Described& own) {
  const bool is_refused =
      all.type.handle == own.type.handle && all.count == own.count && own.count > 0 &&
      are_refused(static_cast<const std::byte*>(all.buffer) + rank * all.count * all.type.size, own.buffer);
  return !is_refused && may_lie_at(all.buffer, all.count, all.type) && may_lie_at(own.buffer, own.count, own.type);
}

/// Returns how many bytes of each block an all-to-all in place moves at once: what is sent is copied first, and a copy
/// that fits a core's cache together with its blocks is read from there. Blocks of 1 MiB take 2 ranks of an AMD EPYC
/// with 1 MiB of cache a core 190 to 270 us at once and 70 to 95 us by parts (medians of 11).
std::int64_t part_in_place(const ServedCommunicator& on, std::int64_t block) {
  constexpr std::int64_t most_in_cache = 256 << 10;
  constexpr std::int64_t least = 64 << 10;
  const bool is_whole = is_checked() || !on.is_on_one_host();
  return is_whole ? block : std::min(block, std::max(least, most_in_cache / on.size() / 64 * 64));
}

/// An all-to-all in place of blocks of so many bytes, by parts. MPI wants all ranks to do it in place, or none.
int all_to_all_by_parts(ServedCommunicator& on, std::byte* blocks, std::int64_t block, std::int64_t most) {
  const auto p = static_cast<std::size_t>(on.size());
  const std::unique_ptr<std::byte[]> copy = memory_of(on.size() * most);
  std::vector<std::int64_t>& counts = on.numbers(0);
  std::vector<std::int64_t>& places = on.numbers(1);
  places.resize(p);
  for (std::int64_t begin = 0; begin < block; begin += most) {
    const std::int64_t part = std::min(most, block - begin);
    counts.assign(p, part);
    for (std::size_t rank = 0; rank < p; ++rank) {
      const auto at = static_cast<std::int64_t>(rank);
      places[rank] = at * block;
      std::memcpy(copy.get() + at * part, blocks + at * block + begin, static_cast<std::size_t>(part));
    }
    Call call{.collective = Collective::all_to_all, .by_counts = true};
    call.type = ByteUnits().type();
    call.counts = call.receive_counts = counts;
    call.receive_displacements = places;
    call.input = copy.get();
    call.input_size = on.size() * part;
    call.output = blocks + begin;
    call.output_size = (on.size() - 1) * block + part;
    if (const int code = run(on, call); code != MPI_SUCCESS) return code;
  }
  if (CountedCall* const counted = CountedCall::current()) counted->note_bytes(block, "tutti: by parts");
  return MPI_SUCCESS;
}

}  // namespace

Served barrier(ServedCommunicator& on) {
  if (on.leaves(ServedCollective::barrier, 0)) return std::nullopt;
  return run(on, {.collective = Collective::barrier});
}

Served broadcast(ServedCommunicator& on, void* buffer, MPI_Count count, MPI_Datatype type, int root) {
  if (!is_sound(count, type) || !is_root(on, root)) return std::nullopt;
  const MpiType element = type_of(type);
  const std::int64_t bytes = count * element.size;
  if (!may_lie_at(buffer, count, element) || on.leaves(ServedCollective::broadcast, bytes)) return std::nullopt;
  if (const std::int64_t part = part_of(on, bytes, 1); part < bytes) {
    SegmentedElements message(buffer, count, element);
    return broadcast_by_parts(on, root, message, bytes, part);
  }
  const PackedOutput message(buffer, count, element);
  const bool is_sent = on.rank() == root;
  if (is_sent && !element.is_plain) pack(buffer, count, element, message.data());
  Call call = moving(Collective::broadcast, bytes, root);
  set_output(call, message.data(), bytes);
  call.in_place = true;
  call.read_only = is_sent;
  const int code = run(on, call, InputPlacement::in_place);
  return is_sent ? code : message.finished(code);
}

Served gather(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  if (!is_root(on, root)) return std::nullopt;
  const bool is_at_root = on.rank() == root;
  const bool in_place = is_at_root && send == MPI_IN_PLACE;
  if (!in_place && !is_sound(send_count, send_type)) return std::nullopt;
  if (is_at_root && !is_sound(receive_count, receive_type)) return std::nullopt;
  if (leaves_at_once(on, ServedCollective::gather, in_place ? receive_count : send_count,
                     in_place ? receive_type : send_type))
    return std::nullopt;
  const MpiType received = is_at_root ? type_of(receive_type) : MpiType();
  const MpiType sent = in_place ? received : type_of(send_type);
  const bool can_be = in_place     ? may_lie_at(receive, receive_count, received)
                      : is_at_root ? may_lie_at_both({receive, receive_count, received}, root, {send, send_count, sent})
                                   : may_lie_at(send, send_count, sent);
  if (!can_be) return std::nullopt;
  const std::int64_t block = in_place ? receive_count * received.size : send_count * sent.size;
  if (on.leaves(ServedCollective::gather, block)) return std::nullopt;
  const std::int64_t all = is_at_root ? on.size() * receive_count : 0;
  if (const std::int64_t part = part_of(on, block, on.size()); part < block) {
    SegmentedSide give =
        in_place ? one_block({receive, all, received}, root * block) : one_block({send, send_count, sent});
    SegmentedSide get = is_at_root ? all_blocks({receive, all, received}) : SegmentedSide();
    return move_by_parts(on, Collective::gather, root, give, get, block, part);
  }
  const PackedInput input =
      in_place ? PackedInput(block_of(bytes_of(receive), root, receive_count, received), receive_count, received)
               : PackedInput(send, send_count, sent);
  const PackedOutput output = is_at_root ? PackedOutput(receive, all, received) : PackedOutput();
  Call call = moving(Collective::gather, block, root);
  set_input(call, input);
  set_output(call, output.data(), all * received.size);
  return output.finished(run(on, call, placed(in_place)));
}

Served scatter(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
               MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  if (!is_root(on, root)) return std::nullopt;
  const bool is_at_root = on.rank() == root;
  const bool in_place = is_at_root && receive == MPI_IN_PLACE;
  if (is_at_root && !is_sound(send_count, send_type)) return std::nullopt;
  if (!in_place && !is_sound(receive_count, receive_type)) return std::nullopt;
  if (leaves_at_once(on, ServedCollective::scatter, in_place ? send_count : receive_count,
                     in_place ? send_type : receive_type))
    return std::nullopt;
  const MpiType sent = is_at_root ? type_of(send_type) : MpiType();
  const MpiType received = in_place ? sent : type_of(receive_type);
  const bool can_be = in_place     ? may_lie_at(send, send_count, sent)
                      : is_at_root ? may_lie_at_both({send, send_count, sent}, root, {receive, receive_count, received})
                                   : may_lie_at(receive, receive_count, received);
  if (!can_be) return std::nullopt;
  const std::int64_t block = in_place ? send_count * sent.size : receive_count * received.size;
  if (on.leaves(ServedCollective::scatter, block)) return std::nullopt;
  const std::int64_t all = is_at_root ? on.size() * send_count : 0;
  if (const std::int64_t part = part_of(on, block, on.size()); part < block) {
    SegmentedSide give = is_at_root ? all_blocks({send, all, sent}) : SegmentedSide();
    SegmentedSide get = one_block(in_place ? SegmentedElements() : SegmentedElements(receive, receive_count, received));
    // The root's own block is to stay where it is, and is not written there.
    get.is_dropped = in_place;
    return move_by_parts(on, Collective::scatter, root, give, get, block, part);
  }
  const PackedInput input = is_at_root ? PackedInput(send, all, sent) : PackedInput();
  const PackedOutput output = in_place ? PackedOutput() : PackedOutput(receive, receive_count, received);
  Call call = moving(Collective::scatter, block, root);
  set_input(call, input);
  // The root's own block is to stay where it is, and is not written there.
  set_output(call, in_place ? const_cast<std::byte*>(input.data()) + root * block : output.data(), block);
  return output.finished(run(on, call, placed(in_place)));
}

Served all_gather(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type) {
  const bool in_place = send == MPI_IN_PLACE;
  if (!is_sound(receive_count, receive_type) || (!in_place && !is_sound(send_count, send_type))) return std::nullopt;
  const MpiType received = type_of(receive_type);
  const MpiType sent = in_place ? received : type_of(send_type);
  const bool can_be = in_place
                          ? may_lie_at(receive, receive_count, received)
                          : may_lie_at_both({receive, receive_count, received}, on.rank(), {send, send_count, sent});
  const std::int64_t block = receive_count * received.size;
  if (!can_be || on.leaves(ServedCollective::all_gather, block)) return std::nullopt;
  const std::int64_t all = on.size() * receive_count;
  if (const std::int64_t part = part_of(on, block, on.size()); part < block) {
    SegmentedSide give =
        in_place ? one_block({receive, all, received}, on.rank() * block) : one_block({send, send_count, sent});
    SegmentedSide get = all_blocks({receive, all, received});
    return move_by_parts(on, Collective::all_gather, 0, give, get, block, part);
  }
  const PackedInput input =
      in_place ? PackedInput(block_of(bytes_of(receive), on.rank(), receive_count, received), receive_count, received)
               : PackedInput(send, send_count, sent);
  const PackedOutput output(receive, all, received);
  Call call = moving(Collective::all_gather, block);
  set_input(call, input);
  set_output(call, output.data(), on.size() * block);
  call.type = told_with(call.type, placed(in_place && block > 0));
  return output.finished(run(on, call, placed(in_place)));
}

Served all_to_all(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type) {
  const bool in_place = send == MPI_IN_PLACE;
  if (!is_sound(receive_count, receive_type) || (!in_place && !is_sound(send_count, send_type))) return std::nullopt;
  const MpiType received = type_of(receive_type);
  const MpiType sent = in_place ? received : type_of(send_type);
  const bool can_be = in_place ? may_lie_at(receive, receive_count, received)
                               : may_lie_at_both({receive, receive_count, received}, 0, {send, send_count, sent});
  const std::int64_t block = receive_count * received.size;
  if (!can_be || on.leaves(ServedCollective::all_to_all, block)) return std::nullopt;
  const std::int64_t all = on.size() * receive_count;
  if (const std::int64_t part = part_in_place(on, block); in_place && part < block) {
    const PackedOutput blocks(receive, all, received);
    if (!received.is_plain) pack(receive, all, received, blocks.data());
    return blocks.finished(all_to_all_by_parts(on, blocks.data(), block, part));
  }
  if (const std::int64_t part = part_of(on, block, on.size()); !in_place && part < block) {
    SegmentedSide give = all_blocks({send, on.size() * send_count, sent});
    SegmentedSide get = all_blocks({receive, all, received});
    return move_by_parts(on, Collective::all_to_all, 0, give, get, block, part);
  }
  const PackedInput input =
      in_place ? PackedInput::copy_of(receive, all, received) : PackedInput(send, on.size() * send_count, sent);
  const PackedOutput output(receive, all, received);
  Call call = moving(Collective::all_to_all, block);
  set_input(call, input);
  set_output(call, output.data(), on.size() * block);
  call.type = told_with(call.type, placed(in_place && block > 0));
  return output.finished(run(on, call, placed(in_place)));
}

}  // namespace tutti::interpose
