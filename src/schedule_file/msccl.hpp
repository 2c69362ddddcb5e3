/// @file
/// Schedules of other synthesizers: the XML files that MSCCL runs, by which GPUs with several thread blocks each send
/// chunks to one another.
///
///     <algo name="…" coll="allreduce" nchunksperloop="4" ngpus="4" inplace="1">
///       <gpu id="0" i_chunks="4" o_chunks="4" s_chunks="0">
///         <tb id="0" send="1" recv="3" chan="0">
///           <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1"/>
///
/// Source: M. Cowan, S. Maleki, M. Musuvathi, O. Saarikivi, Y. Xiong, MSCCLang: Microsoft Collective Communication
/// Language, ASPLOS 2023; the format is that of microsoft/msccl-tools.
#pragma once

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::msccl {

/// Chunks of a buffer: i, o or s.
struct Chunks {
  Buffer buffer = Buffer::input;
  int first = 0;
  int count = 0;
};

/// What a step does, in this order: it receives, combines what it has received with `source`, stores the result in
/// `target`, and sends it. A step that does not receive reads `source`.
struct Step {
  std::string type;
  bool receives = false;
  bool reduces = false;
  bool stores = false;
  bool sends = false;
  Chunks source = {};
  Chunks target = {};
  int after_block = -1;  ///< it begins when that block's step is done; -1: at once
  int after_step = -1;
};

/// Steps one after the other, with at most one rank to send to and one to receive from.
struct ThreadBlock {
  int send_to = -1;
  int receive_from = -1;
  int channel = 0;
  std::vector<Step> steps;
};

struct Gpu {
  int scratch_chunks = 0;
  std::vector<ThreadBlock> blocks;
};

struct Algorithm {
  Collective collective = Collective::all_reduce;
  bool in_place = false;  ///< and in no other way
  int chunks = 1;         ///< of the whole message, or of all blocks together
  std::vector<Gpu> gpus;
};

/// A place in a file, for errors: "ring.xml: rank 1, thread block 0, step 3", or less of it. Checks name one for every
/// step, and it becomes words only where one fails.
struct FilePlace {
  std::string_view file;
  std::optional<std::size_t> rank = {};
  std::optional<std::size_t> block = {};  ///< of a rank
  std::size_t step = 0;                   ///< of a thread block
};

/// Reads the file. Throws `Error(invalid_argument)` with its name, rank, thread block and step for what is none.
Algorithm parse(std::string_view text, const std::string& name);

/// What the ranks do, as a schedule of `elements` elements a chunk. Sends of MSCCL are buffered: where a rank goes on
/// before the receiver is there, the schedule sends when it is, from a copy where what is sent is overwritten by then.
/// Throws `Error(invalid_argument)` with rank, thread block and step where one waits for ever, and where the file does
/// not order two steps that touch the same chunks: thread blocks run at once.
Schedule ordered(const Algorithm& algorithm, std::int64_t elements, const std::string& name);

}  // namespace tutti::msccl

template <>
struct fmt::formatter<tutti::msccl::FilePlace> : formatter<string_view> {
  auto format(const tutti::msccl::FilePlace& place, format_context& context) const {
    if (!place.rank) return format_to(context.out(), "{}", place.file);
    if (!place.block) return format_to(context.out(), "{}: rank {}", place.file, *place.rank);
    return format_to(context.out(), "{}: rank {}, thread block {}, step {}", place.file, *place.rank, *place.block,
                     place.step);
  }
};

namespace tutti {

/// The schedule in the XML, over messages of `count` elements by the collective's own convention, or of one element a
/// chunk where that is 0. Throws `Error(invalid_argument)` as above, and where `count` is no multiple of the chunks.
Schedule read_msccl(std::string_view text, const std::string& name, std::int64_t count);

}  // namespace tutti
