/// @file
/// What the ranks of both groups of an intercommunicator do, compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpose/mpi/comparison.hpp"

namespace tutti::interpose {

/// A rank of one of the groups, and what it has told.
struct Member {
  int in_group = 0;
  int in_job = 0;  ///< its number in MPI_COMM_WORLD, by which sentences call it
  bool is_of_own_group = false;
  const Told* told = nullptr;
};

/// A sentence that says which of them do what, where that does not go together: their functions, then their roots,
/// amounts, kinds of elements, and, within each group, blocks. `where` follows "ranks of MPI_COMM_WORLD, ". Members
/// that are left out are not compared.
std::optional<std::string> difference_of(const std::vector<Member>& members, const std::string& where);

/// Bytes that one rank sends to another one, which awaits another number of them; by their numbers in MPI_COMM_WORLD.
/// Plain bytes.
struct Flow {
  int from = -1;
  int to = -1;
  std::int64_t sent = 0;
  std::int64_t awaited = 0;

  bool is_there() const { return from >= 0; }
  bool operator<(const Flow& other) const { return from != other.from ? from < other.from : to < other.to; }
};

/// The first that does not go together of those between this rank, whose number is `own`, and those of the other group,
/// whose numbers are `others`.
Flow first_wrong_flow(int own, const std::vector<int>& others, const std::vector<Told>& mine,
                      const std::vector<Told>& told);
std::string sentence_of(const Flow& flow, const Told& told, const std::string& where);

}  // namespace tutti::interpose
