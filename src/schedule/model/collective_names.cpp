/// @file
/// The names of textbooks and of MPI.
///
/// Sources   A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, chapter 4;
///           D. Bertsekas, J. Tsitsiklis, Parallel and Distributed Computation, 1989, §1.3.4 (nodes accumulate and
///           broadcast, total exchange); MPI: A Message-Passing Interface Standard, version 4.0, 2021, chapter 6.

#include "schedule/model/collective_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text/nearest_name.hpp"
#include "schedule/model/problem.hpp"

namespace tutti {
namespace {

constexpr std::array aliases{
    CollectiveAlias{"one-to-all-broadcast", Collective::broadcast},
    CollectiveAlias{"single-node-broadcast", Collective::broadcast},
    CollectiveAlias{"bcast", Collective::broadcast},
    CollectiveAlias{"one-to-all", Collective::broadcast},
    CollectiveAlias{"广播", Collective::broadcast},
    CollectiveAlias{"all-to-one-reduction", Collective::reduce},
    CollectiveAlias{"all-to-one-reduce", Collective::reduce},
    CollectiveAlias{"single-node-accumulation", Collective::reduce},
    CollectiveAlias{"reduction", Collective::reduce},
    CollectiveAlias{"all-to-one", Collective::reduce},
    CollectiveAlias{"归约", Collective::reduce},
    CollectiveAlias{"allreduce", Collective::all_reduce},
    CollectiveAlias{"all-reduction", Collective::all_reduce},
    CollectiveAlias{"全归约", Collective::all_reduce},
    CollectiveAlias{"prefix-sum", Collective::scan},
    CollectiveAlias{"prefix-sums", Collective::scan},
    CollectiveAlias{"prefix", Collective::scan},
    CollectiveAlias{"inclusive-scan", Collective::scan},
    CollectiveAlias{"前缀和", Collective::scan},
    CollectiveAlias{"exscan", Collective::exclusive_scan},
    CollectiveAlias{"exclusive-prefix-sum", Collective::exclusive_scan},
    CollectiveAlias{"one-to-all-personalized", Collective::scatter},
    CollectiveAlias{"one-to-all-personalized-communication", Collective::scatter},
    CollectiveAlias{"single-node-scatter", Collective::scatter},
    CollectiveAlias{"散发", Collective::scatter},
    CollectiveAlias{"all-to-one-personalized", Collective::gather},
    CollectiveAlias{"all-to-one-personalized-communication", Collective::gather},
    CollectiveAlias{"single-node-gather", Collective::gather},
    CollectiveAlias{"concatenation", Collective::gather},
    CollectiveAlias{"收集", Collective::gather},
    CollectiveAlias{"all-to-all-broadcast", Collective::all_gather},
    CollectiveAlias{"multinode-broadcast", Collective::all_gather},
    CollectiveAlias{"allgather", Collective::all_gather},
    CollectiveAlias{"gossip", Collective::all_gather},
    CollectiveAlias{"全收集", Collective::all_gather},
    CollectiveAlias{"all-to-all-reduction", Collective::reduce_scatter},
    CollectiveAlias{"all-to-all-reduce", Collective::reduce_scatter},
    CollectiveAlias{"multinode-accumulation", Collective::reduce_scatter},
    CollectiveAlias{"personalized-reduction", Collective::reduce_scatter},
    CollectiveAlias{"reduce-scatter-block", Collective::reduce_scatter},
    CollectiveAlias{"all-to-all-personalized", Collective::all_to_all},
    CollectiveAlias{"all-to-all-personalized-communication", Collective::all_to_all},
    CollectiveAlias{"total-exchange", Collective::all_to_all},
    CollectiveAlias{"complete-exchange", Collective::all_to_all},
    CollectiveAlias{"alltoall", Collective::all_to_all},
    CollectiveAlias{"all2all", Collective::all_to_all},
    CollectiveAlias{"transpose", Collective::all_to_all},
    CollectiveAlias{"全交换", Collective::all_to_all},
    CollectiveAlias{"circular-shift", Collective::shift},
    CollectiveAlias{"cyclic-shift", Collective::shift},
    CollectiveAlias{"circular-q-shift", Collective::shift},
    CollectiveAlias{"q-shift", Collective::shift},
    CollectiveAlias{"循环移位", Collective::shift},
    CollectiveAlias{"rotate", Collective::shift},
    CollectiveAlias{"synchronization", Collective::barrier},
    CollectiveAlias{"同步", Collective::barrier},
};

// "MPI_All_Reduce" and "all reduce" are "all-reduce" in the tables.
std::string usual_form(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  constexpr std::string_view of_mpi = "mpi-";
  if (lower.starts_with(of_mpi)) lower.erase(0, of_mpi.size());
  return lower;
}

}  // namespace

std::span<const CollectiveAlias> collective_aliases() { return aliases; }

std::optional<Collective> collective_called(std::string_view text) {
  const std::string lower = usual_form(text);
  if (const auto collective = collective_named(lower)) return collective;
  const auto found =
      std::find_if(aliases.begin(), aliases.end(), [&](const CollectiveAlias& alias) { return alias.name == lower; });
  return found == aliases.end() ? std::nullopt : std::optional(found->collective);
}

std::string no_collective(std::string_view text) {
  std::vector<std::string_view> names;
  for (const Collective collective : all_collectives()) names.push_back(name_of(collective));
  std::vector<std::string_view> all = names;
  for (const CollectiveAlias& alias : aliases) all.push_back(alias.name);
  const std::string usual = usual_form(text);
  const bool is_near = !nearest_name(usual, all).empty();
  return fmt::format("there is no collective '{}'; {}", text, nearest_in_words(usual, is_near ? all : names));
}

std::vector<std::string_view> aliases_of(Collective collective) {
  std::vector<std::string_view> found;
  for (const CollectiveAlias& alias : aliases) {
    if (alias.collective == collective) found.push_back(alias.name);
  }
  return found;
}

std::string call_name(Collective collective, bool by_counts) {
  std::string name(name_of(collective));
  std::replace(name.begin(), name.end(), '-', '_');
  return by_counts ? name + "_v" : name;
}

}  // namespace tutti
