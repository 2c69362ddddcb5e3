// refused: the output is a temporary, which is gone when the call returns
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::span<const int> in) { comm.send_receive(in, 1, std::vector<int>(2), 1); }
