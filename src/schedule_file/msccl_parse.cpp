#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_kind.hpp"
#include "base/text/xml_tags.hpp"
#include "base/units.hpp"
#include "schedule_file/msccl.hpp"
#include "schedule_file/msccl_stuck.hpp"

namespace tutti::msccl {
namespace {

constexpr int most_ranks = 1 << 12;
constexpr int most_blocks = 1 << 10;
constexpr int most_chunks = 1 << 20;
constexpr std::size_t most_steps = std::size_t{1} << 22;

struct StepType {
  std::string_view name;
  bool receives;
  bool reduces;
  bool stores;
  bool sends;
};

constexpr std::array types{StepType{"s", false, false, false, true},   StepType{"r", true, false, true, false},
                           StepType{"rcs", true, false, true, true},   StepType{"rrc", true, true, true, false},
                           StepType{"rrs", true, true, false, true},   StepType{"rrcs", true, true, true, true},
                           StepType{"cpy", false, false, true, false}, StepType{"re", false, true, true, false},
                           StepType{"nop", false, false, false, false}};

struct NamedCollective {
  std::string_view name;
  Collective collective;
};

constexpr std::string_view custom = "custom";
constexpr std::array collectives{NamedCollective{"allreduce", Collective::all_reduce},
                                 NamedCollective{"allgather", Collective::all_gather},
                                 NamedCollective{"reduce_scatter", Collective::reduce_scatter},
                                 NamedCollective{"reducescatter", Collective::reduce_scatter},
                                 NamedCollective{"alltoall", Collective::all_to_all},
                                 NamedCollective{"broadcast", Collective::broadcast},
                                 NamedCollective{custom, Collective::all_to_all}};

// The entry of that name; throws `Error` naming the nearest.
template <typename Entry, std::size_t n>
const Entry& entry_named(std::string_view name, const std::array<Entry, n>& entries, std::string_view what,
                         const FilePlace& place) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  fail(ErrorCode::invalid_argument, "{}: there is no {} '{}'; {}", place, what, name, nearest_in_words(name, names));
}

/// Reads tag after tag; errors name the place of what was opened last.
class MscclReader {
 public:
  MscclReader(std::string_view text, const std::string& name) : tags_(text), text_(text), name_(name) {}

  MscclAlgorithm read() {
    while (const auto tag = tags_.next()) read_tag(*tag);
    require(!tags_.is_cut_off(), "{}: it ends within a tag", place());
    require(has_algorithm_, "{}: this is no schedule of MSCCL: it has no <algo>{}", name_, other_kind());
    require(has_ended_, "{}: it ends before its </algo>, as a file does that is cut off", place());
    require(algorithm_.gpus.size() == ranks_, "{}: it has {} of {} GPUs", name_, algorithm_.gpus.size(), ranks_);
    add_notes();
    return std::move(algorithm_);
  }

 private:
  std::string other_kind() const { return has_algorithm_ ? "" : seems_to_be(text_, "MSCCL"); }

  FilePlace place() const {
    if (algorithm_.gpus.empty()) return {name_};
    const auto& blocks = algorithm_.gpus.back().blocks;
    const std::size_t rank = algorithm_.gpus.size() - 1;
    if (blocks.empty()) return {name_, rank};
    return {name_, rank, blocks.size() - 1, blocks.back().steps.size()};
  }

  FilePlace rank_place() const { return {name_, algorithm_.gpus.size() - 1}; }

  std::string_view word(std::string_view tag, std::string_view key) const {
    const auto value = xml_attribute(tag, key);
    require(value.has_value(), "{}: <{}> needs an attribute {}=\"…\"", place(), xml_name(tag), key);
    return *value;
  }

  int number(std::string_view tag, std::string_view key, int least, int most) const {
    const std::string_view text = word(tag, key);
    // Most numbers are fine: the words for the others take longer than to read them.
    if (const auto value = whole_number(text, least, most)) return static_cast<int>(*value);
    return static_cast<int>(
        parse_integer(text, fmt::format("{}: {} of <{}>", place(), key, xml_name(tag)), least, most));
  }

  int number_or(std::string_view tag, std::string_view key, int otherwise, int least, int most) const {
    return xml_attribute(tag, key) ? number(tag, key, least, most) : otherwise;
  }

  void read_tag(std::string_view tag) {
    const std::string_view name = xml_name(tag);
    if (name.starts_with('?') || name.starts_with('!')) return;
    if (name.starts_with('/')) return close(name);
    require(xml_has_quoted_values(tag), "{}: an attribute of <{}> has no value between quotes", place(), name);
    const auto repeated = xml_repeated_attribute(tag);
    require(!repeated, "{}: <{}> has {} twice; leave one of them out", place(), name, repeated.value_or(""));
    if (name == "algo") {
      read_algorithm(tag);
    } else if (name == "gpu") {
      read_gpu(tag);
    } else if (name == "copy") {
      read_copy(tag);
    } else if (name == "tb") {
      read_block(tag);
    } else {
      if (name != "step")
        fail(ErrorCode::invalid_argument, "{}: there is no <{}> in it{}", place(), name, other_kind());
      read_step(tag);
    }
    if (!tag.ends_with('/')) open_.push_back(name);
  }

