/// @file
/// Binomial negabinary trees and butterflies, for p = 2^d: partners are as near on a ring as they can be.
///
/// In round j an even rank r meets r + rho(j), an odd one r - rho(j) (mod p), with rho(j) = (1 - (-2)^(j + 1))/3 = 1,
/// -1, 3, -5, 11, …: about 2^j/3 ranks away on either side, where binomial trees and recursive doubling go 2^j to one.
/// Swing's partners (all_gather/swing.cpp) are the same.
///
/// Source    D. De Sensi, S. Pasqualoni, L. Piarulli, T. Bonato, S. Ba, M. Turisini, J. Domke, T. Hoefler, Bine Trees:
///           Enhancing Collective Operations by Optimizing Communication Locality, SC, 2025, §2 and §3.
#pragma once

#include "base/integers.hpp"

namespace tutti::algorithms {

/// The rank that `rank` meets in round `j`.
inline int bine_partner(int rank, int j, int p) {
  int reach = 1;
  for (int s = 0; s < j; ++s) reach = 1 - 2 * reach;
  return modulo(rank % 2 == 0 ? rank + reach : rank - reach, p);
}

}  // namespace tutti::algorithms
