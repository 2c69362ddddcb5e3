// refused: this call returns before its buffers have been used
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<float>& out) { comm.plan_gather(std::vector<float>(8), out).run(); }
