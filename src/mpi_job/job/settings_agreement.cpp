#include "mpi_job/job/settings_agreement.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/process/settings.hpp"
#include "schedule/model/planning.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::interpose {
namespace {

/// The algorithms that an environment names, as bytes: texts that end with a zero, of which empty ones stand for none.
using NamedAlgorithms = std::array<std::array<char, 64>, served_collectives>;

std::string variable_of(std::size_t collective) {
  return algorithm_variable(name_of(static_cast<ServedCollective>(collective)));
}

NamedAlgorithms algorithms_of_environment() {
  NamedAlgorithms own = {};
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::string_view value = setting(variable_of(k).c_str());
    std::copy_n(value.begin(), std::min(value.size(), own[k].size() - 1), own[k].begin());
  }
  return own;
}

/// Sets what rank `speaker` of the job has. Returns a sentence about the first that was otherwise here; empty: all were
/// the same.
std::string take_over(const NamedAlgorithms& own, const NamedAlgorithms& told_by, int speaker) {
  std::string told;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k] == told_by[k]) continue;
    const auto words = [](const auto& name) {
      return name.front() == '\0' ? "not set" : fmt::format("\"{}\"", name.data());
    };
    const std::string variable = variable_of(k);
    if (told.empty())
      told = fmt::format("{} is {} on rank {}, but {} on rank {}, which holds for all", variable, words(own[k]),
                         job().rank, words(told_by[k]), speaker);
    told_by[k].front() == '\0' ? unsetenv(variable.c_str()) : setenv(variable.c_str(), told_by[k].data(), 1);
  }
  return told;
}

void take_over_from_rank_0(const NamedAlgorithms& own) {
  NamedAlgorithms of_rank_0 = own;
  PMPI_Bcast(of_rank_0.data(), static_cast<int>(sizeof(of_rank_0)), MPI_BYTE, 0, MPI_COMM_WORLD);
  const std::string told = take_over(own, of_rank_0, 0);
  int first = told.empty() ? job().size : job().rank;
  PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == job().rank) say(told);
}

}  // namespace

// One reduction tells all ranks alike whether they measure, and whether the algorithms are the same: then the least of
// their hashes is the largest one.
bool agree_on_settings() {
  const NamedAlgorithms own = algorithms_of_environment();
  const std::uint64_t hash = detail::hash_of({own.front().data(), sizeof(own)});
  std::array<std::uint64_t, 3> least = {is_set("TUTTI_MPI_MEASURE") ? 1U : 0U, hash, ~hash};
  PMPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  if (least[1] != ~least[2]) take_over_from_rank_0(own);
  return least[0] == 1;
}

// By algorithms that are named here, because the ranks may not have the same ones to choose from yet.
void agree_on_algorithms(Communicator& here) {
  struct Words {
    NamedAlgorithms algorithms;
    int rank;  // in the job
  };
  const NamedAlgorithms own = algorithms_of_environment();
  std::array<Words, 1> first = {Words{own, job().rank}};
  try {
    here.broadcast(first, {.algorithm = "binomial"});
    const std::string told = take_over(own, first[0].algorithms, first[0].rank);
    const int teller =
        here.all_reduce(told.empty() ? job().size : job().rank, minimum, {.algorithm = "reduce-broadcast"});
    if (teller == job().rank) say(told);
  } catch (const Error& error) {
    say(error.what());
  }
}

}  // namespace tutti::interpose
