// refused: counts are integers, one for each rank, after the buffers
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::span<const double> in, std::span<int> counts, std::span<double> out) {
  comm.scatter_v(in, counts, out);
}
