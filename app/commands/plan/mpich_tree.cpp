#include "app/commands/plan/mpich_tree.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/text/short_file.hpp"

namespace tutti::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Returns the library of MPICH in the folders of the system.
std::string installed_library() {
  std::error_code none;
  for (const char* folder :
       {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    for (const char* name : {"libmpich.so.12", "libmpi.so.12"}) {
      const fs::path path = fs::path(folder) / name;
      if (fs::exists(path, none)) return path.string();
    }
  }
  fail(
      ErrorCode::invalid_argument,
      "MPICH reads its whole tree of selections from the file, and no library of MPICH is installed that has one; name "
      "one: --mpich-defaults generic.json");
}

bool is_tree_of_all(const Json& tree) {
  return tree.is_object() && tree.contains("collective=bcast") && tree.contains("collective=ibcast");
}

// The library holds several trees; that of all collectives is the one which MPICH reads from the file.
Json tree_in(const std::string& file) {
  constexpr std::string_view begin = "{\"collective=";
  constexpr std::int64_t most = std::int64_t{256} << 20;
  const std::string bytes = short_file(file, most);
  if (Json whole = Json::parse(bytes, nullptr, false); is_tree_of_all(whole)) return whole;
  for (std::size_t at = bytes.find(begin); at != std::string::npos; at = bytes.find(begin, at + 1)) {
    const std::string_view text = std::string_view(bytes).substr(at, bytes.find('\0', at) - at);
    if (Json found = Json::parse(text, nullptr, false); is_tree_of_all(found)) return found;
  }
  fail(ErrorCode::invalid_argument,
       "{} holds no tree of selections of MPICH's; name MPICH's maint/tuning/coll/mpir/generic.json, or its library",
       file);
}

bool counts_all_blocks(Collective collective) { return has_blocks(collective) && collective != Collective::all_to_all; }

// By the algorithm, or as MPICH itself has it where that is for other calls.
Json end_of(const Counterpart& counterpart, const Json& own) {
  Json algorithm{{fmt::format("algorithm={}", counterpart.name), Json::object()}};
  if (counterpart.condition != RivalCondition::built_in_operator) return algorithm;
  return Json{{"is_op_built_in=yes", {{"count<pow2", own}, {"count=any", algorithm}}}, {"is_op_built_in=no", own}};
}

Json by_size(std::span<const Counterpart> counterparts, const Problem& problem, const std::vector<WinnerRange>& ranges,
             const Json& own) {
  const auto end = [&](const WinnerRange& range) {
    return end_of(*counterpart_of(counterparts, *range.algorithm, problem.ranks), own);
  };
  if (ranges.size() == 1) return end(ranges.front());
  const bool total = counts_all_blocks(problem.collective);
  const std::string_view size = total ? "total_msg_size" : "avg_msg_size";
  Json tree;
  for (const WinnerRange& range : ranges) {
    const bool is_last = &range == &ranges.back();
    const std::string name =
        is_last ? fmt::format("{}=any", size)
                : fmt::format("{}<={}", size, total ? range.sizes.most * problem.ranks : range.sizes.most);
    tree[name] = end(range);
  }
  return tree;
}

}  // namespace

MpichTree::MpichTree(const std::string& defaults) : tree_(tree_in(defaults.empty() ? installed_library() : defaults)) {}

void MpichTree::set(std::span<const Counterpart> counterparts, const Problem& problem,
                    const std::vector<WinnerRange>& ranges) {
  const Counterpart& first = *counterpart_of(counterparts, *ranges.front().algorithm, problem.ranks);
  Json& intra = tree_.at(fmt::format("collective={}", first.call)).at("comm_type=intra");
  const Json own = intra;
  Json ours = by_size(counterparts, problem, ranges, own);
  if (reduces(problem.collective)) ours = Json{{"is_commutative=yes", ours}, {"is_commutative=no", own}};
  if (problem.collective == Collective::all_to_all)
    ours = Json{{"is_sendbuf_inplace=yes", own}, {"is_sendbuf_inplace=no", ours}};
  intra = Json{{fmt::format("comm_size<{}", problem.ranks), own},
               {fmt::format("comm_size<={}", problem.ranks), ours},
               {"comm_size=any", own}};
}

}  // namespace tutti::app
