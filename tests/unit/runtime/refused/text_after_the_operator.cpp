// refused: options stand in braces: {.algorithm = "ring"}
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<double>& data) { comm.all_reduce(data, tutti::sum, "ring"); }
