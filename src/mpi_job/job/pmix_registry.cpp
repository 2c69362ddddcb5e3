#include "mpi_job/job/pmix_registry.hpp"

#ifdef TUTTI_HAS_PMIX

#include <dlfcn.h>
#include <fmt/format.h>
#include <pmix.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/system/environment.hpp"
#include "mpi_job/process/library_build.hpp"
#include "mpi_job/process/settings.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::interpose {
namespace {

/// Ranks of another kind have a word of another name.
const std::string& word() {
  static const std::string name = fmt::format("tutti.{:016x}", detail::hash_of(build_and_checks_of_this_rank()));
  return name;
}

/// The library with which Open MPI itself speaks to its launcher (PMIx 4, Process Management Interface for Exascale,
/// chapters 5 and 6): opened here, because a program of another MPI needs none.
class Launcher {
 public:
  Launcher() {
    void* const library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    init_ = reinterpret_cast<decltype(init_)>(dlsym(library, "PMIx_Init"));
    put_ = reinterpret_cast<decltype(put_)>(dlsym(library, "PMIx_Put"));
    commit_ = reinterpret_cast<decltype(commit_)>(dlsym(library, "PMIx_Commit"));
    get_ = reinterpret_cast<decltype(get_)>(dlsym(library, "PMIx_Get"));
    finalize_ = reinterpret_cast<decltype(finalize_)>(dlsym(library, "PMIx_Finalize"));
    const bool is_whole = init_ && put_ && commit_ && get_ && finalize_;
    is_there_ = is_whole && init_(&self_, nullptr, 0) == PMIX_SUCCESS;
  }

  bool is_there() const { return is_there_; }

  void put(std::uint64_t value) const {
    pmix_value_t told{};
    told.type = PMIX_UINT64;
    told.data.uint64 = value;
    if (put_(PMIX_GLOBAL, word().c_str(), &told) == PMIX_SUCCESS) commit_();
  }

  /// Returns the value that that rank has put; nothing if it has not, as far as has come here with MPI_Init.
  std::optional<std::uint64_t> get(int rank) const {
    pmix_proc_t whose = self_;
    whose.rank = static_cast<pmix_rank_t>(rank);
    pmix_info_t only_here{};
    std::strcpy(only_here.key, PMIX_OPTIONAL);
    only_here.value.type = PMIX_BOOL;
    only_here.value.data.flag = true;
    pmix_value_t* found = nullptr;
    if (get_(&whose, word().c_str(), &only_here, 1, &found) != PMIX_SUCCESS || found == nullptr) return std::nullopt;
    const bool is_ours = found->type == PMIX_UINT64;
    const std::uint64_t value = found->data.uint64;
    std::free(found);
    return is_ours ? std::optional(value) : std::nullopt;
  }

  void leave() {
    if (is_there_) finalize_(nullptr, 0);
    is_there_ = false;
  }

 private:
  pmix_proc_t self_{};
  bool is_there_ = false;
  decltype(&PMIx_Init) init_ = nullptr;
  decltype(&PMIx_Put) put_ = nullptr;
  decltype(&PMIx_Commit) commit_ = nullptr;
  decltype(&PMIx_Get) get_ = nullptr;
  decltype(&PMIx_Finalize) finalize_ = nullptr;
};

/// Returns the value that a parameter of Open MPI's was set to, by the environment or by a file, once MPI works: the
/// library's own variable, because to ask MPI_T takes a fifth of a second. `standard` if there is no such variable.
bool parameter(const char* variable, bool standard) {
  const void* const value = dlsym(RTLD_DEFAULT, variable);
  return value == nullptr ? standard : *static_cast<const bool*>(value);
}

/// Whether MPI_Init has brought all words to all ranks, as it does by default. Otherwise a rank has those of whom it
/// has come to need, and another rank others.
bool has_brought_all() {
  return !parameter("opal_pmix_base_async_modex", false) && parameter("opal_pmix_collect_all_data", true);
}

/// Returns that as far as the environment tells it before MPI works.
bool is_to_bring_all() {
  const auto is_any = [](const char* name, std::initializer_list<std::string_view> values) {
    return std::find(values.begin(), values.end(), setting(name)) != values.end();
  };
  return is_any("OMPI_MCA_pmix_base_async_modex", {"", "0", "false", "no"}) &&
         is_any("OMPI_MCA_pmix_base_collect_data", {"", "1", "true", "yes"});
}

std::optional<Launcher>& launcher() {
  static std::optional<Launcher> only;
  return only;
}

}  // namespace

void enter_pmix_registry(std::uint64_t node) {
  if (setting(pmix_job).empty() || !is_to_bring_all()) return;
  launcher().emplace();
  if (launcher()->is_there()) launcher()->put(node);
}

std::optional<std::vector<std::uint64_t>> nodes_in_pmix_registry(int ranks) {
  if (!launcher() || !launcher()->is_there() || !has_brought_all()) return std::nullopt;
  std::vector<std::uint64_t> nodes;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::optional<std::uint64_t> node = launcher()->get(rank);
    if (!node) return std::nullopt;
    nodes.push_back(*node);
  }
  return nodes;
}

void leave_pmix_registry() {
  if (launcher()) launcher()->leave();
}

}  // namespace tutti::interpose

#else

namespace tutti::interpose {

void enter_pmix_registry(std::uint64_t) {}
std::optional<std::vector<std::uint64_t>> nodes_in_pmix_registry(int) { return std::nullopt; }
void leave_pmix_registry() {}

}  // namespace tutti::interpose

#endif
