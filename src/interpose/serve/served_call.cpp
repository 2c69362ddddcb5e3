#include "interpose/serve/served_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "mpi_check/collectives/signature_check.hpp"
#include "mpi_check/point_to_point/buffer_overlap.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"
#include "schedule/model/collective_names.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::interpose {
namespace {

/// The elements of each block of the call, or of its whole message where it has no blocks, as this rank knows them: of
/// blocks of several lengths those of the longest.
std::int64_t elements_each(const untyped::Call& call, int ranks) {
  if (!call.counts.empty()) return *std::max_element(call.counts.begin(), call.counts.end());
  switch (call.collective) {
    case Collective::broadcast:
    case Collective::scatter:
    case Collective::reduce_scatter:
      return call.output_size;
    case Collective::all_to_all:
      return call.input_size / ranks;
    default:
      return call.input_size;
  }
}

/// For the report: how long this rank waits for the last one, which nothing shows but a barrier of all, and what is
/// done then. A program that is checked would hear of barriers that it does not call.
void note(ServedCommunicator& on, const untyped::Call& call, CountedCall& counted) {
  if (on.are_all_counted() && !is_checked()) on.ranks().run({.collective = Collective::barrier});
  counted.note_all_have_come();
  const std::int64_t elements = elements_each(call, on.size());
  const std::string_view way =
      call.by_counts ? "by counts" : on.ranks().algorithm_of(call.collective, elements, call.type.size);
  counted.note_bytes(elements * call.type.size, fmt::format("tutti: {}", way));
}

/// Whether what is read lies among what is written: MPI lets the blocks of one buffer lie in the gaps between those of
/// another, and Open MPI lets programs pass one buffer twice.
bool reads_among_writes(const untyped::Call& call) {
  if (call.in_place || call.input_size == 0 || call.output_size == 0) return false;
  const auto input = reinterpret_cast<std::uintptr_t>(call.input);
  const auto output = reinterpret_cast<std::uintptr_t>(call.output);
  return input < output + static_cast<std::uintptr_t>(call.output_size) * call.type.size &&
         output < input + static_cast<std::uintptr_t>(call.input_size) * call.type.size;
}

/// The bytes of a buffer of a call: its blocks where they lie apart, in the order of their places, or all of it. Blocks
/// that are sent may have bytes in common with one another.
class Extents {
 public:
  struct Extent {
    std::int64_t begin;
    std::int64_t end;
  };

  Extents(const untyped::Call& call, const void* buffer, std::int64_t size, std::span<const std::int64_t> counts,
          std::span<const std::int64_t> places) {
    const std::uint32_t each = call.type.size;
    if (places.empty()) add(buffer, 0, size * each);
    for (std::size_t block = 0; block < places.size(); ++block) add(buffer, places[block] * each, counts[block] * each);
    std::sort(all_.begin(), all_.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  }

  std::int64_t bytes_in_common(const Extents& other) const {
    std::int64_t bytes = 0;
    auto theirs = other.all_.begin();
    for (const Extent& mine : all_) {
      while (theirs != other.all_.end() && theirs->end <= mine.begin) ++theirs;
      for (auto next = theirs; next != other.all_.end() && next->begin < mine.end; ++next)
        bytes += std::max(std::min(mine.end, next->end) - std::max(mine.begin, next->begin), std::int64_t{0});
    }
    return bytes;
  }

 private:
  void add(const void* buffer, std::int64_t at, std::int64_t bytes) {
    const std::int64_t begin = reinterpret_cast<std::intptr_t>(buffer) + at;
    if (bytes > 0) all_.push_back({begin, begin + bytes});
  }

  std::vector<Extent> all_;
};

/// Returns how many bytes are read and written, too, by a call that is not in place. Elements that ranks neither give
/// nor get count for nothing: the first rank of an exclusive scan gets nothing.
std::int64_t bytes_in_common(const untyped::Call& call, int rank) {
  const bool gets_nothing = call.collective == Collective::exclusive_scan && rank == 0;
  if (gets_nothing || !reads_among_writes(call)) return 0;
  const bool is_of_output = call.collective == Collective::gather || call.collective == Collective::all_gather;
  const bool is_to_all = call.collective == Collective::all_to_all;
  const auto none = std::span<const std::int64_t>();
  const Extents input(call, call.input, call.input_size, call.counts, is_of_output ? none : call.displacements);
  const Extents output(call, call.output, call.output_size, is_to_all ? call.receive_counts : call.counts,
                       is_to_all      ? call.receive_displacements
                       : is_of_output ? call.displacements
                                      : none);
  return input.bytes_in_common(output);
}

/// Call that reads from memory of its own.
class CallApart {
 public:
  explicit CallApart(const untyped::Call& call) : call_(call) {
    const bool is_in_blocks = !call.displacements.empty() &&
                              (call.collective == Collective::scatter || call.collective == Collective::all_to_all);
    if (is_in_blocks) {
      // Between the blocks may be no memory at all.
      call_.displacements = {};
      call_.input_size = std::accumulate(call.counts.begin(), call.counts.end(), std::int64_t{0});
    }
    memory_ = memory_of(call_.input_size * call.type.size);
    call_.input = memory_.get();
    if (!is_in_blocks) {
      take(call.input, 0, call.input_size);
      return;
    }
    std::int64_t end = 0;
    for (std::size_t rank = 0; rank < call.counts.size(); ++rank) {
      take(static_cast<const std::byte*>(call.input) + call.displacements[rank] * call.type.size, end,
           call.counts[rank]);
      end += call.counts[rank];
    }
  }

