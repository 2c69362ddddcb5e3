#include "calls/sizes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "agreement/disagreement.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::runtime {
namespace {

using untyped::Call;

/// The buffers of a call on this rank, and the sentences about them.
struct Sizes {
  const Call& call;
  int p;
  int rank;

  std::string name() const { return call_name(call.collective, call.by_counts); }
  /// "4 elements", or "4 bytes" where elements are bytes.
  std::string in_words(std::int64_t count) const { return count_in_words(count, call.type.name); }
  std::string_view unit() const { return unit_of(call.type.name); }

  void require_size(std::string_view buffer, std::int64_t has, std::int64_t needs, std::string_view why) const {
    require(has == needs, "{}: the {} of rank {} has {}, but must have {}: {}", name(), buffer, rank, in_words(has),
            needs, why);
  }
  void input_is(std::int64_t needs, std::string_view why) const { require_size("input", call.input_size, needs, why); }
  void output_is(std::int64_t needs, std::string_view why) const {
    require_size("output", call.output_size, needs, why);
  }

  /// `whole` elements are p blocks of `block`, without computing a product that may overflow.
  void require_blocks(std::string_view buffer, std::int64_t whole, std::int64_t block, std::string_view other) const {
    require(whole % p == 0 && whole / p == block,
            "{}: the {} of rank {} has {}, but must have {} of {}: one block, as the {} of every rank", name(), buffer,
            rank, in_words(whole), counted(p, "block"), block, other);
  }

