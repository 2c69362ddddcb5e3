// refused: options stand in braces: {.algorithm = "ring"}
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<double>& data) { comm.broadcast(data, 1, "binomial"); }