  void check_stands_in(std::string_view outer, std::string_view tag) const {
    require(!open_.empty() && open_.back() == outer, "{}: a <{}> stands outside of <{}>", place(), xml_name(tag),
            outer);
  }

  void close(std::string_view name) {
    require(!open_.empty() && open_.back() == name.substr(1), "{}: <{}> ends nothing that is open there", place(),
            name);
    open_.pop_back();
    has_ended_ = has_ended_ || name == "/algo";
  }

  void read_algorithm(std::string_view tag) {
    require(!has_algorithm_, "{}: it has two algorithms", name_);
    has_algorithm_ = true;
    const NamedCollective& named = entry_named(word(tag, "coll"), collectives, "collective", {name_});
    algorithm_.collective = named.collective;
    algorithm_.is_custom = named.name == custom;
    ranks_ = static_cast<std::size_t>(number(tag, "ngpus", 1, most_ranks));
    algorithm_.chunks = number(tag, "nchunksperloop", 1, most_chunks);
    const bool in_place = number_or(tag, "inplace", 0, 0, 1) == 1;
    if (algorithm_.is_custom) return;  // whose buffers are those that the caller names
    algorithm_.in_place = in_place && number_or(tag, "outofplace", 0, 0, 1) == 0;
    require(!algorithm_.in_place || algorithm_.collective != Collective::all_to_all,
            "{}: an all-to-all in place, whose blocks overwrite one another, is not read; give it outofplace=\"1\"",
            name_);
    require(!has_blocks(algorithm_.collective) || algorithm_.chunks % static_cast<int>(ranks_) == 0,
            "{}: {} chunks are not shared evenly among {} ranks", name_, algorithm_.chunks, ranks_);
  }

  void read_gpu(std::string_view tag) {
    check_stands_in("algo", tag);
    const int id = number(tag, "id", 0, most_ranks);
    require(algorithm_.gpus.size() < ranks_, "{}: GPU {} comes after all {} of \"ngpus\"", name_, id, ranks_);
    require(static_cast<std::size_t>(id) == algorithm_.gpus.size(), "{}: GPU {} comes where GPU {} of {} is expected",
            name_, id, algorithm_.gpus.size(), ranks_);
    algorithm_.gpus.push_back({.scratch_chunks = number_or(tag, "s_chunks", 0, 0, most_chunks)});
    if (!algorithm_.is_custom) return;  // others say it by what they are
    algorithm_.gpus.back().input_chunks = number(tag, "i_chunks", 0, most_chunks);
    algorithm_.gpus.back().output_chunks = number(tag, "o_chunks", 0, most_chunks);
  }

  void read_copy(std::string_view tag) {
    check_stands_in("gpu", tag);
    const auto within = [&](std::string_view key, Buffer buffer) {
      const int at = number(tag, key, 0, most_chunks);
      require(at < chunks_of(buffer), "{}: {} of <copy> is {}, and there are {}", rank_place(), key, at,
              counted(chunks_of(buffer), "chunk"));
      return at;
    };
    require(algorithm_.gpus.back().copies.size() < most_chunks, "{}: it has more than {} copies", name_, most_chunks);
    algorithm_.gpus.back().copies.push_back({within("i_off", Buffer::input), within("o_off", Buffer::output)});
  }

  void read_block(std::string_view tag) {
    check_stands_in("gpu", tag);
    const int id = number(tag, "id", 0, most_blocks);
    auto& blocks = algorithm_.gpus.back().blocks;
    require(static_cast<std::size_t>(id) == blocks.size(), "{}: thread block {} comes where {} is expected", place(),
            id, blocks.size());
    const int rank = static_cast<int>(algorithm_.gpus.size()) - 1;
    ThreadBlock block{.send_to = number(tag, "send", -1, static_cast<int>(ranks_) - 1),
                      .receive_from = number(tag, "recv", -1, static_cast<int>(ranks_) - 1),
                      .channel = number_or(tag, "chan", 0, -1, most_blocks),
                      .steps = {}};
    require(block.send_to != rank && block.receive_from != rank,
            "{}: thread block {} sends to its own rank, or receives from it", place(), id);
    require(block.channel >= 0 || (block.send_to < 0 && block.receive_from < 0),
            "{}: thread block {} has a peer and channel -1; give it a channel from 0 on", place(), id);
    blocks.push_back(std::move(block));
  }

