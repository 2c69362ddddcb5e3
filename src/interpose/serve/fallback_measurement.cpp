#include "interpose/serve/fallback_measurement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "interpose/serve/served_collectives.hpp"

namespace tutti::interpose {
namespace {

/// The buffers of one rank, and a call of each collective on them with blocks of `bytes` bytes: of tutti's or of MPI's.
class CollectiveTrial {
 public:
  CollectiveTrial(ServedCommunicator& on, std::int64_t most_bytes)
      : on_(on),
        comm_(on.handle()),
        in_(static_cast<std::size_t>(most_bytes) * static_cast<std::size_t>(on.size())),
        out_(in_.size()),
        bytes_each_(static_cast<std::size_t>(on.size())),
        places_(bytes_each_.size()),
        numbers_each_(bytes_each_.size()) {}

  void set_bytes(int bytes) {
    bytes_ = bytes;
    numbers_ = bytes / static_cast<int>(sizeof(double));
    std::fill(bytes_each_.begin(), bytes_each_.end(), bytes);
    std::fill(numbers_each_.begin(), numbers_each_.end(), numbers_);
    for (std::size_t rank = 0; rank < places_.size(); ++rank) places_[rank] = static_cast<int>(rank) * bytes;
  }

  void call(ServedCollective collective, bool by_tutti) {
    // The arguments of both are the same, but for the communicator.
    const auto either = [&](auto serve, auto forward, auto... arguments) {
      if (by_tutti) {
        serve(on_, arguments...);
      } else {
        forward(arguments..., comm_);
      }
    };
    const auto byte = MPI_BYTE;
    const auto number = MPI_DOUBLE;
    switch (collective) {
      case ServedCollective::barrier:
        return either(barrier, PMPI_Barrier);
      case ServedCollective::broadcast:
        return either(broadcast, PMPI_Bcast, out(), bytes_, byte, 0);
      case ServedCollective::reduce:
        return either(reduce, PMPI_Reduce, in(), out(), numbers_, number, MPI_SUM, 0);
      case ServedCollective::all_reduce:
        return either(all_reduce, PMPI_Allreduce, in(), out(), numbers_, number, MPI_SUM);
      case ServedCollective::scan:
        return either(scan, PMPI_Scan, in(), out(), numbers_, number, MPI_SUM);
      case ServedCollective::exclusive_scan:
        return either(exclusive_scan, PMPI_Exscan, in(), out(), numbers_, number, MPI_SUM);
      case ServedCollective::gather:
        return either(gather, PMPI_Gather, in(), bytes_, byte, out(), bytes_, byte, 0);
      case ServedCollective::gather_v:
        return either(gather_v, PMPI_Gatherv, in(), bytes_, byte, out(), counts(), places(), byte, 0);
      case ServedCollective::scatter:
        return either(scatter, PMPI_Scatter, in(), bytes_, byte, out(), bytes_, byte, 0);
      case ServedCollective::scatter_v:
        return either(scatter_v, PMPI_Scatterv, in(), counts(), places(), byte, out(), bytes_, byte, 0);
      case ServedCollective::all_gather:
        return either(all_gather, PMPI_Allgather, in(), bytes_, byte, out(), bytes_, byte);
      case ServedCollective::all_gather_v:
        return either(all_gather_v, PMPI_Allgatherv, in(), bytes_, byte, out(), counts(), places(), byte);
      case ServedCollective::all_to_all:
        return either(all_to_all, PMPI_Alltoall, in(), bytes_, byte, out(), bytes_, byte);
      case ServedCollective::all_to_all_v:
        return either(all_to_all_v, PMPI_Alltoallv, in(), counts(), places(), byte, out(), counts(), places(), byte);
      case ServedCollective::reduce_scatter:
        return either(reduce_scatter, PMPI_Reduce_scatter, in(), out(), each(), number, MPI_SUM);
      case ServedCollective::reduce_scatter_block:
        return either(reduce_scatter_block, PMPI_Reduce_scatter_block, in(), out(), numbers_, number, MPI_SUM);
    }
  }

 private:
  void* in() { return in_.data(); }
  void* out() { return out_.data(); }
  const int* counts() const { return bytes_each_.data(); }
  const int* places() const { return places_.data(); }
  const int* each() const { return numbers_each_.data(); }

  ServedCommunicator& on_;
  MPI_Comm comm_;
  std::vector<std::byte> in_;
  std::vector<std::byte> out_;
  std::vector<int> bytes_each_;
  std::vector<int> places_;
  std::vector<int> numbers_each_;
  int bytes_ = 0;
  int numbers_ = 0;
};

/// Seconds a call, of the slowest rank.
double seconds_of(CollectiveTrial& trial, MPI_Comm comm, ServedCollective collective, bool by_tutti, int calls) {
  PMPI_Barrier(comm);
  const double begin = PMPI_Wtime();
  for (int k = 0; k < calls; ++k) trial.call(collective, by_tutti);
  double seconds = (PMPI_Wtime() - begin) / calls;
  PMPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/// MPI's time over tutti's: the median of rounds in which both have a turn.
double gain(CollectiveTrial& trial, MPI_Comm comm, ServedCollective collective) {
  constexpr double block = 1e-3;
  constexpr std::size_t rounds = 7;
  constexpr double beyond_doubt = 8;
  std::array<int, 2> calls{};
  std::array<double, 2> once{};
  for (const bool by_tutti : {false, true}) {
    const std::size_t who = by_tutti ? 1 : 0;
    seconds_of(trial, comm, collective, by_tutti, 2);
    once[who] = seconds_of(trial, comm, collective, by_tutti, 2);
    calls[who] = std::clamp(static_cast<int>(block / std::max(once[who], 1e-8)), 1, 1000);
  }
  // A call of MPI's may take a tenth of a second if ranks outnumber cores.
  if (once[0] > beyond_doubt * once[1]) return beyond_doubt;
  std::array<double, rounds> gains{};
  for (double& each : gains) {
    const double mpi = seconds_of(trial, comm, collective, false, calls[0]);
    each = mpi / seconds_of(trial, comm, collective, true, calls[1]);
  }
  std::sort(gains.begin(), gains.end());
  return gains[rounds / 2];
}

}  // namespace

void measure(ServedCommunicator& on, FallbackTable& table) {
  constexpr std::int64_t most_room = std::int64_t{64} << 20;
  /// A gain as small as this is noise, and MPI's own call costs nothing more.
  constexpr double least_gain = 1.03;
  const std::size_t row = on.row();
  const std::int64_t most_bytes = std::min(FallbackTable::measured_bytes.back(), most_room / on.size());
  CollectiveTrial trial(on, most_bytes);
  for (std::size_t c = 0; c < served_collectives; ++c) {
    const auto collective = static_cast<ServedCollective>(c);
    std::array<double, FallbackTable::measured_bytes.size()> gains{};
    for (std::size_t k = 0; k < gains.size(); ++k) {
      const bool is_measured =
          FallbackTable::measured_bytes[k] <= most_bytes && (k == 0 || collective != ServedCollective::barrier);
      trial.set_bytes(static_cast<int>(is_measured ? FallbackTable::measured_bytes[k] : 0));
      gains[k] = is_measured ? gain(trial, on.handle(), collective) : gains[k - 1];
    }
    // A choice that is one for all sizes must lose in none.
    const double least = *std::min_element(gains.begin(), gains.end());
    for (std::size_t k = 0; k < gains.size(); ++k)
      table.leave(collective, row, k, (hides_sizes(collective) ? least : gains[k]) < least_gain);
  }
}

}  // namespace tutti::interpose
