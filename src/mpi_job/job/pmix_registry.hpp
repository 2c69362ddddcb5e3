/// @file
/// Registry of the ranks of the whole job that have the library, on all of its hosts.
///
/// No rank may ask another one that has not loaded it: an answer would never come, and a message would come to a
/// program that awaits none. The launcher knows them all. With Open MPI each rank that has the library hands the
/// launcher a word before it enters MPI_Init, which brings these words to all ranks; afterwards a word that is not
/// there is known not to be there, to all ranks alike. MPICH's launcher takes no words of others: there this is not
/// known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tutti::interpose {

/// This rank has the library, and runs on that node. Before MPI_Init.
void enter_pmix_registry(std::uint64_t node);
/// The nodes of all `ranks` ranks; nothing where not all of them have entered with the same library. After MPI_Init.
std::optional<std::vector<std::uint64_t>> nodes_in_pmix_registry(int ranks);
/// After MPI_Finalize: the launcher counts who has come and gone.
void leave_pmix_registry();

}  // namespace tutti::interpose
