/// @file
/// Comparison of the ranks of both groups of an intercommunicator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mpi_check/collectives/call_signature.hpp"

namespace tutti::interpose {

/// A rank of one of the groups, and what it has told.
struct GroupMember {
  int in_group = 0;
  int in_job = 0;  ///< its number in MPI_COMM_WORLD, by which sentences call it
  bool is_of_own_group = false;
  const CallSignature* told = nullptr;
};

/// A sentence that says which of them do what, where that does not go together: their functions, then their roots,
/// amounts, kinds of elements, and, within each group, blocks. `where` follows "ranks of MPI_COMM_WORLD, ". Members
/// that are left out are not compared.
std::optional<std::string> difference_of(const std::vector<GroupMember>& members, const std::string& where);

/// Data that one rank sends to another one, which awaits other data; by their numbers in MPI_COMM_WORLD.
/// Plain bytes.
struct FlowMismatch {
  int from = -1;
  int to = -1;
  std::int64_t sent = 0;
  std::int64_t awaited = 0;
  // Signatures that differ although lengths go together.
  SignatureDigest sent_types = {};
  SignatureDigest awaited_types = {};

  bool is_there() const { return from >= 0; }
  bool operator<(const FlowMismatch& other) const { return from != other.from ? from < other.from : to < other.to; }
};

/// The first that does not go together of those between this rank, whose number is `own`, and those of the other group,
/// whose numbers are `others`.
FlowMismatch first_wrong_flow(int own, const std::vector<int>& others, const std::vector<CallSignature>& mine,
                              const std::vector<CallSignature>& told);
/// "rank 1 sends 4 bytes to rank 0, which expects 8", or what they are where lengths go together.
std::string words_of(const FlowMismatch& flow);
std::string sentence_of(const FlowMismatch& flow, const CallSignature& told, const std::string& where);

}  // namespace tutti::interpose
