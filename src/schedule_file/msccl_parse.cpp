#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "base/units.hpp"
#include "base/xml_tags.hpp"
#include "schedule_file/msccl.hpp"

namespace tutti::msccl {
namespace {

constexpr int most_ranks = 1 << 12;
constexpr int most_blocks = 1 << 10;
constexpr int most_chunks = 1 << 20;
constexpr std::size_t most_steps = std::size_t{1} << 22;

struct Type {
  std::string_view name;
  bool receives;
  bool reduces;
  bool stores;
  bool sends;
};

constexpr std::array types{Type{"s", false, false, false, true},   Type{"r", true, false, true, false},
                           Type{"rcs", true, false, true, true},   Type{"rrc", true, true, true, false},
                           Type{"rrs", true, true, false, true},   Type{"rrcs", true, true, true, true},
                           Type{"cpy", false, false, true, false}, Type{"re", false, true, true, false},
                           Type{"nop", false, false, false, false}};

struct Named {
  std::string_view name;
  Collective collective;
};

constexpr std::array collectives{
    Named{"allreduce", Collective::all_reduce},          Named{"allgather", Collective::all_gather},
    Named{"reduce_scatter", Collective::reduce_scatter}, Named{"reducescatter", Collective::reduce_scatter},
    Named{"alltoall", Collective::all_to_all},           Named{"broadcast", Collective::broadcast}};

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
class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : tags_(text), name_(name) {}

  Algorithm read() {
    while (const auto tag = tags_.next()) read_tag(*tag);
    require(!tags_.is_cut_off(), "{}: it ends within a tag", place());
    require(has_algorithm_, "{}: this is no schedule of MSCCL: it has no <algo>", name_);
    require(has_ended_, "{}: it ends before its </algo>, as a file does that is cut off", place());
    require(algorithm_.gpus.size() == ranks_, "{}: it has {} of {} GPUs", name_, algorithm_.gpus.size(), ranks_);
    return std::move(algorithm_);
  }

 private:
  FilePlace place() const {
    if (algorithm_.gpus.empty()) return {name_};
    const auto& blocks = algorithm_.gpus.back().blocks;
    const std::size_t rank = algorithm_.gpus.size() - 1;
    if (blocks.empty()) return {name_, rank};
    return {name_, rank, blocks.size() - 1, blocks.back().steps.size()};
  }

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
    if (name == "algo") {
      read_algorithm(tag);
    } else if (name == "gpu") {
      read_gpu(tag);
    } else if (name == "tb") {
      read_block(tag);
    } else {
      require(name == "step", "{}: there is no <{}> in it", place(), name);
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
    algorithm_.collective = entry_named(word(tag, "coll"), collectives, "collective", {name_}).collective;
    ranks_ = static_cast<std::size_t>(number(tag, "ngpus", 1, most_ranks));
    algorithm_.chunks = number(tag, "nchunksperloop", 1, most_chunks);
    const bool in_place = number_or(tag, "inplace", 0, 0, 1) == 1;
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
    algorithm_.gpus.push_back({.scratch_chunks = number_or(tag, "s_chunks", 0, 0, most_chunks), .blocks = {}});
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
                      .channel = number_or(tag, "chan", 0, 0, most_blocks),
                      .steps = {}};
    require(block.send_to != rank && block.receive_from != rank,
            "{}: thread block {} sends to its own rank, or receives from it", place(), id);
    for (const ThreadBlock& other : blocks) {
      const bool same =
          other.channel == block.channel && ((block.send_to >= 0 && other.send_to == block.send_to) ||
                                             (block.receive_from >= 0 && other.receive_from == block.receive_from));
      require(!same, "{}: thread block {} has the peer and the channel of an earlier one", place(), id);
    }
    blocks.push_back(std::move(block));
  }

