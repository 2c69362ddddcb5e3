#include "mpi_job/job/program_threads.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace tutti::interpose {
namespace {

/// The threads of this process, by their names in /proc, in ascending order; none where the system does not tell.
std::vector<std::string> threads_now() {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator each("/proc/self/task", error);
  for (; !error && each != std::filesystem::directory_iterator(); each.increment(error))
    names.push_back(each->path().filename());
  if (error) names.clear();
  std::sort(names.begin(), names.end());
  return names;
}

struct KnownThreads {
  bool had_one = false;             // before MPI began
  std::vector<std::string> of_mpi;  // and of this library, with the program's one
};

KnownThreads& threads() {
  static KnownThreads& only = *new KnownThreads;
  return only;
}

}  // namespace

void note_threads_before_init() { threads().had_one = threads_now().size() == 1; }

void note_threads_after_init() { threads().of_mpi = threads_now(); }

bool has_no_other_thread() {
  if (!threads().had_one) return false;
  const std::vector<std::string> now = threads_now();
  return !now.empty() && std::includes(threads().of_mpi.begin(), threads().of_mpi.end(), now.begin(), now.end());
}

}  // namespace tutti::interpose
