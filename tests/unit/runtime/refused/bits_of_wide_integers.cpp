// refused: this operator does not apply to this element type
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, unsigned __int128 value) { comm.all_reduce(value, tutti::bitwise_or); }
