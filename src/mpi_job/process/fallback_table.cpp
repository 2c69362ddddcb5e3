#include "mpi_job/process/fallback_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/system/environment.hpp"
#include "base/text/split.hpp"

namespace tutti::interpose {
namespace {

struct CollectiveNames {
  std::string_view here;
  const char* in_mpi;
};

constexpr std::array<CollectiveNames, served_collectives> names = {
    {{"barrier", "MPI_Barrier"},
     {"broadcast", "MPI_Bcast"},
     {"reduce", "MPI_Reduce"},
     {"all_reduce", "MPI_Allreduce"},
     {"scan", "MPI_Scan"},
     {"exclusive_scan", "MPI_Exscan"},
     {"gather", "MPI_Gather"},
     {"gather_v", "MPI_Gatherv"},
     {"scatter", "MPI_Scatter"},
     {"scatter_v", "MPI_Scatterv"},
     {"all_gather", "MPI_Allgather"},
     {"all_gather_v", "MPI_Allgatherv"},
     {"all_to_all", "MPI_Alltoall"},
     {"all_to_all_v", "MPI_Alltoallv"},
     {"reduce_scatter", "MPI_Reduce_scatter"},
     {"reduce_scatter_block", "MPI_Reduce_scatter_block"}}};

constexpr std::array<std::string_view, FallbackTable::rows> row_names = {"2", "3", "5", "9", "hosts"};
constexpr std::array<int, FallbackTable::rows - 1> least_ranks = {2, 3, 5, 9};
constexpr std::size_t hosts_row = FallbackTable::rows - 1;

// Two ranks on two cores, three to five, and sixteen, whose heaps are shared; four hosts on one machine, of one rank
// and of four, where both choices gained.
constexpr std::string_view measured_beside_openmpi =
    "2 broadcast mmtttt\n"
    "2 reduce mttttt\n"
    "2 scan mmtttt\n"
    "2 exclusive_scan mmtttt\n"
    "2 gather mmtttt\n"
    "2 scatter mmtttt\n"
    "3 broadcast mttttt\n"
    "3 reduce mttttt\n"
    "3 scan mmtttt\n"
    "3 exclusive_scan mmtttt\n"
    "3 gather mttttt\n"
    "3 scatter mttttt\n"
    "3 all_to_all mttttt\n"
    "hosts barrier mmmmmm\n"
    "hosts broadcast mmmttt\n"
    "hosts reduce mmmmtt\n"
    "hosts all_reduce mmmmmt\n"
    "hosts scan mmmmtm\n"
    "hosts exclusive_scan mmmmmm\n"
    "hosts gather mmmmmm\n"
    "hosts gather_v mmmmmm\n"
    "hosts scatter mmmmmm\n"
    "hosts scatter_v mmmmmm\n"
    "hosts all_gather mmmttt\n"
    "hosts all_gather_v mmmmmm\n"
    "hosts all_to_all mmmmmt\n"
    "hosts all_to_all_v mmmmmm\n"
    "hosts reduce_scatter mmmmmm\n"
    "hosts reduce_scatter_block mmmmtt\n";
/// Measurements of more ranks, beside those of three or four.
constexpr std::string_view measured_of_many_beside_openmpi =
    "9 broadcast tttttt\n"
    "9 reduce tttttt\n"
    "9 scatter tttttt\n"
    "9 all_to_all tttttt\n";
constexpr std::string_view measured_beside_mpich = "3 broadcast tmtttt\n";

/// Title of a table that was written by this library.
constexpr std::string_view title = "# Who serves collectives of MPI programs";

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

struct TableLine {
  std::ptrdiff_t row = 0;
  std::ptrdiff_t collective = 0;
  std::string_view choices;
};

/// Reads the line; what is wrong with it.
std::string read_line(std::string_view text, TableLine& line) {
  const std::string_view row = next_word(text);
  line.row = std::find(row_names.begin(), row_names.end(), row) - row_names.begin();
  if (line.row == std::ssize(row_names)) {
    return fmt::format("a line begins with a least number of ranks, which is {}, or with hosts, not with '{}'",
                       fmt::join(least_ranks, " or "), row);
  }
  const std::string_view name = next_word(text);
  line.collective =
      std::find_if(names.begin(), names.end(), [&](const CollectiveNames& each) { return each.here == name; }) -
      names.begin();
  if (line.collective == std::ssize(names)) return fmt::format("there is no collective '{}'", name);
  line.choices = next_word(text);
  if (line.choices.size() != FallbackTable::measured_bytes.size() ||
      line.choices.find_first_not_of("mt") != std::string_view::npos) {
    return fmt::format("after a collective stand {} letters, m for MPI or t for tutti, not '{}'",
                       FallbackTable::measured_bytes.size(), line.choices);
  }
  const std::string_view more = next_word(text);
  return more.empty() ? std::string() : fmt::format("after its letters a line ends, and has no '{}'", more);
}

}  // namespace

std::string_view name_of(ServedCollective collective) { return names[static_cast<std::size_t>(collective)].here; }

const char* name_in_mpi(ServedCollective collective) { return names[static_cast<std::size_t>(collective)].in_mpi; }

bool hides_sizes(ServedCollective collective) {
  return collective == ServedCollective::gather_v || collective == ServedCollective::scatter_v ||
         collective == ServedCollective::all_to_all_v;
}

std::size_t FallbackTable::row_of(int ranks, bool are_on_several_hosts) {
  if (are_on_several_hosts) return hosts_row;
  const auto above = std::upper_bound(least_ranks.begin(), least_ranks.end(), ranks);
  return above == least_ranks.begin() ? 0 : static_cast<std::size_t>(above - least_ranks.begin()) - 1;
}

void FallbackTable::leave(ServedCollective collective, std::size_t row, std::size_t size_class, bool is_left) {
  std::uint8_t& word = words_[row][static_cast<std::size_t>(collective)];
  const auto bit = static_cast<std::uint8_t>(1U << size_class);
  word = static_cast<std::uint8_t>(is_left ? word | bit : word & ~bit);
}

void FallbackTable::leave(ServedCollective collective) {
  for (auto& row : words_) row[static_cast<std::size_t>(collective)] = 0xff;
}

std::string FallbackTable::read(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    TableLine parts;
    if (!read_line(line, parts).empty()) return std::string(line);
    for (std::size_t k = 0; k < parts.choices.size(); ++k)
      leave(static_cast<ServedCollective>(parts.collective), static_cast<std::size_t>(parts.row), k,
            parts.choices[k] == 'm');
  }
  return {};
}

