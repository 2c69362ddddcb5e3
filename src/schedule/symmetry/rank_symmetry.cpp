#include "schedule/symmetry/rank_symmetry.hpp"

#include <cstddef>
#include <utility>

namespace tutti {

// By swing the blocks that rank 0 keeps after swings 0, 1, … are owned by the ranks that later swings lead to from it,
// of which all turn into one another: a subgroup, of half as many ranks each time. Rank 0's partner of the swing owns
// the other half. Any turn takes what a subgroup is turned to, which owns an aligned run of blocks, to such a set.
RankSymmetry::RankSymmetry(Kind kind, int ranks) : kind_(kind), p_(ranks) {
  if (kind != Kind::swing) return;
  owners_.push_back(0);
  for (int reach = 1; owners_.size() < static_cast<std::size_t>(p_); reach = 1 - 2 * reach) {
    std::vector<int> halves;
    for (const int owner : owners_) {
      halves.push_back(owner);
      halves.push_back((*this)(owner, modulo(reach, p_)));
    }
    owners_ = std::move(halves);
  }
  blocks_.resize(owners_.size());
  for (int block = 0; block < p_; ++block) blocks_[static_cast<std::size_t>(owner(block))] = block;
}

}  // namespace tutti
