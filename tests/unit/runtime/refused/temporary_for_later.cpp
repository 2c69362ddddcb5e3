// refused: this call returns before its buffers have been used
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.send_async(std::vector<long>(8), 1).wait(); }
