#include "transport/mpi/plugin/mpi_agreement.hpp"

namespace tutti::runtime {

bool MpiAgreement::may_enter(std::uint64_t number) {
  // A rank that has entered a call in which ranks differ enters no later one, and a rank that is behind comes to it.
  if (number < free_below_ && !calls_.is_disputed_below(number)) return true;
  peers_.progress();
  if (calls_.is_disputed_below(number)) return false;
  const std::uint64_t completed = calls_.completed_by_all();
  if (completed + collective_slots <= number) {
    calls_.publish();
    return false;
  }
  free_below_ = completed + collective_slots;
  return true;
}

bool MpiAgreement::has_signed(int rank, std::uint64_t number) {
  if (calls_.has_signed(rank, number)) return true;
  peers_.progress();
  calls_.publish();
  return calls_.has_signed(rank, number);
}

bool MpiAgreement::settled() {
  peers_.progress();
  calls_.publish();
  const std::uint64_t entered = calls_.entered();
  return calls_.entered_by_all() >= entered && !calls_.is_disputed_below(entered);
}

}  // namespace tutti::runtime
