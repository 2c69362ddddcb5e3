#include "mpi_check/collectives/intercomm_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/text/rank_lists.hpp"
#include "base/units.hpp"
#include "mpi_check/collectives/first_mismatch.hpp"

namespace tutti::interpose {
namespace {

using Says = std::function<std::optional<std::string>(const GroupMember&)>;

/// Groups ranks by what they say; those that say nothing fit any.
RankGroups groups_of(const std::vector<GroupMember>& members, const Says& says) {
  RankGroups groups;
  for (const GroupMember& each : members) {
    if (const auto said = says(each)) groups.add(each.in_job, *said);
  }
  return groups;
}

std::string placed(const std::string& sentence, const std::string& where) {
  return fmt::format("{} (ranks of MPI_COMM_WORLD, {})", sentence, where);
}

std::optional<std::string> difference_in(const std::vector<GroupMember>& members, const std::string& where,
                                         const Says& says) {
  const std::string sentence = groups_of(members, says).difference();
  return sentence.empty() ? std::nullopt : std::optional(placed(sentence, where));
}

/// Returns the difference within each group; first of the group with the first rank, so that both groups say the same.
std::optional<std::string> difference_within_groups(const std::vector<GroupMember>& members, const std::string& where,
                                                    const Says& says) {
  const auto first =
      std::min_element(members.begin(), members.end(),
                       [](const GroupMember& one, const GroupMember& other) { return one.in_job < other.in_job; });
  for (const bool is_with_first : {true, false}) {
    std::vector<GroupMember> group;
    std::copy_if(members.begin(), members.end(), std::back_inserter(group), [&](const GroupMember& each) {
      return (each.is_of_own_group == first->is_of_own_group) == is_with_first;
    });
    if (auto sentence = difference_in(group, where, says)) return sentence;
  }
  return std::nullopt;
}

bool is_in_group_of_root(const GroupMember& member) {
  return member.told->root == MPI_ROOT || member.told->root == MPI_PROC_NULL;
}

/// Whether what two ranks of different groups say of the root goes together.
bool is_one_root(const GroupMember& one, const GroupMember& other) {
  if (is_in_group_of_root(one) == is_in_group_of_root(other)) return false;
  const GroupMember& near = is_in_group_of_root(one) ? one : other;
  const GroupMember& far = is_in_group_of_root(one) ? other : one;
  return (near.told->root == MPI_ROOT) == (far.told->root == near.in_group);
}

bool is_root_wrong(const std::vector<GroupMember>& members) {
  for (const GroupMember& one : members) {
    for (const GroupMember& other : members) {
      const bool has_root = one.told->root != CallSignature::no_root && other.told->root != CallSignature::no_root;
      if (has_root && one.is_of_own_group && !other.is_of_own_group && !is_one_root(one, other)) return true;
    }
  }
  return false;
}

std::string with_root(const GroupMember& member) {
  const int root = member.told->root;
  const std::string which = root == MPI_ROOT        ? "MPI_ROOT"
                            : root == MPI_PROC_NULL ? "MPI_PROC_NULL"
                                                    : fmt::format("root {} of the other group", root);
  return fmt::format("{} with {}", member.told->words, which);
}

}  // namespace

std::optional<std::string> difference_of(const std::vector<GroupMember>& members, const std::string& where) {
  const auto says_if = [](const char* text, const std::string& said) {
    return *text == '\0' ? std::nullopt : std::optional(said);
  };
  const Says words = [](const GroupMember& each) { return std::optional<std::string>(each.told->words); };
  const Says amount = [&](const GroupMember& each) {
    return says_if(each.told->amount, fmt::format("{} with {}", each.told->words, each.told->amount));
  };
  const Says kind = [&](const GroupMember& each) {
    return says_if(each.told->elements,
                   fmt::format("{}, of elements of type {}", each.told->words, each.told->elements));
  };
  std::vector<SignatureDigest> folded_types;
  for (const GroupMember& each : members) folded_types.push_back(each.told->folded_types);
  const Says folded = [&](const GroupMember& each) {
    const auto k = static_cast<std::size_t>(&each - members.data());
    // Ranks beside the root give nothing and get nothing: MPI looks at no type and no count of theirs.
    const bool takes_part = each.told->root != MPI_PROC_NULL;
    return takes_part && folded_types[k].is_known()
               ? std::optional(fmt::format("{}, of {}", each.told->words, words_of(folded_types, k)))
               : std::nullopt;
  };
  const Says blocks = [&](const GroupMember& each) {
    return says_if(each.told->blocks, fmt::format("{} with {}", each.told->words, each.told->blocks));
  };
  if (auto sentence = difference_in(members, where, words)) return sentence;
  if (is_root_wrong(members)) return placed(groups_of(members, with_root).odd_first(), where);
  if (auto sentence = difference_in(members, where, amount)) return sentence;
  if (auto sentence = difference_in(members, where, kind)) return sentence;
  if (auto sentence = difference_in(members, where, folded)) return sentence;
  return difference_within_groups(members, where, blocks);
}

FlowMismatch first_wrong_flow(int own, const std::vector<int>& others, const std::vector<CallSignature>& mine,
                              const std::vector<CallSignature>& told) {
  std::vector<FlowMismatch> wrong;
  const auto note = [&](const FlowMismatch& flow) {
    const bool is_length_wrong = flow.sent >= 0 && flow.awaited >= 0 && flow.sent != flow.awaited;
    if (is_length_wrong || !flow.sent_types.fits(flow.awaited_types)) wrong.push_back(flow);
  };
  for (std::size_t k = 0; k < others.size(); ++k) {
    note({others[k], own, told[k].sent, mine[k].awaited, told[k].sent_types, mine[k].awaited_types});
    note({own, others[k], mine[k].sent, told[k].awaited, mine[k].sent_types, told[k].awaited_types});
  }
  return first_mismatch(std::move(wrong));
}

std::string words_of(const FlowMismatch& flow) {
  const bool is_of_types = flow.sent == flow.awaited || flow.sent < 0 || flow.awaited < 0;
  return fmt::format("rank {} sends {} to rank {}, which expects {}", flow.from,
                     is_of_types ? flow.sent_types.words : counted(flow.sent, "byte"), flow.to,
                     is_of_types ? flow.awaited_types.words : grouped(flow.awaited));
}

std::string sentence_of(const FlowMismatch& flow, const CallSignature& told, const std::string& where) {
  return placed(fmt::format("{}; all {}", words_of(flow), told.words), where);
}

}  // namespace tutti::interpose