std::string FallbackTable::mistake_in(std::string_view line) {
  TableLine parts;
  return read_line(line, parts);
}

bool FallbackTable::is_one(std::string_view text) {
  return text.starts_with(title) || FallbackTable().read(text).empty();
}

std::string FallbackTable::text() const {
  std::string text = fmt::format(
      "{}, from this number of ranks of one host on, or on several hosts: m MPI, t tutti; blocks of", title);
  for (const std::int64_t bytes : measured_bytes) text += fmt::format(" {}", bytes);
  text += " bytes.\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      text += fmt::format("{} {} ", row_names[row], names[k].here);
      for (std::size_t bit = 0; bit < measured_bytes.size(); ++bit)
        text += (words_[row][k] >> bit & 1) != 0 ? 'm' : 't';
      text += '\n';
    }
  }
  return text;
}

FallbackTable FallbackTable::built_in(std::string_view mpi) {
  FallbackTable table;
  const bool is_openmpi = mpi == "openmpi";
  table.read(is_openmpi ? measured_beside_openmpi : measured_beside_mpich);
  for (std::size_t row = row_of(4) + 1; row < hosts_row; ++row) table.words_[row] = table.words_[row_of(4)];
  if (is_openmpi) table.read(measured_of_many_beside_openmpi);
  return table;
}

std::string table_path(std::string_view mpi) {
  const auto named = [](const char* name) {
    const char* const text = environment_variable(name);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string path = named("TUTTI_MPI_TABLE"); !path.empty()) return path;
  if (const std::string cache = named("XDG_CACHE_HOME"); !cache.empty())
    return fmt::format("{}/tutti/mpi-{}.txt", cache, mpi);
  const std::string home = named("HOME");
  return home.empty() ? home : fmt::format("{}/.cache/tutti/mpi-{}.txt", home, mpi);
}

}  // namespace tutti::interpose
