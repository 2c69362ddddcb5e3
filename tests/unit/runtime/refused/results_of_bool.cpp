// refused: results come in a std::vector, and that of bool has no elements in memory
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.all_gather(true); }
