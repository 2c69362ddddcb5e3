#include "c_interface/bound_arguments.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "c_interface/elements.hpp"
#include "c_interface/status.hpp"

namespace tutti::c_interface {
namespace {

struct NumberedCollective {
  Collective collective;
  std::string_view name;
};

/// By the number of the C interface, from TUTTI_BROADCAST on.
constexpr std::array<NumberedCollective, TUTTI_BARRIER> collectives = {{
    {Collective::broadcast, "broadcast"},
    {Collective::reduce, "reduce"},
    {Collective::all_reduce, "all_reduce"},
    {Collective::scan, "scan"},
    {Collective::exclusive_scan, "exclusive_scan"},
    {Collective::scatter, "scatter"},
    {Collective::gather, "gather"},
    {Collective::all_gather, "all_gather"},
    {Collective::reduce_scatter, "reduce_scatter"},
    {Collective::all_to_all, "all_to_all"},
    {Collective::shift, "shift"},
    {Collective::barrier, "barrier"},
}};

/// Size of the arguments of TUTTI_API_VERSION 1. Later versions add fields behind these, whose 0 is what it was without.
constexpr std::size_t least_size = offsetof(tutti_call_arguments, columns) + sizeof(std::int32_t);

/// Returns the arguments as this library has them: shorter ones with 0 behind.
tutti_call_arguments known_arguments(const tutti_call_arguments* given) {
  require_pointer(given, "tutti_call", "the pointer to the arguments");
  require(given->size >= least_size,
          "tutti_call: the size of the arguments is {}, and at least {}: fill them with tutti_arguments_of()",
          given->size, least_size);
  tutti_call_arguments known{};
  std::memcpy(&known, given, std::min(given->size, sizeof(known)));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t k = sizeof(known); k < given->size; ++k) {
    if (bytes[k] != 0)
      fail(ErrorCode::unsupported,
           "tutti_call: the arguments have {} bytes and use more than the {} that this library knows (version {}): "
           "install the tutti that the program was compiled for",
           given->size, sizeof(known), TUTTI_API_VERSION);
  }
  return known;
}

bool reduces(Collective collective) {
  return collective == Collective::reduce || collective == Collective::all_reduce || collective == Collective::scan ||
         collective == Collective::exclusive_scan || collective == Collective::reduce_scatter;
}

}  // namespace

BoundArguments::BoundArguments(const Communicator& communicator, const tutti_call_arguments* given)
    : arguments_(known_arguments(given)) {
  const int ranks = communicator.size();
  const int rank = communicator.rank();
  const auto number = std::int64_t{arguments_.collective} - 1;
  require(number >= 0 && number < std::ssize(collectives),
          "tutti_call: {} is no collective: pass one from TUTTI_BROADCAST, {}, to TUTTI_BARRIER, {}",
          arguments_.collective, int{TUTTI_BROADCAST}, int{TUTTI_BARRIER});
  call_.collective = collectives[static_cast<std::size_t>(number)].collective;
  name_ = collectives[static_cast<std::size_t>(number)].name;
  bind_options();
  if (call_.collective == Collective::barrier) return;
  require(arguments_.count >= 0, "{}: the count is at least 0, not {}", name_, arguments_.count);
  call_.input = arguments_.input;
  call_.output = arguments_.output;
  call_.root = arguments_.root;
  call_.distance = arguments_.distance;
  call_.type = datatype_of(arguments_.type, name_);
  if (reduces(call_.collective)) call_.op = operator_of(arguments_, name_);
  bind_counts(ranks);
  call_.by_counts ? bind_sizes_by_counts(ranks, rank) : bind_sizes(ranks, rank);
  require_buffers();
}

void BoundArguments::bind_options() {
  if (arguments_.algorithm != nullptr) options_.algorithm = arguments_.algorithm;
  options_.segments = arguments_.segments;
  options_.radix = arguments_.radix;
  if (arguments_.rows != 0 || arguments_.columns != 0) options_.grid = {arguments_.rows, arguments_.columns};
  call_.options = &options_;
}

void BoundArguments::bind_counts(int ranks) {
  const std::int32_t blocks = arguments_.blocks;
  require(blocks >= TUTTI_EQUAL_BLOCKS && blocks <= TUTTI_BY_COUNTS_AT_ROOT,
          "{}: blocks is {}: pass TUTTI_EQUAL_BLOCKS, 0, TUTTI_BY_COUNTS, 1, or TUTTI_BY_COUNTS_AT_ROOT, 2", name_,
          blocks);
  call_.by_counts = blocks != TUTTI_EQUAL_BLOCKS;
  call_.counts_at_root = blocks == TUTTI_BY_COUNTS_AT_ROOT;
  require(!call_.counts_at_root || call_.collective == Collective::gather || call_.collective == Collective::scatter,
          "{}: it has no root that alone could know the counts: pass TUTTI_BY_COUNTS", name_);
  const auto bind = [&](std::span<const std::int64_t>& into, const std::int64_t* numbers) {
    if (numbers != nullptr) into = {numbers, static_cast<std::size_t>(ranks)};
  };
  if (!call_.by_counts) {
    require(arguments_.counts == nullptr,
            "{}: counts are given, and blocks is TUTTI_EQUAL_BLOCKS: pass TUTTI_BY_COUNTS", name_);
    return;
  }
  bind(call_.counts, arguments_.counts);
  bind(call_.displacements, arguments_.displacements);
  bind(call_.receive_counts, arguments_.receive_counts);
  bind(call_.receive_displacements, arguments_.receive_displacements);
}