  std::int64_t own() const { return call.counts[static_cast<std::size_t>(rank)]; }
  bool at_root() const { return rank == call.root; }
};

using CountsView = std::span<const std::int64_t>;

std::int64_t sum_of(CountsView counts) { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

/// A buffer that has a block for each rank.
struct BufferOfBlocks {
  std::string_view name;
  std::int64_t has;
  CountsView counts;
  CountsView displacements;
  bool is_written;
};

void require_counts(const Sizes& sizes, CountsView counts, std::string_view which) {
  require(counts.size() == static_cast<std::size_t>(sizes.p), "{} over {} needs {}, not {}", sizes.name(),
          counted(sizes.p, "rank"), counted(sizes.p, fmt::format("{}count", which)), counts.size());
  for (const std::int64_t count : counts) require(count >= 0, "{}: a count is at least 0, not {}", sizes.name(), count);
  std::int64_t left = std::int64_t{1} << 62;
  for (const std::int64_t count : counts) {
    require(count <= left, "{}: the counts add up to more than 2^62", sizes.name());
    left -= count;
  }
}

void require_own_pair(const Sizes& sizes) {
  const auto own = static_cast<std::size_t>(sizes.rank);
  require(sizes.call.counts[own] == sizes.call.receive_counts[own],
          "{}: rank {} sends {} to itself, but expects {} of itself; the two counts must be equal", sizes.name(),
          sizes.rank, sizes.in_words(sizes.call.counts[own]), sizes.call.receive_counts[own]);
}

/// Blocks that begin where the displacements say must end within their buffer, and not overlap where they are written.
void require_displaced(const Sizes& sizes, const BufferOfBlocks& buffer) {
  require(buffer.displacements.size() == buffer.counts.size(), "{} over {} needs {}, not {}", sizes.name(),
          counted(sizes.p, "rank"), counted(sizes.p, "displacement"), buffer.displacements.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
  for (std::size_t rank = 0; rank < buffer.counts.size(); ++rank) {
    const std::int64_t first = buffer.displacements[rank];
    const std::int64_t count = buffer.counts[rank];
    require(first >= 0 && first <= buffer.has && count <= buffer.has - first,
            "{}: block {} of rank {}'s {} has {} from {} {} on, but the {} has {}", sizes.name(), rank, sizes.rank,
            buffer.name, sizes.in_words(count), sizes.unit(), first, buffer.name, buffer.has);
    if (count > 0) blocks.emplace_back(first, first + count);
  }
  if (!buffer.is_written) return;
  std::sort(blocks.begin(), blocks.end());
  for (std::size_t k = 1; k < blocks.size(); ++k) {
    require(blocks[k - 1].second <= blocks[k].first, "{}: the blocks of rank {}'s {} overlap at {} {}", sizes.name(),
            sizes.rank, buffer.name, sizes.unit(), blocks[k].first);
  }
}

void require_blocks_of(const Sizes& sizes, const BufferOfBlocks& buffer, std::string_view why) {
  if (buffer.displacements.empty()) {
    sizes.require_size(buffer.name, buffer.has, sum_of(buffer.counts), why);
  } else {
    require_displaced(sizes, buffer);
  }
}

/// Other ranks than the root take part with whatever size they have.
void check_with_counts(const Sizes& sizes) {
  const Call& call = sizes.call;
  require(!call.counts_at_root || has_root(call.collective),
          "{}: it has no root, so that every rank passes the counts itself, without at_root()", sizes.name());
  if (call.counts_at_root && !sizes.at_root()) return;
  require_counts(sizes, call.counts, call.collective == Collective::all_to_all ? "send " : "");
  const BufferOfBlocks input{"input", call.input_size, call.counts, call.displacements, false};
  const BufferOfBlocks output{"output", call.output_size, call.counts, call.displacements, true};
  switch (call.collective) {
    case Collective::scatter:
      sizes.output_is(sizes.own(), "its entry of the counts");
      if (sizes.at_root()) require_blocks_of(sizes, input, "the sum of the counts");
      break;
    case Collective::gather:
    case Collective::all_gather:
      sizes.input_is(sizes.own(), "its entry of the counts");
      if (sizes.at_root() || call.collective == Collective::all_gather)
        require_blocks_of(sizes, output, "the sum of the counts");
      break;
    case Collective::reduce_scatter:
      require_blocks_of(sizes, input, "the sum of the counts");
      sizes.output_is(sizes.own(), "its entry of the counts");
      break;
    case Collective::all_to_all:
      require_counts(sizes, call.receive_counts, "receive ");
      require_own_pair(sizes);
      require_blocks_of(sizes, input, "the sum of its send counts");
      require_blocks_of(sizes, {"output", call.output_size, call.receive_counts, call.receive_displacements, true},
                        "the sum of its receive counts");
      break;
    default: {  // shift
      const auto origin = modulo<std::int64_t>(std::int64_t{sizes.rank} - call.distance, sizes.p);
      require(call.displacements.empty(), "{}: a buffer of a shift is one block, which needs no displacements",
              sizes.name());
      sizes.input_is(sizes.own(), "its entry of the counts");
      sizes.output_is(call.counts[static_cast<std::size_t>(origin)], "the count of the rank whose block arrives");
    }
  }
}

/// The compiler refuses a typed call of that kind.
void check_operator(const Sizes& sizes) {
  const Call& call = sizes.call;
  require(call.op.kernel != nullptr,
          "{} needs an operator: give the call one of untyped::built_in() or caller_defined()", sizes.name());
  const bool is_scan = call.collective == Collective::scan || call.collective == Collective::exclusive_scan;
  require(!is_scan || call.op.divide == nullptr,
          "average is not offered for scans: prefixes differ in length; scan with sum and divide by rank + 1");
}

/// Returns the buffers of a collective that may not be apart, in words.
std::string_view or_what(Collective collective) {
  switch (collective) {
    case Collective::gather:
    case Collective::all_gather:
      return ", or the input exactly the rank's own block of the output";
    case Collective::scatter:
      return ", or the output exactly the rank's own block of the input";
    default:
      return allows_in_place(collective) ? ", or exactly the same elements" : "";
  }
}

}  // namespace

std::int64_t checked_count(const Call& call, int ranks, int rank) {
  const Sizes sizes{call, ranks, rank};
  if (has_root(call.collective)) require_root(sizes.name(), call.root, sizes.p);
  require(call.type.size > 0 || call.collective == Collective::barrier,
          "{}: elements have 1 byte at least: give the call one of untyped::type_of() or type_of_bytes()",
          sizes.name());
  if (reduces(call.collective)) check_operator(sizes);
  if (call.by_counts) {
    check_with_counts(sizes);
    return 0;
  }
  switch (call.collective) {
    case Collective::barrier:
      return 0;
    case Collective::broadcast:
      require(!call.read_only || sizes.at_root(),
              "broadcast: the elements of rank {} are const, but it is to receive those of rank {}: only the root may "
              "pass elements that cannot be written",
              sizes.rank, call.root);
      return call.output_size;
    case Collective::reduce:
    case Collective::all_reduce:
    case Collective::scan:
    case Collective::exclusive_scan:
      if (call.in_place) return call.output_size;
      if (call.collective != Collective::reduce || sizes.at_root())
        sizes.output_is(call.input_size, "as many as the input");
      return call.input_size;
    case Collective::scatter:
      if (sizes.at_root()) sizes.require_blocks("input", call.input_size, call.output_size, "output");
      return call.output_size;
    case Collective::gather:
      if (sizes.at_root()) sizes.require_blocks("output", call.output_size, call.input_size, "input");
      return call.input_size;
    case Collective::all_gather:
      sizes.require_blocks("output", call.output_size, call.input_size, "input");
      return call.input_size;
    case Collective::reduce_scatter:
      sizes.require_blocks("input", call.input_size, call.output_size, "output");
      return call.output_size;
    case Collective::all_to_all:
      sizes.output_is(call.input_size, "as many as the input");
      require(call.input_size % sizes.p == 0, "{}: {} cannot make {} equal blocks; use all_to_all_v for unequal ones",
              sizes.name(), sizes.in_words(call.input_size), sizes.p);
      return call.input_size / sizes.p;
    case Collective::shift:
      sizes.output_is(call.input_size, "as many as the input");
      return call.input_size;
  }
  return 0;
}

bool checked_in_place(const Call& call, int rank) {
  if (call.in_place) {
    const bool has_one_buffer = call.collective == Collective::broadcast;
    require(has_one_buffer || allows_in_place(call.collective),
            "{} cannot be in place: its input and output differ in shape", call_name(call.collective, call.by_counts));
    return !has_one_buffer;
  }
  const auto begin = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
  // Elsewhere than at the root these are not used, and may be anything.
  const bool no_input = call.collective == Collective::scatter && rank != call.root;
  const bool no_output =
      (call.collective == Collective::gather || call.collective == Collective::reduce) && rank != call.root;
  if (no_input || no_output || call.input_size == 0 || call.output_size == 0) return false;
  const std::uintptr_t input = begin(call.input);
  const std::uintptr_t output = begin(call.output);
  if (input == output && call.input_size == call.output_size && allows_in_place(call.collective)) return true;
  if (untyped::lies_in_own_block(call, rank)) return false;
  const bool apart = input + static_cast<std::uintptr_t>(call.input_size) * call.type.size <= output ||
                     output + static_cast<std::uintptr_t>(call.output_size) * call.type.size <= input;
  require(apart, "{}: input and output of rank {} overlap; they must be apart{}",
          call_name(call.collective, call.by_counts), rank, or_what(call.collective));
  return false;
}

void require_root(std::string_view call, int root, int ranks) {
  require(root >= 0 && root < ranks, "{}: the root {} is not one of the ranks 0 to {}", call, root, ranks - 1);
}

}  // namespace tutti::runtime

namespace tutti::untyped {

bool lies_in_own_block(const Call& call, int rank) {
  const bool gathers =
      call.collective == Collective::all_gather || (call.collective == Collective::gather && rank == call.root);
  const bool scatters = call.collective == Collective::scatter && rank == call.root;
  const auto own = static_cast<std::size_t>(rank);
  if ((!gathers && !scatters) || call.in_place || (call.by_counts && call.counts.size() <= own)) return false;
  const std::int64_t size = gathers ? call.input_size : call.output_size;
  // Nobody has looked at the counts yet: without a sign, those that nothing can hold wrap around.
  std::uint64_t first = own * static_cast<std::uint64_t>(size);
  if (call.by_counts) {
    if (call.counts[own] != size) return false;
    if (call.displacements.size() > own) {
      first = static_cast<std::uint64_t>(call.displacements[own]);
    } else {
      first = std::accumulate(call.counts.begin(), call.counts.begin() + rank, std::uint64_t{0});
    }
  }
  const auto inner = reinterpret_cast<std::uintptr_t>(gathers ? call.input : call.output);
  const auto outer = reinterpret_cast<std::uintptr_t>(gathers ? call.output : call.input);
  return size > 0 && inner == outer + first * call.type.size;
}

}  // namespace tutti::untyped
