// refused: tutti moves consecutive elements: pass a vector, an array or a span
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<bool>& flags) { comm.send(flags, 1); }
