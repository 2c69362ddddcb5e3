#include "mpi_check/collectives/nonblocking_signatures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "mpi_check/collectives/number_list.hpp"
#include "mpi_check/point_to_point/buffer_overlap.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/datatypes/operators.hpp"
#include "mpi_job/job/null_safe_queries.hpp"

namespace tutti::interpose {
namespace {

const char* name_of(MPI_Op op) {
  const std::pair<MPI_Op, const char*> known[] = {
      {MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"}, {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
      {MPI_LAND, "MPI_LAND"}, {MPI_LOR, "MPI_LOR"},   {MPI_LXOR, "MPI_LXOR"},     {MPI_BAND, "MPI_BAND"},
      {MPI_BOR, "MPI_BOR"},   {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"}};
  for (const auto& [each, name] : known) {
    if (each == op) return name;
  }
  return "an operator of the program's";
}

}  // namespace

std::optional<MPI_Count> bytes_of(const Amount::Elements& elements) {
  const NullSafeQueries quiet;
  MPI_Count size = 0;
  const bool is_known = elements.type != MPI_DATATYPE_NULL && PMPI_Type_size_x(elements.type, &size) == MPI_SUCCESS;
  return is_known && size >= 0 ? std::optional(elements.count * size) : std::nullopt;
}

std::vector<std::int64_t> bytes_of(const Listed& listed, int ranks) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks), -1);
  if (!listed.counts.is_there()) return bytes;
  MPI_Datatype latest = MPI_DATATYPE_NULL;
  std::optional<MPI_Count> size;
  for (int rank = 0; rank < ranks; ++rank) {
    const MPI_Count count = listed.counts[rank];
    const MPI_Datatype type = count > 0 ? listed.type(rank) : latest;
    if (count > 0 && type != latest) size = bytes_of({1, latest = type});
    if (count == 0) bytes[static_cast<std::size_t>(rank)] = 0;
    if (count > 0 && size) bytes[static_cast<std::size_t>(rank)] = count * *size;
  }
  return bytes;
}

namespace {

/// In place, a rank sends itself nothing.
RankFlows without_own(RankFlows flows, int rank) {
  if (rank < 0) return flows;
  flows.sent[static_cast<std::size_t>(rank)] = flows.awaited[static_cast<std::size_t>(rank)] = -1;
  return flows;
}

std::int64_t bytes_or_unknown(const std::optional<Amount::Elements>& elements) {
  return elements ? bytes_of(*elements).value_or(-1) : -1;
}

/// Returns the flows between groups of blocks of one length. Root and other group are MPI's to check.
RankFlows flows_between(int root, const Amount& amount, int others) {
  using Way = Amount::Way;
  if (amount.flows) return amount.flows(MPI_PROC_NULL, others);
  RankFlows flows(others);
  const bool has_one = root >= 0 && root < others;
  const auto far = static_cast<std::size_t>(has_one ? root : 0);
  if (amount.way == Way::to_all) {
    flows.sent.assign(flows.sent.size(), bytes_or_unknown(amount.sent));
    flows.awaited.assign(flows.sent.size(), bytes_or_unknown(amount.elsewhere));
  }
  std::vector<std::int64_t>& of_root = amount.way == Way::from_root ? flows.sent : flows.awaited;
  std::vector<std::int64_t>& of_others = amount.way == Way::from_root ? flows.awaited : flows.sent;
  if (amount.way != Way::from_root && amount.way != Way::to_root) return flows;
  if (root == MPI_ROOT) of_root.assign(of_root.size(), bytes_or_unknown(amount.at_root));
  if (has_one) of_others[far] = bytes_or_unknown(amount.elsewhere);
  return flows;
}

/// "blocks of 4, 8 bytes"; empty where MPI has something to say against them.
std::string words_of_blocks(const Listed& listed, int own) {
  const std::vector<std::int64_t> bytes = bytes_of(listed, own);
  const bool are_known = std::none_of(bytes.begin(), bytes.end(), [](std::int64_t each) { return each < 0; });
  return are_known ? fmt::format("blocks of {} bytes", words_of_list(bytes)) : std::string();
}

/// Returns the bytes that are combined, in all, from a rank whose group has so many.
std::optional<std::int64_t> bytes_folded(const Amount& amount, int own) {
  if (amount.blocks) {
    const std::vector<std::int64_t> bytes = bytes_of(*amount.blocks, own);
    const bool are_known = std::none_of(bytes.begin(), bytes.end(), [](std::int64_t each) { return each < 0; });
    return are_known ? std::optional(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0})) : std::nullopt;
  }
  const std::int64_t each = bytes_or_unknown(amount.elsewhere);
  return each < 0 ? std::nullopt : std::optional(amount.is_in_blocks ? each * own : each);
}

}  // namespace

RankFlows flows_of_gather(const std::optional<Amount::Elements>& input, const Listed& output, int root, int rank,
                          int ranks) {
  RankFlows flows(ranks);
  if (root == MPI_ROOT && rank < 0) flows.awaited = bytes_of(output, ranks);
  if (root < 0 || root >= ranks) return flows;
  if (input) flows.sent[static_cast<std::size_t>(root)] = bytes_of(*input).value_or(-1);
  if (rank == root) flows.awaited = bytes_of(output, ranks);
  return input ? flows : without_own(std::move(flows), rank);
}

