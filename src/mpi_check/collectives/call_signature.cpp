#include "mpi_check/collectives/call_signature.hpp"

#include <algorithm>

namespace tutti::interpose {

void RankFlows::put(CallSignature& to, std::size_t rank) const {
  const auto put = [rank](const auto& all, auto& at) {
    if (rank < all.size()) at = all[rank];
  };
  put(sent, to.sent);
  put(awaited, to.awaited);
  put(signatures.sent, to.sent_types);
  put(signatures.awaited, to.awaited_types);
  to.folded_types = signatures.folded;
}

std::string words_of(const std::vector<SignatureDigest>& all, std::size_t rank) {
  const auto first = std::find_if(all.begin(), all.end(),
                                  [&](const SignatureDigest& each) { return each.is_known() && each.fits(all[rank]); });
  return first == all.end() ? std::string() : first->words;
}

std::string_view without_width(std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  return function;
}

}  // namespace tutti::interpose
