// refused: this operator does not apply to this element type
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.all_reduce(1, tutti::average); }