RankFlows flows_of_scatter(const Listed& input, const std::optional<Amount::Elements>& output, int root, int rank,
                           int ranks) {
  RankFlows flows(ranks);
  if (root == MPI_ROOT && rank < 0) flows.sent = bytes_of(input, ranks);
  if (root < 0 || root >= ranks) return flows;
  if (rank == root) flows.sent = bytes_of(input, ranks);
  if (output) flows.awaited[static_cast<std::size_t>(root)] = bytes_of(*output).value_or(-1);
  return output ? flows : without_own(std::move(flows), rank);
}

RankFlows flows_of_all_gather(const std::optional<Amount::Elements>& input, const Listed& output, int rank, int ranks) {
  RankFlows flows(ranks);
  flows.awaited = bytes_of(output, ranks);
  const std::int64_t own = rank < 0 ? -1 : flows.awaited[static_cast<std::size_t>(rank)];
  flows.sent.assign(flows.sent.size(), input ? bytes_of(*input).value_or(-1) : own);
  return flows;
}

RankFlows flows_of_all_to_all(const std::optional<Listed>& input, const Listed& output, int ranks) {
  RankFlows flows;
  flows.awaited = bytes_of(output, ranks);
  flows.sent = input ? bytes_of(*input, ranks) : flows.awaited;
  return flows;
}

RankFlows flows_of_fold(const Listed& blocks, int rank, int ranks) {
  RankFlows flows;
  if (rank < 0) return flows;
  flows.sent = bytes_of(blocks, ranks);
  flows.awaited.assign(flows.sent.size(), flows.sent[static_cast<std::size_t>(rank)]);
  return flows;
}

std::string kind_of(const Amount& amount) {
  const bool is_nothing = amount.elsewhere && amount.elsewhere->count == 0;
  const MpiType* const type = amount.folded && !is_nothing ? predefined_type(*amount.folded) : nullptr;
  return amount.op && type != nullptr ? std::string(elements_of(*amount.op, *type)) : std::string();
}

CallDescription compared_between_groups(const ServedCommunicator& on, const NeededRanks& needed, const Amount& amount) {
  const bool has_root = needed.has_root();
  CallDescription passed;
  if (has_root) passed.root = needed.root;
  passed.flows = flows_between(needed.root, amount, on.others());
  // Only the root of its group says what is combined.
  if (amount.way != Amount::Way::folded || (has_root && needed.root == MPI_PROC_NULL)) return passed;
  passed.kind = kind_of(amount);
  if (amount.blocks) passed.blocks = words_of_blocks(*amount.blocks, on.size());
  const auto bytes = bytes_folded(amount, on.size());
  if (bytes && amount.op) passed.amount = fmt::format("{} and {}", counted(*bytes, "byte"), name_of(*amount.op));
  return passed;
}

std::int64_t bytes_in_common(const NeededRanks& needed, const Amount& amount, int rank, int ranks) {
  using Way = Amount::Way;
  const bool is_root = needed.has_root() && rank == needed.root;
  const auto region = [](const void* at, const std::optional<Amount::Elements>& elements, int times) {
    return elements ? BufferRegion{at, elements->count * times, elements->type} : BufferRegion();
  };
  const bool reads = amount.way != Way::from_root || is_root;
  const bool writes = amount.way == Way::from_root || !needed.has_root() || is_root;
  const bool gets_nothing = amount.is_not_to_first && rank == 0;
  if (amount.way == Way::unknown || !reads || !writes || gets_nothing) return 0;
  const auto& read = amount.way == Way::from_root ? amount.at_root
                     : amount.way == Way::to_all  ? amount.sent
                                                  : amount.elsewhere;
  const bool reads_of_all = amount.way == Way::from_root || amount.is_to_each || amount.is_in_blocks;
  const auto& written = amount.way == Way::to_root ? amount.at_root : amount.elsewhere;
  const bool writes_of_all = amount.way == Way::to_root || amount.way == Way::to_all;
  return bytes_in_common(region(amount.input, read, reads_of_all ? ranks : 1),
                         region(amount.output, written, writes_of_all ? ranks : 1));
}

std::string words_of(const char* function, const NeededRanks& needed, const Amount& amount, int rank) {
  const bool has_root = needed.has_root();
  std::vector<std::string> all;
  if (has_root) all.push_back(fmt::format("root {}", needed.root));
  const auto& elements = has_root && rank == needed.root ? amount.at_root : amount.elsewhere;
  const std::int64_t bytes = bytes_or_unknown(elements);
  if (bytes >= 0) all.push_back(counted(bytes, "byte"));
  if (amount.op) all.emplace_back(name_of(*amount.op));
  if (amount.in_place && bytes != 0) all.emplace_back("MPI_IN_PLACE");
  std::string words(without_width(function));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const char* const before = k == 0 ? " with" : k + 1 == all.size() ? " and" : ",";
    words += fmt::format("{} {}", before, all[k]);
  }
  return words;
}

}  // namespace tutti::interpose
