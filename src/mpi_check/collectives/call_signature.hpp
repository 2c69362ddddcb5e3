/// @file
/// Signature of a rank's call, as ranks tell it to one another to compare: function, root, lengths and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_check/signatures/type_signature.hpp"

namespace tutti::interpose {

/// Signatures of one rank's data: what it sends to each other rank and what it expects of each, or what it gives to a
/// reduction, which is to be alike on all ranks. What is not known fits any.
struct DataSignatures {
  std::vector<SignatureDigest> sent;  ///< empty in a reduction
  std::vector<SignatureDigest> awaited;
  SignatureDigest folded;
};

/// "4 MPI_DOUBLE" of that rank, alike for all whose signatures are: MPI has several names for one type.
std::string words_of(const std::vector<SignatureDigest>& all, std::size_t rank);

struct CallSignature;

/// Flows of a rank in a collective by counts: how many bytes it sends to each rank of a communicator, and how many it
/// awaits of each; -1: it does not know. And their signatures, also in other collectives.
struct RankFlows {
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> awaited;
  DataSignatures signatures;

  RankFlows() = default;
  explicit RankFlows(int ranks) : sent(static_cast<std::size_t>(ranks), -1), awaited(sent) {}
  /// Puts what concerns that rank.
  void put(CallSignature& to, std::size_t rank) const;
};

/// Next call of one rank, in a few parts that are compared one after the other.
struct CallDescription {
  std::string words;  ///< "began MPI_Ibarrier"
  std::string kind;   ///< of the elements that are combined: "int32"; empty: not known, which fits any
  RankFlows flows;
  // Root of an intercommunicator, whose ranks name one root in several ways, and do not all say how much that is.
  std::optional<int> root;  ///< value of MPI: MPI_ROOT, MPI_PROC_NULL, or a rank of the other group
  std::string amount;       ///< "16 bytes and MPI_SUM"; empty: it fits any
  std::string blocks;       ///< "blocks of 4, 8 bytes", alike within one group; empty: it fits any
};

/// Message of one rank to another one about its call. Plain bytes.
struct CallSignature {
  static constexpr std::size_t longest = 120;
  static constexpr int no_root = std::numeric_limits<int>::min();

  bool is_blocking = false;
  char words[longest] = {};
  char elements[24] = {};  ///< their kind
  char amount[64] = {};
  char blocks[104] = {};
  int root = no_root;
  std::int64_t sent = -1;     ///< to the other one
  std::int64_t awaited = -1;  ///< bytes awaited of the other one
  SignatureDigest sent_types;
  SignatureDigest awaited_types;
  SignatureDigest folded_types;
};

/// Without the end that tells of counts of the other width: ranks may call either form.
std::string_view without_width(std::string_view function);

}  // namespace tutti::interpose
