/// @file
/// Table of the collectives that are left to MPI because it is faster there: "mpi" as one more algorithm, priced by
/// measurement.
///
/// Ranks decide by what all of them know alike: the collective, the ranks of the communicator and the bytes of a block;
/// and by one table, that of the communicator's first rank. It is the same from run to run, so that sums are, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::interpose {

/// The collectives as MPI has them.
enum class ServedCollective : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  all_reduce,
  scan,
  exclusive_scan,
  gather,
  gather_v,
  scatter,
  scatter_v,
  all_gather,
  all_gather_v,
  all_to_all,
  all_to_all_v,
  reduce_scatter,
  reduce_scatter_block,
};
inline constexpr std::size_t served_collectives = 16;

/// The name in the table's file, and in TUTTI_ALGORITHM_<NAME>: "all_reduce".
std::string_view name_of(ServedCollective collective);
/// The function of MPI: "MPI_Allreduce".
const char* name_in_mpi(ServedCollective collective);
/// Whether some ranks know no more than their own counts, so that the choice cannot depend on bytes.
bool hides_sizes(ServedCollective collective);

/// Table of who serves blocks of which sizes, for communicators of about as many ranks.
class FallbackTable {
 public:
  /// One measurement stands for sizes from half-way below it to half-way above it, in powers.
  static constexpr std::array<std::int64_t, 6> measured_bytes = {8, 256, 4096, 65536, 1 << 20, 16 << 20};
  /// 2 ranks of one host, 3 to 4, 5 to 8, more; ranks of several hosts.
  static constexpr std::size_t rows = 5;

  static std::size_t row_of(int ranks, bool are_on_several_hosts = false);
  /// No division, because forwarding a call of 80 ns must not cost as much again.
  static std::size_t class_of(std::int64_t bytes) {
    std::size_t k = 0;
    while (k < most_bytes.size() && bytes > most_bytes[k]) ++k;
    return k;
  }

  /// The choices of one row: a bit for each measured size.
  using Row = std::array<std::uint8_t, served_collectives>;
  const Row& row(std::size_t number) const { return words_[number]; }
  static bool is_left(const Row& row, ServedCollective collective, std::int64_t bytes) {
    return (row[static_cast<std::size_t>(collective)] >> class_of(bytes) & 1) != 0;
  }
  void leave(ServedCollective collective, std::size_t row, std::size_t size_class, bool is_left);
  /// In every size and for every number of ranks.
  void leave(ServedCollective collective);

  /// Reads the lines of a file, and leaves what they do not name as it is: "ROW COLLECTIVE CHOICES", where ROW is the
  /// least number of ranks of one host that the line is for, or "hosts", and CHOICES a letter for each measured size: m
  /// for MPI, t for tutti.
  /// Returns the first line that is none; empty: there is none.
  std::string read(std::string_view text);
  /// Returns the fault of a line that read() has returned.
  static std::string mistake_in(std::string_view line);
  std::string text() const;
  /// Whether a file with that text is a table, if maybe one of another version, and not something else.
  static bool is_one(std::string_view text);

  /// Returns the measurements of the library's own machine (docs/measurements): "openmpi" or "mpich".
  static FallbackTable built_in(std::string_view mpi);

 private:
  /// Up to where a measured size stands: the root of its product with the next one.
  static constexpr auto most_bytes = [] {
    std::array<std::int64_t, measured_bytes.size() - 1> most{};
    for (std::size_t k = 0; k < most.size(); ++k) {
      for (std::int64_t bit = std::int64_t{1} << 30; bit > 0; bit /= 2) {
        const std::int64_t more = most[k] + bit;
        if (more * more <= measured_bytes[k] * measured_bytes[k + 1]) most[k] = more;
      }
    }
    return most;
  }();

  std::array<Row, rows> words_ = {};
};

/// The file that TUTTI_MPI_TABLE names, or mpi-<flavor>.txt in the user's cache, below `tutti`; empty: there is no
/// place for one.
std::string table_path(std::string_view mpi);

}  // namespace tutti::interpose