/// Returns the elements of all blocks.
std::int64_t BoundArguments::blocks(int ranks) const {
  require(arguments_.count <= std::numeric_limits<std::int64_t>::max() / ranks,
          "{}: {} blocks of {} elements are more than 2^63 - 1", name_, ranks, arguments_.count);
  return arguments_.count * ranks;
}

/// Returns the elements up to the end of the last block. Sums that nothing can hold are -1: the call looks at the
/// counts themselves before it looks at the size.
std::int64_t BoundArguments::size_of(std::span<const std::int64_t> counts,
                                     std::span<const std::int64_t> displacements) const {
  const std::int64_t most = most_bytes / call_.type.size;
  std::int64_t size = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const std::int64_t count = counts[rank];
    if (displacements.empty()) {
      if (__builtin_add_overflow(size, count, &size)) return -1;
    } else if (count > 0) {
      const std::int64_t first = displacements[rank];
      require(count <= most && first <= most - count,
              "{}: block {} has {} elements of {} bytes from element {} on, more than a process can address", name_,
              rank, count, call_.type.size, first);
      size = std::max(size, first + count);
    }
  }
  return size;
}

void BoundArguments::bind_sizes(int ranks, int rank) {
  const bool at_root = rank == call_.root;
  const std::int64_t count = arguments_.count;
  call_.input_size = call_.output_size = count;
  switch (call_.collective) {
    case Collective::broadcast:
      call_.input_size = 0;
      call_.in_place = true;
      break;
    case Collective::reduce:
      if (!at_root) call_.output_size = 0;
      break;
    case Collective::scatter:
      call_.input_size = at_root ? blocks(ranks) : 0;
      break;
    case Collective::gather:
      call_.output_size = at_root ? blocks(ranks) : 0;
      break;
    case Collective::all_gather:
      call_.output_size = blocks(ranks);
      break;
    case Collective::reduce_scatter:
      call_.input_size = blocks(ranks);
      break;
    case Collective::all_to_all:
      call_.input_size = call_.output_size = blocks(ranks);
      break;
    default:
      break;
  }
}

void BoundArguments::bind_sizes_by_counts(int ranks, int rank) {
  const bool at_root = rank == call_.root;
  const bool knows_counts = !call_.counts_at_root || at_root;
  require(!knows_counts || arguments_.counts != nullptr, "{}: blocks are by counts, and counts is NULL: pass {} counts",
          name_, ranks);
  require(call_.collective != Collective::all_to_all || arguments_.receive_counts != nullptr,
          "{}: blocks are by counts, and receive_counts is NULL: pass {} counts", name_, ranks);
  const std::int64_t own = knows_counts ? call_.counts[static_cast<std::size_t>(rank)] : arguments_.count;
  const std::int64_t all = knows_counts ? size_of(call_.counts, call_.displacements) : 0;
  switch (call_.collective) {
    case Collective::scatter:
      call_.input_size = at_root ? all : 0;
      call_.output_size = own;
      break;
    case Collective::gather:
      call_.input_size = own;
      call_.output_size = at_root ? all : 0;
      break;
    case Collective::all_gather:
      call_.input_size = own;
      call_.output_size = all;
      break;
    case Collective::reduce_scatter:
      call_.input_size = all;
      call_.output_size = own;
      break;
    case Collective::all_to_all:
      call_.input_size = all;
      call_.output_size = size_of(call_.receive_counts, call_.receive_displacements);
      break;
    case Collective::shift: {
      const auto origin = modulo<std::int64_t>(std::int64_t{rank} - call_.distance, ranks);
      call_.input_size = own;
      call_.output_size = call_.counts[static_cast<std::size_t>(origin)];
      break;
    }
    default:
      fail(ErrorCode::invalid_argument, "{}: it has no blocks by counts: pass TUTTI_EQUAL_BLOCKS", name_);
  }
}

void BoundArguments::require_buffers() const {
  require_addressable(call_.input_size, call_.type, name_);
  require_addressable(call_.output_size, call_.type, name_);
  require(call_.input != nullptr || call_.input_size <= 0, "{}: the input is NULL, and has {} elements: pass a buffer",
          name_, call_.input_size);
  require(call_.output != nullptr || call_.output_size <= 0,
          "{}: the output is NULL, and has {} elements: pass a buffer", name_, call_.output_size);
}

}  // namespace tutti::c_interface
