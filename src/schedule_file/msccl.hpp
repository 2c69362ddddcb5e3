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

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti::msccl {

/// Chunks of a buffer: i, o or s.
struct Chunks {
  Buffer buffer = Buffer::input;
  int first = 0;
  int count = 0;
};

/// Step of a thread block, in this order: it receives, combines what it has received with `source`, stores the result
/// in `target`, and sends it. A step that does not receive reads `source`.
struct Step {
  std::string type;
  bool receives = false;
  bool reduces = false;
  bool stores = false;
  bool sends = false;
  Chunks source = {};
  Chunks target = {};
  int after_block = -1;  ///< block after whose step it begins; -1: at once
  int after_step = -1;
};

/// Steps one after the other, with at most one rank to send to and one to receive from. Thread blocks of a rank that
/// have one peer and one channel share a connection: lanes part their messages where that can be said.
struct ThreadBlock {
  int send_to = -1;
  int receive_from = -1;
  int channel = 0;  ///< -1: of none, as it neither sends nor receives
  int send_lane = 0;
  int receive_lane = 0;
  bool competes = false;  ///< for the messages of a connection that no lanes part
  std::vector<Step> steps;
};

/// A chunk of the input that is put into the output before the first step.
struct Copy {
  int input = 0;
  int output = 0;
};

struct Gpu {
  int input_chunks = 0;  ///< chunks of a custom collective's input; its output has others
  int output_chunks = 0;
  int scratch_chunks = 0;
  std::vector<Copy> copies;
  std::vector<ThreadBlock> blocks;
};

struct MscclAlgorithm {
  Collective collective = Collective::all_reduce;
  bool is_custom = false;  ///< no file says what it is to do: it has the buffers of an all-to-all
  bool in_place = false;   ///< and in no other way
  int chunks = 1;          ///< chunks of the whole message, or of all blocks together
  std::vector<Gpu> gpus;
  std::vector<std::string> notes;  ///< sentences on what is read as MSCCL's runtime reads it, and unusual
};

/// A step's place.
struct StepPlace {
  std::size_t rank = 0;
  std::size_t block = 0;
  std::size_t step = 0;

  friend auto operator<=>(const StepPlace&, const StepPlace&) = default;
};

/// Step that sends what a step receives, by the receiver.
using Senders = std::map<StepPlace, StepPlace>;

/// A place in a file, for errors: "ring.xml: rank 1, thread block 0, step 3", or less of it. Checks name one for every
/// step, and it becomes words only where one fails.
struct FilePlace {
  std::string_view file;
  std::optional<std::size_t> rank = {};
  std::optional<std::size_t> block = {};  ///< block of a rank
  std::size_t step = 0;                   ///< step of a thread block
};

/// Reads the file. Throws `Error(invalid_argument)` with its name, rank, thread block and step for what is none.
MscclAlgorithm parse(std::string_view text, const std::string& name);

/// Gives thread blocks that share a connection lanes of their own, the k-th that sends there and the k-th that
/// receives, where as many send as receive, each pair as many messages; otherwise their messages pass in the order in
/// which they are ready. Adds a note on the first that share one.
void part_shared_connections(MscclAlgorithm& algorithm, const std::string& name);

/// Returns the ranks' work as a schedule of `elements` elements a chunk. Sends of MSCCL are buffered: if a rank goes on
/// before the receiver is there, the schedule sends when it is, from a copy if what is sent is overwritten by then.
/// Throws `Error(invalid_argument)` with rank, thread block and step if one waits for ever, and if the file does not
/// order two steps that touch the same chunks: thread blocks run at once.
Schedule ordered(const MscclAlgorithm& algorithm, std::int64_t elements, const std::string& name);

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

/// A schedule, and what is to be said of its file.
struct MscclFile {
  Schedule schedule;
  bool is_custom = false;  ///< whether it solves no problem that its file names: a proof can only say that it ends
  std::vector<std::string> notes;  ///< sentences
};

/// The schedule in the XML, over messages of `count` elements by the collective's own convention, or of one element a
/// chunk where that is 0. Throws `Error(invalid_argument)` as above, and where `count` is no multiple of the chunks.
MscclFile read_msccl_file(std::string_view text, const std::string& name, std::int64_t count);
Schedule read_msccl(std::string_view text, const std::string& name, std::int64_t count);

}  // namespace tutti
