#include "transport/mpi/plugin/mpi_connection.hpp"

namespace tutti::runtime {

bool MpiFolding::carry_out(const Fold& fold, const Combination& how, int) {
  const Stretch& from = fold.operands.front();
  if (fold.operands.size() == 1 && from.address == fold.into.address) return true;  // it has arrived there
  const RoomInUse use(room_);
  fold_here(fold, how, 0, fold.into.bytes, stores_for(fold.into.bytes), room_.pointers);
  return true;
}

MpiConnection::~MpiConnection() {
  if (!origin_.is_this_process()) return;  // a child's copy, and MPI is no child's
  failure_.withdraw();
  world_.leave(identity_);
}

}  // namespace tutti::runtime
