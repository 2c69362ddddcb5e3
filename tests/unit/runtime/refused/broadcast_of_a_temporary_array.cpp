// refused: a temporary is broadcast to be returned as long as the root
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.broadcast(std::array<int, 3>{1, 2, 3}); }