  void read_step(std::string_view tag) {
    check_stands_in("tb", tag);
    ThreadBlock& block = algorithm_.gpus.back().blocks.back();
    require(++steps_ <= most_steps, "{}: it has more than {} steps", name_, most_steps);
    const int id = number(tag, "s", 0, static_cast<int>(most_steps));
    require(static_cast<std::size_t>(id) == block.steps.size(), "{}: it comes as step {}", place(), id);
    const StepType& type = entry_named(word(tag, "type"), types, "type", place());
    Step step{.type = std::string(type.name),
              .receives = type.receives,
              .reduces = type.reduces,
              .stores = type.stores,
              .sends = type.sends};
    require(!step.sends || block.send_to >= 0, "{}: '{}' sends, and its thread block has no rank to send to", place(),
            type.name);
    require(!step.receives || block.receive_from >= 0,
            "{}: '{}' receives, and its thread block has no rank to receive from", place(), type.name);
    if (!step.receives || step.reduces) step.source = chunks(tag, "srcbuf", "srcoff", type);
    if (step.stores) step.target = chunks(tag, "dstbuf", "dstoff", type);
    step.after_block = number_or(tag, "depid", -1, -1, most_blocks);
    step.after_step = number_or(tag, "deps", -1, -1, static_cast<int>(most_steps));
    block.steps.push_back(std::move(step));
  }

  // Older runtimes have the scratch behind the output, and files for them name it so.
  Chunks chunks(std::string_view tag, std::string_view buffer, std::string_view offset, const StepType& type) {
    if (type.name == "nop") return {};
    const std::string_view name = word(tag, buffer);
    require(name == "i" || name == "o" || name == "s", "{}: there is no buffer '{}'; i, o and s are", place(), name);
    const Buffer which = name == "i" ? Buffer::input : name == "o" ? Buffer::output : Buffer::scratch;
    const Chunks found{which, number(tag, offset, 0, most_chunks), number(tag, "cnt", 1, most_chunks)};
    const int has = chunks_of(which);
    if (which == Buffer::output && found.first >= has &&
        found.first + found.count <= has + chunks_of(Buffer::scratch)) {
      has_scratch_behind_output_ = true;
      return {Buffer::scratch, found.first - has, found.count};
    }
    require(found.first + found.count <= has, "{}: chunks {} to {} of '{}', which has {}", place(), found.first,
            found.first + found.count - 1, name, has);
    return found;
  }

  int chunks_of(Buffer buffer) const {
    const Gpu& gpu = algorithm_.gpus.back();
    if (buffer == Buffer::scratch) return gpu.scratch_chunks;
    if (algorithm_.is_custom) return buffer == Buffer::input ? gpu.input_chunks : gpu.output_chunks;
    const Collective one_block = buffer == Buffer::input ? Collective::all_gather : Collective::reduce_scatter;
    return algorithm_.collective == one_block ? algorithm_.chunks / static_cast<int>(ranks_) : algorithm_.chunks;
  }

  void add_notes() {
    if (algorithm_.is_custom)
      algorithm_.notes.push_back(fmt::format(
          "{}: the collective is custom, and no file says what it is to do: what is checked is that it ends", name_));
    if (has_scratch_behind_output_)
      algorithm_.notes.push_back(
          fmt::format("{}: chunks behind the end of 'o' are read as scratch, which older runtimes have there", name_));
    const auto copies = [&](const Gpu& gpu) {
      return std::any_of(gpu.copies.begin(), gpu.copies.end(), [&](const Copy& copy) {
        return !algorithm_.in_place || (algorithm_.collective != Collective::all_gather && copy.input != copy.output);
      });
    };
    if (std::any_of(algorithm_.gpus.begin(), algorithm_.gpus.end(), copies))
      algorithm_.notes.push_back(
          fmt::format("{}: its <copy> come before the first step; MSCCL's runtime passes over them, so that there the "
                      "caller has to make them",
                      name_));
  }

  XmlTags tags_;
  std::string_view text_;
  const std::string& name_;
  MscclAlgorithm algorithm_;
  bool has_scratch_behind_output_ = false;
  bool has_algorithm_ = false;
  bool has_ended_ = false;
  std::vector<std::string_view> open_;  // names of elements, the outermost first
  std::size_t ranks_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

MscclAlgorithm parse(std::string_view text, const std::string& name) {
  require(text.find('\0') == std::string_view::npos, "{}: it has bytes of 0; write it as UTF-8", name);
  MscclAlgorithm algorithm = MscclReader(text, name).read();
  check_waits(algorithm, name);
  part_shared_connections(algorithm, name);
  return algorithm;
}

}  // namespace tutti::msccl
