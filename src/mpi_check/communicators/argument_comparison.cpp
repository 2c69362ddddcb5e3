#include "mpi_check/communicators/argument_comparison.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/text/rank_lists.hpp"
#include "mpi_check/collectives/first_mismatch.hpp"
#include "mpi_check/collectives/number_list.hpp"
#include "mpi_job/job/null_safe_queries.hpp"

namespace tutti::interpose {
namespace {

constexpr std::size_t most_numbers = 6;

/// Text of an argument. Plain bytes.
struct ToldArgument {
  char text[128] = {};
};

/// Group that a rank passes. Plain bytes.
struct ToldGroup {
  std::uint64_t digest = 0;
  char members[128] = {};
};

/// Rank that passes a group in which another one is that passes another one. Plain bytes.
struct WrongGroup {
  int rank = -1;
  int other = -1;
  ToldGroup passed;
  ToldGroup passed_by_other;

  bool is_there() const { return rank >= 0; }
  bool operator<(const WrongGroup& than) const { return rank != than.rank ? rank < than.rank : other < than.other; }
};

/// Numbers in the communicator of the group's ranks; empty where MPI has something to say against the group.
std::vector<int> members_of(MPI_Group group, MPI_Comm comm) {
  const NullSafeQueries quiet;
  int size = 0;
  if (group == MPI_GROUP_NULL || PMPI_Group_size(group, &size) != MPI_SUCCESS) return {};
  std::vector<int> in_group(static_cast<std::size_t>(size));
  std::iota(in_group.begin(), in_group.end(), 0);
  std::vector<int> members(in_group.size(), MPI_UNDEFINED);
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &all);
  const int code = PMPI_Group_translate_ranks(group, size, in_group.data(), all, members.data());
  PMPI_Group_free(&all);
  return code == MPI_SUCCESS ? members : std::vector<int>();
}

ToldGroup told_group(const std::vector<int>& members) {
  ToldGroup told;
  const std::vector<std::int64_t> numbers(members.begin(), members.end());
  told.digest = detail::hash_of({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t)});
  const std::string text = members.empty() ? "nobody" : words_of_list(numbers, most_numbers);
  text.copy(told.members, sizeof(told.members) - 1);
  return told;
}

}  // namespace

void compare_arguments(const char* function, ServedCommunicator& on, const std::vector<ComparedArgument>& arguments) {
  std::vector<ToldArgument> mine(arguments.size());
  for (std::size_t k = 0; k < mine.size(); ++k) arguments[k].text.copy(mine[k].text, sizeof(mine[k].text) - 1);
  std::vector<ToldArgument> told(mine.size() * static_cast<std::size_t>(on.size()));
  const auto bytes = static_cast<int>(mine.size() * sizeof(ToldArgument));
  if (PMPI_Allgather(mine.data(), bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    RankGroups groups;
    for (int rank = 0; rank < on.size(); ++rank) {
      const char* const text = told[static_cast<std::size_t>(rank) * mine.size() + k].text;
      if (*text != '\0') groups.add(rank, fmt::format("called {} with {} {}", function, arguments[k].name, text));
    }
    if (const std::string sentence = groups.difference(); !sentence.empty())
      throw Error(ErrorCode::mismatch, fmt::format("{} (on communicator {})", sentence, on.title()));
  }
}

void compare_groups(const char* function, ServedCommunicator& on, MPI_Group group) {
  const std::vector<int> members = members_of(group, on.handle());
  const ToldGroup mine = told_group(members);
  std::vector<ToldGroup> told(static_cast<std::size_t>(on.size()));
  constexpr int bytes = sizeof(ToldGroup);
  if (PMPI_Allgather(&mine, bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  std::vector<WrongGroup> own;
  for (const int other : members) {
    if (other < 0 || other >= on.size()) continue;
    const ToldGroup& theirs = told[static_cast<std::size_t>(other)];
    if (theirs.digest != mine.digest) own.push_back({on.rank(), other, mine, theirs});
  }
  const WrongGroup first = first_mismatch_on_any(on, first_mismatch(std::move(own)));
  if (!first.is_there()) return;
  throw Error(
      ErrorCode::mismatch,
      fmt::format("rank {} passes a group of {}, and rank {}, which is in it, one of {}; all called {} (on "
                  "communicator {})",
                  first.rank, first.passed.members, first.other, first.passed_by_other.members, function, on.title()));
}

std::string words_of_ints(const int* list, int count) {
  if (list == nullptr || count <= 0) return {};
  return words_of_list({list, list + count}, most_numbers);
}

std::string words_of_truths(const int* list, int count) {
  if (list == nullptr || count <= 0) return {};
  std::vector<std::int64_t> truths;
  for (int k = 0; k < count; ++k) truths.push_back(list[k] != 0 ? 1 : 0);
  return words_of_list(truths, most_numbers);
}

}  // namespace tutti::interpose