  const untyped::Call& call() const { return call_; }

 private:
  void take(const void* from, std::int64_t at, std::int64_t elements) {
    std::memcpy(memory_.get() + at * call_.type.size, from, static_cast<std::size_t>(elements * call_.type.size));
  }

  untyped::Call call_;
  std::unique_ptr<std::byte[]> memory_;
};

/// "int32 (MPI_IN_PLACE)", which stays where it is.
std::string_view in_place_name(std::string_view type) {
  static std::mutex mutex;
  static std::map<std::string, std::string>& all = *new std::map<std::string, std::string>;
  const std::lock_guard lock(mutex);
  const auto [known, is_new] = all.try_emplace(std::string(type));
  if (is_new) known->second = fmt::format("{} (MPI_IN_PLACE)", type);
  return known->second;
}

/// Makes the call; what tutti finds wrong with it.
std::optional<Error> error_of(ServedCommunicator& on, const untyped::Call& call) {
  const ReentrancyGuard guard;
  try {
    if (CountedCall* const counted = CountedCall::current()) note(on, call, *counted);
    on.ranks().run(call);
    // A rank that needs nothing of the others, as the root of a broadcast, would not learn that they call otherwise.
    if (is_checked()) on.ranks().wait_all();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

ByteUnits ByteUnits::dividing(std::int64_t bytes) {
  // A program that is checked reads of bytes alone.
  return {is_checked() ? 1 : bytes % 64 == 0 ? 64 : bytes % 8 == 0 ? 8 : 1};
}

// Made once: a short collective takes no longer than a name's hash.
untyped::Datatype ByteUnits::type() const {
  static const untyped::Datatype one = untyped::type_of_bytes(1, "byte");
  static const untyped::Datatype eight = untyped::type_of_bytes(8, "8 bytes");
  static const untyped::Datatype line = untyped::type_of_bytes(64, "64 bytes");
  return unit == 64 ? line : unit == 8 ? eight : one;
}

int run(ServedCommunicator& on, const untyped::Call& call, InputPlacement input) {
  const std::int64_t common = is_checked() && input == InputPlacement::apart ? bytes_in_common(call, on.rank()) : 0;
  const bool is_apart = !reads_among_writes(call) || untyped::lies_in_own_block(call, on.rank());
  std::optional<Error> error;
  {
    const ServedCommunicator::Alone alone(on);
    const ServedCommunicator::Calling calling(on);
    error = !alone.is_so() ? alone.error(call_name(call.collective, call.by_counts))
            : is_apart     ? error_of(on, call)
                           : error_of(on, CallApart(call).call());
    if (const ServedCommunicator::Described& what = on.described(); !error && what.data != nullptr)
      error = difference_of_signatures(what.function, on, *what.data);
  }
  // The program's error handler, and whatever comes if it does not return, are the program's again.
  if (error) return raise(on, *error);
  return common == 0 ? MPI_SUCCESS
                     : raise_of_this_rank(on, overlap(call_name(call.collective, call.by_counts), on.rank(), common,
                                                      ", or MPI_IN_PLACE"));
}

untyped::Datatype told_with(const untyped::Datatype& type, InputPlacement input) {
  if (input == InputPlacement::apart || !is_checked()) return type;
  untyped::Datatype in_place = type;
  in_place.name = in_place_name(type.name);
  in_place.identity = detail::hash_of(in_place.name);
  return in_place;
}

}  // namespace tutti::interpose
