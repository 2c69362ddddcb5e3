#include "interpose/mpi/between.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/rank_lists.hpp"
#include "base/units.hpp"
#include "interpose/mpi/first_wrong.hpp"

namespace tutti::interpose {
namespace {

using Says = std::function<std::optional<std::string>(const Member&)>;

/// Those who say nothing fit any.
RankGroups groups_of(const std::vector<Member>& members, const Says& says) {
  RankGroups groups;
  for (const Member& each : members) {
    if (const auto said = says(each)) groups.add(each.in_job, *said);
  }
  return groups;
}

std::string placed(const std::string& sentence, const std::string& where) {
  return fmt::format("{} (ranks of MPI_COMM_WORLD, {})", sentence, where);
}

std::optional<std::string> difference_in(const std::vector<Member>& members, const std::string& where,
                                         const Says& says) {
  const std::string sentence = groups_of(members, says).difference();
  return sentence.empty() ? std::nullopt : std::optional(placed(sentence, where));
}

/// Of the ranks of each group alone; first of the group with the first rank, so that both groups say the same.
std::optional<std::string> difference_within_groups(const std::vector<Member>& members, const std::string& where,
                                                    const Says& says) {
  const auto first = std::min_element(members.begin(), members.end(),
                                      [](const Member& one, const Member& other) { return one.in_job < other.in_job; });
  for (const bool is_with_first : {true, false}) {
    std::vector<Member> group;
    std::copy_if(members.begin(), members.end(), std::back_inserter(group),
                 [&](const Member& each) { return (each.is_of_own_group == first->is_of_own_group) == is_with_first; });
    if (auto sentence = difference_in(group, where, says)) return sentence;
  }
  return std::nullopt;
}

bool is_in_group_of_root(const Member& member) {
  return member.told->root == MPI_ROOT || member.told->root == MPI_PROC_NULL;
}

/// Whether what two ranks of different groups say of the root goes together.
bool is_one_root(const Member& one, const Member& other) {
  if (is_in_group_of_root(one) == is_in_group_of_root(other)) return false;
  const Member& near = is_in_group_of_root(one) ? one : other;
  const Member& far = is_in_group_of_root(one) ? other : one;
  return (near.told->root == MPI_ROOT) == (far.told->root == near.in_group);
}

bool is_root_wrong(const std::vector<Member>& members) {
  for (const Member& one : members) {
    for (const Member& other : members) {
      const bool has_root = one.told->root != Told::no_root && other.told->root != Told::no_root;
      if (has_root && one.is_of_own_group && !other.is_of_own_group && !is_one_root(one, other)) return true;
    }
  }
  return false;
}

std::string with_root(const Member& member) {
  const int root = member.told->root;
  const std::string which = root == MPI_ROOT        ? "MPI_ROOT"
                            : root == MPI_PROC_NULL ? "MPI_PROC_NULL"
                                                    : fmt::format("root {} of the other group", root);
  return fmt::format("{} with {}", member.told->words, which);
}

}  // namespace

std::optional<std::string> difference_of(const std::vector<Member>& members, const std::string& where) {
  const auto says_if = [](const char* text, const std::string& said) {
    return *text == '\0' ? std::nullopt : std::optional(said);
  };
  const Says words = [](const Member& each) { return std::optional<std::string>(each.told->words); };
  const Says amount = [&](const Member& each) {
    return says_if(each.told->amount, fmt::format("{} with {}", each.told->words, each.told->amount));
  };
  const Says kind = [&](const Member& each) {
    return says_if(each.told->elements,
                   fmt::format("{}, of elements of type {}", each.told->words, each.told->elements));
  };
  const Says blocks = [&](const Member& each) {
    return says_if(each.told->blocks, fmt::format("{} with {}", each.told->words, each.told->blocks));
  };
  if (auto sentence = difference_in(members, where, words)) return sentence;
  if (is_root_wrong(members)) return placed(groups_of(members, with_root).odd_first(), where);
  if (auto sentence = difference_in(members, where, amount)) return sentence;
  if (auto sentence = difference_in(members, where, kind)) return sentence;
  return difference_within_groups(members, where, blocks);
}

Flow first_wrong_flow(int own, const std::vector<int>& others, const std::vector<Told>& mine,
                      const std::vector<Told>& told) {
  std::vector<Flow> wrong;
  const auto note = [&](const Flow& flow) {
    if (flow.sent >= 0 && flow.awaited >= 0 && flow.sent != flow.awaited) wrong.push_back(flow);
  };
  for (std::size_t k = 0; k < others.size(); ++k) {
    note({others[k], own, told[k].sent, mine[k].awaited});
    note({own, others[k], mine[k].sent, told[k].awaited});
  }
  return first_of(std::move(wrong));
}

std::string sentence_of(const Flow& flow, const Told& told, const std::string& where) {
  return placed(fmt::format("rank {} sends {} to rank {}, which expects {}; all {}", flow.from,
                            counted(flow.sent, "byte"), flow.to, flow.awaited, told.words),
                where);
}

}  // namespace tutti::interpose
