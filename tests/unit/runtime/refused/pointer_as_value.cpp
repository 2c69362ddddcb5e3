// refused: an address means nothing to another rank: pass std::span(pointer, count)
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, double* data) { comm.send(data, 1); }