  void read_step(std::string_view tag) {
    check_stands_in("tb", tag);
    ThreadBlock& block = algorithm_.gpus.back().blocks.back();
    require(++steps_ <= most_steps, "{}: it has more than {} steps", name_, most_steps);
    const int id = number(tag, "s", 0, static_cast<int>(most_steps));
    require(static_cast<std::size_t>(id) == block.steps.size(), "{}: it comes as step {}", place(), id);
    const Type& type = entry_named(word(tag, "type"), types, "type", place());
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

  Chunks chunks(std::string_view tag, std::string_view buffer, std::string_view offset, const Type& type) const {
    if (type.name == "nop") return {};
    const std::string_view name = word(tag, buffer);
    require(name == "i" || name == "o" || name == "s", "{}: there is no buffer '{}'; i, o and s are", place(), name);
    const Buffer which = name == "i" ? Buffer::input : name == "o" ? Buffer::output : Buffer::scratch;
    const Chunks found{which, number(tag, offset, 0, most_chunks), number(tag, "cnt", 1, most_chunks)};
    const int has = chunks_of(which);
    require(found.first + found.count <= has, "{}: chunks {} to {} of '{}', which has {}", place(), found.first,
            found.first + found.count - 1, name, has);
    return found;
  }

  int chunks_of(Buffer buffer) const {
    if (buffer == Buffer::scratch) return algorithm_.gpus.back().scratch_chunks;
    const Collective one_block = buffer == Buffer::input ? Collective::all_gather : Collective::reduce_scatter;
    return algorithm_.collective == one_block ? algorithm_.chunks / static_cast<int>(ranks_) : algorithm_.chunks;
  }

  XmlTags tags_;
  const std::string& name_;
  Algorithm algorithm_;
  bool has_algorithm_ = false;
  bool has_ended_ = false;
  std::vector<std::string_view> open_;  // names of elements, the outermost first
  std::size_t ranks_ = 0;
  std::size_t steps_ = 0;
};

// Every step that one waits for exists, and comes before it where both are of one thread block.
void check_waits(const Algorithm& algorithm, const std::string& name) {
  for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
    const auto& blocks = algorithm.gpus[rank].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t s = 0; s < blocks[b].steps.size(); ++s) {
        const Step& step = blocks[b].steps[s];
        if (step.after_block < 0) continue;
        const auto other = static_cast<std::size_t>(step.after_block);
        require(other < blocks.size() && step.after_step >= 0 &&
                    static_cast<std::size_t>(step.after_step) < blocks[other].steps.size(),
                "{}: it waits for step {} of thread block {}, which does not exist", FilePlace{name, rank, b, s},
                step.after_step, step.after_block);
        require(other != b || static_cast<std::size_t>(step.after_step) < s,
                "{}: '{}' waits for ever for step {} of its own thread block, which does not come before it",
                FilePlace{name, rank, b, s}, step.type, step.after_step);
      }
    }
  }
}

// Chunks of a rank's scratch and input at most: its own, a copy of the message, and one of what each step works on.
std::int64_t most_chunks_of_a_rank(const Algorithm& algorithm) {
  std::int64_t most = 0;
  for (const Gpu& gpu : algorithm.gpus) {
    std::int64_t chunks = std::int64_t{gpu.scratch_chunks} + algorithm.chunks;
    for (const ThreadBlock& block : gpu.blocks) {
      for (const Step& step : block.steps) chunks += std::max(step.source.count, step.target.count);
    }
    most = std::max(most, chunks);
  }
  return most;
}

}  // namespace

Algorithm parse(std::string_view text, const std::string& name) {
  require(text.find('\0') == std::string_view::npos, "{}: it has bytes of 0; write it as UTF-8", name);
  Algorithm algorithm = Reader(text, name).read();
  check_waits(algorithm, name);
  return algorithm;
}

}  // namespace tutti::msccl

namespace tutti {

Schedule read_msccl(std::string_view text, const std::string& name, std::int64_t count) {
  const msccl::Algorithm algorithm = msccl::parse(text, name);
  const auto ranks = static_cast<std::int64_t>(algorithm.gpus.size());
  const std::int64_t chunks = has_blocks(algorithm.collective) ? algorithm.chunks / ranks : algorithm.chunks;
  constexpr std::int64_t most_elements = std::int64_t{1} << 62;
  require(count / chunks <= most_elements / msccl::most_chunks_of_a_rank(algorithm),
          "{}: of {} elements a rank's scratch may have to hold more than 2^62; take fewer", name, count);
  require(count % chunks == 0, "{} has {} chunks; {} elements are no multiple of that, and {} are", name, chunks, count,
          (count / chunks + 1) * chunks);
  return msccl::ordered(algorithm, count == 0 ? 1 : count / chunks, name);
}

}  // namespace tutti
